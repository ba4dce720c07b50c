"""wheel_contents: the parts of a wheel - the package, its extension, the program with its libraries
and headers, and the licences of all of these."""

import glob
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from typing import NamedTuple

from wheel_archive import WheelArchive

# Debian's packages with code that is in the program by their headers or static libraries.
_COMPILED_IN = ["libarchive-dev", "libboost-dev", "libcli11-dev", "libfast-float-dev", "libfmt-dev",
                "libspdlog-dev", "nlohmann-json3-dev"]  # fmt: skip
GLIBC_MOST = 36  # of Debian 12: its g++ builds the program


class Interpreter(NamedTuple):
    """A Python that the extension is for."""

    tag: str  # cp311
    suffix: str  # .cpython-311-x86_64-linux-gnu.so
    headers: "list[str]"  # the folders of Python.h and of its includes


class WheelError(Exception):
    """A fault for a person to mend, in one line."""


def this_interpreter() -> Interpreter:
    """The Python that runs this."""
    headers = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(headers, "Python.h")):
        raise WheelError(f"{headers} has no Python.h: run tools/setup, or install python3-dev")
    tag = "cp{}{}".format(*sys.version_info[:2])
    return Interpreter(tag, sysconfig.get_config_var("EXT_SUFFIX"), [headers])


def run(command: "list[str]") -> str:
    """The output of a command. Raises WheelError with its last line."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = (done.stderr.strip() or done.stdout.strip() or "it said nothing").split("\n")
        raise WheelError(f"{' '.join(command[:3])} failed: {told[-1]}")
    return done.stdout


def metadata(project: str) -> "tuple[str, str, str]":
    """Name, version and METADATA, from pyproject.toml."""
    with open(os.path.join(project, "python", "pyproject.toml"), "rb") as file:
        facts = tomllib.load(file)["project"]
    with open(os.path.join(project, "python", "README.md"), encoding="utf-8") as file:
        description = file.read()
    lines = ["Metadata-Version: 2.1", f"Name: {facts['name']}", f"Version: {facts['version']}",
             f"Summary: {facts['description']}", f"Requires-Python: {facts['requires-python']}",
             *(f"Requires-Dist: {one}" for one in facts["dependencies"]),
             "Description-Content-Type: text/markdown"]  # fmt: skip
    return facts["name"], facts["version"], "\n".join(lines) + "\n\n" + description


def fetch_pybind11(folder: str) -> str:
    """The headers of a pybind11 that supports NumPy 2."""
    run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--target",
            folder,
            "pybind11>=2.12",
        ]
    )
    return os.path.join(folder, "pybind11", "include")


def compile_extension(project: str, python: Interpreter, pybind11: str, into: str) -> str:
    """The extension, optimized and stripped."""
    target = os.path.join(into, "_native" + python.suffix)
    source = os.path.join(project, "python", "native", "all.cpp")
    includes = [f"-I{folder}" for folder in (*python.headers, pybind11, project)]
    flags = ["-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-shared", "-s", "-DNDEBUG",
             f'-DALPHASPARSE_VERSION="{metadata(project)[1]}"']  # fmt: skip
    run(["g++", *flags, *includes, source, "-ldl", "-o", target])
    return target


def install_program(build: str, into: str) -> "list[str]":
    """Installs the program of a build folder below another one; gives its files there. Where a
    library has several names, the one that programs ask for stays."""
    if not os.path.exists(os.path.join(build, "alphasparse")):
        raise WheelError(f"{build} has no program: run tools/demo, or tools/build release")
    run(["cmake", "--install", build, "--component", "program", "--prefix", into, "--strip"])
    found = [os.path.join(place, name) for place, _, names in os.walk(into) for name in names]
    behind_links = {os.path.realpath(one) for one in found if os.path.islink(one)}
    return sorted(one for one in found if one not in behind_links)


def licences(project: str, libraries: "list[str]") -> "dict[str, str]":
    """The texts of the licences by package."""
    packages = set(_COMPILED_IN)
    for library in libraries:
        owners = run(["dpkg", "-S", "*/" + os.path.basename(library)]).split("\n")
        packages.add(owners[0].split(":")[0])
    with open(os.path.join(project, "LICENSE"), encoding="utf-8") as file:
        texts = {"alphasparse": file.read()}
    for package in sorted(packages | {"pybind11-dev"}):
        path = f"/usr/share/doc/{package}/copyright"
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                texts[package] = file.read()
        except OSError as error:
            raise WheelError(f"the licence {path} cannot be read ({error.strerror})") from None
    return texts


def glibc_needed(files: "list[str]") -> int:
    """N where the newest version of the C library that a file asks for is 2.N."""
    newest = 0
    for file in files:
        told = run(["readelf", "--version-info", "--wide", file])
        newest = max([newest, *(int(one) for one in re.findall(r"GLIBC_2\.(\d+)", told))])
    return newest


def is_code(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def make_wheel(
    project: str, build: str, tag: str, extension: str, scratch: str, folder: str
) -> str:
    """Writes the wheel of one Python, with an extension for it and the program of a build folder,
    into a folder; gives its path."""
    prefix = os.path.join(scratch, "installed-" + tag)
    installed = install_program(build, prefix)
    code = [one for one in [extension, *installed] if is_code(one)]
    needed = glibc_needed(code)
    if needed > GLIBC_MOST:
        raise WheelError(
            f"the program needs glibc 2.{needed}: build it on Debian 12, which has 2.{GLIBC_MOST}"
        )
    name, version, told = metadata(project)
    wheel = WheelArchive(name, version, tag, f"manylinux_2_{GLIBC_MOST}_{os.uname().machine}")
    package = os.path.join(project, "python", "alphasparse")
    members = {extension: f"alphasparse/{os.path.basename(extension)}"}
    members.update(
        {one: f"alphasparse/{os.path.basename(one)}" for one in glob.glob(package + "/*.py*")}
    )
    members[package + "/py.typed"] = "alphasparse/py.typed"
    members.update(
        {one: "alphasparse/installed/" + os.path.relpath(one, prefix) for one in installed}
    )
    for path, inside in members.items():
        with open(path, "rb") as file:
            wheel.add(inside, file.read(), 0o755 if os.access(path, os.X_OK) else 0o644)
    libraries = [one for one in installed if "/lib/alphasparse/" in one]
    for package_name, text in licences(project, libraries).items():
        wheel.add_information(f"licenses/{package_name}", text)
    wheel.add_information("METADATA", told)
    wheel.add_information(
        "entry_points.txt", "[console_scripts]\nalphasparse = alphasparse.program:main\n"
    )
    return wheel.write(folder)
