"""Kernels on a CPU: from a matrix to products of every kind."""

import glob
import json
import os
import pickle
import threading

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import SECONDS_MOST, emit, integers, is_whole, random_matrix

import alphasparse

QUICK = {"device": "cpu", "time": "1s", "options": ("--trials", "2", "--values", "varying")}


@pytest.fixture(scope="module")
def kernel(program, matrix, tmp_path_factory):
    folder = tmp_path_factory.mktemp("tuned")
    return alphasparse.tune(matrix, transpose=True, folder=folder, name="m", **QUICK)


@pytest.fixture(scope="module")
def symmetric(program, tmp_path_factory):
    """Its values are not coded: others may take their place."""
    values = np.random.default_rng(1).random(99)
    matrix = sp.diags([values, 4 + np.arange(100.0), values], [-1, 0, 1], format="csr")
    folder = str(tmp_path_factory.mktemp("symmetric"))
    return matrix, emit(program, folder, matrix, "s", "--device", "cpu:1", "--design", "csr-scalar")


@pytest.fixture(scope="module")
def single(program, tmp_path_factory):
    matrix = random_matrix(40, 40, 200, np.float32)
    path = emit(program, str(tmp_path_factory.mktemp("f32")), matrix, "s", "--device", "cpu:1",
                "--design", "csr-scalar")  # fmt: skip
    return matrix, alphasparse.load(path)


def test_tune_gives_products(kernel, matrix):
    x = integers(200)
    assert np.array_equal(kernel @ x, matrix @ x)
    assert (kernel.shape, kernel.dtype, kernel.nnz) == (matrix.shape, matrix.dtype, matrix.nnz)
    assert kernel.device == f"cpu:{kernel.threads}"
    kernel.threads = np.int64(kernel.threads)  # an integer of any library
    assert kernel.design == alphasparse.read_format(kernel.path).design == kernel.tuned["design"]
    assert kernel.design in repr(kernel)


def test_the_program_answers_again_from_its_database(kernel, matrix, tmp_path, capfd):
    """Into a folder of its own, for other tests need the files of the first."""
    first = kernel.tuned
    again = alphasparse.tune(matrix, folder=tmp_path, name="m", **QUICK)
    assert np.array_equal(again @ integers(200), matrix @ integers(200))
    if is_whole(first):
        assert again.tuned["tier"] == "exact"
        assert again.design == kernel.design
        assert "answered from the database" in capfd.readouterr().err


def test_without_a_folder_the_cache_has_the_files(program, matrix, own_places):
    kernel = alphasparse.tune(matrix.tocoo(), **QUICK)
    assert kernel.path.startswith(str(own_places / "cache"))
    x = integers(200)
    assert np.array_equal(kernel @ x, matrix @ x)


def test_a_path_is_tuned_as_its_matrix(kernel, matrix, tmp_path):
    file = tmp_path / "m.mtx"
    alphasparse.matrices.write_matrix(str(file), matrix)
    first = kernel.tuned
    again = alphasparse.tune(file, folder=tmp_path / "out", **QUICK)
    assert os.path.basename(again.path) == "m.cpu.safetensors"
    assert again.identity == kernel.identity
    if is_whole(first):
        assert again.tuned["tier"] == "exact"


def test_the_transpose_was_tuned_too(kernel, matrix):
    y = integers(300)
    assert np.array_equal(kernel.T @ y, matrix.T @ y)
    assert kernel.T.T is kernel
    assert os.path.basename(kernel.T.path) == "m_T.cpu.safetensors"
    loaded = alphasparse.load(kernel.path)
    assert np.array_equal(loaded.T @ y, matrix.T @ y)


