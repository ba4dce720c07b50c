"""The types of products, and sums of entries at one place: no loss goes unreported."""

import array
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, integers, random_matrix
from scipy.sparse.linalg import aslinearoperator, gmres

import alphasparse
from alphasparse.matrices import canonical_matrix
from alphasparse import vectors
from alphasparse.number_types import number_type
from alphasparse.vectors import check_memory, plain

PLAIN = ("--device", "cpu:1", "--design", "csr-scalar")
# The type of A x for each type of x, by type of the kernel. None: DtypeError.
PRODUCTS = {
    "float32": {
        "bool": "float32", "int8": "float32", "uint8": "float32", "int16": "float32",
        "uint16": "float32", "int32": None, "uint32": None, "int64": None, "uint64": None,
        "float16": "float32", "float32": "float32", "float64": None, "longdouble": None,
        "complex64": "complex64", "complex128": None, "clongdouble": None, "object": None,
        "datetime64[s]": None, "S3": None, "U3": None,
    },
    "float64": {
        "bool": "float64", "int8": "float64", "uint8": "float64", "int16": "float64",
        "uint16": "float64", "int32": "float64", "uint32": "float64", "int64": "float64",
        "uint64": "float64", "float16": "float64", "float32": "float64", "float64": "float64",
        "longdouble": None, "complex64": "complex128", "complex128": "complex128",
        "clongdouble": None, "object": None, "datetime64[s]": None, "S3": None, "U3": None,
    },
    "complex64": {
        "bool": "complex64", "int16": "complex64", "int32": None, "float32": "complex64", "float64": None,
        "complex64": "complex64", "complex128": None, "clongdouble": None, "object": None,
    },
    "complex128": {
        "bool": "complex128", "int64": "complex128", "float32": "complex128", "float64": "complex128",
        "longdouble": None, "complex64": "complex128", "complex128": "complex128", "clongdouble": None,
        "object": None,
    },
}  # fmt: skip
PAIRS = [(kernel, x, result) for kernel, row in PRODUCTS.items() for x, result in row.items()]


@pytest.fixture(scope="module")
def kernels(program, tmp_path_factory):
    """By type: the matrix, and its kernel with a transpose."""
    folder, found = str(tmp_path_factory.mktemp("types")), {}
    for dtype in PRODUCTS:
        matrix = random_matrix(40, 30, 200, np.dtype(dtype))
        emit(program, folder, matrix.T.tocsr(), dtype + "t", *PLAIN)
        found[dtype] = matrix, alphasparse.load(emit(program, folder, matrix, dtype, *PLAIN))
    return found


def vector(length, dtype, seed=3):
    whole = np.abs(integers(length, seed=seed)) if np.dtype(dtype).kind in "ub" else integers(length)
    return (whole * (1 + 2j) if np.dtype(dtype).kind == "c" else whole).astype(dtype)


