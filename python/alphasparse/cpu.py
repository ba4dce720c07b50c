"""cpu: kernels on the processor at hand."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from . import _native
from .errors import DeviceError, FileError, text_of
from .files import identity_in_text, runtime_of, source_of
from .folders import temporary_folder
from .kernel import Kernel
from .number_types import DTYPES
from .operators import VectorsOrder
from .trust import read_text
from .vectors import checked, product


_THREADS_MOST = 1024  # as the kernels have it
# Of the C functions, in a text of either form.
_PREFIX = re.compile(
    r'^(?:extern "C" int (\w+)_load\(|#define ALPHASPARSE_FUNCTION\(name\) (\w+)_##name$)', re.MULTILINE
)


def _threads(device: "str | None", text: str) -> "int | None":
    """How many threads a device's name asks for; else as many as the kernel was tuned with, unless
    OMP_NUM_THREADS or fewer processors say otherwise. None: as many as OpenMP has."""
    named = re.fullmatch(r"cpu(?::([1-9]\d{0,8}))?", text_of(device or "cpu", "device"))
    if not named:
        raise DeviceError(f"device {device}: the kernel is for CPUs; it takes cpu or cpu:THREADS")
    if named[1] and int(named[1]) > _THREADS_MOST:
        raise DeviceError(f"device {device}: a kernel takes 1 to {_THREADS_MOST} threads")
    if named[1]:
        return int(named[1])
    tuned = re.search(r"^//   remake .*? --device cpu:(\d+) ", text, re.MULTILINE)
    if not tuned or os.environ.get("OMP_NUM_THREADS"):
        return None
    return min(int(tuned[1]), len(os.sched_getaffinity(0)))


class CpuKernel(_native.CpuKernel, Kernel):
    """A kernel on the processor. x, out and values are NumPy arrays, or anything with their buffers.

    `threads` is how many threads a product takes; it can be set."""

    def __init__(self, path: str, device: "str | None" = None) -> None:
        source = source_of(path)
        text = read_text(source)
        threads = _threads(device, text)
        prefix = _PREFIX.search(text)
        if not prefix:
            raise FileError(f"{source} has no C interface; tune or emit it again")
        header = "".join(map(read_text, runtime_of(source, text)))
        with temporary_folder() as place:
            code = _native.compile_cpu(source, text, header, place)
            _native.CpuKernel.__init__(self, code, prefix[1] or prefix[2], path, threads or 0)
        self._width = self.native_vectors
        if threads:
            self.threads = threads
        self._describe(
            path, f"cpu:{threads}" if threads else "cpu", self.native_shape, DTYPES[self.native_dtype],
            self.native_nnz, self.native_design, identity_in_text(text, source, self.native_dtype),
        )  # fmt: skip

    def matmat(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, cast: bool = False, *,
        own: bool = False,
    ) -> Any:  # fmt: skip
        """out = alpha * A x + beta * out, for x of shape (columns, k) and out of shape (rows, k), which
        is made where it is None. Rows of either order, and slices, are taken; types as for matvec.
        Raises ShapeError, DtypeError, LayoutError, DeviceError."""
        return product(self, x, out, alpha, beta, cast, own, wide=True)

    @property
    def threads(self) -> int:
        return int(self.native_threads)

    @threads.setter
    def threads(self, threads: int) -> None:
        for one in self._parts:
            one.native_threads = threads

    @property
    def order(self) -> "VectorsOrder | None":
        found = self.native_order
        return VectorsOrder(*found) if found else None

    def to_own(self, x: Any) -> np.ndarray:
        given, order = checked(self, x, "x"), self.order
        return given[order.columns] if order else given.copy()

    def from_own(self, y: Any) -> np.ndarray:
        own, order = checked(self, y, "y"), self.order
        given = np.empty_like(own)
        given[order.rows if order else slice(None)] = own
        return given

    def _conjugated(
        self, x: Any, out: Any, alpha: complex, beta: complex, wide: bool, cast: bool = False, own: bool = False
    ) -> Any:
        return product(self, x, out, alpha, beta, cast, own, wide, is_conjugated=True)

    def _update(self, values: np.ndarray) -> None:
        self.update_values(values)

    def _sharing_arrays(self) -> "CpuKernel":
        other = CpuKernel.__new__(CpuKernel)
        _native.CpuKernel.__init__(other, self)
        other._copy_facts(self)
        return other

    def _take_arrays_of(self, other: Any) -> None:
        if self.threads:
            other.threads = self.threads
        self.take_from(other)
