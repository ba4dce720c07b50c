"""sources: where the matrix of a search comes from - memory, or a file that the program reads itself."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import scipy.sparse as sp

from .errors import FileError, path_of
from .formats import is_symmetric_pattern, mirror_images
from .matrices import (
    Identity,
    canonical_matrix,
    dtype_name,
    identity_of,
    known_dtype,
    write_matrix,
)
from .program import run_json

# What the program leaves out of a name, one of each (runtime/matrices/matrix_names.cpp).
_ENDINGS = (
    (".gz", ".bz2", ".xz", ".zst"),
    (".tar", ".tgz", ".tbz", ".tbz2", ".txz", ".tzst", ".zip"),
    (".mtx", ".npz", ".petsc", ".mat", ".smtx", ".rb", ".rua", ".rsa", ".rza", ".rra")
    + (".pua", ".psa", ".pra", ".iua", ".isa"),
)


class InMemory:
    """A matrix in canonical CSR."""

    options: "tuple[str, ...]" = ()  # for the program
    default_name: "str | None" = None

    def __init__(self, csr: sp.csr_matrix) -> None:
        self.csr = csr
        self.identity = identity_of(csr)
        self.key: "tuple[Any, ...]" = self.identity  # what files in the cache are named by
        self.dtype = dtype_name(csr.dtype)

    def put(self, folder: str, name: str) -> "tuple[str, str]":
        """The file for the program, and what messages call it."""
        file = os.path.join(folder, name + ".mtx")
        write_matrix(file, self.csr)
        return file, name + ".mtx"

    def transposed(self) -> "InMemory | None":
        """None where the matrix is symmetric."""
        data = self.csr.data
        if is_symmetric_pattern(self.csr) and np.array_equal(data, data[mirror_images(self.csr)]):
            return None
        return InMemory(canonical_matrix(self.csr.T, self.csr.dtype))


class OnDisk:
    """A file of any kind that the program reads."""

    def __init__(self, path: str, dtype: Any, transpose: bool = False) -> None:
        self.path, self.transpose = os.path.abspath(path), transpose
        try:
            facts = os.stat(self.path)
        except OSError as error:
            raise FileError(f"{path}: no such matrix ({error.strerror})") from None
        self.dtype = dtype_name(np.float64 if dtype is None else known_dtype(dtype))
        self.key = (self.path, facts.st_mtime_ns, facts.st_size, self.dtype)
        self.options = ("--transpose",) if transpose else ()
        self._identity: "Identity | None" = None

    @property
    def default_name(self) -> str:
        return self._parts()[0]

    def _parts(self) -> "tuple[str, str]":
        """The name and its endings, as the program takes them apart."""
        whole = name = os.path.basename(self.path)
        for endings in _ENDINGS:
            found = [one for one in endings if name.endswith(one) and name != one]
            name = name.removesuffix(found[0]) if found else name
        return name, whole[len(name) :]

    @property
    def identity(self) -> Identity:
        """By the program, which has to read the file for it."""
        if self._identity is None:
            self._identity = self._told_identity(self._inspected())
        return self._identity

    def _inspected(self) -> "dict[str, Any]":
        return run_json(["inspect", self.path, *self.options])

    def _told_identity(self, told: "dict[str, Any]") -> Identity:
        prints = told["fingerprints"]
        return Identity(prints["pattern"], prints["values"], self.dtype)

    def put(self, folder: str, name: str) -> "tuple[str, str]":
        """A link, for the program names what it writes by its file, and a transpose NAME_T."""
        stem = name.removesuffix("_T") if self.transpose else name
        link = os.path.join(folder, stem + self._parts()[1])
        os.symlink(self.path, link)
        return link, self.path

    def transposed(self) -> "OnDisk | None":
        """None where the matrix is symmetric."""
        other = OnDisk(self.path, self.dtype, True)
        told = other._inspected()
        other._identity = self._told_identity(told)
        return other if told["transposed"] else None


def source_for(a: Any, dtype: Any) -> Any:
    """The source of what `tune` is given."""
    if isinstance(a, (str, os.PathLike)):
        return OnDisk(path_of(a, "A"), dtype)
    return InMemory(canonical_matrix(a, dtype))
