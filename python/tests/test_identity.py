"""A kernel is that of the matrix it was made from, even when the files around it change."""

import glob
import io
import json
import os
import pickle
import shutil
import threading

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from conftest import emit, integers, random_matrix

import alphasparse
from alphasparse.matrices import canonical_matrix, identity_of

QUICK = {"device": "cpu:1", "time": "0", "options": ("--values", "varying")}
PLAIN = ("--device", "cpu:1", "--design", "csr-scalar")
CODED = "compress | thread_rows rows=1 | thread_total | global_store | compact | launch tasks=bytes"


@pytest.fixture(scope="module")
def two(program):
    """Two matrices of one shape; neither is symmetric."""
    return random_matrix(60, 60, 500, seed=1), random_matrix(60, 60, 500, seed=2)


def emitted(program, folder, matrix, name, *options):
    return emit(program, str(folder), matrix, name, *(options or PLAIN))


@pytest.fixture
def explained(tmp_path_factory, monkeypatch):
    """The matrix that `explain` gives the program, which here prints it: the real one takes seconds
    to find reasons."""
    program = tmp_path_factory.mktemp("program") / "program"
    program.write_text('#!/bin/sh\ncat "$2"\n')
    program.chmod(0o755)

    def matrix_of(kernel):
        with monkeypatch.context() as changed:
            changed.setenv("ALPHASPARSE_PROGRAM", str(program))
            return scipy.io.mmread(io.StringIO(kernel.explain())).tocsr()

    return matrix_of


def test_the_identity_is_what_the_program_says(two, tmp_path):
    thirds = two[0].astype(np.float32)
    thirds.data /= 3
    assert thirds.dtype == np.float32
    for matrix in (two[0], two[0] / 3, thirds, sp.csr_matrix((2, 3))):
        kernel = alphasparse.tune(matrix, folder=tmp_path, **QUICK)
        told = kernel.tuned["fingerprints"]
        assert kernel.identity[:2] == (told["pattern"], told["values"])
        assert kernel.identity == identity_of(canonical_matrix(matrix))


def test_two_matrices_in_one_folder(two, tmp_path, explained):
    first, second = (alphasparse.tune(one, folder=tmp_path, transpose=True, **QUICK) for one in two)
    x = integers(60)
    for kernel, matrix in ((first, two[0]), (second, two[1])):
        saved = alphasparse.load(kernel.save(tmp_path / f"to{matrix.nnz}"))
        for one in (kernel, pickle.loads(pickle.dumps(kernel)), alphasparse.load(kernel.path), saved):
            assert np.array_equal(one @ x, matrix @ x)
            assert np.array_equal(one.T @ x, matrix.T @ x)
            assert np.array_equal(one.aslinearoperator().rmatvec(x), matrix.T @ x)
        assert (explained(kernel) != matrix).nnz == 0
    assert first.path != second.path


@pytest.mark.parametrize("name", ["m.cpu.h", "m.cpu.cpp", "m.cpu.safetensors", "alphasparse_kernel.h"])
def test_files_that_are_not_ours_stay(two, tmp_path, name):
    kernel = alphasparse.tune(two[0], name="m", folder=tmp_path / "ours", **QUICK)
    (tmp_path / "mine").mkdir()
    mine = "weights" if name.endswith("safetensors") else '#include "alphasparse_kernel.h"'
    (tmp_path / "mine" / name).write_text(mine)
    for call in (
        lambda: alphasparse.tune(two[0], name="m", folder=tmp_path / "mine", **QUICK),
        lambda: kernel.save(tmp_path / "mine"),
    ):
        with pytest.raises(alphasparse.FileError, match="was not written by alphasparse"):
            call()
        assert (tmp_path / "mine" / name).read_text() == mine
        assert os.listdir(tmp_path / "mine") == [name]


