"""A wheel of this build: one file with the program inside. `tools/wheel --test` tries others in
fresh Debians."""

import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

import alphasparse
from alphasparse import _native

PROJECT = os.environ.get("ALPHASPARSE_PROJECT", "")
SCRIPT = """
import numpy, scipy.sparse, alphasparse
print(alphasparse.program.find_program())
A = scipy.sparse.eye(4, format="csr") * 3
k = alphasparse.tune(A, device="cpu:1", time="0", progress=False)
print(k @ numpy.ones(4))
"""


@pytest.fixture(scope="module")
def wheel(program, tmp_path_factory):
    build = os.path.dirname(program)
    if not PROJECT or not os.path.exists(build + "/CMakeCache.txt") or not shutil.which("dpkg"):
        pytest.skip("the program's build folder, the project or dpkg is not here")
    sys.path.insert(0, os.path.join(PROJECT, "tools", "packaging"))
    try:
        contents = pytest.importorskip("wheel_contents", reason="no tomllib before Python 3.11")
    finally:
        sys.path.pop(0)
    folder = tmp_path_factory.mktemp("wheel")
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    try:
        return contents.make_wheel(
            PROJECT, build, tag, _native.__file__, str(folder / "scratch"), str(folder)
        )
    except contents.WheelError as error:
        if "glibc 2." not in str(error):
            raise
        pytest.skip(str(error))  # this system is newer than the target of wheels


def test_it_is_installed_and_works_without_a_program_elsewhere(wheel, tmp_path):
    words = [
        "--quiet",
        "--no-index",
        "--no-deps",
        "--disable-pip-version-check",
        "--target",
        str(tmp_path / "site"),
    ]
    subprocess.run([sys.executable, "-m", "pip", "install", *words, wheel], check=True)
    places = {"PYTHONPATH": str(tmp_path / "site"), "ALPHASPARSE_CACHE": str(tmp_path / "cache"),
              "ALPHASPARSE_DB": str(tmp_path / "t.db")}  # fmt: skip
    environment = {**os.environ, **places}
    environment.pop("ALPHASPARSE_PROGRAM")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    inside = tmp_path / "site" / "alphasparse" / "installed" / "bin" / "alphasparse"
    assert done.stdout.split("\n")[:2] == [str(inside), "[3. 3. 3. 3.]"]
    command = str(tmp_path / "site" / "bin" / "alphasparse")
    done = subprocess.run(
        [command, "--version"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"alphasparse {alphasparse.__version__}\n"
    told = subprocess.run(["ldd", str(inside)], capture_output=True, text=True, check=True).stdout
    assert "not found" not in told
    for library in re.findall(r"=> (\S+)", told):  # all but the C library come along
        assert str(tmp_path) in library or re.search(
            r"/lib(c|m|dl|rt|pthread)\.so", library
        ), library


@pytest.mark.skipif("ALPHASPARSE_LONG" not in os.environ, reason="a long run compiles the extension anew")
def test_the_script_builds_one_for_this_python(wheel, tmp_path):
    words = [sys.executable, os.path.join(PROJECT, "tools", "wheel"), "-o", str(tmp_path / "wheels")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made = done.stdout.split(": ")[0]
    assert os.path.basename(made) == os.path.basename(wheel)
    with zipfile.ZipFile(made) as ours, zipfile.ZipFile(wheel) as theirs:
        assert sorted(ours.namelist()) == sorted(theirs.namelist())


def test_it_has_libraries_headers_and_licences(wheel):
    assert re.search(r"alphasparse-[\d.]+-cp\d+-cp\d+-manylinux_2_36_\w+\.whl$", wheel)
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        assert archive.testzip() is None and len(names) == len(set(names))
        assert "alphasparse/installed/include/alphasparse_kernel.h" in names
        licences = [one for one in names if ".dist-info/licenses/" in one]
        for part in ("alphasparse", "libxgboost", "libgomp1", "libarchive-dev", "pybind11-dev"):
            assert any(one.rpartition("/")[2].startswith(part) for one in licences), part
        assert all(archive.getinfo(one).file_size > 100 for one in licences)
