"""The program that is run, and the matrices that it is given."""

import contextlib
import os
import pickle
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from conftest import SECONDS_MOST

import alphasparse
from alphasparse import files
from alphasparse.matrices import canonical_matrix, write_matrix


def test_a_missing_program_is_told(monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere/alphasparse")
    with pytest.raises(alphasparse.ProgramError, match="tools/build release"):
        alphasparse.tune(sp.eye(3))


def test_what_the_program_says_of_an_error_is_the_exception(program, tmp_path):
    with pytest.raises(alphasparse.ProgramError, match="--trials") as told:
        alphasparse.tune(sp.eye(3), folder=tmp_path, options=("--trials", "-1"))
    assert told.value.exit_code == 2


@pytest.mark.parametrize("words, told", [
    (("--name", "b"), "an argument, name="), (("--time=3s",), "an argument, time="),
    (("--transpose",), "transpose=True"), (("--shard", "1/1"), "tune takes A alone"),
])  # fmt: skip
def test_options_that_would_give_another_kernel_are_refused(program, tmp_path, words, told):
    with pytest.raises(alphasparse.InputError, match=told):
        alphasparse.tune(sp.eye(3, 4), "cpu:1", "0", folder=tmp_path, options=words, progress=False)


def tried(database):
    """How many designs a search has verified so far; peers' algorithms are none."""
    try:
        # A reader makes no file: the program would find one that is not its own.
        with contextlib.closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as rows:
            query = """SELECT count(*) FROM measurement JOIN run ON run.key = run
                JOIN problem ON problem.key = problem
                WHERE options <> 'vendor' AND status = 'ok' AND verified = 1"""
            return rows.execute(query).fetchone()[0]
    except sqlite3.Error:  # not made yet, or being written
        return 0


def of_the_search(folder):
    """The processes with a folder in their command line."""
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{process}/cmdline", "rb") as words:
                if os.fsencode(folder) in words.read():
                    found.append(process)
    return found


def test_an_interrupt_leaves_no_process_and_the_same_call_goes_on(program, tmp_path):
    """In a process of its own, which is interrupted while the program searches."""
    code = (
        "import alphasparse, scipy.sparse as sp, sys\n"
        "a = sp.random(50, 50, 0.1, random_state=3)\n"
        "try: alphasparse.tune(a, device='cpu:1', time=sys.argv[2], folder=sys.argv[1],"
        " database=sys.argv[1] + '/t.db', options=sys.argv[3:])\n"
        "except KeyboardInterrupt: print('interrupted')\n"
    )
    words = [sys.executable, "-c", code, str(tmp_path)]
    child = subprocess.Popen([*words, f"{2 * SECONDS_MOST}s"], stdout=subprocess.PIPE, text=True)
    end = time.monotonic() + SECONDS_MOST
    while tried(tmp_path / "t.db") < 3 and time.monotonic() < end:
        time.sleep(0.2)
    os.kill(child.pid, signal.SIGINT)
    assert child.communicate(timeout=SECONDS_MOST)[0] == "interrupted\n"
    end = time.monotonic() + SECONDS_MOST
    # The process that tidies up behind the program outlives it by an instant, for it waits for its end.
    while of_the_search(tmp_path) and time.monotonic() < end:
        time.sleep(0.05)
    assert not of_the_search(tmp_path) and os.listdir(tmp_path) == ["t.db"]
    before = tried(tmp_path / "t.db")
    subprocess.run([*words, "0", "--trials", "1"], check=True, capture_output=True)
    assert before >= 3 and tried(tmp_path / "t.db") >= before
    assert len([one for one in os.listdir(tmp_path) if one.endswith(".safetensors")]) == 1


STATES = {
    "none": "sys.stderr = None",
    "closed": "sys.stderr = io.StringIO(); sys.stderr.close()",
    "without isatty": "sys.stderr = type('W', (), {'write': lambda s, t: 0, 'flush': lambda s: 0})()",
    "without flush": "sys.stderr = object()",
    "no descriptor": "os.close(2)",
    "no input": "os.close(0)",
    "no output": "os.close(1)",
}


@pytest.mark.parametrize("state", STATES)
def test_any_state_of_stderr_lets_tune(program, tmp_path, state):
    code = (
        "import alphasparse, io, os, scipy.sparse as sp, sys, threading\n"
        "said = open(sys.argv[1] + '/said', 'w', buffering=1)\n"
        "threading.excepthook = lambda facts: said.write(f'thread: {facts.exc_value}')\n"
        f"{STATES[state]}\n"
        "alphasparse.tune(sp.eye(5), device='cpu:1', time='0', folder=sys.argv[1])\n"
        "said.write('tuned')\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert (tmp_path / "said").read_text() == "tuned"


@pytest.mark.parametrize("name", ["f32", "float32", "single", np.float32, np.dtype("float32"), "<f4",
                                  "f64", "float64", "double", np.float64, np.dtype(float), float])  # fmt: skip
def test_types_by_any_name(name):
    wanted = np.float32 if "32" in str(name) or name in ("single", "<f4") else np.float64
    assert canonical_matrix(sp.eye(3), name).dtype == wanted


def test_paths_are_read_by_the_program(program, tmp_path):
    text = "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 5 "  # ends in a blank
    (tmp_path / "blank.mtx").write_text(text)
    matrix = sp.random(30, 20, 0.2, format="csr", random_state=1)
    sp.save_npz(tmp_path / "a.npz", matrix)
    options = {"device": "cpu:1", "time": "0", "folder": tmp_path / "out"}
    kernel = alphasparse.tune(tmp_path / "blank.mtx", **options)
    assert np.array_equal(kernel @ np.ones(2), [0, 5]) and kernel.dtype == np.float64
    assert os.path.basename(kernel.path) == "blank.cpu.safetensors"
    kernel = alphasparse.tune(str(tmp_path / "a.npz"), transpose=True, **options)
    assert np.allclose(kernel @ np.ones(20), matrix @ np.ones(20))
    assert np.allclose(kernel.T @ np.ones(30), matrix.T @ np.ones(30))
    single = alphasparse.tune(tmp_path / "a.npz", dtype="f32", name="s", transpose=True, **options)
    loaded = alphasparse.load(single.path)
    assert loaded.dtype == np.float32
    assert np.allclose(loaded.T @ np.ones(30, np.float32), matrix.T @ np.ones(30), rtol=1e-5)
    (tmp_path / "bad.mtx").write_text("no matrix\n")
    with pytest.raises(alphasparse.ProgramError, match=f"{tmp_path}/bad.mtx") as told:
        alphasparse.tune(tmp_path / "bad.mtx", **options)
    assert "alphasparse-" not in str(told.value)


def test_a_member_of_a_file(program, tmp_path):
    """FILE:MEMBER is one of several matrices, as on the command line."""
    matrices = {name: sp.random(12, 9, 0.3, format="csr", random_state=seed)
                for seed, name in enumerate("abc")}  # fmt: skip
    (tmp_path / "in").mkdir()
    with tarfile.open(tmp_path / "all.tar.gz", "w:gz") as archive:
        for name, matrix in matrices.items():
            file = tmp_path / "in" / f"{name}.mtx"
            scipy.io.mmwrite(file, matrix)
            archive.add(file, f"group/{name}.mtx")
    scipy.io.savemat(tmp_path / "all.mat", matrices, do_compression=True)
    shutil.copy(tmp_path / "in/a.mtx", tmp_path / "a:b.mtx")
    options = {"device": "cpu:1", "time": "0", "folder": tmp_path / "out", "progress": False}

    def check(path, called, matrix, **more):
        kernel = alphasparse.tune(path, **options, **more)
        assert os.path.basename(kernel.path) == f"{called}.cpu.safetensors"
        assert np.allclose(kernel @ np.ones(9), matrix @ np.ones(9))
        return kernel

    check(f"{tmp_path}/all.tar.gz:group/b.mtx", "b", matrices["b"])
    kernel = check(f"{tmp_path}/all.tar.gz:group/c.mtx", "own", matrices["c"], name="own", transpose=True)
    assert np.allclose(kernel.T @ np.ones(12), matrices["c"].T @ np.ones(12))
    assert os.path.basename(kernel.T.path) == "own_T.cpu.safetensors"
    check(f"{tmp_path}/all.mat:b", "all_b", matrices["b"])
    check(f"{tmp_path}/all.mat:c", "own2", matrices["c"], name="own2")
    check(f"{tmp_path}/a:b.mtx", "a:b", matrices["a"])  # a file that is there is a file
    with pytest.raises(alphasparse.ProgramInputError, match="all.tar.gz.*3 matrices.*group/a.mtx"):
        alphasparse.tune(tmp_path / "all.tar.gz", **options)
    with pytest.raises(alphasparse.ProgramInputError, match="all.mat.* d"):
        alphasparse.tune(f"{tmp_path}/all.mat:d", **options)
    with pytest.raises(alphasparse.FileError, match="none.tar: .*no such matrix|none.tar:a: no such"):
        alphasparse.tune(f"{tmp_path}/none.tar:a", **options)


def test_a_path_whose_name_another_matrix_has(program, tmp_path):
    options = {"device": "cpu:1", "time": "0", "folder": tmp_path / "out"}
    kernels = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        scipy.io.mmwrite(tmp_path / folder / "a.mtx", sp.eye(5) * (2 if folder == "one" else 3))
        kernels.append(alphasparse.tune(tmp_path / folder / "a.mtx", **options))
    assert kernels[0].path != kernels[1].path
    assert [one @ np.ones(5) @ np.ones(5) for one in kernels] == [10, 15]


def test_without_home_there_is_the_refusal_of_the_program(program, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_CACHE_HOME", "ALPHASPARSE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(alphasparse.FileError, match="HOME is not set.*folder="):
        alphasparse.tune(sp.eye(3))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    with pytest.raises(alphasparse.FileError, match="HOME is not set"):
        alphasparse.tune(sp.eye(3))
    assert os.listdir(tmp_path) == []


def damaged(**parts):
    matrix = sp.csr_matrix(np.array([[1.0, 2], [0, 3]]))
    for name, value in parts.items():
        setattr(matrix, name, np.array(value))
    return matrix


@pytest.mark.parametrize("matrix, kind, words", [
    (sp.csr_matrix(np.array([[1, 2], [np.nan, 3]])), alphasparse.ValuesError, "row 1, column 0"),
    (sp.csc_matrix(np.array([[1, np.inf], [0, 3]])), alphasparse.ValuesError, "row 0, column 1"),
    (sp.csr_matrix(np.array([[1, 2], [1e300, 3]])), alphasparse.ValuesError, "row 1, column 0"),
    (damaged(indptr=[0, 2, 5]), alphasparse.ValuesError, "indptr"),
    (damaged(indptr=[0, 3, 2]), alphasparse.ValuesError, "row 1"),
    (damaged(indptr=[-1, 2, 3]), alphasparse.ValuesError, "indptr"),
    (damaged(indptr=[0, 2]), alphasparse.ValuesError, "indptr"),
    (damaged(indices=[0, 2, 1]), alphasparse.ValuesError, r"indices\[1\].* 2"),
    (damaged(indices=[0, -1, 1]), alphasparse.ValuesError, r"indices\[1\].* -1"),
    (np.ones(3), alphasparse.ShapeError, "two dimensions"),
    (np.eye(3), alphasparse.DtypeError, "ndarray"),
    (np.array([[1, None]], object), alphasparse.DtypeError, "ndarray"),
    (damaged(data=np.array([1, 2, 3], object)), alphasparse.DtypeError, "object"),
])  # fmt: skip
def test_refused_before_any_file_is_written(tmp_path, matrix, kind, words, monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere")
    with pytest.raises(kind, match=words) as told:
        alphasparse.tune(matrix, folder=tmp_path / "none", dtype="f32")
    assert "\n" not in str(told.value) and not os.listdir(tmp_path)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_matrices_are_written_bit_for_bit(tmp_path, dtype):
    values = np.array([1 / 3, -1e-30, 7.0, 2.0**40, 0.1], dtype)
    matrix = sp.csr_matrix((values, [1, 0, 3, 2, 0], [0, 2, 2, 5]), (3, 4))
    file = str(tmp_path / "m.mtx")
    write_matrix(file, canonical_matrix(matrix))
    read = sp.csr_matrix(scipy.io.mmread(file)).astype(dtype)
    read.sort_indices()
    assert (read != matrix).nnz == 0 and read.shape == matrix.shape


def test_matrices_become_canonical():
    twice = sp.coo_matrix(([1, 2, 3], ([0, 0, 1], [2, 2, 0])), (2, 3))
    csr = canonical_matrix(twice)
    assert csr.dtype == np.float64 and csr.nnz == 2 and csr[0, 2] == 3
    with pytest.raises(alphasparse.DtypeError, match="complex, and float32.*dtype=complex64"):
        canonical_matrix(sp.eye(3, dtype=complex), np.float32)
    with pytest.raises(alphasparse.DtypeError, match="float16"):
        canonical_matrix(sp.eye(3), np.float16)
    with pytest.raises(alphasparse.DtypeError, match="ndarray"):
        canonical_matrix(np.eye(3))
    with pytest.raises(alphasparse.ShapeError):
        canonical_matrix(sp.csr_matrix((0, 3)))
    with pytest.raises(alphasparse.FileError):
        alphasparse.tune("/nowhere/m.mtx")
    with pytest.raises(alphasparse.FileError):
        alphasparse.load("/nowhere/m")


def test_remake_makes_the_kernel_of_a_matrix_of_memory_again(program, tmp_path):
    """By the two lines of its text, in the order in which they stand."""
    A = sp.csr_matrix(np.array([[1.5, 0, 1 / 3], [0, 0, 7], [1e-300, 2, 0]]))
    kernel = alphasparse.tune(A, device="cpu:1", time="0", folder=tmp_path / "k", transpose=True, name="m")
    for one in (kernel, kernel.T):
        text = open(files.source_of(one.path)).read()
        first, remake = (text.partition(f"\n//   {word} ")[2].partition("\n")[0].strip()
                         for word in ("first", "remake"))  # fmt: skip
        call = first.partition(": it was in memory")[0]
        folder = tmp_path / os.path.basename(one.path)
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", f"import os, pickle, scipy.io, sys\nA = pickle.loads(sys.stdin.buffer.read())\n{call}"],
            input=pickle.dumps(A), cwd=folder, check=True,
        )  # fmt: skip
        subprocess.run(shlex.split(remake.replace("alphasparse", program, 1)), cwd=folder, check=True, capture_output=True)
        made = folder / os.path.basename(one.path)
        assert made.read_bytes() == open(one.path, "rb").read()
        line = f"//   first    {first}\n"
        assert open(files.source_of(str(made))).read() == text.replace(line, "")


def test_a_report_names_the_folder_of_the_kernel(program, tmp_path):
    A = sp.eye(30, format="csr") * 2
    kernel = alphasparse.tune(A, device="cpu:1", time="0", folder=tmp_path / "k", name="m", progress=False)
    page = open(kernel.report()).read()
    assert "alphasparse-run-" not in page and "m.mtx" in page
