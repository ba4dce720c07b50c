"""formats: format files, NAME.safetensors, as NumPy arrays."""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any, Iterator

import numpy as np
import scipy.sparse as sp

from . import _native
from .computed import Arrays
from .errors import ArrayNameError, FileError, ValuesError, path_of
from .matrices import DTYPES, Identity
from .ranges import check_facts, check_range

BITS = {4: np.uint32, 8: np.uint64}


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


def identity_in(metadata: "dict[str, str]") -> Identity:
    """The identity of the matrix of a format file; KeyError where the metadata has none."""
    return Identity(metadata["pattern"], metadata["values"], metadata["dtype"])


class Format:
    """A format file: `metadata` (strings by name), and its arrays by `format["column"]`, whether the
    file stores them or the kernel computes them; values are as they are stored, pads included.

    `tensors` holds all that is in the file: the kernel's arrays, and those that only a loader needs
    (runtime/formats/format_file.h)."""

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        self.path = path_of(path, "path")
        self.metadata: "dict[str, str]"
        self.tensors: "dict[str, np.ndarray]"
        self.metadata, self.tensors = _native.read_file(self.path)
        try:
            self._computed: "list[dict[str, Any]]" = json.loads(self.metadata["computed"])
            self._steps: "list[dict[str, Any]]" = json.loads(self.metadata["steps"])
            self.stored: "list[str]" = [a["name"] for a in json.loads(self.metadata["arrays"])]
            self.workspaces: "list[dict[str, Any]]" = json.loads(self.metadata["workspaces"])
            self.launches: "list[dict[str, Any]]" = json.loads(self.metadata["launches"])
            self.rounded = {
                a["name"] for a in json.loads(self.metadata["arrays"]) if a.get("rounded")
            }
            self.design: str = self.metadata["design"]
            self.dtype = DTYPES[self.metadata["dtype"]]
            self.shape = (int(self.metadata["rows"]), int(self.metadata["cols"]))
            self.nnz = int(self.metadata["nnz"])
            self.is_mirrored = self.metadata["mirrored"] == "yes"
            self.identity = identity_in(self.metadata)
        except (KeyError, RecursionError, TypeError, ValueError) as error:
            raise FileError(f"{self.path}: the metadata is not as documented: {error}") from None
        with self.refusing():
            self.arrays = Arrays(self.tensors, self._computed)
            self._check()

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """Raises FileError where the file describes arrays that it does not have."""
        try:
            yield
        except KeyError as error:
            raise FileError(f"{self.path}: there is no {error.args[0]}; tune or emit it again") from None
        except (ArithmeticError, IndexError, MemoryError, RecursionError, TypeError, ValueError) as error:
            told = str(error).partition("\n")[0] or type(error).__name__
            raise FileError(f"{self.path}: {told}; tune or emit it again") from None

    def _check(self) -> None:
        """The shapes, ranges and orders of the stored arrays, as loaders check them."""
        tensors = self.tensors
        for facts in json.loads(self.metadata["arrays"]):
            name, tensor = facts["name"], tensors[facts["name"]]
            if list(tensor.shape) != facts["shape"]:
                raise ValueError(f"{name} has shape {list(tensor.shape)}, not {facts['shape']}")
            check_facts(name, tensor, facts)
        first, col = tensors["canonical_row_first"], tensors["canonical_col"]
        if first.shape != (self.shape[0] + 1,) or col.shape != (self.nnz,):
            raise ValueError("canonical_row_first or canonical_col is not of the matrix' shape")
        check_range("canonical_col", col, 0, self.shape[1] - 1)
        check_facts("canonical_row_first", first, {"least": 0, "most": self.nnz, "ascending": True})
        if first[0] != 0 or first[-1] != self.nnz:
            raise ValueError("canonical_row_first does not run from 0 to the non-zeros")
        for name in self.value_arrays:
            source, code = tensors[name + ".source"], tensors.get(name + ".code")
            if source.shape != tensors[name].shape or (code is not None and code.shape != (self.nnz,)):
                raise ValueError(f"{name}.source or {name}.code has not an index for each value")
            check_range(name + ".source", source, -1, self.nnz - 1)
            if code is not None:
                check_range(name + ".code", code, -1, len(source) - 1)
                pads = np.flatnonzero((code >= 0) & (source[code] < 0))
                if len(pads):
                    told = f"{name}.code[{pads[0]}] is {code[pads[0]]}"
                    raise ValueError(f"{told}, which is a pad")
        if self.is_mirrored and not is_symmetric_pattern(self.pattern()):
            raise ValueError("one triangle is stored, but the pattern is not symmetric")

    @property
    def names(self) -> "list[str]":
        """All arrays of the kernel: those of the file, then those that are computed."""
        names = self.stored + [facts["name"] for facts in self._computed]
        return names + [walk["name"] for walk in self._steps if walk["name"] not in names]

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> np.ndarray:
        """The entries, [n], of an array of the kernel. Raises ArrayNameError, which is a KeyError,
        for a name that is not in `names`, and FileError where a computed entry lies outside its range
        or is made of entries that are not there."""
        if name not in self.names:
            raise ArrayNameError(f"{self.path} has no array {name!r}: it has {', '.join(self.names)}")
        with self.refusing(), np.errstate(divide="raise"):
            array = self.tensors[name] if name in self.stored else self._made(name)
            if name.rpartition(".")[2] == "column":  # whichever range the file gives; -1 is a pad
                check_range(name, array, -1, self.shape[1] - 1)
            return array

    def _made(self, name: str) -> np.ndarray:
        for walk in self._steps:
            if walk["name"] == name:
                return self._walk(walk)
        return self.arrays.whole(name)

    def _walk(self, walk: "dict[str, Any]") -> np.ndarray:
        """Columns that are steps; those of pads are the least."""
        parts = list(self.arrays.columns(walk))
        begin, end = self.arrays.evaluate(walk["first_position"], np.array([0, walk["parents"]]))
        columns = np.full(end - begin, walk["least"], np.int64)
        for at, column in parts:
            columns[at - begin] = column
        return columns

    @property
    def value_arrays(self) -> "list[str]":
        """The stored arrays that hold values, in the order of `stored`."""
        return [name for name in self.stored if self.tensors[name].dtype.kind == "f"]

    def pattern(self) -> sp.csr_matrix:
        """The matrix with its canonical index in the place of each value."""
        return sp.csr_matrix(
            (
                np.arange(self.nnz, dtype=np.int64),
                self.tensors["canonical_col"],
                self.tensors["canonical_row_first"],
            ),
            self.shape,
        )

    def matrix(self) -> sp.csr_matrix:
        """The matrix as canonical CSR, its values as the format has them (so rounded as they are).
        Raises FileError where the kernel's text has them instead."""
        values = np.zeros(self.nnz, self.dtype)
        known = np.zeros(self.nnz, bool)
        for name in self.value_arrays:
            source = self.tensors[name + ".source"]
            values[source[source >= 0]] = self.tensors[name][source >= 0]
            known[source[source >= 0]] = True
            code = self.tensors.get(name + ".code")
            if code is not None:
                values[code >= 0] = self.tensors[name][code[code >= 0]]
                known[code >= 0] = True
        pattern = self.pattern()
        if self.is_mirrored:
            images = mirror_images(pattern)
            values[~known] = values[images[~known]]
            known |= known[images]
        if not known.all():
            raise FileError(f"{self.path}: the values are part of the kernel")
        return sp.csr_matrix((values, pattern.indices, pattern.indptr), self.shape)

    def stored_values(self, values: np.ndarray) -> "dict[str, np.ndarray]":
        """The value arrays with other values, [nnz] in canonical order. Raises ValuesError where
        the format cannot hold them."""
        if self.nnz > 0 and not self.value_arrays:
            raise ValuesError("the values are part of the kernel")
        self._check_codes(values)
        result = {}
        for name in self.value_arrays:
            source, array = self.tensors[name + ".source"], self.tensors[name]
            with np.errstate(over="ignore"):
                whole = np.where(source >= 0, values[source], 0).astype(self.dtype)
                stored = whole.astype(array.dtype)
            if array.dtype != self.dtype:
                clear_denormals(stored)
                self._check_floats(name, whole, stored)
            result[name] = stored
        if self.is_mirrored:
            image = values[mirror_images(self.pattern())]
            same = values.view(BITS[values.itemsize]) == image.view(BITS[values.itemsize])
            if not (same | (np.isnan(values) & np.isnan(image))).all():
                raise ValuesError("the format holds one triangle, but the values are not symmetric")
        return result

    def with_values(self, values: np.ndarray, identity: Identity) -> bytes:
        """The file with other values, [nnz] in canonical order, and the identity of their matrix.
        Raises ValuesError where the format cannot hold them."""
        with open(self.path, "rb") as file:
            whole = bytearray(file.read())
        end = 8 + int.from_bytes(whole[:8], "little")
        header = whole[8:end].decode("ascii")
        offsets = {name: entry.get("data_offsets") for name, entry in json.loads(header).items()}
        for name, stored in self.stored_values(values).items():
            first, last = offsets[name]
            whole[end + first : end + last] = stored.tobytes()
        digits = self.metadata["checksum"]
        for before, after in (
            (f'"values":"{self.identity.values}"', f'"values":"{identity.values}"'),
            (f'"checksum":"{digits}"', f'"checksum":"{"0" * len(digits)}"'),
        ):
            if header.count(before) != 1:
                raise FileError(f"{self.path}: the header is not as the program writes it")
            header = header.replace(before, after)
        whole[8:end] = header.encode("ascii")
        at = 8 + header.index('"checksum":"') + len('"checksum":"')
        whole[at : at + len(digits)] = _native.checksum(bytes(whole)).encode("ascii")
        return bytes(whole)

    def _check_codes(self, values: np.ndarray) -> None:
        bits = values.view(BITS[values.itemsize])
        for name in self.value_arrays:
            code = self.tensors.get(name + ".code")
            if code is None:
                continue
            shared = self.tensors[name + ".source"][code[code >= 0]]
            if not np.array_equal(bits[code >= 0], bits[shared]):
                raise ValuesError(
                    "the format codes values, but some that share a code are not equal"
                )

    def _check_floats(self, name: str, whole: np.ndarray, stored: np.ndarray) -> None:
        if name in self.rounded:
            if (np.isinf(stored) & ~np.isinf(whole)).any():
                raise ValuesError(
                    "the format rounds values to float, but some are too large for one"
                )
        elif not np.array_equal(stored.astype(whole.dtype).view(np.uint64), whole.view(np.uint64)):
            raise ValuesError("the format holds values as float, but some are not exactly one")


def clear_denormals(floats: np.ndarray) -> None:
    """Puts 0 of the same sign in the place of every denormal float, as kernels hold them. Asks
    bits: a library that was built for fast arithmetic makes this process read denormals as 0."""
    bits = floats.view(np.uint32)
    bits[bits & 0x7FFFFFFF < 0x00800000] &= 0x80000000


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
