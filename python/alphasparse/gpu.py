"""gpu: kernels on an NVIDIA GPU, compiled by NVRTC and launched by the driver.

Vectors are arrays of CuPy, PyTorch or whoever else speaks DLPack or __cuda_array_interface__. A
product is queued on their stream and nothing is copied or waited for."""

from __future__ import annotations

import glob
import importlib.util
import os
import re
import sys
from typing import Any, NamedTuple

import numpy as np

from . import _native
from .compiled import contents, kept
from .errors import DeviceError, DtypeError, FileError, LayoutError, ShapeError
from .files import source_of
from .formats import Format
from .kernel import Kernel, load_file
from .trust import read_text

_CUDA_DEVICES = (2, 13)  # DLPack's kDLCUDA and kDLCUDAManaged


def _named(variable: str) -> "list[str]":
    return [name for name in os.environ.get(variable, "").split(":") if name]


def _driver_names() -> "list[str]":
    return _named("ALPHASPARSE_LIBCUDA") or ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"]


def _nvrtc_names() -> "list[str]":
    """By name, in a toolkit, and in NVIDIA's packages of PyPI."""
    if _named("ALPHASPARSE_LIBNVRTC"):
        return _named("ALPHASPARSE_LIBNVRTC")
    names = ["libnvrtc.so.13", "libnvrtc.so", "libnvrtc.so.12"]
    toolkits = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    found = [os.path.join(one, "lib64", name) for one in toolkits if one for name in names]
    packages = importlib.util.find_spec("nvidia")
    for folder in packages.submodule_search_locations or [] if packages else []:
        found += sorted(glob.glob(os.path.join(glob.escape(folder), "*", "lib", "libnvrtc.so.*")))
    return names + found


class _View(NamedTuple):
    """An array on a device."""

    address: int
    shape: "tuple[int, ...]"
    strides: "tuple[int, ...] | None"  # of elements; None: contiguous
    dtype: np.dtype
    device: "int | None"  # None: not told
    read_only: bool


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
    return int(stream)


