"""A kernel is a LinearOperator of SciPy, and follows NumPy's conventions."""

import inspect
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix
from scipy.sparse import linalg
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


# The public names of an operator that a test here calls, and those of its facts.
KNOWN = {"H", "T", "adjoint", "dot", "matmat", "matvec", "rdot", "rmatmat", "rmatvec", "transpose",
         "dtype", "ndim", "shape", "args"}  # fmt: skip


def test_new_names_of_scipys_operators_are_noticed(kernel):
    """A name that a new SciPy gives to LinearOperator is inherited, right or not. What its
    constructor sets, a kernel has too."""
    made = LinearOperator((3, 3), lambda x: x, dtype=float)
    assert {name for name in dir(made) if not name.startswith("_")} <= KNOWN
    facts = [name for name in vars(made) if not name.startswith("_CustomLinearOperator") and name != "args"]
    assert "shape" in facts and all(hasattr(kernel, name) for name in facts)


@pytest.mark.parametrize("solver", ["bicg", "bicgstab", "cg", "cgs", "gcrotmk", "gmres", "lgmres", "minres",
                                    "qmr", "tfqmr"])  # fmt: skip
def test_every_solver_takes_it(square, solver):
    one, k = square
    right = integers(40)
    ours, status = getattr(linalg, solver)(k, right)
    assert status == 0 and np.linalg.norm(one @ ours - right) <= 1e-3 * np.linalg.norm(right)


def test_functions_of_a_matrix_take_it(square):
    one, k = square
    x = integers(40)
    if "traceA" in inspect.signature(linalg.expm_multiply).parameters:  # since SciPy 1.9
        ours = linalg.expm_multiply(-0.01 * k, x, traceA=-0.01 * one.diagonal().sum())
        assert np.allclose(ours, linalg.expm_multiply(-0.01 * one, x))
    assert np.allclose(linalg.eigsh(k, 2)[0], linalg.eigsh(one, 2)[0])


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


def test_it_is_no_array(kernel, matrix):
    x = integers(200)
    for one in (kernel, kernel.aslinearoperator()):
        for call in (lambda: np.asarray(one), lambda: np.dot(one, x), lambda: x.dot(one), lambda: matrix.T @ one):
            with pytest.raises(alphasparse.DtypeError, match="no array: k @ x"):
                call()
        assert np.array([one, None], object)[0] is one


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
    if hasattr(LinearOperator, "rdot"):  # of SciPy 1.18
        assert np.array_equal(k.rdot(v), one.T @ v) and np.array_equal(k.rdot(k) @ v, one @ (one @ v))
    assert np.array_equal((k - 2 * k) @ v, -(one @ v)) and np.array_equal((k.T @ k) @ v, one.T @ (one @ v))
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
