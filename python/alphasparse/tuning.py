"""tuning: from a matrix to its kernel, by the program's search."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from typing import Any, Sequence

import numpy as np
import scipy.io
import scipy.sparse as sp

from . import _native
from .compiled import cache_folder
from .errors import DtypeError, FileError, ShapeError
from .formats import DTYPES
from .kernel import TUNED, Kernel, _stem, load
from .program import run_json
from .trust import make_own_folder


def dtype_name(dtype: Any) -> str:
    """ "f32" or "f64", as the program has it."""
    for name, known in DTYPES.items():
        if np.dtype(dtype) == known:
            return name
    raise DtypeError(f"dtype {np.dtype(dtype)}: kernels are of float32 or float64")


def canonical_matrix(matrix: Any, dtype: Any = None) -> sp.csr_matrix:
    """A copy as CSR, row by row, columns ascending, no duplicates; what is no float becomes float64.
    Raises DtypeError for complex values."""
    if not sp.issparse(matrix):
        raise DtypeError(f"a matrix of type {type(matrix).__name__}: it takes SciPy's sparse ones")
    if dtype is None:
        dtype = np.float32 if matrix.dtype == np.float32 else np.float64
    dtype_name(dtype)
    if matrix.dtype.kind == "c":
        raise DtypeError("complex values: kernels are of float32 or float64")
    csr = sp.csr_matrix(matrix, dtype=dtype, copy=True)
    csr.sum_duplicates()
    csr.sort_indices()
    if min(csr.shape) < 1:
        raise ShapeError(f"a matrix of shape {csr.shape} has no products")
    return csr


def write_matrix(path: str, csr: sp.csr_matrix) -> None:
    """As Matrix Market, each value so that it comes back bit for bit."""
    _native.write_matrix(
        path, csr.shape[1], csr.indptr.astype(np.int64), csr.indices.astype(np.int64), csr.data
    )


def _matrix_of(a: Any, dtype: Any) -> sp.csr_matrix:
    if not isinstance(a, (str, os.PathLike)):
        return canonical_matrix(a, dtype)
    if not os.path.exists(a):
        raise FileError(f"{os.fspath(a)}: no such matrix")
    return canonical_matrix(sp.csr_matrix(scipy.io.mmread(os.fspath(a))), dtype)


def _default_folder(csr: sp.csr_matrix, device: str, options: Sequence[str]) -> str:
    """A folder of the cache that is this matrix' own."""
    digest = hashlib.sha256(repr((csr.shape, str(csr.dtype), device, tuple(options))).encode())
    for part in (csr.indptr.astype(np.int64), csr.indices.astype(np.int64), csr.data):
        digest.update(np.ascontiguousarray(part).data)
    return os.path.join(cache_folder(), "python", digest.hexdigest()[:16])


def _stem_of(path: "str | os.PathLike[str]") -> str:
    name = os.path.basename(os.fspath(path)).removesuffix(".gz").removesuffix(".mtx")
    return name or "matrix"


def _is_symmetric(csr: sp.csr_matrix) -> bool:
    return csr.shape[0] == csr.shape[1] and (csr != csr.T).nnz == 0


def _tune_one(csr: sp.csr_matrix, name: str, folder: str, arguments: "list[str]") -> Kernel:
    with tempfile.TemporaryDirectory(prefix="alphasparse-") as place:
        file = os.path.join(place, name + ".mtx")
        write_matrix(file, csr)
        told = run_json(["tune", file, "-o", folder, *arguments])
    path = told["files"]["format"]
    # Others cannot write it, or it would not be believed (Kernel._ask).
    with open(
        _stem(path) + TUNED, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o644)
    ) as file:
        json.dump({**told, "arguments": arguments}, file)
    return load(path, told["device"])


def tune(
    A: Any,
    device: str = "cpu",
    time: "str | float" = "30s",
    dtype: Any = None,
    transpose: bool = False,
    name: "str | None" = None,
    folder: "str | os.PathLike[str] | None" = None,
    database: "str | os.PathLike[str] | None" = None,
    options: Sequence[str] = (),
) -> Kernel:
    """The fastest verified kernel for A that a search within `time` finds.

    `A` is any sparse matrix of SciPy, or the path of a Matrix Market file; `device` is cpu[:THREADS]
    or cuda[:N]; `dtype` float32 or float64, that of A where it is None. With `transpose` A^T is
    tuned too, for `k.T`, unless A is symmetric. The files, NAME.*, go to `folder` - where it is None
    to one of the cache that is this matrix' own - and what was measured into the program's database,
    or the one given, which answers the same call at once. `options` are more words for `alphasparse
    tune`. Progress goes to sys.stderr; an interrupt ends the search with the best so far.

    Raises ProgramError where the program is missing or finds nothing, DtypeError, ShapeError."""
    csr = _matrix_of(A, dtype)
    if name is None:
        name = _stem_of(A) if isinstance(A, (str, os.PathLike)) else "matrix"
    if not re.fullmatch(r"[^/\0]+", name) or name.startswith("."):
        raise FileError(f"name {name!r}: it is to be that of files")
    if folder is None:
        folder = _default_folder(csr, device, options)
        make_own_folder(folder)  # its kernels are code
    place = os.path.abspath(folder)
    seconds = time if isinstance(time, str) else f"{time:g}s"
    arguments = ["--device", device, "--time", seconds, "--dtype", dtype_name(csr.dtype)]
    arguments += ["--db", os.path.abspath(os.fspath(database))] if database is not None else []
    arguments += options
    kernel = _tune_one(csr, name, place, arguments)
    if transpose:
        if _is_symmetric(csr):
            kernel._transpose = kernel
        else:
            other = canonical_matrix(csr.T, csr.dtype)
            kernel._transpose = _tune_one(other, name + "_T", place, arguments)
            kernel._transpose._transpose = kernel
    return kernel
