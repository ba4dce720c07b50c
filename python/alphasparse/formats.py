"""formats: format files, NAME.safetensors, as NumPy arrays."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import Any, Iterator

import numpy as np
import scipy.sparse as sp

from . import _native
from .computed import Arrays
from .errors import ArrayNameError, FileError, ValuesError, path_of
from .matrices import Identity
from .number_types import DTYPES, NUMBER_TYPES, number_type

ELEMENTS = {"I32": np.int32, "U32": np.uint32, "U16": np.uint16, "U8": np.uint8,
            **{one.element: one.dtype for one in NUMBER_TYPES}}  # fmt: skip
MIRRORS = {"no": 0, "yes": 1, "negated": -1}  # the sign of mirror images that the format leaves out


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


def bits_of(values: np.ndarray) -> np.ndarray:
    """The same memory as integers."""
    return values.view(number_type(values.dtype).bits)


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
            self._arrays: "list[dict[str, Any]]" = json.loads(self.metadata["arrays"])
            self.stored: "list[str]" = [one["name"] for one in self._arrays]
            self.workspaces: "list[dict[str, Any]]" = json.loads(self.metadata["workspaces"])
            self.launches: "list[dict[str, Any]]" = json.loads(self.metadata["launches"])
            self.rounded = {one["name"] for one in self._arrays if one.get("rounded")}
            self.design: str = self.metadata["design"]
            self.dtype = DTYPES[self.metadata["dtype"]]
            self.shape = (int(self.metadata["rows"]), int(self.metadata["cols"]))
            self.nnz = int(self.metadata["nnz"])
            self.mirror = MIRRORS[self.metadata["mirrored"]]
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
        """The arrays are of the types and lengths that the metadata give, and the pattern is one of
        a matrix: SciPy follows it without a look."""
        arrays = [(one["name"], ELEMENTS[one["dtype"]], one["shape"]) for one in self._arrays]
        arrays += [(name + ".source", np.int32, list(self.tensors[name].shape)) for name in self.value_arrays]
        for name, dtype, shape in arrays:
            tensor = self.tensors[name]
            if tensor.dtype != dtype or list(tensor.shape) != shape:
                raise ValueError(f"{name} is {tensor.dtype}{list(tensor.shape)}, not {shape} of its type")
        self.pattern().check_format(full_check=True)
        if self.mirror and not is_symmetric_pattern(self.pattern()):
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
        for a name that is not in `names`, and FileError where a computed entry is made of entries that
        are not there."""
        if name not in self.names:
            raise ArrayNameError(f"{self.path} has no array {name!r}: it has {', '.join(self.names)}")
        with self.refusing(), np.errstate(divide="raise"):
            return self.tensors[name] if name in self.stored else self._made(name)

    def _made(self, name: str) -> np.ndarray:
        for walk in self._steps:
            if walk["name"] == name:
                return self.arrays.columns(walk)
        return self.arrays.whole(name)

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
        Raises FileError where the kernel's text has them instead, or where an index leads nowhere."""
        values = np.zeros(self.nnz, self.dtype)
        known = np.zeros(self.nnz, bool)
        pattern = self.pattern()
        with self.refusing():
            for name in self.value_arrays:
                source = self.tensors[name + ".source"]
                values[source[source >= 0]] = self.tensors[name][source >= 0]
                known[source[source >= 0]] = True
                code = self.tensors.get(name + ".code")
                if code is not None:
                    values[code >= 0] = self.tensors[name][code[code >= 0]]
                    known[code >= 0] = True
            if self.mirror:
                images = mirror_images(pattern)
                values[~known] = self._images_of(values[images[~known]])
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
        if self.mirror:
            images = mirror_images(self.pattern())
            image = self._images_of(values[images])
            same = bits_of(values) == bits_of(image)
            same |= images == np.arange(self.nnz)  # the diagonal
            if not (same | (np.isnan(values) & np.isnan(image))).all():
                kind = "skew-symmetric" if self.mirror < 0 else "symmetric"
                raise ValuesError(f"the format holds one triangle, but the values are not {kind}")
        return result

    def _images_of(self, values: np.ndarray) -> np.ndarray:
        """The values of mirror images."""
        return -values if self.mirror < 0 else values

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
        whole[at : at + len(digits)] = checksum(bytes(whole)).encode("ascii")
        return bytes(whole)

    def _check_codes(self, values: np.ndarray) -> None:
        bits = bits_of(values)
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
        elif not np.array_equal(bits_of(stored.astype(whole.dtype)), bits_of(whole)):
            raise ValuesError("the format holds values as float, but some are not exactly one")


def checksum(whole: bytes) -> str:
    """The checksum of a format file, in which its own digits have to be '0': the digest of its header
    and of its tensors of floats."""
    end = 8 + int.from_bytes(whole[:8], "little")
    digest = hashlib.blake2b(whole[:end], digest_size=32)
    for entry in json.loads(whole[8:end]).values():
        if str(entry.get("dtype")).startswith("F"):
            first, last = entry["data_offsets"]
            digest.update(memoryview(whole)[end + first : end + last])
    return digest.hexdigest()


def clear_denormals(floats: np.ndarray) -> None:
    """Puts 0 of the same sign in the place of every denormal float, as kernels hold them. Asks
    bits: a library that was built for fast arithmetic makes this process read denormals as 0."""
    bits = bits_of(floats)
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
