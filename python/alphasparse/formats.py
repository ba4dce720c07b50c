"""formats: format files, NAME.safetensors, as NumPy arrays. The program's own code reads and checks them
(runtime/formats/stored_format.h)."""

from __future__ import annotations

import os

import numpy as np
import scipy.sparse as sp

from . import _native
from .errors import ArrayNameError, path_of
from .matrices import Identity
from .number_types import DTYPES, number_type


def identity_in(metadata: "dict[str, str]") -> Identity:
    """The identity of the matrix of a format file; KeyError where the metadata has none."""
    return Identity(metadata["pattern"], metadata["values"], metadata["dtype"])


class Format:
    """A format file: `metadata` (strings by name), and its arrays by `format["column"]`, whether the
    file stores them or the kernel computes them; values are as they are stored, pads included.

    `tensors` holds all that is in the file: the kernel's arrays, and those that only a loader needs
    (runtime/formats/format_file.h). `names` are all arrays of the kernel: first those of the file."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = path_of(path, "path")
        self.read = read = _native.StoredFormat(self.path)
        self.metadata, self.tensors, self.stored = read.metadata, read.tensors, read.stored
        self.names: "list[str]" = self.stored + [one for one in read.computed if one not in self.stored]
        self.design = self.metadata["design"]
        self.dtype = DTYPES[self.metadata["dtype"]]
        self.shape = (int(self.metadata["rows"]), int(self.metadata["cols"]))
        self.nnz = int(self.metadata["nnz"])
        # Those of a real matrix are real, also where x and y are complex.
        self.values_dtype = self.dtype if read.is_complex or not self.nnz else number_type(self.dtype).real
        self.identity = identity_in(self.metadata)

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> np.ndarray:
        """The entries, [n], of an array of the kernel. Raises ArrayNameError, which is a KeyError,
        for a name that is not in `names`, and FileError where a computed entry is made of entries that
        are not there."""
        if name not in self.names:
            raise ArrayNameError(f"{self.path} has no array {name!r}: it has {', '.join(self.names)}")
        if name in self.stored:
            return self.tensors[name]
        return self.read.entries(name).astype(self.values_dtype if self.read.holds_floats(name) else np.int64)

    def pattern(self) -> sp.csr_matrix:
        """The matrix with its canonical index in the place of each value."""
        index = [self.tensors[name].copy() for name in ("canonical_col", "canonical_row_first")]
        return sp.csr_matrix((np.arange(self.nnz, dtype=np.int64), *index), self.shape)

    def matrix(self) -> sp.csr_matrix:
        """The matrix as canonical CSR, its values as the format has them (so rounded as they are).
        Raises FileError where the kernel's text has them instead."""
        matrix = self.pattern()
        matrix.data = self.read.values().astype(self.values_dtype)
        return matrix

    def with_values(self, values: np.ndarray, identity: Identity) -> bytes:
        """The file with other values, [nnz] in canonical order, and the identity of their matrix.
        Raises ValuesError where the format cannot hold them."""
        return self.read.with_values(np.ascontiguousarray(values, self.values_dtype), identity.values)


def read_format(path: "str | os.PathLike[str]") -> Format:
    """Reads a format file, checked whole.

        >>> import alphasparse, scipy.sparse
        >>> A = scipy.sparse.eye(4, format="csr") * 3
        >>> k = alphasparse.tune(A, device="cpu:1", time="0", folder="to", progress=False)
        >>> format = alphasparse.read_format(k.path)
        >>> format.shape, format.nnz
        ((4, 4), 4)
        >>> format.matrix().toarray()[0]
        array([3., 0., 0., 0.])

    Raises FileError where it is missing or damaged, DtypeError where `path` is none."""
    return Format(path)
