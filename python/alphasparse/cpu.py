"""cpu: kernels on the processor at hand."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from . import _native
from .compiled import shared_object
from .errors import DeviceError, DtypeError
from .formats import DTYPES
from .kernel import Kernel, source_of
from .trust import read_text


def _threads(device: "str | None", text: str) -> "int | None":
    """How many threads a device's name asks for; else as many as the kernel was tuned with, unless
    OMP_NUM_THREADS or fewer processors say otherwise. None: as many as OpenMP has."""
    named = re.fullmatch(r"cpu(?::([1-9]\d*))?", device or "cpu")
    if not named:
        raise DeviceError(f"device {device}: the kernel is for CPUs; it takes cpu or cpu:THREADS")
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
        prefix = re.search(r'extern "C" int (\w+)_load\(', text)
        if not prefix:
            raise DeviceError(f"{source} has no C interface; tune or emit it again")
        _native.CpuKernel.__init__(self, shared_object(source), prefix[1], path)
        if threads:
            self.threads = threads
        self.path = path
        self.shape = self.native_shape
        self.dtype = DTYPES[self.native_dtype]
        self.nnz = self.native_nnz
        self.design = self.native_design
        self.device = f"cpu:{threads}" if threads else "cpu"

    def _columns(self, x: Any) -> "tuple[list[np.ndarray], np.ndarray]":
        if not isinstance(x, np.ndarray):
            raise DtypeError(f"x is of type {type(x).__name__}; it takes NumPy arrays")
        y = np.empty((self.shape[0], x.shape[1]), self.dtype, order="F")
        return [x[:, number] for number in range(x.shape[1])], y

    def _update(self, values: np.ndarray) -> None:
        self.update_values(values)
