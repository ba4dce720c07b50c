"""Products of several columns, composed of the widths that a kernel has."""

import os
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix

import alphasparse
from alphasparse.columns import composed, composition, measured_times, repeats

MATRIX = random_matrix(50, 70, 300)
SETS = {"all": (1, 2, 4, 8), "no one": (4, 8), "one": (1,), "float32": (1, 4)}


def kernel_of(program, folder, matrix, widths, device="cpu:1"):
    """The kernel of a design for each width."""
    for width in widths:
        name = "m" if width == 1 else f"m_x{width}"
        words = ("--device", device, "--design", "csr-scalar", "--vectors", str(width))
        emit(program, str(folder), matrix, name, *words)
    return alphasparse.load(folder)


@pytest.fixture(params=SETS, scope="module")
def pair(program, request, tmp_path_factory):
    matrix = MATRIX.astype(np.float32 if request.param == "float32" else np.float64)
    kernel = kernel_of(program, tmp_path_factory.mktemp("widths"), matrix, SETS[request.param])
    assert kernel.vectors == SETS[request.param]
    return matrix, kernel


def layouts(rows, columns, dtype, seed=3):
    """Arrays of the same numbers that lie in memory in many ways."""
    whole = integers(rows * columns, dtype, seed).reshape(rows, columns)
    room = np.full((2 * rows, 2 * columns + 5), 99, dtype)
    for name, place in {
        "C": np.empty((rows, columns), dtype),
        "Fortran": np.empty((rows, columns), dtype, "F"),
        "a slice": room.copy()[:rows, 3 : 3 + columns],
        "each second row": room.copy()[::2, :columns],
        "each second column": room[:rows, : 2 * columns : 2],
        "backwards": room.copy()[rows - 1 :: -1, 1 : 1 + columns],
        "a slice of Fortran's": np.empty((columns + 3, rows + 2), dtype).T[1:-1, 2:-1],
    }.items():
        place[...] = whole
        yield name, place


@pytest.mark.parametrize("columns", range(10))
def test_products_of_any_number_of_columns_and_of_all_orders_are_right(pair, columns):
    matrix, kernel = pair
    scale = np.array(2 - 1j, np.result_type(matrix.dtype, np.complex64))
    for name, x in layouts(70, columns, matrix.dtype):
        for given in (x, x * scale, x.astype(np.int8), x.astype(x.dtype.newbyteorder())):
            y = kernel @ given
            assert y.shape == (50, columns) and np.array_equal(y, matrix @ given), name
        for place, out in layouts(50, columns, matrix.dtype, seed=5):
            expected = 2 * (matrix @ x) - 3 * out
            assert kernel.matmat(x, out=out, alpha=2, beta=-3) is out
            assert np.array_equal(out, expected), (name, place)
        wide = np.asfortranarray(integers(50 * columns).reshape(50, columns) * scale)
        expected = 2 * (matrix @ (x * scale)) + 3 * wide
        assert np.array_equal(kernel.matmat(x * scale, wide, 2, 3), expected)


def test_nothing_beside_the_columns_is_read_or_written(pair):
    matrix, kernel = pair
    for columns in (1, 3, 4, 8, 9):
        room = np.full((70, columns + 6), np.nan, matrix.dtype)
        x, y = room[:, 3 : 3 + columns], np.full((50, columns + 6), 7, matrix.dtype)
        x[...] = integers(70 * columns, matrix.dtype).reshape(70, columns)
        y[:, 3:-3] = np.nan
        kernel.matmat(x, y[:, 3:-3])
        assert np.array_equal(y[:, 3:-3], matrix @ x)
        assert (y[:, :3] == 7).all() and (y[:, -3:] == 7).all()
        kernel.matmat(np.full_like(x, np.nan), y[:, 3:-3], alpha=0, beta=2)
        assert np.array_equal(y[:, 3:-3], 2 * (matrix @ x))