def test_the_name_of_another_matrix_is_refused(two, tmp_path, monkeypatch):
    first = alphasparse.tune(two[0], name="m", folder=tmp_path, **QUICK)
    before = {one: open(one, "rb").read() for one in glob.glob(str(tmp_path / "*"))}
    with pytest.raises(alphasparse.FileError, match="/m is the name of another matrix.*another name") as told:
        monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere")  # it is not asked
        alphasparse.tune(two[1], name="m", folder=tmp_path, **QUICK)
    assert "\n" not in str(told.value)
    with pytest.raises(alphasparse.FileError, match="another"):
        alphasparse.tune(two[0], name="m", folder=tmp_path, dtype=np.float32, **QUICK)
    monkeypatch.undo()
    assert before == {one: open(one, "rb").read() for one in glob.glob(str(tmp_path / "*"))}
    again = alphasparse.tune(two[0], name="m", folder=tmp_path, **QUICK)
    assert again.path == first.path


def test_files_that_were_written_over_are_told(program, two, tmp_path):
    kernel = alphasparse.load(emitted(program, tmp_path, two[0], "m"))
    pickled, x = pickle.dumps(kernel), integers(60)
    operator = kernel.aslinearoperator()
    emitted(program, tmp_path, two[1], "m")
    for read in (
        lambda: pickle.loads(pickled),
        lambda: kernel.T,
        lambda: operator.rmatvec(x),
        lambda: kernel.save(tmp_path / "to"),
        lambda: kernel.explain(),
        lambda: kernel.report(tmp_path / "r.html"),
        lambda: kernel.values(),
    ):
        with pytest.raises(alphasparse.FileError, match="m.cpu.(safetensors|cpp).*another matrix"):
            read()
    assert np.array_equal(kernel @ x, two[0] @ x)
    assert not glob.glob(str(tmp_path / "to" / "*"))


def test_what_tune_said_of_another_matrix_is_told(two, tmp_path):
    kernels = [alphasparse.tune(one, folder=tmp_path, **QUICK) for one in two]
    ours, other = (one.path.removesuffix(".safetensors") + ".tune.json" for one in kernels)
    shutil.copy(other, ours)
    with pytest.raises(alphasparse.FileError, match="tune.json"):
        kernels[0].tuned


def test_what_tune_said_of_a_deleted_kernel_is_not_empty(two, tmp_path):
    kernel = alphasparse.tune(two[0], folder=tmp_path, **QUICK)
    shutil.rmtree(tmp_path)
    with pytest.raises(alphasparse.FileError, match="is not there any more"):
        kernel.tuned


def test_a_transpose_is_found_by_pattern_and_values(program, two, tmp_path):
    other_values = two[0].T.tocsr()
    other_values.data = other_values.data + 1
    kernel = alphasparse.load(emitted(program, tmp_path, two[0], "K"))
    emitted(program, tmp_path, two[1].T.tocsr(), "K_T")
    emitted(program, tmp_path, other_values, "K_T2")
    with pytest.raises(alphasparse.TransposeError):
        kernel.T
    emitted(program, tmp_path, two[0].T.tocsr(), "whatever")
    assert os.path.basename(kernel.T.path) == "whatever.cpu.safetensors"
    assert np.array_equal(kernel.T @ integers(60), two[0].T @ integers(60))


