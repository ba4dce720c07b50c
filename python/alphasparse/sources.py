"""sources: where the matrix of a search comes from - memory, or a file that the program reads itself."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import scipy.sparse as sp

from . import _native
from .errors import FileError, path_of
from .matrices import (
    Identity,
    canonical_matrix,
    identity_of,
    is_symmetric_pattern,
    mirror_images,
    write_for_program,
)
from .number_types import DTYPES, WIDEST, dtype_name
from .orders import Order, order_of
from .program import run_json


class InMemory:
    """A matrix in canonical CSR."""

    default_name: "str | None" = None

    def __init__(
        self, csr: sp.csr_matrix, dtype: Any, in_memory: str = "A", order: "Order | None" = None
    ) -> None:
        self.csr, self.nnz, self.order = csr, csr.nnz, order
        self.in_memory = in_memory  # held by its owner
        self.dtype = dtype_name(csr.dtype if dtype is None else dtype)
        self.identity = identity_of(csr, DTYPES[self.dtype])
        self.key: "tuple[Any, ...]" = self.identity  # names files in the cache

    def put(self, folder: str, name: str) -> "tuple[str, str, tuple[str, ...]]":
        """The file for the program, its name in messages, and the words beside it."""
        return write_for_program(folder, name, self.csr), name + ".mtx", ()

    def transposed(self) -> "InMemory | None":
        """None where the matrix is symmetric."""
        data = self.csr.data
        if is_symmetric_pattern(self.csr) and np.array_equal(data, data[mirror_images(self.csr)]):
            return None
        turned = canonical_matrix(self.csr.T, self.csr.dtype)
        return InMemory(turned, self.dtype, self.in_memory + ".T")


class OnDisk:
    """A file of any kind that the program reads, or one matrix in it: FILE:MEMBER."""

    in_memory = ""
    order = None  # of values: canonical CSR's
    nnz = 0  # not known before the program has read it

    def __init__(self, path: str, dtype: Any, transpose: bool = False) -> None:
        file, member = _native.locate_matrix(path)
        self.file, self.transpose = os.path.abspath(file), transpose
        self.path = f"{self.file}:{member}" if member else self.file
        self.default_name = _native.matrix_stem(self.path)  # as the program has it
        try:
            facts = os.stat(self.file)
        except OSError as error:
            raise FileError(f"{path}: no such matrix ({error.strerror})") from None
        if os.path.isdir(self.file):
            raise FileError(f"{self.file} is a folder: tune takes one matrix, so name a file in it")
        self.dtype = dtype_name(WIDEST["f"] if dtype is None else dtype)
        self.key = (self.path, facts.st_mtime_ns, facts.st_size, self.dtype)
        self.words = ("--transpose",) if transpose else ()
        self._identity: "Identity | None" = None

    @property
    def identity(self) -> Identity:
        """The identity by the program, which has to read the file for it."""
        if self._identity is None:
            self._identity = self._told_identity(self._inspected())
        return self._identity

    def _inspected(self) -> "dict[str, Any]":
        return run_json(["inspect", self.path, *self.words])

    def _told_identity(self, told: "dict[str, Any]") -> Identity:
        prints = told["fingerprints"]
        return Identity(prints["pattern"], prints["values"], self.dtype)

    def put(self, folder: str, name: str) -> "tuple[str, str, tuple[str, ...]]":
        """The file itself; the program adds the _T of a transpose."""
        stem = name.removesuffix("_T") if self.transpose else name
        return self.path, self.path, (f"--name={stem}", *self.words)

    def transposed(self) -> "OnDisk | None":
        """None where the matrix is symmetric."""
        other = OnDisk(self.path, self.dtype, True)
        told = other._inspected()
        other._identity = self._told_identity(told)
        return other if told["transposed"] else None


def source_for(a: Any, dtype: Any) -> Any:
    """The source of the matrix that `tune` is given."""
    if isinstance(a, (str, os.PathLike)):
        return OnDisk(path_of(a, "A"), dtype)
    csr = canonical_matrix(a, dtype)
    return InMemory(csr, dtype, order=order_of(a, csr.nnz))
