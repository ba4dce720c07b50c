"""`update` takes arrays in the order of the matrix that `tune` was given, and refuses them where that
order is not known."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import integers, random_matrix
from test_matrices import Tensor

import alphasparse

BASE = random_matrix(24, 30, 200)


def unsorted():
    """Rows with columns that fall, as products of matrices have them."""
    at = np.concatenate([np.arange(b - 1, a - 1, -1) for a, b in zip(BASE.indptr, BASE.indptr[1:])])
    return sp.csr_matrix((BASE.data[at], BASE.indices[at], BASE.indptr), BASE.shape)


def as_tensor(csc):
    return Tensor("sparse_csc", csc.shape, ccol_indices=csc.indptr, row_indices=csc.indices,
                  values=csc.data)  # fmt: skip


def tuned(matrix, **options):
    return alphasparse.tune(matrix, device="cpu:1", time="0", values="varying", progress=False, **options)


KINDS = {
    "unsorted CSR": unsorted,
    "CSC": BASE.tocsc,
    "COO by columns": lambda: BASE.tocsc().tocoo(),
    "blocks": lambda: BASE.tobsr((3, 2)),
    "CSR": BASE.copy,
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_array_has_the_order_of_the_matrix(program, kind):
    matrix, x = KINDS[kind](), integers(30)
    kernel = tuned(matrix)
    matrix.data = np.arange(1.0, matrix.data.size + 1).reshape(matrix.data.shape)
    kernel.update(matrix.data)
    assert np.array_equal(kernel @ x, matrix @ x)
    assert np.array_equal(kernel.values(), matrix.data.ravel())
    copied = pickle.loads(pickle.dumps(kernel))
    copied.update(2 * copied.values())
    assert np.array_equal(copied @ x, 2 * (matrix @ x)) and np.array_equal(kernel @ x, matrix @ x)


def test_an_array_has_the_order_of_a_tensor(program):
    csc, x = BASE.tocsc(), integers(30)
    kernel = tuned(as_tensor(csc))
    kernel.update(csc.data * 5)
    assert np.array_equal(kernel @ x, BASE @ x * 5)
    kernel.update(as_tensor(csc * 3))
    assert np.array_equal(kernel @ x, BASE @ x * 3)


def test_a_tensor_that_is_not_coalesced_has_no_order(program):
    """Its values lie as they were given, and those of coalesce() are sorted."""
    coo, x = BASE.tocsc().tocoo(), integers(30)
    tensor = Tensor("sparse_coo", coo.shape, _indices=np.array([coo.row, coo.col]), _values=coo.data)
    tensor.is_coalesced = lambda: False
    kernel = tuned(tensor)
    with pytest.raises(alphasparse.ValuesError, match="not coalesced.*a sparse matrix"):
        kernel.update(BASE.data * 3)
    kernel.update(tensor)
    assert np.array_equal(kernel @ x, BASE @ x)


@pytest.mark.parametrize("kind", ["dia", "lil", "dok"])
def test_formats_without_one_array_take_that_of_csr(program, kind):
    kernel, x = tuned(BASE.asformat(kind)), integers(30)
    kernel.update(BASE.data * 5)
    assert np.array_equal(kernel @ x, BASE @ x * 5)


def test_repeated_entries_have_the_order_of_csr(program):
    twice = BASE.tocsc().tocoo()
    twice = sp.coo_matrix((np.tile(twice.data, 2), (np.tile(twice.row, 2), np.tile(twice.col, 2))))
    kernel, x = tuned(twice), integers(30)
    with pytest.raises(alphasparse.ShapeError, match="canonical CSR.*or a sparse matrix"):
        kernel.update(twice.data)
    kernel.update(BASE.data)
    assert np.array_equal(kernel @ x, BASE @ x)


def test_an_array_is_refused_where_its_order_is_not_known(program, tmp_path):
    matrix, x, y = unsorted(), integers(30), integers(24)
    kernel = tuned(matrix, folder=tmp_path, transpose=True)
    other = matrix * 3
    for one in (alphasparse.load(kernel.path), kernel.T, alphasparse.load(kernel.save(tmp_path / "saved"))):
        with pytest.raises(alphasparse.ValuesError, match="a sparse matrix"):
            one.update(other.data)
        one.update(other if one.shape == other.shape else other.T)
        assert np.array_equal(one @ (x if one is not kernel.T else y),
                              other @ x if one is not kernel.T else other.T @ y)  # fmt: skip
    assert np.array_equal(kernel @ x, other @ x)  # it followed its transpose


def by_columns(matrix):
    """As `max` sorts COO in older SciPys: into new arrays."""
    order = np.lexsort((matrix.row, matrix.col))
    matrix.row, matrix.col, matrix.data = matrix.row[order], matrix.col[order], matrix.data[order]


SORTED = {
    "CSR in place": (unsorted, lambda matrix: matrix.sort_indices()),
    "COO into new arrays": (lambda: unsorted().tocoo(), lambda matrix: matrix.max()),
    "COO by columns": (BASE.tocoo, by_columns),
}


@pytest.mark.parametrize("kind", SORTED)
def test_a_matrix_that_was_sorted_since_is_told(program, kind):
    (make, sort), x = SORTED[kind], integers(30)
    matrix = make()
    kernel = tuned(matrix)
    kernel.update(matrix.data)
    sort(matrix)
    with pytest.raises(alphasparse.ValuesError, match="another order.*a sparse matrix"):
        kernel.update(matrix.data * 2)
    kernel.update(matrix * 2)
    assert np.array_equal(kernel @ x, 2 * (BASE @ x))


@pytest.mark.parametrize("kind", ["CSR in place", "COO into new arrays"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
def test_copies_of_a_kernel_and_its_matrix_stay_together(program, kind, copied):
    make, sort = SORTED[kind]
    matrix = make()
    kernel, matrix = copied((tuned(matrix), matrix))
    kernel.update(matrix.data * 2)
    sort(matrix)
    with pytest.raises(alphasparse.ValuesError, match="another order"):
        kernel.update(matrix.data * 2)


def test_a_copy_keeps_its_order_where_others_tune_the_matrix_in_another(program):
    kernel, x = tuned(BASE), integers(30)
    tuned(BASE.tocsc())
    copied = pickle.loads(pickle.dumps(kernel))
    copied.update(BASE.data * 2)
    assert np.array_equal(copied @ x, 2 * (BASE @ x))
