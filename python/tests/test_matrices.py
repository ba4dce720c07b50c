"""The table of matrices: each kind of each library gives the same canonical CSR, and stays as it is."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix

import alphasparse
from alphasparse.matrices import canonical_matrix, identity_of

FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
PARTS = ("data", "indices", "indptr", "row", "col", "offsets", "rows")


def expected():
    matrix = random_matrix(12, 8, 30)
    matrix.sort_indices()
    return matrix


def parts_of(matrix):
    """Copies of the arrays that a matrix is made of; of DOK its entries."""
    if isinstance(matrix, dict):
        return {"entries": dict(matrix)}
    return {name: copy.deepcopy(getattr(matrix, name)) for name in PARTS if hasattr(matrix, name)}


def assert_read(matrix, dtype=None):
    before = parts_of(matrix) if sp.issparse(matrix) else {}
    made = canonical_matrix(matrix, dtype)
    assert identity_of(made) == identity_of(canonical_matrix(expected(), dtype))
    for name, part in before.items():
        now = parts_of(matrix)[name]
        assert getattr(now, "dtype", None) == getattr(part, "dtype", None)
        assert now == part if name == "entries" else np.array_equal(now, part)


@pytest.mark.parametrize("container", ["matrix", "array"])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "float64", "longdouble"])
def test_all_formats_in_both_containers(format, container, dtype):
    kind = getattr(sp, f"{format}_{container}")
    assert_read(kind(expected().astype(dtype)), "f64")


@pytest.mark.parametrize("index", ["int32", "int64"])
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr"])
def test_indices_of_both_widths(format, index):
    matrix = expected().asformat(format)
    for name in ("indices", "indptr", "row", "col"):
        if hasattr(matrix, name):
            setattr(matrix, name, getattr(matrix, name).astype(index))
    assert_read(matrix)


def test_the_byte_order_of_values_is_no_type():
    matrix = expected().astype(np.float32)
    matrix.data = matrix.data.astype(">f4")
    assert canonical_matrix(matrix).dtype == np.float32
    assert_read(matrix, "f64")


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
def test_unsorted_and_repeated_entries(format):
    """Each value as the sum of two entries, of which one stands at the end of its line."""
    whole = expected().asformat("coo" if format == "coo" else format)
    if format == "coo":
        order = np.random.default_rng(2).permutation(2 * whole.nnz)
        row, col = np.tile(whole.row, 2)[order], np.tile(whole.col, 2)[order]
        data = np.concatenate([whole.data - 3, np.full(whole.nnz, 3.0)])[order]
        assert_read(sp.coo_matrix((data, (row, col)), whole.shape))
        return
    lines = [(whole.indices[a:b], whole.data[a:b]) for a, b in zip(whole.indptr, whole.indptr[1:])]
    twice = type(whole)(whole.shape)
    twice.indices = np.concatenate([np.concatenate([i[::-1], i]) for i, _ in lines])
    twice.data = np.concatenate([np.concatenate([d[::-1] - 3, 0 * d + 3]) for _, d in lines])
    twice.indptr = 2 * whole.indptr
    assert_read(twice)


class Part:
    """An array of a tensor: it speaks DLPack and has no buffer."""

    def __init__(self, host):
        self.host, self.shape = host, host.shape

    def __dlpack__(self, **options):
        return self.host.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


class Tensor:
    """As PyTorch's: each has the methods of all layouts, and those of others raise."""

    def __init__(self, layout, shape, **parts):
        self.layout, self.shape, self.parts = f"torch.{layout}", shape, parts
        self.is_sparse = layout == "sparse_coo"

    def coalesce(self):
        raise AssertionError("PyTorch would add entries up in their own type")

    def part(self, name):
        if name not in self.parts:
            raise RuntimeError(f"{name} expected another layout but got {self.layout}\nException raised")
        return Part(self.parts[name])

    crow_indices = lambda self: self.part("crow_indices")  # noqa: E731
    col_indices = lambda self: self.part("col_indices")  # noqa: E731
    ccol_indices = lambda self: self.part("ccol_indices")  # noqa: E731
    row_indices = lambda self: self.part("row_indices")  # noqa: E731
    values = lambda self: self.part("values")  # noqa: E731
    _indices = lambda self: self.part("_indices")  # noqa: E731
    _values = lambda self: self.part("_values")  # noqa: E731


def tensors():
    csr = expected()
    csc, coo = csr.tocsc(), csr.tocoo()
    twice = np.tile([coo.row, coo.col], 2).astype(np.int64)
    return {
        "csr": Tensor("sparse_csr", csr.shape, crow_indices=csr.indptr.astype(np.int64),
                      col_indices=csr.indices.astype(np.int64), values=csr.data),
        "csc": Tensor("sparse_csc", csr.shape, ccol_indices=csc.indptr, row_indices=csc.indices,
                      values=csc.data),
        "coo": Tensor("sparse_coo", csr.shape, _indices=twice,
                      _values=np.concatenate([coo.data - 3, np.full(coo.nnz, 3.0)])),
    }  # fmt: skip


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_sparse_tensors_by_their_arrays(layout):
    assert_read(tensors()[layout])