def test_vectors_are_products_of_one_column(pair):
    matrix, kernel = pair
    x, y = integers(70, matrix.dtype), integers(50, matrix.dtype)
    turn = np.array(2 - 1j, np.result_type(matrix.dtype, np.complex64))
    for given in (x, x * turn, np.repeat(x, 2)[::2], x[:, None]):
        assert np.array_equal(kernel @ given, matrix @ given)
    expected = 2 * (matrix @ x) + 3 * y
    kernel.matvec(x, y, 2, 3)
    assert np.array_equal(y, expected)
    assert np.array_equal((2 * kernel) @ np.stack([x, x], 1), 2 * (matrix @ np.stack([x, x], 1)))
    assert np.array_equal(kernel.aslinearoperator().matmat(np.stack([x, x], 1))[:, 0], matrix @ x)


def test_columns_of_one_array_may_alternate_with_those_of_the_result(program, tmp_path):
    matrix = random_matrix(40, 40, 200)
    kernel = kernel_of(program, tmp_path, matrix, (1, 4))
    both = np.zeros((80, 12))
    for x, y in ((both[:40, :5], both[:40, 5:10]), (both[::2, :5], both[1::2, :5]), (both[::2, :4], both[1:41, 4:8])):
        x[...] = integers(200).reshape(40, 5)[:, : x.shape[1]]
        expected = matrix @ x
        kernel.matmat(x, out=y)
        assert np.array_equal(y, expected)