@pytest.mark.parametrize("kernel_type, x_type, result", PAIRS)
def test_the_table_of_products(kernels, kernel_type, x_type, result):
    matrix, kernel = kernels[kernel_type]
    x, y = vector(30, x_type), vector(40, x_type)
    operator = kernel.aslinearoperator()
    calls = [
        (lambda: kernel @ x, lambda: matrix @ x),
        (lambda: kernel.matvec(x), lambda: matrix @ x),
        (lambda: kernel @ np.stack([x, x], 1), lambda: matrix @ np.stack([x, x], 1)),
        (lambda: kernel.rmatvec(y), lambda: matrix.conj().T @ y),
        (lambda: kernel.T @ y, lambda: matrix.T @ y),
        (lambda: kernel.H @ y, lambda: matrix.conj().T @ y),
        (lambda: operator.matvec(x), lambda: matrix @ x),
        (lambda: operator.rmatvec(y), lambda: matrix.conj().T @ y),
        (lambda: operator.matmat(np.stack([x, x], 1)), lambda: matrix @ np.stack([x, x], 1)),
        (lambda: operator.H.matvec(y), lambda: matrix.conj().T @ y),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for ours, scipys in calls:
            if result is None:
                with pytest.raises(alphasparse.DtypeError, match="convert it"):
                    ours()
                continue
            assert type(ours()) is np.ndarray and ours().dtype == result
            assert np.array_equal(ours(), scipys())
            assert result == np.result_type(kernel_type, x_type)


@pytest.mark.parametrize("kernel_type, x_type, result", [one for one in PAIRS if one[2] is None])
def test_cast_allows_losses(kernels, kernel_type, x_type, result):
    matrix, kernel = kernels[kernel_type]
    x = vector(30, x_type)
    if np.dtype(x_type).kind not in "biufc":
        with pytest.raises(alphasparse.DtypeError):
            kernel.matvec(x, cast=True)
        return
    wanted = number_type(np.dtype(kernel_type))
    wanted = wanted.complex if np.dtype(x_type).kind == "c" else wanted.dtype
    expected = matrix @ x.astype(wanted)
    for y in (kernel.matvec(x, cast=True), kernel.aslinearoperator(cast=True).matvec(x),
              kernel.matmat(x[:, None], cast=True)[:, 0]):  # fmt: skip
        assert y.dtype == wanted and np.array_equal(y, expected)


def test_out_takes_no_less_than_the_product(kernels):
    matrix, kernel = kernels["float64"]
    x, z = integers(30), integers(30) * (1 + 2j)
    for argument, narrow in ((x, np.float32), (x, int), (z, float), (z, np.complex64)):
        out = np.full(40, 7, narrow)
        with pytest.raises(alphasparse.DtypeError, match="cast=True"):
            kernel.matvec(argument, out=out)
        assert (out == 7).all()
        assert kernel.matvec(argument, out=out, cast=True) is out
        whole = matrix @ argument
        assert np.array_equal(out, whole.real if out.dtype.kind != "c" else whole)
    for argument, wide in ((x, np.longdouble), (x, complex), (z, complex), (z, np.clongdouble)):
        out = np.full(40, 7, wide)
        expected = 2 * (matrix @ argument) + 3 * out
        assert kernel.matvec(argument, out=out, alpha=2, beta=3) is out
        assert np.array_equal(out, expected)


def test_update_loses_nothing(kernels):
    matrix, kernel = kernels["float32"]
    x, y = integers(30, np.float32), integers(40, np.float32)
    for values in (matrix.data.astype(float), matrix.data * 1j, matrix.data.astype(object),
                   list(matrix.data), matrix.astype(float)):  # fmt: skip
        with pytest.raises(alphasparse.DtypeError):
            kernel.update(values)
    kernel.update((2 * matrix.data).astype(float), cast=True)
    assert np.array_equal(kernel @ x, 2 * (matrix @ x))
    assert np.array_equal(kernel.T @ y, 2 * (matrix.T @ y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel.update(3 * matrix.data.astype(complex), cast=True)
    assert np.array_equal(kernel @ x, 3 * (matrix @ x))
    kernel.update(matrix.data.astype(np.int16))
    assert np.array_equal(kernel @ x, matrix @ x)


@pytest.mark.parametrize("kernel_type, most", [("float32", 2**24), ("float64", 2**53)])
@pytest.mark.parametrize("type", ["int32", "uint32", "int64", "uint64"])
def test_integers_are_taken_where_each_is_exact(kernels, kernel_type, most, type):
    matrix, kernel = kernels[kernel_type]
    x = integers(30, kernel_type)
    for factor in (2, 3):
        values = (factor * matrix.data).astype(type)
        kernel.update(values if factor == 2 else matrix.astype(type) * np.dtype(type).type(3))
        assert np.array_equal(kernel @ x, factor * (matrix @ x))
    if most < np.iinfo(type).max:
        for over in (np.full(matrix.nnz, most + 1, type), (matrix > 0) * np.array(most + 1, type)):
            with pytest.raises(alphasparse.DtypeError, match="cast=True"):
                kernel.update(over)
            kernel.update(over, cast=True)
            assert (kernel.values() == most).all()
    kernel.update(matrix.data)


def test_gmres_with_a_complex_right_hand_side(program, tmp_path):
    matrix = (sp.random(200, 200, 0.03, random_state=2, format="csr") + sp.eye(200) * 10).tocsr()
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", *PLAIN))
    right = matrix @ (np.ones(200) * (1 + 2j))
    ours, status = gmres(kernel.aslinearoperator(), right, maxiter=50)
    scipys, _ = gmres(aslinearoperator(matrix), right, maxiter=50)
    assert status == 0
    residual, other = (np.linalg.norm(matrix @ one - right) for one in (ours, scipys))
    assert residual <= 1.01 * other + 1e-12 * np.linalg.norm(right)


class Tensor:
    """An array that speaks DLPack on the CPU and has no buffer."""

    def __init__(self, host):
        self.host = host
        self.shape = host.shape

    def __dlpack__(self, **options):
        return self.host.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


class Marked(Tensor):
    """As PyTorch's views with the negative bit, or the one of conjugates: DLPack gives the memory out
    as it is."""

    def __init__(self, host, mark):
        super().__init__(host)
        setattr(self, f"is_{mark}", lambda: True)
        setattr(self, f"resolve_{mark}", lambda: Tensor(-host if mark == "neg" else host.conj()))


class Sub(np.ndarray):
    pass


def test_views_with_a_mark_are_read_with_it(kernels):
    matrix, kernel = kernels["float64"]
    x = integers(30)
    assert np.array_equal(kernel @ Marked(x, "neg"), matrix @ -x)
    assert np.array_equal(kernel @ Marked(np.stack([x, x], 1), "neg"), matrix @ -np.stack([x, x], 1))
    assert np.array_equal(kernel @ Marked(x * 1j, "conj"), matrix @ (x * -1j))
    out = Marked(np.zeros(40), "neg")
    with pytest.raises(alphasparse.DtypeError, match=r"out.*resolve_neg\(\)"):
        kernel.matvec(x, out=out)
    assert not out.host.any()
    kernel.update(Marked(matrix.data, "neg"))
    assert np.array_equal(kernel @ x, matrix @ -x)
    kernel.update(matrix.data)


def test_tensors_that_raise_or_have_no_memory_are_told_in_one_line(kernels):
    kernel = kernels["float64"][1]
    for method in ("__dlpack__", "__dlpack_device__"):
        def fail(*_, **words):
            raise ValueError("of their own\nand more")
        tensor = type("Foreign", (Tensor,), {method: fail})(integers(30))
        with pytest.raises(alphasparse.Error, match="^x .*: of their own$"):
            kernel @ tensor
    with pytest.raises(alphasparse.DtypeError, match="x has no memory.*clone"):
        check_memory(0, (30,), "x")
    check_memory(0, (30, 0), "x")


@pytest.mark.parametrize("code, bits", [(0, 4), (5, 32), (6, 1), (4, 16)])
def test_elements_that_numpy_does_not_know_are_told(monkeypatch, code, bits):
    memory = np.zeros(30)
    facts = memory.ctypes.data, (30,), None, code, bits, 1, 0
    monkeypatch.setattr(vectors._native, "read_dlpack", lambda *_, **__: facts)
    with pytest.raises(alphasparse.DtypeError, match="x has elements that NumPy does not know"):
        plain(Tensor(memory), "x")


def test_the_compiler_of_pytorch_leaves_kernels_alone(kernels):
    torch = pytest.importorskip("torch")
    matrix, kernel = kernels["float64"]
    product = torch.compile(lambda x: torch.as_tensor(kernel @ (x + 1)), backend="eager")
    for x in (integers(30), integers(30, seed=4)):
        assert np.array_equal(product(torch.from_numpy(x)), matrix @ (x + 1))


def test_views_of_pytorch_with_a_mark():
    torch = pytest.importorskip("torch")
    marked = torch.arange(4.0) + 1j
    for one, expected in ((marked.conj().imag, np.full(4, -1.0)), (marked.conj(), np.arange(4) - 1j),
                          (torch._neg_view(marked.conj()), 1j - np.arange(4))):  # fmt: skip
        assert np.array_equal(plain(one, "x"), expected)


def test_vectors_of_all_kinds(kernels, tmp_path):
    matrix, kernel = kernels["float64"]
    x = integers(30)
    read_only = x.copy()
    read_only.setflags(write=False)
    unaligned = np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(float)
    mapped = np.memmap(tmp_path / "x", float, "w+", shape=30)
    mapped[:] = x
    kinds = [np.repeat(x, 2)[::2], x[::-1].copy()[::-1], read_only, mapped, x.astype(">f8"), unaligned,
             x.view(Sub), array.array("d", x), memoryview(x), memoryview(np.repeat(x, 2))[::2],
             Tensor(x), Tensor(np.repeat(x, 2)[::2])]  # fmt: skip
    for one in kinds:
        for y in (kernel @ one, kernel.matvec(one), kernel.aslinearoperator().matvec(
                one if isinstance(one, np.ndarray) else x)):  # fmt: skip
            assert type(y) is np.ndarray and np.array_equal(y, matrix @ x)
    wide = np.stack([x, 2 * x], 1)
    for one in (wide, np.asfortranarray(wide), np.matrix(wide), Tensor(wide), memoryview(wide),
                wide.astype(">f8")):  # fmt: skip
        y = kernel @ one
        assert type(y) is np.ndarray and np.array_equal(y, matrix @ wide)
    for out in (array.array("d", bytes(8 * 40)), Tensor(np.zeros(40)), np.zeros(40).view(Sub)):
        assert kernel.matvec(x, out=out) is out
        assert np.array_equal(out.host if isinstance(out, Tensor) else out, matrix @ x)
    for masked in (kernel.matvec, kernel.aslinearoperator()._matvec):  # new SciPys drop masks before it
        with pytest.raises(alphasparse.DtypeError, match="filled"):
            masked(np.ma.masked_array(x, x > 0))


class Series:
    """As of pandas: it gives its numbers, as a copy or not."""

    shape = (40,)

    def __array__(self, dtype=None, copy=None):
        return np.zeros(40)


def test_an_out_that_may_give_a_copy_is_refused(kernels):
    with pytest.raises(alphasparse.DtypeError, match="out is of type Series"):
        kernels["float64"][1].matvec(integers(30), out=Series())
    assert np.array_equal(kernels["float64"][1].rmatvec(Series()), np.zeros(30))


def test_losses_that_are_allowed_raise_nothing_of_numpy(kernels):
    kernel, x = kernels["float32"][1], np.array([1e-60, 1e300] * 15)
    out = np.zeros(40, np.float32)
    with np.errstate(all="raise"):
        assert kernel.matvec(x, cast=True).shape == (40,)
        assert not np.isfinite(kernels["float64"][1].matvec(x, out=out, cast=True)).all()
        assert canonical_matrix(sp.csr_matrix([[1e-60, 1.0]]), "f32").nnz == 2


def test_x_that_shares_memory_with_out_is_refused(program, tmp_path):
    matrix = random_matrix(30, 30, 200)
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", *PLAIN))
    room = np.arange(60.0)
    for x, out in ((room[:30], room[:30]), (room[:30], room[20:50]), (room[::2], room[:30]),
                   (room[:30].view(np.float32)[::2], room[:30]), (memoryview(room[:30]), room[:30]),
                   (room.view(complex), room[:30].view(float))):  # fmt: skip
        with pytest.raises(alphasparse.LayoutError, match="overlap"):
            kernel.matvec(x, out=out, cast=True)
    assert np.array_equal(room, np.arange(60.0))


DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
          "float32", "float64", "longdouble"]  # fmt: skip


def many(dtype):
    """Entries at two places that their own type cannot add up, and their sums in the widest type."""
    most = {"b": 1, "i": 100, "u": 200, "f": 2049}[np.dtype(dtype).kind]
    if dtype in ("int64", "uint64"):
        most = 2**53 + 1
    data = np.full(300, most).astype(dtype)
    row, col = np.repeat([0, 1], 150), np.repeat([2, 0], 150)
    sums = [sum(map(int, data[:150])), sum(map(int, data[150:]))]
    return data, row, col, sums


@pytest.mark.parametrize("wanted", [None, "f32", "f64"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_entries_at_one_place_are_added_up_without_loss(dtype, wanted):
    data, row, col, sums = many(dtype)
    coo = sp.coo_matrix((np.ones(300), (row, col)), (2, 3))
    coo.data = data
    csr = sp.csr_matrix((2, 3))
    csr.data, csr.indices, csr.indptr = data, col.astype(np.int32), np.array([0, 150, 300], np.int32)
    csc = sp.csc_matrix((2, 3))
    order = np.argsort(col, kind="stable")
    csc.data, csc.indices = data[order], row[order].astype(np.int32)
    csc.indptr = np.array([0, 150, 150, 300], np.int32)
    kinds = [coo, csr, csc]
    if dtype != "float16":
        bsr = sp.bsr_matrix((2, 3), blocksize=(1, 1))
        bsr.data, bsr.indices, bsr.indptr = data.reshape(300, 1, 1), csr.indices, csr.indptr
        kinds.append(bsr)
    for matrix in kinds:
        made = canonical_matrix(matrix, wanted)
        type_ = np.float32 if wanted == "f32" or (wanted is None and dtype == "float32") else float
        assert made.dtype == type_ and made.nnz == 2
        assert list(made.data) == [type_(sums[0]), type_(sums[1])]
        assert np.array_equal(matrix.data.ravel(), data[order] if matrix is csc else data)
