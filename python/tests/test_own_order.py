"""Kernels whose x and y have an order of their own."""

import pickle
import re

import numpy as np
import pytest
from conftest import emit, integers, random_matrix, resealed, tensors_in

import alphasparse

PLAIN = "compress | thread_rows rows=1 | thread_total | global_store | launch"
MATRICES = {"square": random_matrix(60, 60, 300), "rectangular": random_matrix(50, 70, 300),
            "float32": random_matrix(40, 40, 200, np.float32)}  # fmt: skip


def own_kernel(program, folder, matrix, device="cpu:1", order="own", plain=PLAIN):
    folder.mkdir(exist_ok=True)
    by = "rcm" if matrix.shape[0] == matrix.shape[1] else "columns"
    design = f"permute by={by} | " * (order == "own") + plain
    design += " tasks=bytes" if device == "cpu:1" else " threads=64"
    words = ("--device", device, "--design", design, "--vectors-order", order)
    return alphasparse.load(emit(program, str(folder), matrix, "m", *words))


@pytest.fixture(params=MATRICES)
def pair(program, request, tmp_path):
    matrix = MATRICES[request.param]
    return matrix, own_kernel(program, tmp_path, matrix)


def test_products_of_either_order_are_right(pair):
    matrix, kernel = pair
    rows, columns = kernel.order
    assert not np.array_equal(rows, np.arange(len(rows)))
    x, y = integers(matrix.shape[1], matrix.dtype), integers(matrix.shape[0], matrix.dtype)
    own_x, own_y = kernel.to_own(x), y[rows]
    assert np.array_equal(own_x, x[columns]) and np.array_equal(kernel.from_own(own_y), y)
    turn = np.array(2 - 1j, x.dtype.char.upper())
    gaps = np.repeat(x, 2)[::2], np.repeat(own_x, 3)[::3]
    for vector, own in ((x, own_x), (x * turn, own_x * turn), gaps):
        assert np.array_equal(kernel @ vector, matrix @ vector)
        assert np.array_equal(kernel.from_own(kernel.own @ own), matrix @ vector)
    out, own_out = y.copy(), own_y.copy()
    kernel.matvec(x, out=out, alpha=2, beta=3)
    assert kernel.own.matvec(own_x, own_out, beta=3, alpha=2) is own_out
    assert np.array_equal(out, 2 * (matrix @ x) + 3 * y) and np.array_equal(own_out, out[rows])
    wide = np.stack([x, 2 * x], axis=1)
    assert np.array_equal(kernel @ wide, matrix @ wide)
    assert np.array_equal(kernel.from_own(kernel.own @ kernel.to_own(wide)), matrix @ wide)


def test_values_are_updated_in_the_given_order_and_pickles_keep_both(pair):
    matrix, kernel = pair
    other = matrix.copy()
    other.data = integers(matrix.nnz, matrix.dtype, seed=11)
    kernel.update(other.data)
    x = integers(matrix.shape[1], matrix.dtype)
    for one in (kernel, pickle.loads(pickle.dumps(kernel)), pickle.loads(pickle.dumps(kernel.own)).kernel):
        assert np.array_equal(one @ x, other @ x)
        assert np.array_equal(one.from_own(one.own @ one.to_own(x)), other @ x)
        assert np.array_equal(one.order.rows, kernel.order.rows)
    assert np.array_equal(kernel.values(), other.data)


def test_a_transpose_of_the_same_order_is_taken_and_another_refused(program, tmp_path):
    half = random_matrix(40, 40, 150, seed=5)
    matrix = (half + half.T).tocsr()
    kernel = own_kernel(program, tmp_path, matrix)
    kernel.update(np.arange(matrix.nnz, dtype=float))
    other, x = matrix.copy(), integers(40)
    other.data = np.arange(matrix.nnz, dtype=float)
    assert np.array_equal(kernel.T @ x, other.T @ x)
    own_x = kernel.to_own(x)
    assert np.array_equal(kernel.from_own(kernel.own.T @ own_x), other.T @ x)
    assert np.array_equal(kernel.from_own(kernel.own.rmatvec(own_x)), other.T @ x)
    wide = MATRICES["square"]
    kernel = own_kernel(program, tmp_path / "a", wide)
    folder = tmp_path / "b"
    with_turned = alphasparse.load(kernel.save(folder))
    plain = own_kernel(program, tmp_path / "c", wide.T.tocsr(), order="given")
    for ending in (".cpu.safetensors", ".cpu.cpp", ".cpu.h"):
        (folder / ("m_T" + ending)).write_bytes(open(plain.path.replace(".cpu.safetensors", ending), "rb").read())
    x = integers(60)
    assert np.array_equal(with_turned.T @ x, wide.T @ x)
    with pytest.raises(alphasparse.TransposeError, match="another order"):
        with_turned.own.T