def _view(array: Any, name: str, stream: int) -> _View:
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        kind, number = array.__dlpack_device__()
        if int(kind) not in _CUDA_DEVICES:
            raise DeviceError(f"{name} does not lie on a GPU, where the kernel is")
        # 0 has no clear meaning there; 1 is the stream that it means here.
        address, shape, strides, code, bits, *_ = _native.read_dlpack(
            array.__dlpack__(stream=stream or 1)
        )
        kinds = {(2, 32): np.dtype(np.float32), (2, 64): np.dtype(np.float64),
                 (5, 64): np.dtype(np.complex64), (5, 128): np.dtype(np.complex128)}  # fmt: skip
        dtype = kinds.get((code, bits), np.dtype(object))
        return _View(address, shape, strides, dtype, number, False)
    interface = getattr(array, "__cuda_array_interface__", None)
    if interface is None:
        raise DeviceError(
            f"{name} is of type {type(array).__name__}, which is no array of a GPU: it takes those of "
            "CuPy and PyTorch, and what has DLPack or __cuda_array_interface__"
        )
    dtype = np.dtype(interface["typestr"])
    address, read_only = interface["data"]
    strides = interface.get("strides")
    elements = tuple(step // dtype.itemsize for step in strides) if strides else None
    return _View(address, tuple(interface["shape"]), elements, dtype, None, read_only)


def _new_vector(like: Any, length: int) -> Any:
    """An array of the same library, type and device."""
    if hasattr(like, "new_empty"):  # PyTorch
        return like.new_empty((length,))
    if hasattr(like, "__array_namespace__"):
        return like.__array_namespace__().empty((length,), dtype=like.dtype)
    module = sys.modules.get(type(like).__module__.partition(".")[0])
    if not hasattr(module, "empty"):
        raise LayoutError(f"an array of type {type(like).__name__} does not say how others are made: "
                          "give out")
    return module.empty((length,), dtype=like.dtype)


class CudaKernel(Kernel):
    """A kernel on a GPU. x and out are arrays there; `update` takes values from the host.

    Products may run on several streams at once: each has its own scratch memory, which its first
    product allocates."""

    def __init__(self, path: str, device: "str | None" = None) -> None:
        named = re.fullmatch(r"cuda(?::(\d+))?", device or "cuda")
        if not named:
            raise DeviceError(f"device {device}: the kernel is for GPUs; it takes cuda or cuda:N")
        self._ordinal = int(named[1] or 0)
        self.device = f"cuda:{self._ordinal}"
        self.path = path
        self._format = Format(path)
        self.shape = self._format.shape
        self.dtype = self._format.dtype
        self.nnz = self._format.nnz
        self.design = self._format.design
        self.identity = self._format.identity
        text = read_text(source_of(path))
        self._check_text(text)
        gpu = _native.Gpu(_driver_names(), self._ordinal)
        self._kernel = _native.GpuKernel(
            gpu,
            self._image(text, gpu.arch),
            [(one["kernel"], one["blocks"], one["threads"]) for one in self._format.launches],
            self._parameters(),
            self.dtype == np.float64,
        )

    def _check_text(self, text: str) -> None:
        """The kernel is that of the format."""
        facts = self._format.metadata
        for word in (facts["design"], facts["pattern"], facts["values"]):
            if f" {word}\n" not in text:
                raise FileError(
                    f"kernel and format differ: {source_of(self.path)} does not name {word}; "
                    "tune or emit both again"
                )

    def _image(self, text: str, arch: str) -> bytes:
        def make(into: str) -> None:
            with open(into, "wb") as file:
                file.write(_native.compile_cuda(names, text, arch))

        names = _nvrtc_names()
        key = text + arch + ":".join(names)
        return contents(kept(source_of(self.path), text, "cubin", key, make))

    def _parameters(self) -> "list[Any]":
        """What the kernels' pointers point at: arrays, and workspaces as how many bytes they take."""
        parameters: "list[Any]" = [self._format.tensors[name] for name in self._format.stored]
        sizes = {"F64": 8, "F32": 4, "I32": 4, "U32": 4, "U16": 2, "U8": 1}
        for scratch in self._format.workspaces:
            bytes_each = sizes[scratch["dtype"]]
            parameters.insert(scratch["pointer"], int(scratch["shape"][0]) * bytes_each)
        places = (place for place, one in enumerate(parameters) if not isinstance(one, int))
        self._places = dict(zip(self._format.stored, places))
        return parameters

    def matvec(
        self, x: Any, out: Any = None, alpha: float = 1.0, beta: float = 0.0, stream: Any = None
    ) -> Any:
        """out = alpha * A x + beta * out, queued on `stream` - else on the one on which x's library
        works, else on the default one - for x of shape (columns,); gives out, of shape (rows,),
        which is made where it is None. Raises ShapeError, DtypeError, LayoutError or DeviceError."""
        if stream is None:
            stream = _framework_stream(x, self._ordinal)
        number = _stream_number(stream) if stream is not None else 0
        source = self._vector(x, "x", self.shape[1], number)
        if out is None:
            if beta != 0:
                raise LayoutError("beta wants an out to add to")
            out = _new_vector(x, self.shape[0])
        target = self._vector(out, "out", self.shape[0], number)
        if target.read_only:
            raise LayoutError("out cannot be written")
        size = self.dtype.itemsize
        if (
            source.address < target.address + self.shape[0] * size
            and target.address < source.address + self.shape[1] * size
        ):
            raise LayoutError("x and out overlap")
        # BLAS reads no x where alpha is 0: neither Inf nor NaN of it gets into y.
        read = self._kernel.zeros(self.shape[1] * size) if alpha == 0 else source.address
        self._kernel.run(read, target.address, alpha, beta, number)
        return out

    def _vector(self, array: Any, name: str, length: int, stream: int) -> _View:
        view = _view(array, name, stream)
        if view.shape != (length,):
            rows, cols = self.shape
            raise ShapeError(
                f"{name} has shape {view.shape}, but a matrix of {rows} x {cols} takes ({length},)"
            )
        if view.dtype.kind == "c":
            raise DtypeError(f"{name} is complex: on a GPU call the kernel for .real and .imag")
        if view.dtype != self.dtype:
            told = "of another type" if view.dtype == object else view.dtype
            raise DtypeError(f"{name} is {told}, the kernel's are {self.dtype}")
        if view.device is not None and view.device != self._ordinal:
            raise DeviceError(f"{name} lies on cuda:{view.device}, the kernel on {self.device}")
        if view.strides is not None and length > 1 and view.strides[0] != 1:
            raise LayoutError(f"{name} is not contiguous")
        return view

    def matmat(self, x: Any) -> Any:
        """Raises ShapeError: products of matrices are for CPUs."""
        raise ShapeError("a kernel on a GPU takes vectors: call it for each column, contiguous")

    def _update(self, values: np.ndarray) -> None:
        for name, stored in self._format.stored_values(values).items():
            self._kernel.replace(self._places[name], stored)

    def _sharing_arrays(self) -> "CudaKernel":
        other = CudaKernel.__new__(CudaKernel)
        other.__dict__.update(self.__dict__)
        return other

    def _take_own_arrays(self) -> None:
        self._kernel = load_file(self.path, self.device, self.identity)._kernel
