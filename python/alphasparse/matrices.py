"""matrices: sparse matrices of other libraries as canonical CSR, checked before anything is written."""

from __future__ import annotations

import errno
import os
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from . import _native
from .errors import DtypeError, FileError, HostError, ShapeError, ValuesError
from .number_types import DTYPES, KERNELS_ARE, WIDEST, dtype_name, known_dtype, number_type
from .vectors import first_line, plain

_EXTENT_MOST = 2147483647


class Identity(NamedTuple):
    """The identity of a matrix: the program's fingerprints of its pattern and values, and their
    type."""

    pattern: str
    values: str
    dtype: str


class Parts(NamedTuple):
    """The arrays of a matrix in memory: CSR and CSC have indptr and indices, BSR too, of blocks, and
        COO rows and columns. "listed" is COO made of a format without one array of values."""

    kind: str
    index: "tuple[np.ndarray, ...]"
    data: np.ndarray
    shape: "tuple[int, int]"


class Entries(NamedTuple):
    """Entries in any order; those at one place are added up."""

    row: np.ndarray
    col: np.ndarray
    data: np.ndarray
    shape: "tuple[int, int]"


def _array(part: Any) -> np.ndarray:
    return plain(part, "an array of the matrix")


def _check_shape(shape: "tuple[int, ...]") -> "tuple[int, int]":
    if len(shape) != 2:
        raise ShapeError(f"a matrix has two dimensions, this one has shape {tuple(shape)}")
    if min(shape) < 1 or max(shape) > _EXTENT_MOST:
        raise ShapeError(
            f"a matrix of shape {tuple(shape)}: rows and columns are 1 to {_EXTENT_MOST}"
        )
    return int(shape[0]), int(shape[1])


def _check_indices(index: np.ndarray, count: int, name: str) -> None:
    if index.dtype.kind not in "iu":
        raise DtypeError(f"{name} of the matrix are {index.dtype}, not integers")
    wrong = np.flatnonzero((index < 0) | (index >= count))
    if len(wrong):
        raise ValuesError(
            f"{name}[{wrong[0]}] of the matrix is {index[wrong[0]]}, outside 0..{count - 1}"
        )


def _lines_of(indptr: np.ndarray, lines: int, entries: int, name: str) -> np.ndarray:
    """The row, or column, of each entry."""
    if indptr.dtype.kind not in "iu":
        raise DtypeError(f"indptr of the matrix is {indptr.dtype}, not integers")
    if indptr.shape != (lines + 1,):
        raise ValuesError(
            f"indptr of the matrix has shape {indptr.shape}, but {lines} {name}s take ({lines + 1},)"
        )
    first = indptr.astype(np.int64)
    wrong = np.flatnonzero(np.diff(first) < 0)
    if len(wrong):
        raise ValuesError(f"indptr of the matrix falls at {name} {wrong[0]}")
    if first[0] != 0 or first[-1] > entries:
        raise ValuesError(
            f"indptr of the matrix runs from {first[0]} to {first[-1]}, but it has {entries} entries"
        )
    return np.repeat(np.arange(lines, dtype=np.int64), np.diff(first))


def _compressed(parts: Parts) -> Entries:
    """The entries of CSR or CSC."""
    (indptr, indices), data, shape, by_row = parts.index, parts.data, parts.shape, parts.kind == "csr"
    if indices.ndim != 1 or data.ndim != 1:
        raise ShapeError(
            f"indices and data of the matrix have shapes {indices.shape} and {data.shape}; each has one "
            "dimension"
        )
    lines, count = shape if by_row else shape[::-1]
    line = _lines_of(indptr, lines, min(len(indices), len(data)), "row" if by_row else "column")
    indices, data = indices[: len(line)], data[: len(line)]
    _check_indices(indices, count, "indices")
    return Entries(line, indices, data, shape) if by_row else Entries(indices, line, data, shape)