def test_a_symmetric_matrix_is_its_own_transpose(symmetric):
    kernel = alphasparse.load(symmetric[1])
    transpose, operator = kernel.T, kernel.aslinearoperator()
    assert transpose.T is kernel and transpose.path == kernel.path
    x = integers(100)
    assert np.array_equal(transpose @ x, kernel @ x)
    for values in (np.arange(kernel.nnz, dtype=float), np.arange(kernel.nnz, dtype=float)[::-1]):
        other = symmetric[0].copy()
        other.data = values
        kernel.update(values)
        for one in (transpose, kernel.T, pickle.loads(pickle.dumps(transpose)),
                    alphasparse.load(symmetric[1], "cpu:1")):  # fmt: skip
            if one.path == kernel.path and one._values is not None:
                assert np.array_equal(one @ x, other.T @ x)
        assert np.array_equal(kernel @ x, other @ x)
        assert np.array_equal(operator.rmatvec(x), other.T @ x)


def test_without_a_transpose_it_says_so(single):
    with pytest.raises(alphasparse.TransposeError, match=r"tune\(A, transpose=True\)"):
        single[1].T


def test_coded_values_refuse_what_they_cannot_hold(program, tmp_path):
    matrix = sp.eye(64, format="csr") * 2.5
    design = "compress | thread_rows rows=1 | thread_total | global_store | compact | launch tasks=bytes"
    path = emit(program, str(tmp_path), matrix, "c", "--device", "cpu:1", "--design", design)
    kernel = alphasparse.load(path)
    kernel.update(np.full(64, 3.5))
    assert np.array_equal(kernel @ np.ones(64), np.full(64, 3.5))
    with pytest.raises(alphasparse.ValuesError, match="share a code"):
        kernel.update(np.arange(64.0))


def test_wrong_arguments_are_told(single):
    matrix, kernel = single
    x, y = integers(40, np.float32), np.empty(40, np.float32)
    cases = [
        (alphasparse.ShapeError, "shape", (x[1:], None)),
        (alphasparse.ShapeError, "shape", (x, y[1:])),
        (alphasparse.ShapeError, "shape", (x.reshape(1, 40), None)),
        (alphasparse.DtypeError, "float32", (x.astype(float), None)),
        (alphasparse.DtypeError, "float32", (x, y.astype(int))),
        (alphasparse.DtypeError, "NumPy", (list(x), None)),
        (alphasparse.LayoutError, "contiguous", (x, np.empty(80, np.float32)[::2])),
        (alphasparse.LayoutError, "overlap", (x, x)),
    ]
    for kind, words, (one, out) in cases:
        with pytest.raises(kind, match=words) as told:
            kernel.matvec(one, out=out)
        assert isinstance(told.value, (ValueError, TypeError)) and "\n" not in str(told.value)
    y.setflags(write=False)
    with pytest.raises(alphasparse.LayoutError, match="written"):
        kernel.matvec(x, out=y)
    with pytest.raises(alphasparse.LayoutError, match="beta"):
        kernel.matvec(x, beta=1)
    with pytest.raises(alphasparse.ShapeError):
        kernel @ np.ones((41, 2), np.float32)

    class OnAnotherDevice:
        __cuda_array_interface__ = {}

    with pytest.raises(alphasparse.DeviceError):
        kernel @ OnAnotherDevice()


def test_it_pickles_and_moves(kernel, matrix, tmp_path):
    x = integers(200)
    for one in (pickle.loads(pickle.dumps(kernel)), alphasparse.load(kernel.save(tmp_path / "to"))):
        assert np.array_equal(one @ x, matrix @ x)
        assert one.design == kernel.design
    assert np.array_equal(alphasparse.load(tmp_path / "to").T @ integers(300), matrix.T @ integers(300))
    for path in ("m", "m.cpu.cpp", "m.cpu.h"):
        assert alphasparse.load(tmp_path / "to" / path).nnz == kernel.nnz


def test_threads_wait_for_each_other_and_let_others_run(kernel, matrix):
    x = integers(200)
    expected = matrix @ x
    wrong = []

    def work():
        for _ in range(200):
            if not np.array_equal(kernel @ x, expected):
                wrong.append(1)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(SECONDS_MOST)
    assert not wrong and not any(worker.is_alive() for worker in workers)


