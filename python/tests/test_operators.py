"""A kernel is a LinearOperator of SciPy, and follows NumPy's conventions."""

import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix
from scipy.sparse.linalg import LinearOperator, aslinearoperator, gmres, lsqr, svds

import alphasparse

PLAIN = ("--device", "cpu:1", "--design", "csr-scalar")


@pytest.fixture(scope="module")
def kernel(program, matrix, tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("operators"))
    emit(program, folder, matrix.T.tocsr(), "t", *PLAIN)
    return alphasparse.load(emit(program, folder, matrix, "m", *PLAIN))


@pytest.fixture(scope="module")
def square(program, tmp_path_factory):
    half = random_matrix(40, 40, 150, seed=5)
    matrix = (half + half.T + 200 * sp.eye(40)).tocsr()
    path = emit(program, str(tmp_path_factory.mktemp("square")), matrix, "s", *PLAIN)
    return matrix, alphasparse.load(path)


def test_it_is_an_operator(kernel):
    assert isinstance(kernel, LinearOperator) and aslinearoperator(kernel) is kernel
    assert kernel.ndim == 2 and isinstance(pickle.loads(pickle.dumps(kernel)), LinearOperator)


def test_products_from_both_sides(kernel, matrix):
    x, y = integers(200), integers(300)
    wide, high = np.stack([x, 2 * x], 1), np.stack([y, 3 * y])
    for ours, expected in [
        (kernel @ x, matrix @ x), (kernel.dot(x), matrix @ x), (kernel * x, matrix @ x),
        (kernel(x), matrix @ x), (kernel @ wide, matrix @ wide), (kernel.dot(wide), matrix @ wide),
        (y @ kernel, matrix.T @ y), (y * kernel, matrix.T @ y), (high @ kernel, (matrix.T @ high.T).T),
        (kernel.H @ y, matrix.T @ y), (kernel.transpose() @ y, matrix.T @ y),
        (kernel.adjoint() @ y, matrix.T @ y), (kernel.rmatmat(high.T), matrix.T @ high.T),
        (kernel.matvec(x[:, None]), (matrix @ x)[:, None]), (x * 1j @ kernel.T, matrix @ (x * 1j)),
    ]:  # fmt: skip
        assert type(ours) is np.ndarray and ours.shape == expected.shape
        assert np.array_equal(ours, expected)
    with pytest.raises(alphasparse.ShapeError):
        x @ kernel


def test_multiples_and_sums(kernel, matrix, square):
    x, y = integers(200), integers(300)
    for factor in (2, -1.5, np.float64(3), np.int64(4)):
        for multiple in (factor * kernel, kernel * factor):
            assert isinstance(multiple, LinearOperator)
            assert np.array_equal(multiple @ x, factor * (matrix @ x))
            assert np.array_equal(multiple.H @ y, factor * (matrix.T @ y))
    assert np.array_equal((-kernel) @ x, -(matrix @ x))
    assert np.array_equal((kernel + 2 * kernel) @ x, 3 * (matrix @ x))
    assert np.array_equal((2j * kernel) @ x, 2j * (matrix @ x))
    one, k = square
    v = integers(40)
    assert np.array_equal((k @ k) @ v, one @ (one @ v)) and np.array_equal((k**2) @ v, one @ (one @ v))


def test_solvers_take_it(kernel, matrix, square):
    one, k = square
    right = one @ (np.ones(40) * (1 + 2j))
    solution, status = gmres(k, right, atol=1e-9)
    assert status == 0 and np.linalg.norm(one @ solution - right) <= 1e-4 * np.linalg.norm(right)
    assert np.allclose(svds(kernel, k=2)[1], svds(matrix, k=2)[1])
    y = matrix @ integers(200)
    assert np.allclose(matrix @ lsqr(kernel, y, atol=1e-12, btol=1e-12)[0], y, atol=1e-4)


def test_it_shows_itself(kernel):
    page = kernel._repr_html_()
    assert page.startswith("<table>") and "300 x 200" in page and kernel.device in page
    assert "<" not in kernel.design or "&lt;" in page
