"""gpu: kernels on a GPU of NVIDIA or AMD, compiled by NVRTC or hiprtc and launched by the driver.

Vectors are arrays of CuPy, PyTorch or another library with DLPack or __cuda_array_interface__. A
product is queued on their stream, and the call does not wait for it. Contiguous vectors of the
kernel's type are taken as they are. Of complex ones, and of those with gaps, the driver copies the
parts on the device, on the same stream."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from . import _native
from .columns import Columns, columns_of, real_columns, repeats, tiles
from .errors import DeviceError, DtypeError, LayoutError, ShapeError, text_of
from .files import HIP, source_of
from .formats import Format
from .kernel import Kernel
from .number_types import NUMBER_TYPES, number_type
from .operators import VectorsOrder
from .trust import read_text
from .vectors import capsule_of, check_memory, device_kind, factor, with_own_numbers

_DLPACK_DEVICES = {"cuda": (2, 13), "hip": (10,)}  # kDLCUDA and kDLCUDAManaged, kDLROCM
_DEFAULT_STREAM = {"cuda": 1, "hip": 0}  # DLPack's number for it


class _View(NamedTuple):
    """An array on a device."""

    address: int
    shape: "tuple[int, ...]"
    strides: "tuple[int, ...]"  # in bytes
    dtype: np.dtype
    device: "int | None"  # None: not told
    read_only: bool

    def end(self) -> int:
        """The address behind the last byte."""
        if 0 in self.shape:
            return self.address
        steps = sum((extent - 1) * step for extent, step in zip(self.shape, self.strides))
        return self.address + steps + self.dtype.itemsize

    def overlaps(self, other: "_View") -> bool:
        is_near = self.address < other.end() and other.address < self.end()
        return is_near and np.shares_memory(self._places(), other._places())

    def _places(self) -> np.ndarray:
        """An array of the same addresses, to be compared alone."""
        told = {"data": (self.address, True), "shape": self.shape, "strides": self.strides,
                "typestr": self.dtype.str, "version": 3}  # fmt: skip
        return np.asarray(SimpleNamespace(__array_interface__=told))

    def columns(self) -> Columns:
        return columns_of(self.address, self.shape, self.strides, self.dtype.itemsize)


def _framework_stream(array: Any, device: int) -> "int | None":
    """The stream on which the array's own library works now."""
    library = type(array).__module__.partition(".")[0]
    module = sys.modules.get(library)
    if library == "torch" and module:
        return int(module.cuda.current_stream(device).cuda_stream)
    if library == "cupy" and module:
        return int(module.cuda.get_current_stream().ptr)
    interface = getattr(array, "__cuda_array_interface__", None)
    return interface.get("stream") if interface else None


def _stream_number(stream: Any) -> int:
    """A stream as a number: CuPy's and PyTorch's streams have one."""
    for attribute in ("ptr", "cuda_stream"):
        stream = getattr(stream, attribute, stream)
    try:
        return int(stream)
    except (TypeError, ValueError):
        raise DtypeError(
            f"stream is of type {type(stream).__name__}: it takes a number, or CuPy's or PyTorch's"
        ) from None