def test_tune_takes_either_order_and_the_callers_lines_stay_as_they_are(program, tmp_path):
    matrix, x = MATRICES["square"], integers(60)
    words = {"device": "cpu:1", "time": "2s", "options": ("--trials", "12"), "progress": False, "folder": tmp_path}
    kernel = alphasparse.tune(matrix, order="own", transpose=True, **words)
    assert kernel.tuned["vectors_order"] == "own" and "--vectors-order" in kernel.tuned["arguments"]
    given = alphasparse.tune(matrix, name="given", **words)
    assert given.order is None and given.path != kernel.path
    for one in (kernel, given):
        assert np.array_equal(one.from_own(one.own @ one.to_own(x)), matrix @ x)
    assert np.array_equal(kernel.T @ x, matrix.T @ x)


def test_kernels_with_an_order_are_saved_explained_and_rebuilt(program, tmp_path):
    matrix, x = MATRICES["square"].copy(), integers(60)
    matrix.data[:] = 2.5
    kernel = own_kernel(program, tmp_path, matrix, plain=PLAIN.replace("launch", "compact | launch"))
    again = alphasparse.load(kernel.save(tmp_path / "there"), order="own")
    assert np.array_equal(again @ x, matrix @ x) and np.array_equal(again.order.rows, kernel.order.rows)
    assert " us" in kernel.explain(progress=False)
    design, other = kernel.design, matrix.copy()
    other.data = np.arange(matrix.nnz, dtype=float)
    assert kernel.update(other.data, rebuild=True) > 0
    assert kernel.design == design and np.array_equal(kernel @ x, other @ x)
    assert np.array_equal(kernel.from_own(kernel.own @ kernel.to_own(x)), other @ x)


def test_wrong_orders_and_vectors_are_told(program, tmp_path):
    matrix = MATRICES["rectangular"]
    own = own_kernel(program, tmp_path / "own", matrix)
    given = own_kernel(program, tmp_path / "given", matrix, order="given")
    cases = [
        (alphasparse.FileError, "given order, not the own one", lambda: alphasparse.load(given.path, order="own")),
        (alphasparse.FileError, "own order, not the given one", lambda: alphasparse.load(own.path, order="given")),
        (alphasparse.InputError, "order is 'mine'", lambda: alphasparse.load(own.path, order="mine")),
        (alphasparse.InputError, "order is 'mine'", lambda: alphasparse.tune(matrix, order="mine")),
        (alphasparse.InputError, "an argument, order=", lambda: alphasparse.tune(matrix, options=["--vectors-order=own"])),
        (alphasparse.ShapeError, r"y has shape \(70,\).*\(50,\)", lambda: own.from_own(np.ones(70))),
        (alphasparse.ShapeError, r"x has shape \(50,\).*\(70,\)", lambda: own.to_own(np.ones(50))),
        (alphasparse.ShapeError, r"x has shape \(50,\)", lambda: own.own @ np.ones(50)),
        (alphasparse.DtypeError, "no buffer", lambda: own.to_own([1.0] * 70)),
    ]
    for kind, words, call in cases:
        with pytest.raises(kind, match=words) as told:
            call()
        assert "\n" not in str(told.value)


@pytest.mark.parametrize("device", ["cpu:1", "emulated"])
def test_a_forged_order_is_refused(program, tmp_path, device):
    path = own_kernel(program, tmp_path, MATRICES["square"], "cpu:1").path if device == "cpu:1" else emit(
        program, str(tmp_path), MATRICES["square"], "m", "--device", device, "--vectors-order", "own",
        "--design", f"permute by=rcm | {PLAIN} threads=64")  # fmt: skip
    whole = open(path, "rb").read()
    first, length, _ = tensors_in(whole)["own_row"]
    forged = whole[:first] + whole[first + 4 : first + 8] + whole[first + 4 :]  # one row twice
    open(path, "wb").write(resealed(forged))
    with pytest.raises(alphasparse.FileError, match=re.escape(path)):
        alphasparse.load(path)
