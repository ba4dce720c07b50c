"""transposes: the kernel of A^T beside that of A, found by pattern and values; both follow updates."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from .errors import Error, FileError, TransposeError
from .files import ending_of, formats_in, identity_at
from .formats import Format
from .matrices import identity_of, is_symmetric_pattern, mirror_images
from .number_types import NARROWEST, WIDEST

if TYPE_CHECKING:
    from .kernel import Kernel


class Pair:
    """The kernels of A and A^T. An update of either reaches both or neither.

    `images` has for each value of A^T, in canonical order, the index of the same one of A. Where A
    is symmetric both kernels have the same arrays in memory, until an update separates them."""

    def __init__(self, kernel: "Kernel", transpose: "Kernel", images: np.ndarray, shared: bool) -> None:
        self.kernel = kernel
        self.transpose = transpose
        self.images = images
        self.shared = shared
        kernel._pair = transpose._pair = self
        transpose._order = None

    def other(self, one: "Kernel") -> "Kernel":
        return self.transpose if one is self.kernel else self.kernel

    def values_of_other(self, one: "Kernel", values: np.ndarray) -> np.ndarray:
        """The values of `one` in the order of the other one's matrix."""
        if one is self.kernel:
            return np.ascontiguousarray(values[self.images])
        turned = np.empty_like(values)
        turned[self.images] = values
        return turned

    def update(self, one: "Kernel", values: np.ndarray) -> None:
        """Other values for both. After any exception both have the values that they had."""
        other, turned = self.other(one), self.values_of_other(one, values)
        if self.shared and np.array_equal(values, turned, equal_nan=True):
            one._set_values(values)
            other._note_values(turned)
            return
        before, known = one._canonical_values(), one._values
        if self.shared:
            self.tell_apart(other)
        one._set_values(values)
        try:
            other._set_values(turned)
        except Error:
            one._set_values(before)
            one._note_values(known)
            raise

    def tell_apart(self, other: "Kernel") -> None:
        """Gives one of two equal kernels arrays of its own, with the same values."""
        other._take_own_arrays()
        if other._values is not None:
            other._set_values(other._values)
        self.shared = False


def _turned(matrix: sp.csr_matrix, images: np.ndarray) -> sp.csr_matrix:
    """The transpose as canonical CSR."""
    other = matrix.T.tocsr()
    other.sort_indices()
    return sp.csr_matrix((matrix.data[images], other.indices, other.indptr), other.shape)


def _is_same(path: str, wanted: sp.csr_matrix, dtype: np.dtype, is_rounded: bool) -> bool:
    """Whether the kernel at `path` is that of the matrix `wanted`. Fingerprints are of values before
    they are rounded; values that are rounded in the formats are compared so."""
    try:
        found, identity = identity_at(path), identity_of(wanted, dtype)
        if found == identity or found[::2] != identity[::2]:
            return found == identity
        format = Format(path)
        if dtype in WIDEST.values() and not is_rounded and not format.read.is_rounded:
            return False
        values = format.matrix().data
    except FileError:  # damaged, or of another version
        return False
    narrow = NARROWEST[values.dtype.kind]
    return np.array_equal(values.astype(narrow), wanted.data.astype(narrow))


def find_pair(kernel: "Kernel") -> Pair:
    """The pair of a kernel and its transpose: one format where A was symmetric, else the one in
    its folder that has the pattern and the values of the transpose, else one format with other
    values where the pattern is symmetric. Raises TransposeError where there is none, FileError
    where the kernel's file is another one now."""
    format = kernel.format()
    matrix = format.matrix()
    images = mirror_images(format.pattern())
    mirrors = is_symmetric_pattern(format.pattern())
    if mirrors and np.array_equal(matrix.data, matrix.data[images]):
        return _completed(Pair(kernel, kernel._sharing_arrays(), images, True))
    wanted = _turned(matrix, images)
    for path in formats_in(os.path.dirname(kernel.path), ending_of(kernel.path)):
        if path != kernel.path and _is_same(path, wanted, kernel.dtype, format.read.is_rounded):
            return _completed(Pair(kernel, kernel._loaded(path), images, False))
    if mirrors:  # the format holds the transpose too, if its values are not coded
        return _completed(Pair(kernel, kernel._sharing_arrays(), images, True), matrix.data)
    raise TransposeError(
        f"the transpose of {kernel.path} was not tuned: tune(A, transpose=True) does it"
    )


def _completed(pair: Pair, stored: "np.ndarray | None" = None) -> Pair:
    """Gives the transpose the values that the kernel has: those of the last update, else those that
    are stored, which are given where the transpose does not have them already."""
    values = stored if pair.kernel._values is None else pair.kernel._values
    if values is None:
        return pair
    try:
        turned = pair.values_of_other(pair.kernel, values)
        if pair.shared and not np.array_equal(values, turned, equal_nan=True):
            pair.tell_apart(pair.transpose)
        if not pair.shared:
            pair.transpose._set_values(turned)
        pair.transpose._note_values(turned)
    except Error as error:
        pair.kernel._pair = None
        raise TransposeError(
            f"{pair.kernel.path} was tuned without its transpose, and its format cannot hold that: "
            f"{error}; tune(A, transpose=True)"
        ) from None
    return pair