def _view(array: Any, name: str, stream: int, kind_of_gpu: str) -> _View:
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        kind, number = device_kind(array, name)
        if kind not in _DLPACK_DEVICES[kind_of_gpu]:
            raise DeviceError(f"{name} does not lie on a GPU, where the kernel is")
        with_own_numbers(array, name, is_copied=False)
        capsule = capsule_of(array, name, stream=stream or _DEFAULT_STREAM[kind_of_gpu])
        address, shape, strides, code, bits, *_ = _native.read_dlpack(capsule)
        check_memory(address, shape, name)
        kind = {2: "f", 5: "c"}.get(code)
        known = (one.dtype for one in NUMBER_TYPES if one.dtype.kind == kind and 8 * one.dtype.itemsize == bits)
        dtype = next(known, np.dtype(object))
        steps = None if strides is None else tuple(step * bits // 8 for step in strides)
        return _View(address, shape, steps or _packed(shape, bits // 8), dtype, number, False)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        raise DeviceError(
            f"{name} is of type {type(array).__name__}, which is no array of a GPU: it takes those of "
            "CuPy and PyTorch, and what has DLPack or __cuda_array_interface__"
        )
    dtype, shape = np.dtype(interface["typestr"]), tuple(interface["shape"])
    address, read_only = interface["data"]
    steps = interface.get("strides") or _packed(shape, dtype.itemsize)
    return _View(address, shape, tuple(steps), dtype, None, read_only)


def _packed(shape: "tuple[int, ...]", bytes_each: int) -> "tuple[int, ...]":
    """The strides, in bytes, of a contiguous array."""
    steps = [bytes_each]
    for extent in shape[:0:-1]:
        steps.insert(0, steps[0] * extent)
    return tuple(steps[: len(shape)])


def _conj(array: Any) -> Any:
    for name in ("conj_physical", "conj"):  # PyTorch's conj is a mark alone
        if hasattr(array, name):
            return getattr(array, name)()
    raise DtypeError(f"an array of type {type(array).__name__} has no conj(), which k.H calls")


def _new_array(like: Any, shape: "tuple[int, ...]") -> Any:
    """An array of the same library, type and device."""
    if hasattr(like, "new_empty"):  # PyTorch
        return like.new_empty(shape)
    if hasattr(like, "__array_namespace__"):
        return like.__array_namespace__().empty(shape, dtype=like.dtype)
    module = sys.modules.get(type(like).__module__.partition(".")[0])
    if module is None or not hasattr(module, "empty"):
        raise LayoutError(f"an array of type {type(like).__name__} does not say how others are made: "
                          "give out")
    return module.empty(shape, dtype=like.dtype)


class GpuKernel(Kernel):
    """A kernel on a GPU. x and out are arrays there; `update` takes values from the host.

    Products may run on several streams at once: each has its own scratch memory, which its first
    product allocates."""

    def __init__(self, path: str, device: "str | None" = None) -> None:
        source = source_of(path)
        self._kind = kind = "hip" if source.endswith(HIP) else "cuda"
        named = re.fullmatch(rf"{kind}(?::(\d+))?", text_of(device or kind, "device"))
        if not named:
            raise DeviceError(f"device {device}: the kernel is for GPUs; it takes {kind} or {kind}:N")
        self._ordinal = int(named[1] or 0)
        self._format = known = Format(path)
        self._width = int(known.metadata.get("vectors", 1))
        self._describe(
            path, f"{kind}:{self._ordinal}", known.shape, known.dtype, known.nnz, known.design, known.identity
        )
        self._kernel = _native.GpuKernel(kind, self._ordinal, known.read, read_text(source), source)

    @property
    def order(self) -> "VectorsOrder | None":
        known = self._format.tensors
        if "own_row" not in known:
            return None
        rows = known["own_row"].view(np.int32)
        return VectorsOrder(rows, known["own_column"].view(np.int32) if "own_column" in known else rows)

    def to_own(self, x: Any, stream: Any = None) -> Any:
        return self._moved(x, "x", 1, stream)

    def from_own(self, y: Any, stream: Any = None) -> Any:
        return self._moved(y, "y", 0, stream)

    def _moved(self, array: Any, name: str, side: int, stream: Any) -> Any:
        """A vector in the other order, queued on the stream."""
        number, length = self._stream(array, stream), self.shape[side]
        shape = (length, *_view(array, name, number, self._kind).shape[1:2])
        source = self._checked(array, name, shape, number)
        out = _new_array(array, shape)
        for pair in self._columns(source, self._checked(out, "out", shape, number)):
            for i in range(pair[0].number):
                from_, to = (one.part(i, 1) for one in pair)
                self._kernel.move(from_.address, from_.row_step, to.address, to.row_step, side == 0, number)
        return out

    def matvec(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, stream: Any = None,
        *, own: bool = False,
    ) -> Any:  # fmt: skip
        """out = alpha * A x + beta * out, queued on `stream` - else on the one on which x's library
        works, else on the default one - for x of shape (columns,); gives out, of shape (rows,),
        which is made where it is None. x and out have the kernel's type or its complex counterpart:
        a real kernel's complex product is A re + i A im. With `own` both lie in the kernel's own order; else a
        kernel that has one copies them there and back. Raises ShapeError, DtypeError, LayoutError or
        DeviceError."""
        return self._product(x, out, alpha, beta, stream, own, ())

    def _product(
        self, x: Any, out: Any, alpha: complex, beta: complex, stream: Any, own: bool, more: "tuple[int, ...]"
    ) -> Any:
        """The same for arrays with `more` extents behind the first."""
        is_complex = self.dtype.kind == "c"
        alpha, beta = factor(alpha, "alpha", is_complex), factor(beta, "beta", is_complex)
        number = self._stream(x, stream)
        source = self._checked(x, "x", (self.shape[1], *more), number)
        if out is None:
            if beta != 0:
                raise LayoutError("beta wants an out to add to")
            out = _new_array(x, (self.shape[0], *more))
        target = self._checked(out, "out", (self.shape[0], *more), number)
        if target.read_only:
            raise LayoutError("out cannot be written")
        is_packed = target.strides == _packed(target.shape, target.dtype.itemsize)
        if not is_packed and self.shape[0] > 1 and not more:
            raise LayoutError("out is not contiguous")
        if repeats(target.shape, target.strides, target.dtype.itemsize):
            raise LayoutError("out repeats elements in memory")
        if target.dtype != source.dtype:
            raise DtypeError(f"out is {target.dtype}, x is {source.dtype}: make out of x's type")
        if source.overlaps(target):
            raise LayoutError("x and out overlap")
        self._multiply(source, target, alpha, beta, number, own)
        return out

    def prepare(self, stream: Any = None) -> None:
        """Allocates the scratch memory of products on `stream`, the default one where it is None.
        So the first product there may stand in a capture of a graph: of contiguous vectors,
        and with an alpha other than 0. Raises DtypeError, or HostError where the GPU is full."""
        for one in self._parts:
            one._kernel.prepare(_stream_number(stream) if stream is not None else 0)

    def matmat(
        self, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, stream: Any = None,
        *, own: bool = False,
    ) -> Any:  # fmt: skip
        """out = alpha * A x + beta * out, for x of shape (columns, k) and out of shape (rows, k); types and
        `stream` as for matvec. Raises ShapeError, DtypeError, LayoutError, DeviceError."""
        extents: Any = getattr(x, "shape", ())
        return self._product(x, out, alpha, beta, stream, own, (extents[1] if len(extents) == 2 else -1,))

    def _stream(self, x: Any, stream: Any) -> int:
        if stream is None:
            stream = _framework_stream(x, self._ordinal)
        return _stream_number(stream) if stream is not None else 0

    def _multiply(self, x: _View, y: _View, alpha: complex, beta: complex, stream: int, own: bool) -> None:
        size = self.dtype.itemsize
        for pair in self._columns(x, y):
            for part, first, count in tiles(self, pair[0].number):
                from_, to = (columns.part(first, count) for columns in pair)
                if alpha == 0:  # BLAS reads no x then: neither Inf nor NaN of it gets into y
                    row = part._width * size
                    from_ = Columns(part._kernel.zeros(self.shape[1] * row), from_.number, row, size)
                part._kernel.run(*from_, *to, alpha, beta, stream, own)

    def _columns(self, x: _View, y: _View) -> "list[tuple[Columns, Columns]]":
        return real_columns(x.columns(), y.columns(), x.dtype.itemsize, self.dtype.itemsize)

    def _checked(self, array: Any, name: str, shape: "tuple[int, ...]", stream: int) -> _View:
        view = _view(array, name, stream, self._kind)
        if view.shape != shape:
            rows, cols = self.shape
            taken = f"({shape[0]}, {'k' if name == 'x' else shape[1]})" if len(shape) == 2 else f"({shape[0]},)"
            raise ShapeError(
                f"{name} has shape {view.shape}, but a matrix of {rows} x {cols} takes {taken}"
            )
        taken_types = dict.fromkeys((self.dtype, number_type(self.dtype).complex))
        if view.dtype not in taken_types:
            told = "of another type" if view.dtype == object else view.dtype
            wanted = " or ".join(map(str, taken_types))
            raise DtypeError(f"{name} is {told}, the kernel takes {wanted}: convert it")
        if view.device is not None and view.device != self._ordinal:
            raise DeviceError(f"{name} lies on {self._kind}:{view.device}, the kernel on {self.device}")
        if view.address % self.dtype.itemsize:
            raise LayoutError(f"{name} is not aligned to its numbers: copy it")
        size = view.dtype.itemsize
        is_empty = 0 in view.shape
        if not is_empty and any(
            step < size for step, extent in zip(view.strides, view.shape) if extent > 1
        ):
            raise LayoutError(f"{name} runs backwards or repeats elements in memory: copy it")
        return view

    def aslinearoperator(self, cast: bool = False) -> Any:
        """Raises DeviceError: SciPy's solvers have their vectors on the host."""
        raise DeviceError(
            "the kernel is on a GPU, but SciPy's vectors lie on the host: tune for device='cpu', or "
            "call matvec with arrays of the GPU"
        )

    def _conjugated(
        self, x: Any, out: Any, alpha: complex, beta: complex, wide: bool, stream: Any = None,
        own: bool = False,
    ) -> Any:  # fmt: skip
        """By conj() of the arrays' own library, which goes to its current stream."""
        if stream is not None:
            raise DtypeError("k.H computes on the current stream of x's library: leave out stream")
        number, scale = factor(alpha, "alpha", True).conjugate(), factor(beta, "beta", True)
        if scale != 0 and out is None:
            raise LayoutError("beta wants an out to add to")
        turned = _conj(x)  # its memory stays until all is queued
        y = _conj((self.matmat if wide else self.matvec)(turned, alpha=number, own=own))
        if out is None:
            return y
        out[...] = y if scale == 0 else y + scale * out
        return out

    def _update(self, values: np.ndarray) -> None:
        self._kernel.update(values)

    def _sharing_arrays(self) -> "GpuKernel":
        other = GpuKernel.__new__(GpuKernel)
        other._copy_facts(self)
        return other

    def _take_arrays_of(self, other: Any) -> None:
        self._kernel, self._format = other._kernel, other._format