def test_sparse_tensors_of_pytorch():
    torch = pytest.importorskip("torch")
    coo = expected().tocoo()
    tensor = torch.sparse_coo_tensor(np.stack([coo.row, coo.col]), coo.data, coo.shape)
    for one in (tensor, tensor.coalesce(), tensor.to_sparse_csr(), tensor.to_sparse_csc()):
        assert_read(one)
    with pytest.raises(alphasparse.DtypeError):
        canonical_matrix(tensor.to_dense())


def damaged(format, **parts):
    matrix = expected().asformat(format)
    for name, part in parts.items():
        setattr(matrix, name, part)
    return matrix


REFUSED = {
    "a dense tensor": (lambda: Tensor("strided", (3, 3)), alphasparse.DtypeError),
    "blocks as a tensor": (lambda: Tensor("sparse_bsr", (3, 3)), alphasparse.DtypeError),
    "a tensor of three dimensions": (lambda: Tensor("sparse_csr", (2, 3, 3)), alphasparse.ShapeError),
    "a tensor that gives nothing": (lambda: Tensor("sparse_csr", (3, 3)), alphasparse.DtypeError),
    "a tensor of vectors": (lambda: Tensor("sparse_coo", (3, 3), _indices=np.zeros((2, 1), int),
                                           _values=np.ones((1, 2))), alphasparse.ShapeError),
    "a tensor with one index": (lambda: Tensor("sparse_coo", (3, 3), _indices=np.zeros((1, 1), int),
                                               _values=np.ones(1)), alphasparse.ShapeError),
    "CSR of vectors": (lambda: damaged("csr", data=np.ones((30, 2))), alphasparse.ShapeError),
    "CSR without indptr": (lambda: damaged("csr", indptr=None), alphasparse.DtypeError),
    "CSR of float indices": (lambda: damaged("csr", indices=np.ones(30)), alphasparse.DtypeError),
    "COO of other lengths": (lambda: damaged("coo", row=np.zeros(3, int)), alphasparse.ShapeError),
    "COO outside": (lambda: damaged("coo", row=np.full(30, 99)), alphasparse.InputError),
    "CSR with a mask": (lambda: damaged("csr", data=np.ma.masked_less(expected().data, 3)), alphasparse.DtypeError),
    "COO with a mask": (lambda: damaged("coo", data=np.ma.masked_less(expected().data, 3)), alphasparse.DtypeError),
    "LIL without data": (lambda: damaged("lil", data=None), alphasparse.ValuesError),
    "DIA without offsets": (lambda: damaged("dia", offsets=None), alphasparse.ValuesError),
    "BSR without blocks": (lambda: damaged("bsr", data=np.ones(4)), alphasparse.ShapeError),
    "values of objects": (lambda: damaged("csr", data=expected().data.astype(object)), alphasparse.DtypeError),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_matrix_is_told(case, tmp_path, monkeypatch):
    make, kind = REFUSED[case]
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere")
    with pytest.raises(kind) as told:
        alphasparse.tune(make(), folder=tmp_path / "none")
    assert "\n" not in str(told.value) and not (tmp_path / "none").exists()


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr"])
def test_update_takes_a_matrix_of_the_same_pattern(program, tmp_path, kind):
    """Whichever order its entries have; an array has that of canonical CSR."""
    matrix = random_matrix(40, 30, 200)
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", "--device", "cpu:1", "--design", "csr-scalar"))
    other = (matrix * 3).asformat(kind)
    kernel.update(other)
    x = integers(30)
    assert np.array_equal(kernel @ x, other @ x)


def test_update_refuses_other_matrices_with_a_hint(program, tmp_path):
    matrix = random_matrix(40, 30, 200)
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", "--device", "cpu:1", "--design", "csr-scalar"))
    moved = matrix.copy()
    moved.indices = (moved.indices + 1) % 30
    for wrong, kind, words in (
        (matrix.T, alphasparse.ShapeError, r"\(30, 40\), the kernel's has \(40, 30\)"),
        (matrix[:, ::-1], alphasparse.ValuesError, "another pattern"),
        (moved, alphasparse.ValuesError, "another pattern"),
        (matrix.toarray(), alphasparse.ShapeError, "canonical CSR.*or a sparse matrix"),
        (matrix * 1j, alphasparse.DtypeError, "complex"),
    ):
        with pytest.raises(kind, match=words):
            kernel.update(wrong)
    x = integers(30)
    assert np.array_equal(kernel @ x, matrix @ x)