def test_a_changed_text_is_compiled_anew(single, tmp_path):
    matrix, kernel = single
    path = kernel.save(tmp_path)
    text = (tmp_path / "s.cpu.cpp").read_text()
    (tmp_path / "s.cpu.cpp").write_text(text.replace("out[row] = ", "out[row] = 2 * "))
    x = integers(40, np.float32)
    assert np.array_equal(alphasparse.load(path) @ x, 2 * (matrix @ x))
    (tmp_path / "s.cpu.cpp").write_text("no C++;\n" + text)
    with pytest.raises(alphasparse.CompileError, match=f"^{tmp_path}/s.cpu.cpp does not compile: s.cpu.cpp:1:"):
        alphasparse.load(path)
    assert not glob.glob(str(tmp_path / "*.so"))


def test_nothing_of_the_current_folder_runs(single, tmp_path, monkeypatch):
    matrix, kernel = single
    path = kernel.save(tmp_path / "kernels")
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    for name in ("g++", "as", "alphasparse"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / "cmath").write_text("#error planted\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f":.:{os.environ['PATH']}")
    monkeypatch.setenv("CPATH", ":")
    monkeypatch.delenv("ALPHASPARSE_CXX")
    x = integers(40, np.float32)
    assert np.array_equal(alphasparse.load(path) @ x, matrix @ x)
    monkeypatch.setenv("PATH", ".:")
    monkeypatch.delenv("ALPHASPARSE_PROGRAM")
    with pytest.raises(alphasparse.ProgramError, match="is missing"):
        alphasparse.program.find_program()
    assert not (tmp_path / "ran").exists()


def test_words_of_others_reach_no_program(kernel, tmp_path):
    path = kernel.save(tmp_path / "kernels")
    victim = tmp_path / "victim"
    victim.write_text("mine")
    told = tmp_path / "kernels/m.cpu.tune.json"
    words = json.loads(told.read_text())
    words["arguments"] += ["--report", str(victim)]
    told.write_text(json.dumps(words))
    told.chmod(0o666)
    alphasparse.load(path).explain()
    assert victim.read_text() == "mine"


def test_folders_of_the_cache_are_ours_alone(monkeypatch, tmp_path):
    from alphasparse.cache import cache_folder
    from alphasparse.trust import make_own_folder

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ALPHASPARSE_CACHE", "-x")
    assert cache_folder() == str(tmp_path / "-x")
    before = os.umask(0)
    try:
        make_own_folder(str(tmp_path / "a/b"))
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700] * 2
    (tmp_path / "a").chmod(0o770)
    make_own_folder(str(tmp_path / "a"))
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    for name in ("ALPHASPARSE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(alphasparse.FileError, match="set ALPHASPARSE_CACHE"):
        cache_folder()


def test_explain_is_what_the_program_tells(kernel):
    first, told = kernel.tuned, kernel.explain()
    assert "\ntier " in told and f"{kernel.nnz} non-zeros" in told
    if is_whole(first):
        assert kernel.design in told


def test_a_report_that_the_program_does_not_write_is_told(kernel, tmp_path, monkeypatch):
    program = tmp_path / "older"
    program.write_text("#!/bin/sh\necho 'alphasparse: error: no such option: --report' >&2; exit 2\n")
    program.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", str(program))
    with pytest.raises(alphasparse.ProgramError, match="no such option: --report"):
        kernel.report(tmp_path / "r.html")


def test_a_report_is_where_the_program_wrote_it(kernel, tmp_path, monkeypatch):
    program = tmp_path / "newer"
    program.write_text('#!/bin/sh\nfor file; do :; done; echo "<html>" > "$file"\n')
    program.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", str(program))
    page = kernel.report(tmp_path / "r.html")
    assert page == str(tmp_path / "r.html") and open(page).read() == "<html>\n"