def test_wrong_matrices_are_told_as_wrong_vectors_are(pair):
    matrix, kernel = pair
    x, y = np.ones((70, 4), matrix.dtype), np.ones((50, 4), matrix.dtype)
    fixed, both = y.copy(), np.ones((120, 4), matrix.dtype)
    fixed.flags.writeable = False
    once = np.lib.stride_tricks.as_strided(y, (50, 4), (y.strides[0], 0))
    cases = [
        (alphasparse.ShapeError, r"x has shape \(70, 4, 1\)", lambda: kernel @ x[..., None]),
        (alphasparse.ShapeError, r"x has shape \(70, 4, 1\)", lambda: kernel.matmat(x[..., None])),
        (alphasparse.ShapeError, r"x has shape \(50, 4\).*\(70, k\)", lambda: kernel @ y),
        (alphasparse.ShapeError, r"x has shape \(50, 0\).*\(70, k\)", lambda: kernel @ y[:, :0]),
        (alphasparse.ShapeError, r"out has shape \(50, 3\).*\(50, 4\)", lambda: kernel.matmat(x, y[:, :3])),
        (alphasparse.ShapeError, r"out has shape \(50,\)", lambda: kernel.matmat(x[:, :1], y[:, 0].copy())),
        (alphasparse.LayoutError, "out cannot be written", lambda: kernel.matmat(x, fixed)),
        (alphasparse.LayoutError, "x and out overlap", lambda: kernel.matmat(both[:70], both[69:119])),
        (alphasparse.LayoutError, "out repeats elements", lambda: kernel.matmat(x, once)),
        (alphasparse.LayoutError, "beta wants an out", lambda: kernel.matmat(x, beta=1)),
        (alphasparse.DtypeError, "alpha is 1j", lambda: kernel.matmat(x, alpha=1j)),
        (alphasparse.DtypeError, "out is int64", lambda: kernel.matmat(x, y.astype(int))),
        (alphasparse.DtypeError, "masked", lambda: kernel.matmat(np.ma.array(x))),
        (alphasparse.DtypeError, "long|float128", lambda: kernel.matmat(x.astype(np.longdouble))),
        (alphasparse.InputError, "columns is 0", lambda: kernel.explain(columns=0)),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as told:
            call()
        assert "\n" not in str(told.value)


def test_widths_are_composed_the_largest_first():
    assert composition((1, 4, 8), 16) == [8, 8]
    assert composition((1, 2), 3) == [2, 1]
    assert composition((8, 1), 7) == [1] * 7
    assert composition((4, 8), 13) == [8, 4, 4]
    assert composition((1, 8), 0) == []


def test_widths_are_composed_by_their_times():
    assert composition((1, 2, 8), 3, {1: 10.0, 2: 30.0, 8: 60.0}) == [1, 1, 1]
    assert composition((1, 2, 8), 3, {1: 10.0, 2: 15.0, 8: 60.0}) == [2, 1]
    assert composition((1, 2, 8), 7, {1: 10.0, 2: 15.0, 8: 40.0}) == [8]
    assert composition((1, 2, 8), 9, {1: 10.0, 2: 15.0, 8: 40.0}) == [8, 1]
    assert composition((1, 2, 8), 1003, {1: 10.0, 2: 15.0, 8: 40.0}) == [8] * 125 + [2, 1]
    assert composition((4, 8), 13, {4: 10.0, 8: 30.0}) == [4] * 4
    assert composition((1, 8), 0, {1: 1.0, 8: 2.0}) == []
    assert composition((1, 8), 3, {1: 10.0, 8: 20.0}) == [8]
    assert composition((1, 8), 3, {1: 10.0, 8: 20.0}, 5.0) == [1, 1, 1]


def test_arrays_may_repeat_elements():
    assert not repeats((3, 2), (16, 8), 8) and not repeats((3, 2), (8, -24), 8)
    assert repeats((3, 2), (8, 8), 8) and repeats((3, 2), (0, 8), 8)


def test_all_widths_follow_updates_pickles_saves_and_transposes(program, tmp_path):
    half = random_matrix(40, 40, 150, seed=5)
    for matrix in (random_matrix(40, 40, 300), (half + half.T).tocsr()):
        folder = tmp_path / str(matrix.nnz)
        (folder / "T").mkdir(parents=True)
        kernel = kernel_of(program, folder, matrix, (1, 2, 4))
        is_symmetric = (matrix != matrix.T).nnz == 0
        if not is_symmetric:
            kernel_of(program, folder / "T", matrix.T.tocsr(), (1, 2, 4))
            for file in os.listdir(folder / "T"):
                os.replace(folder / "T" / file, folder / file.replace("m_x", "m_T_x").replace("m.", "m_T."))
        other = matrix.copy()
        other.data = np.arange(matrix.nnz, dtype=float)
        kernel.update(other.data)
        kernel.threads = 2
        saved = alphasparse.load(kernel.save(folder / "saved"))
        x = integers(280).reshape(40, 7)
        for one in (kernel, pickle.loads(pickle.dumps(kernel)), saved):
            assert one.vectors == one.T.vectors == (1, 2, 4)
            assert np.array_equal(one @ x, other @ x) and np.array_equal(one @ x[:, 0], other @ x[:, 0])
            assert np.array_equal(one.T @ x, other.T @ x)
            assert np.array_equal(one.rmatmat(x, beta=2, out=np.ones((40, 7))), other.T @ x + 2)
            assert np.array_equal((x.T @ one).T, other.T @ x)
        assert [one.threads for one in kernel._parts] == [2, 2, 2]
        again = alphasparse.load(kernel.path)
        assert np.array_equal(again @ x, matrix @ x)


def test_values_that_one_width_cannot_hold_change_none_and_are_rebuilt(program, tmp_path):
    matrix = MATRIX.copy()
    matrix.data[:] = 2.5
    plain = "compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes"
    for name, width, design in (("m", 1, plain), ("m_x4", 4, plain.replace("launch", "compact | launch"))):
        words = ("--device", "cpu:1", "--design", design, "--vectors", str(width))
        emit(program, str(tmp_path), matrix, name, *words)
    kernel, x = alphasparse.load(tmp_path / "m"), integers(350).reshape(70, 5)
    other = matrix.copy()
    other.data = np.arange(matrix.nnz, dtype=float)
    with pytest.raises(alphasparse.ValuesError, match="rebuild=True"):
        kernel.update(other.data)
    assert np.array_equal(kernel @ x, matrix @ x) and np.array_equal(kernel.values(), matrix.data)
    kernel.update(3 * matrix.data)
    with pytest.raises(alphasparse.ValuesError, match="rebuild=True"):
        kernel.update(other.data)
    assert np.array_equal(kernel @ x, 3 * (matrix @ x))
    assert kernel.update(other.data, rebuild=True) > 0
    for one in (kernel, alphasparse.load(kernel.path), pickle.loads(pickle.dumps(kernel))):
        assert one.vectors == (1, 4) and np.array_equal(one @ x, other @ x)


def test_tune_searches_each_width_and_its_transpose(program, tmp_path):
    matrix, x, y = MATRIX, integers(350).reshape(70, 5), integers(250).reshape(50, 5)
    words = {"device": "cpu:1", "time": "2s", "options": ("--trials", "3"), "progress": False, "folder": tmp_path}
    kernel = alphasparse.tune(matrix, vectors=[4, 1], transpose=True, name="n", **words)
    assert kernel.vectors == kernel.T.vectors == (1, 4) and "for 1, 4 vectors" in repr(kernel)
    for one in (kernel, alphasparse.load(tmp_path), pickle.loads(pickle.dumps(kernel))):
        assert one.vectors == (1, 4)
        assert np.array_equal(one @ x, matrix @ x) and np.array_equal(one.T @ y, matrix.T @ y)
    assert {"n_x4.cpu.safetensors", "n_T_x4.cpu.safetensors"} <= set(os.listdir(tmp_path))
    assert kernel._more[0].tuned["vectors"] == 4
    kernel.__dict__["_compositions"] = {(9, False): [4, 4, 1], (8, False): [4, 4]}
    told = kernel.explain(progress=False, columns=9)
    assert told.startswith("9 columns are 4 + 4 + 1\n") and "width 4: " in told and "width 1: " in told
    assert "width 1" not in kernel.explain(progress=False, columns=8)
    del kernel.__dict__["_compositions"]
    assert measured_times(kernel) == {one._width: one.tuned["time_us"] for one in kernel._parts}
    assert sum(composed(kernel, 9)) >= 9 and composed(kernel, 8, by_columns=True)
    alone = alphasparse.tune(matrix, vectors=np.int64(4), name="alone", **words)
    assert alone.vectors == (4,) and np.array_equal(alone @ x, matrix @ x)
    assert np.array_equal(alone @ x[:, 0], matrix @ x[:, 0])
    given = alphasparse.tune(matrix, name="given", **words)
    assert given.vectors == (1,) and "vectors" not in repr(given)


@pytest.mark.parametrize("vectors", [0, [], [1.5], "4", 3, 128, [1, 0], None, [[1]], 2.0, {"a": 1}])
def test_wrong_widths_are_told_before_anything_runs(tmp_path, monkeypatch, vectors):
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere")
    with pytest.raises(alphasparse.Error, match="^vectors is .*it takes one or more of 1, 2, 4, 8") as told:
        alphasparse.tune(sp.eye(3), folder=tmp_path / "to", vectors=vectors)
    assert "\n" not in str(told.value) and os.listdir(tmp_path) == []


def test_widths_and_other_arguments_that_do_not_fit_are_told(program, tmp_path, monkeypatch):
    path = emit(program, str(tmp_path), MATRIX, "o", "--device", "cpu:1", "--design", "coo")
    with open(path, "rb") as file:
        other_format = file.read()
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere")
    with pytest.raises(alphasparse.InputError, match='vectors is 4: order="own" is for one vector'):
        alphasparse.tune(sp.eye(3), folder=tmp_path / "to", vectors=4, order="own")
    (tmp_path / "m_x4.cpu.safetensors").write_bytes(other_format)
    with pytest.raises(alphasparse.FileError, match="m is the name of another matrix' kernel"):
        alphasparse.tune(sp.eye(3), folder=tmp_path, name="m", vectors=[1, 4])
    with pytest.raises(alphasparse.InputError, match="an argument, vectors="):
        alphasparse.tune(sp.eye(3), folder=tmp_path / "to", options=["--vectors", "4"])
