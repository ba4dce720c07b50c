"""Kernels of complex numbers: products, conjugates, other values, files and real matrices beside complex
vectors. The types of products are in test_types.py."""

import pickle

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from conftest import emit, integers, random_matrix
from scipy.sparse.linalg import cg

import alphasparse

AT_ONCE = dict(device="cpu:1", time="0", progress=False)


def vector(length, seed=3, dtype=complex):
    return (integers(length, seed=seed) + 1j * integers(length, seed=seed + 1)).astype(dtype)


def hermitian(size=60):
    matrix = random_matrix(size, size, 5 * size, complex)
    return (matrix + matrix.conj().T + 99 * sp.eye(size)).tocsr()


@pytest.fixture(scope="module", params=["complex64", "complex128"])
def pair(request, program):
    """A matrix and its kernel, with a transpose and room for any values."""
    matrix = random_matrix(40, 30, 200, request.param)
    return matrix, alphasparse.tune(matrix, transpose=True, values="varying", **AT_ONCE)


def test_factors_and_out_are_complex(pair):
    matrix, kernel = pair
    x, y, wide = vector(30, dtype=kernel.dtype), vector(40, dtype=kernel.dtype), vector(90).reshape(30, 3)
    expected = (2 - 1j) * (matrix @ x) + 1j * y
    assert kernel.matvec(x, out=y, alpha=2 - 1j, beta=np.complex64(1j)) is y
    assert np.array_equal(y, expected)
    wide = wide.astype(kernel.dtype)
    assert np.array_equal(kernel.matmat(wide, alpha=1j), 1j * (matrix @ wide))
    assert np.array_equal(((2 - 1j) * kernel) @ x, (2 - 1j) * (matrix @ x))
    gaps = np.repeat(x, 2)[::2]
    assert np.array_equal(kernel @ gaps, matrix @ x)


def test_conjugates_and_transposes_are_those_of_the_matrix(pair):
    matrix, kernel = pair
    x, y = vector(30, dtype=kernel.dtype), vector(40, dtype=kernel.dtype)
    adjoint = matrix.conj().T
    for one in (kernel, kernel.aslinearoperator()):
        for ours, scipys, z in (
            (one.T, matrix.T, y), (one.H, adjoint, y), (one.H.H, matrix, x), (one.H.T, matrix.conj(), x),
            (one.T.H, matrix.conj(), x), (1j * one.H, 1j * adjoint, y), ((1j * one).H, -1j * adjoint, y),
        ):  # fmt: skip
            assert ours.shape == scipys.shape and np.array_equal(ours @ z, scipys @ z)
        assert np.array_equal(one.rmatvec(y), adjoint @ y)
        assert np.array_equal(one.H.rmatvec(x), matrix @ x)
        assert np.array_equal(one.H.matmat(np.stack([y, y], 1))[:, 1], adjoint @ y)
        assert np.array_equal(one.rmatmat(np.stack([y, y], 1))[:, 1], adjoint @ y)
    assert np.array_equal(y @ kernel, matrix.T @ y)
    assert np.array_equal(x @ kernel.H, matrix.conj() @ x)
    assert np.array_equal((np.stack([x, x]) @ kernel.H)[1], matrix.conj() @ x)
    out = vector(30, seed=8, dtype=kernel.dtype)
    expected = (2 - 1j) * (adjoint @ y) + 1j * out
    assert kernel.rmatvec(y, out=out, alpha=2 - 1j, beta=1j) is out
    assert np.array_equal(out, expected)
    assert kernel.rmatvec(y, out=out) is out and np.array_equal(out, adjoint @ y)
    fixed = np.zeros(30, kernel.dtype)
    fixed.flags.writeable = False
    both = np.zeros(70, kernel.dtype)
    for call, kind, words in (
        (lambda: kernel.rmatvec(y, beta=1j), alphasparse.LayoutError, "beta wants an out"),
        (lambda: kernel.rmatvec(y, alpha="a"), alphasparse.DtypeError, "alpha is 'a'"),
        (lambda: kernel.rmatvec(y, alpha=np.ones(2)), alphasparse.DtypeError, "alpha is array"),
        (lambda: kernel.H @ np.array(["a"] * 40), alphasparse.DtypeError, "x is of the type <U1"),
        (lambda: kernel.rmatvec(y, out=fixed, beta=1), alphasparse.LayoutError, "cannot be written"),
        (lambda: kernel.rmatvec(y, out="abc", beta=1), alphasparse.DtypeError, "out is of type str"),
        (lambda: kernel.rmatvec(both[:40], out=both[:30]), alphasparse.LayoutError, "x and out overlap"),
        (lambda: kernel.H @ np.ones(3), alphasparse.ShapeError, "x has shape"),
    ):
        with pytest.raises(kind, match=words):
            call()


def test_values_are_replaced(pair):
    matrix, kernel = pair
    other, x, y = matrix.copy(), vector(30, dtype=kernel.dtype), vector(40, dtype=kernel.dtype)
    before = kernel.values()
    assert before.dtype == kernel.dtype and np.array_equal(before, matrix.data)
    other.data = vector(matrix.nnz, dtype=kernel.dtype)
    for values in (other.data, other):
        kernel.update(values)
        assert np.array_equal(kernel @ x, other @ x)
        assert np.array_equal(kernel.H @ y, other.conj().T @ y)
        kernel.update(before)
    kernel.update(other.data.real.astype(np.float32))
    assert np.array_equal(kernel @ x, other.real @ x)
    kernel.update(before)