def _blocks(parts: Parts) -> Entries:
    """The entries of BSR."""
    (indptr, indices), data, shape = parts.index, parts.data, parts.shape
    if data.ndim != 3 or 0 in data.shape[1:] or shape[0] % data.shape[1] or shape[1] % data.shape[2]:
        raise ShapeError(f"data of the matrix has shape {data.shape}, no blocks of a matrix of {shape}")
    count, height, width = data.shape
    line = _lines_of(indptr, shape[0] // height, count, "block row")
    index = indices[: len(line)]
    _check_indices(index, shape[1] // width, "indices")
    within_row, within_col = np.indices((height, width))
    row = line[:, None, None] * height + within_row
    col = index.astype(np.int64)[:, None, None] * width + within_col
    return Entries(row.ravel(), col.ravel(), data[: len(line)].ravel(), shape)


def _coordinates(parts: Parts) -> Entries:
    (row, col), data, shape = parts.index, parts.data, parts.shape
    if not row.shape == col.shape == data.shape or row.ndim != 1:
        raise ShapeError(
            f"row, col and data of the matrix have shapes {row.shape}, {col.shape} and {data.shape}"
        )
    _check_indices(row, shape[0], "row")
    _check_indices(col, shape[1], "col")
    return Entries(row, col, data, shape)


_ENTRIES = {"csr": _compressed, "csc": _compressed, "bsr": _blocks, "coo": _coordinates,
            "listed": _coordinates}  # fmt: skip


def entries_of(parts: Parts) -> Entries:
    """The entries, checked. Raises DtypeError, ShapeError, ValuesError."""
    return _ENTRIES[parts.kind](parts)


def _layout_of(tensor: Any) -> "str | None":
    """The name of the layout in PyTorch. PyTorch's tensors have the methods of all layouts; other
    libraries are told by their methods. None: no sparse tensor."""
    if hasattr(tensor, "layout"):
        return str(tensor.layout).rpartition(".")[2]
    if hasattr(tensor, "crow_indices") and hasattr(tensor, "col_indices"):
        return "sparse_csr"
    return "sparse_coo" if getattr(tensor, "is_sparse", False) and hasattr(tensor, "coalesce") else None


_PARTS = {
    "sparse_csr": ("crow_indices", "col_indices", "values"),
    "sparse_csc": ("ccol_indices", "row_indices", "values"),
    "sparse_coo": ("_indices", "_values"),  # those without _ want no repeated entries
}


def is_sparse(matrix: Any) -> bool:
    """Whether `parts_of` reads a matrix of this kind."""
    return sp.issparse(matrix) or _layout_of(matrix) in _PARTS


def _tensor(tensor: Any, layout: str) -> Parts:
    """The arrays of a sparse tensor."""
    shape = _check_shape(tuple(tensor.shape))
    try:
        found = [getattr(tensor, name)() for name in _PARTS[layout]]
    except Exception as error:  # of the tensor's own library
        told = first_line(error)
        raise DtypeError(f"a tensor of layout {layout} does not give its arrays: {told}") from None
    *index, values = (_array(part) for part in found)
    if layout == "sparse_coo":
        if index[0].ndim != 2 or len(index[0]) != 2:
            raise ShapeError(f"indices of the tensor have shape {index[0].shape}, not (2, entries)")
        index = list(index[0])
    return Parts(layout.rpartition("_")[2], tuple(index), values, shape)


def _listed(matrix: Any) -> Any:
    """A matrix of SciPy in DIA, LIL or DOK as COO."""
    try:
        return matrix.tocoo(copy=False)
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValuesError(f"the matrix, in {matrix.format}, is damaged: {error}") from None


def parts_of(matrix: Any) -> Parts:
    """The arrays of a matrix that is no path. No library adds entries up here: it would do so in a
    small type. Raises DtypeError, ShapeError, ValuesError."""
    if sp.issparse(matrix):
        if matrix.dtype.kind == "O":
            raise DtypeError(f"a matrix of objects: {KERNELS_ARE}")
        shape = _check_shape(matrix.shape)
        if matrix.format in ("csr", "csc", "bsr"):
            index = (_array(matrix.indptr), _array(matrix.indices))
            return Parts(matrix.format, index, _array(matrix.data), shape)
        kind, coo = ("coo", matrix) if matrix.format == "coo" else ("listed", _listed(matrix))
        return Parts(kind, (_array(coo.row), _array(coo.col)), _array(coo.data), shape)
    layout = _layout_of(matrix)
    if layout in _PARTS:
        return _tensor(matrix, layout)
    if isinstance(matrix, np.ndarray) and matrix.ndim != 2:
        raise ShapeError(f"a matrix has two dimensions, this array has shape {matrix.shape}")
    raise DtypeError(
        f"a matrix of type {type(matrix).__name__}: it takes SciPy's sparse ones, sparse tensors in "
        "CSR, CSC or COO, or the path of a file; scipy.sparse.csr_matrix(A) makes one of an array"
    )


def _wide_type(dtype: np.dtype) -> Any:
    """In which entries at one place are added up: nothing gets lost before the sum is converted."""
    if dtype.kind in "biu" and dtype.itemsize < 8:
        return np.int64
    if dtype.kind == "c":
        return np.complex128 if dtype.itemsize <= 16 else np.clongdouble
    return np.float64 if dtype.kind == "f" and dtype.itemsize <= 8 else np.longdouble


def _check_values(values: np.ndarray, csr: sp.csr_matrix, told: str, reference: Any) -> None:
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        at = wrong[0]
        row = int(np.searchsorted(csr.indptr, at, side="right")) - 1
        raise ValuesError(f"row {row}, column {csr.indices[at]} (from 0): {reference[at]} {told}")


def summed_matrix(matrix: Any) -> "tuple[sp.csr_matrix, np.dtype]":
    """A copy as CSR, and the type that its values had. It goes row by row, columns ascending, stored
    zeros kept. Entries at one place are added up in a type that is wide enough. Raises DtypeError,
    ShapeError, or ValuesError with row and column."""
    entries = entries_of(parts_of(matrix))
    given = entries.data.dtype
    if given.kind not in "biufc":
        raise DtypeError(f"values of the type {given}: {KERNELS_ARE}")
    with np.errstate(over="ignore", invalid="ignore"):
        places = (entries.row.astype(np.int64), entries.col.astype(np.int64))
        wide = sp.coo_matrix((entries.data.astype(_wide_type(given)), places), entries.shape).tocsr()
    wide.sort_indices()
    if wide.dtype.kind in "fc":
        _check_values(wide.data, wide, "is no number that a kernel takes", wide.data)
    return wide, given


def narrowed(wide: sp.csr_matrix, given: np.dtype, dtype: Any = None) -> sp.csr_matrix:
    """The sums of `summed_matrix` as a kernel of a type has them: real ones stay real also where x and y
    are complex. Without `dtype` values that were of one become so again, and any others float64 or
    complex128. Raises DtypeError, or ValuesError with row and column."""
    own, is_complex = given.newbyteorder("="), given.kind == "c"
    wanted = known_dtype(dtype or (own if own in DTYPES.values() else WIDEST["c" if is_complex else "f"]))
    if is_complex and wanted.kind != "c":
        raise DtypeError(
            f"the values are complex, and {wanted} is a real type: give dtype={number_type(wanted).complex}, "
            "or the matrix A.real"
        )
    with np.errstate(all="ignore"):
        data = wide.data.astype(wanted if is_complex else number_type(wanted).real)
    _check_values(data, wide, f"is outside the range of {wanted}", wide.data)
    return sp.csr_matrix((data, wide.indices, wide.indptr), wide.shape)


def canonical_matrix(matrix: Any, dtype: Any = None) -> sp.csr_matrix:
    """A copy as CSR of the values of a kernel of a type: row by row, columns ascending, entries at one
    place added up, stored zeros kept. Real values stay real, also where `dtype` is complex. Without
    `dtype` float32 and complex64 stay so, and any others become float64 or complex128. The matrix
    itself stays as it is. Raises DtypeError, ShapeError, or ValuesError with row and column."""
    wanted = None if dtype is None else known_dtype(dtype)  # a wrong one is told before any work
    return narrowed(*summed_matrix(matrix), wanted)


def mirror_images(pattern: sp.csr_matrix) -> np.ndarray:
    """For each non-zero of a canonical pattern the index of that of the transpose, in canonical
    order: [nnz]. Of a square pattern that is symmetric it is the mirror image."""
    numbers = sp.csr_matrix(
        (np.arange(pattern.nnz, dtype=np.int64), pattern.indices, pattern.indptr), pattern.shape
    )
    return np.asarray(numbers.T.tocsr().data)


def is_symmetric_pattern(pattern: sp.csr_matrix) -> bool:
    """Whether each non-zero has a mirror image."""
    if pattern.shape[0] != pattern.shape[1]:
        return False
    other = pattern.T.tocsr()
    return np.array_equal(other.indptr, pattern.indptr) and np.array_equal(
        other.indices, pattern.indices
    )


def _for_program(csr: sp.csr_matrix) -> Any:
    """A canonical matrix as the program has it."""
    data = csr.data.astype(WIDEST[csr.data.dtype.kind])
    parts = (data.real, data.imag) if data.dtype.kind == "c" else (data, None)
    return _native.CanonicalArrays(
        csr.shape[1], csr.indptr.astype(np.int32), csr.indices.astype(np.int32), *parts
    )


def identity_of(csr: sp.csr_matrix, dtype: "np.dtype | None" = None) -> Identity:
    """The identity of a canonical matrix, for kernels of a type: that of its values, or `dtype`."""
    if csr.nnz > _EXTENT_MOST:
        raise ShapeError(f"a matrix of {csr.nnz} non-zeros: kernels take {_EXTENT_MOST} at most")
    pattern, values = _native.fingerprints(_for_program(csr))
    return Identity(pattern, values, dtype_name(csr.dtype if dtype is None else dtype))


def write_for_program(folder: str, name: str, csr: sp.csr_matrix) -> str:
    """The file NAME.mtx of a matrix in a temporary folder. Raises HostError where there is no room."""
    file = os.path.join(folder, name + ".mtx")
    try:
        write_matrix(file, csr)
    except FileError as error:
        reason = str(error).rpartition("(")[2].rstrip(")")  # names may have parentheses, too
        is_limited = reason == os.strerror(errno.EFBIG)
        remedy = "raise the limit of a file's size (ulimit -f)" if is_limited else "set TMPDIR to a folder with room"
        raise HostError(
            f"the matrix cannot be written into {os.path.dirname(folder)} ({reason}); {remedy}"
        ) from None
    return file


def write_matrix(path: str, csr: sp.csr_matrix) -> None:
    """As Matrix Market, each value so that it comes back bit for bit. A float is written as the
    double that it is equal to: the program's fingerprints are of doubles."""
    _native.write_matrix(path, _for_program(csr))