def test_a_transpose_does_not_take_the_name_of_another(two, tmp_path):
    other = alphasparse.tune(two[1], name="K_T", folder=tmp_path, **QUICK)
    kernel = alphasparse.tune(two[0], name="K", transpose=True, folder=tmp_path, **QUICK)
    x = integers(60)
    for one in (kernel, alphasparse.load(kernel.path)):
        assert np.array_equal(one.T @ x, two[0].T @ x) and one.T.path != other.path
    assert np.array_equal(alphasparse.load(other.path) @ x, two[1] @ x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_after_an_update_everything_has_the_new_values(two, dtype, tmp_path, explained):
    matrix = two[0].astype(dtype)
    kernel = alphasparse.tune(matrix, transpose=True, folder=tmp_path, **QUICK)
    transpose, operator = kernel.T, kernel.aslinearoperator()
    x = integers(60, dtype)
    for changed, factor in ((kernel, 3), (transpose, 5)):
        other = matrix * factor
        changed.update((other if changed is kernel else other.T.tocsr()).data)
        saved = alphasparse.load(kernel.save(tmp_path / f"to{factor}"))
        for one in (kernel, pickle.loads(pickle.dumps(kernel)), saved):
            assert np.array_equal(one @ x, other @ x)
            assert np.array_equal(one.T @ x, other.T @ x)
        assert np.array_equal(pickle.loads(pickle.dumps(transpose)) @ x, other.T @ x)
        assert np.array_equal(pickle.loads(pickle.dumps(transpose)).T @ x, other @ x)
        assert np.array_equal(operator.matvec(x), other @ x)
        assert np.array_equal(operator.rmatvec(x), other.T @ x)
        assert np.array_equal(operator.H.matvec(x), other.T @ x)
        assert saved.identity == kernel.current_identity() == identity_of(canonical_matrix(other))
        assert saved.tuned["fingerprints"]["values"] == saved.identity.values
        assert (explained(kernel) != other).nnz == 0
        assert alphasparse.load(tmp_path / f"to{factor}").path == saved.path


def test_an_update_that_one_of_two_formats_refuses_changes_neither(program, tmp_path):
    matrix = random_matrix(40, 40, 200, seed=4)
    matrix.data[:] = 2.5
    matrix.data[::2] = 1.25
    emitted(program, tmp_path, matrix, "m")
    emitted(program, tmp_path, matrix.T.tocsr(), "t", "--device", "cpu:1", "--design", CODED)
    x = integers(40)
    for updated in (False, True):
        kernel = alphasparse.load(tmp_path / "m.cpu.safetensors")
        factor = 2 if updated else 1
        if updated:
            kernel.update(matrix.data * 2)
        transpose = kernel.T
        for one in (kernel, transpose):
            with pytest.raises(alphasparse.ValuesError, match="share a code"):
                one.update(np.arange(matrix.nnz, dtype=float))
            for two in (kernel, pickle.loads(pickle.dumps(kernel))):
                assert np.array_equal(two @ x, factor * (matrix @ x))
                assert np.array_equal(two.T @ x, factor * (matrix.T @ x))
        kernel.update(matrix.data * 3)
        assert np.array_equal(transpose @ x, 3 * (matrix.T @ x))


def test_a_rebuilt_format_has_any_values_and_so_has_the_transpose(program, tmp_path):
    matrix = random_matrix(40, 40, 200, seed=4)
    matrix.data[:] = 2.5
    path = emitted(program, tmp_path, matrix, "m", "--device", "cpu:1", "--design", CODED)
    emitted(program, tmp_path, matrix.T.tocsr(), "t", "--device", "cpu:1", "--design", CODED)
    kernel, x = alphasparse.load(path), integers(40)
    operator, transpose, design = kernel.aslinearoperator(), kernel.T, kernel.design
    assert kernel.update(np.full(matrix.nnz, 1.5), rebuild=True) == 0
    other = matrix.copy()
    other.data = np.arange(matrix.nnz, dtype=float)
    assert kernel.update(other.data, rebuild=True) > 0
    assert kernel.design == design and kernel.path != path
    assert kernel.identity == identity_of(canonical_matrix(other))
    for one in (kernel, operator, pickle.loads(pickle.dumps(kernel)), alphasparse.load(kernel.path),
                alphasparse.load(kernel.save(tmp_path / "to"))):  # fmt: skip
        assert np.array_equal(one @ x, other @ x)
    for one in (transpose, kernel.T, pickle.loads(pickle.dumps(transpose)), alphasparse.load(kernel.path).T):
        assert np.array_equal(one @ x, other.T @ x)
    assert np.array_equal(alphasparse.load(path) @ x, matrix @ x)
    kernel.update(matrix.data * 3, rebuild=True)
    assert np.array_equal(kernel @ x, 3 * (matrix @ x)) and np.array_equal(transpose @ x, 3 * (matrix.T @ x))


def test_a_rebuilt_symmetric_format(program, tmp_path):
    half = random_matrix(40, 40, 150, seed=5)
    matrix = (half + half.T).tocsr()
    matrix.data[:] = 1.5
    kernel = alphasparse.load(emitted(program, tmp_path, matrix, "s", "--device", "cpu:1", "--design", CODED))
    transpose, other, x = kernel.T, matrix.copy(), integers(40)
    for values in (np.arange(matrix.nnz, dtype=float), np.full(matrix.nnz, 4.0)):
        other.data = values
        kernel.update(values, rebuild=True)
        assert np.array_equal(kernel @ x, other @ x) and np.array_equal(transpose @ x, other.T @ x)


def test_a_design_that_fits_no_other_values_is_told(program, tmp_path, monkeypatch):
    matrix = random_matrix(40, 40, 200, seed=4)
    matrix.data[:] = 2.5
    kernel = alphasparse.load(emitted(program, tmp_path, matrix, "m", "--device", "cpu:1", "--design", CODED))
    refusing = tmp_path / "refusing"
    refusing.write_text("#!/bin/sh\necho 'alphasparse: error: illegal' >&2; exit 2\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", str(refusing))
    with pytest.raises(alphasparse.ValuesError, match="illegal.*varying"):
        kernel.update(np.arange(matrix.nnz, dtype=float), rebuild=True)
    assert np.array_equal(kernel @ integers(40), matrix @ integers(40))
    assert not glob.glob(str(tmp_path / ".*"))


def test_saving_does_not_write_over_another_matrix(program, two, tmp_path):
    (tmp_path / "to").mkdir()
    emitted(program, tmp_path / "to", two[1], "m")
    kernel = alphasparse.load(emitted(program, tmp_path, two[0], "m"))
    with pytest.raises(alphasparse.FileError, match="another name or folder"):
        kernel.save(tmp_path / "to")
    assert not glob.glob(str(tmp_path / "to" / ".*"))
    assert np.array_equal(alphasparse.load(tmp_path / "to") @ integers(60), two[1] @ integers(60))
    kernel.update(two[0].data * 2)
    with pytest.raises(alphasparse.FileError, match="another name or folder"):
        kernel.save(tmp_path)


def test_threads_tune_into_one_folder(tmp_path):
    matrices = [random_matrix(50, 50, 300, seed=seed) for seed in range(3)]
    kernels, x = {}, integers(50)

    def work(number):
        kernels[number] = alphasparse.tune(matrices[number], folder=tmp_path, transpose=True, **QUICK)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for number, matrix in enumerate(matrices):
        for one in (kernels[number], alphasparse.load(kernels[number].path)):
            assert np.array_equal(one @ x, matrix @ x) and np.array_equal(one.T @ x, matrix.T @ x)
    assert not glob.glob(str(tmp_path / ".*"))


def test_comments_are_no_reason_to_compile_again(program, two, tmp_path, monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    path = emitted(program, tmp_path, two[0], "m")
    alphasparse.load(path)
    made, text = os.listdir(tmp_path / "cache"), (tmp_path / "m.cpu.cpp").read_text()
    for changed in ("// made of /elsewhere/m.mtx\n" + text, text + "// the end\n"):
        (tmp_path / "m.cpu.cpp").write_text(changed)
        alphasparse.load(path)
        assert os.listdir(tmp_path / "cache") == made
    (tmp_path / "m.cpu.cpp").write_text(text + 'const char* const other = "//";\n')
    alphasparse.load(path)
    assert len(os.listdir(tmp_path / "cache")) == len(made) + 1


def test_marks_of_saved_transposes_follow_updates(two, tmp_path):
    kernel = alphasparse.tune(two[0], name="k", transpose=True, folder=tmp_path, **QUICK)
    kernel.update(two[0].data * 2)
    kernel.save(tmp_path / "to")
    told = json.load(open(tmp_path / "to" / "k_T.cpu.tune.json"))
    assert told["transpose_of"] == list(kernel.current_identity())
    assert alphasparse.load(tmp_path / "to").path == str(tmp_path / "to" / "k.cpu.safetensors")


def test_a_transpose_alone_is_not_the_kernel_of_a_folder(two, tmp_path):
    alphasparse.tune(two[0], name="k", transpose=True, folder=tmp_path, **QUICK)
    for one in glob.glob(str(tmp_path / "k.*")):
        os.remove(one)
    with pytest.raises(alphasparse.FileError, match="has not one kernel but: k_T.cpu.safetensors; load one"):
        alphasparse.load(tmp_path)
    x = integers(60)
    assert np.array_equal(alphasparse.load(tmp_path / "k_T") @ x, two[0].T @ x)