def test_kernels_are_saved_loaded_and_pickled(pair, tmp_path):
    matrix, kernel = pair
    x = vector(30, dtype=kernel.dtype)
    kernel.update(2j * matrix.data)
    saved = alphasparse.load(kernel.save(tmp_path))
    assert np.array_equal(saved @ x, 2j * (matrix @ x)) and saved.identity == kernel.current_identity()
    assert np.array_equal(pickle.loads(pickle.dumps(kernel)) @ x, 2j * (matrix @ x))
    kernel.update(matrix.data)
    format = kernel.format()
    assert format.dtype == format.values_dtype == kernel.dtype
    assert (format.matrix() != matrix).nnz == 0


def test_a_real_matrix_keeps_real_values(program):
    matrix, x, y = random_matrix(40, 30, 200), vector(30), vector(40)
    kernel = alphasparse.tune(matrix, dtype=complex, transpose=True, values="varying", **AT_ONCE)
    assert kernel.dtype == complex and kernel.format().values_dtype == float
    assert np.array_equal(kernel @ x, matrix @ x) and np.array_equal(kernel.H @ y, matrix.T @ y)
    kernel.update(3 * matrix.data)
    assert np.array_equal(kernel @ x, 3 * (matrix @ x)) and kernel.values().dtype == float
    with pytest.raises(alphasparse.DtypeError, match="complex128, the kernel's are float64, so imaginary parts"):
        kernel.update(1j * matrix.data)
    assert np.array_equal(kernel.T @ y, 3 * (matrix.T @ y))


def test_formats_are_made_anew_for_other_values(program, tmp_path):
    matrix, x = random_matrix(40, 30, 200, complex), vector(30)
    matrix.data = matrix.data * 0 + 2 + 1j
    coded = (
        "compress | thread_rows rows=1 | thread_total | global_store | "
        "compact columns=full structure=full values=coded | launch tasks=bytes"
    )
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", "--device", "cpu:1", "--design", coded))
    assert np.array_equal(kernel @ x, matrix @ x) and np.array_equal(kernel.values(), matrix.data)
    kernel.update(3j * matrix.data)
    assert np.array_equal(kernel @ x, 3j * (matrix @ x))
    other = matrix.copy()
    other.data = vector(matrix.nnz)
    with pytest.raises(alphasparse.ValuesError, match="codes values"):
        kernel.update(other.data)
    assert kernel.update(other.data, rebuild=True) > 0
    assert np.array_equal(kernel @ x, other @ x)


def test_kernels_of_several_vectors_are_real(program):
    with pytest.raises(alphasparse.InputError, match="several vectors have real numbers, not c128"):
        alphasparse.tune(hermitian(), vectors=[1, 2], **AT_ONCE)


def test_a_matrix_without_entries(program):
    kernel = alphasparse.tune(sp.csr_matrix((3, 4), dtype=complex), **AT_ONCE)
    assert kernel.dtype == kernel.values().dtype == complex and not (kernel @ vector(4)).any()
    kernel.update(np.zeros(0, complex))


def test_a_file_has_the_type_of_its_values(program, tmp_path):
    matrix, x = random_matrix(40, 30, 200, complex), vector(30)
    scipy.io.mmwrite(tmp_path / "m.mtx", matrix)
    kernel = alphasparse.tune(tmp_path / "m.mtx", transpose=True, **AT_ONCE)
    assert kernel.dtype == complex and np.array_equal(kernel @ x, matrix @ x)
    assert np.array_equal(kernel.H @ (matrix @ x), matrix.conj().T @ (matrix @ x))
    assert alphasparse.tune(tmp_path / "m.mtx", dtype="c64", **AT_ONCE).dtype == np.complex64
    with pytest.raises(alphasparse.ProgramInputError, match="c64 or c128"):
        alphasparse.tune(tmp_path / "m.mtx", dtype="f64", **AT_ONCE)


def test_real_kernels_take_no_complex_ones(program):
    matrix = random_matrix(40, 30, 200)
    kernel = alphasparse.tune(matrix, **AT_ONCE)
    for call, words in (
        (lambda: kernel.matvec(vector(30), alpha=1j), "alpha is 1j.*real number"),
        (lambda: kernel.matvec(vector(30), out=np.zeros(40)), "the product complex128"),
        (lambda: kernel.update(1j * matrix.data), "values are complex128"),
        (lambda: alphasparse.tune(1j * matrix, dtype="f32", **AT_ONCE), "complex64"),
    ):
        with pytest.raises(alphasparse.DtypeError, match=words) as told:
            call()
        assert "\n" not in str(told.value)


def test_cg_on_a_hermitian_system(program):
    matrix, right = hermitian(), vector(60)
    kernel = alphasparse.tune(matrix, **AT_ONCE)
    found, status = cg(kernel, right, atol=0)
    assert status == 0 and np.linalg.norm(matrix @ found - right) < 2e-5 * np.linalg.norm(right)
