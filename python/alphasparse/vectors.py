"""vectors: the arrays that a kernel for CPUs takes, and the types of their products.

The result has NumPy's type for a product of a matrix of the kernel's type and x. Where that is not
the kernel's - or its complex counterpart - digits would get lost, and the product is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _native
from .columns import columns_of, real_columns, repeats, tiles
from .errors import DeviceError, DtypeError, InputError, LayoutError, ShapeError
from .number_types import number_type

_ON_THE_HOST = (1, 3)  # DLPack's kDLCPU and kDLCUDAHost
_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # DLPack's kinds of elements


class _Tensor:
    """The memory of a DLPack capsule as NumPy takes it."""

    def __init__(self, capsule: Any, name: str) -> None:
        self._capsule = capsule  # keeps the memory
        address, shape, strides, code, bits, *_ = _native.read_dlpack(capsule, keep=True)
        check_memory(address, shape, name)
        try:
            dtype = np.dtype(f"{_KINDS[code]}{bits / 8:g}")  # not of parts of a byte
        except (KeyError, TypeError):
            raise DtypeError(f"{name} has elements that NumPy does not know; convert it") from None
        steps = None if strides is None else tuple(step * dtype.itemsize for step in strides)
        self.__array_interface__ = {
            "data": (address, False),
            "shape": shape,
            "strides": steps,
            "typestr": dtype.str,
            "version": 3,
        }


def first_line(error: Exception) -> str:
    """The text of another library's exception, in one line."""
    return str(error).partition("\n")[0]


def check_memory(address: int, shape: "tuple[int, ...]", name: str) -> None:
    """Raises DtypeError where a tensor stands for zeros without memory."""
    if address == 0 and 0 not in shape:
        raise DtypeError(f"{name} has no memory of its own: copy it, as clone() does")


def device_kind(array: Any, name: str) -> "tuple[int, int]":
    """DLPack's kind of an array's device, and its number. Raises DeviceError where it has none."""
    try:
        # By its class: PyTorch's compiler does not look into that call, which it would not understand.
        kind, number = type(array).__dlpack_device__(array)
    except Exception as error:  # of the array's own library
        raise DeviceError(f"{name} lies on no device that has memory: {first_line(error)}") from None
    return int(kind), int(number)


def with_own_numbers(array: Any, name: str, is_copied: bool) -> Any:
    """A tensor of PyTorch with the numbers that its memory has. Others carry a mark, and DLPack gives
    their memory out without it: those become copies, or are refused with DtypeError."""
    for mark in ("neg", "conj"):
        if getattr(array, f"is_{mark}", bool)():
            if not is_copied:
                raise DtypeError(f"{name} is a view with the {mark} bit: give its resolve_{mark}()")
            array = getattr(array, f"resolve_{mark}")()
    return array


def capsule_of(array: Any, name: str, **words: Any) -> Any:
    """DLPack's capsule. Raises DtypeError where the array's library refuses."""
    try:
        return array.__dlpack__(**words)
    except Exception as error:  # of the array's own library
        raise DtypeError(f"{name} does not give its memory out: {first_line(error)}") from None


def plain(array: Any, name: str, is_written: bool = False) -> np.ndarray:
    """The array as one of NumPy's own class, without a copy where it lies on the host with its own
    numbers, or is to be written. Raises DeviceError or DtypeError."""
    if isinstance(array, np.ma.MaskedArray):
        raise DtypeError(f"{name} is a masked array; give its filled() values")
    if isinstance(array, np.ndarray):
        return np.asarray(array)
    if hasattr(array, "__dlpack_device__"):
        if device_kind(array, name)[0] not in _ON_THE_HOST:
            raise DeviceError(f"{name} lies on another device than the kernel, the CPU")
        tensor = with_own_numbers(array, name, is_copied=not is_written)
        return np.asarray(_Tensor(capsule_of(tensor, name), name))
    if hasattr(array, "__cuda_array_interface__"):
        raise DeviceError(f"{name} lies on another device than the kernel, the CPU")
    # What __array__ gives may be a copy, which nobody else would see written.
    if hasattr(array, "__array_interface__") or (hasattr(array, "__array__") and not is_written):
        try:
            return np.asarray(array)
        except Exception as error:  # of the array's own library
            raise DtypeError(f"{name} does not become an array of NumPy: {error}") from None
    try:
        return np.asarray(memoryview(array))
    except TypeError:
        raise DtypeError(
            f"{name} is of type {type(array).__name__}, which has no buffer; it takes NumPy arrays"
        ) from None


def _check_numbers(dtype: np.dtype, name: str) -> None:
    if dtype.kind not in "biufc":
        raise DtypeError(f"{name} is of the type {dtype}, which no number has; convert it")


def _lost(given: np.dtype, taken: np.dtype) -> str:
    return "imaginary parts" if given.kind == "c" and taken.kind != "c" else "digits"


def factor(value: Any, name: str, may_be_complex: bool = False) -> "float | complex":
    """A factor of a product. Raises DtypeError, and InputError where it has no double."""
    if isinstance(value, (float, int)):
        try:
            return float(value)
        except OverflowError:
            raise InputError(f"{name} is beyond the largest double") from None
    try:
        number = np.asarray(value)
    except Exception:  # an object may raise anything when it is asked to be an array
        number = np.asarray(None)
    if number.ndim == 0 and number.dtype.kind in "biuf":
        return float(number)
    if number.ndim == 0 and number.dtype.kind == "c" and may_be_complex:
        return complex(number)
    told = "number" if may_be_complex else "real number, as the kernel has"
    raise DtypeError(f"{name} is {value!r:.80}: it takes a {told}")


def product_type(kernel: np.dtype, x: np.dtype, cast: bool = False) -> np.dtype:
    """The type of A x. Raises DtypeError where digits of x would get lost, unless `cast` is set."""
    if x == kernel:  # the usual case: all below takes microseconds
        return kernel
    _check_numbers(x, "x")
    result = number_type(kernel).complex if x.kind == "c" else kernel
    if np.result_type(kernel, x) == result or cast:
        return result
    raise DtypeError(
        f"x is {x}, the kernel of {kernel}, so digits of x would get lost: convert it to {result}, "
        "or allow it by cast=True (matvec, aslinearoperator)"
    )


def converted(
    array: np.ndarray, dtype: np.dtype, name: str, cast: bool = False, whole: bool = False
) -> np.ndarray:
    """The array as `dtype`, copied where it is not already. Integers - of any type where `whole` says
    so - are taken where each is exact in `dtype`; other types where all their numbers are. Raises
    DtypeError where digits or imaginary parts would get lost, unless `cast` is set."""
    _check_numbers(array.dtype, name)
    is_whole = whole or array.dtype.kind in "biu"
    if not cast and not is_whole and not np.can_cast(array.dtype, dtype, "safe"):
        raise DtypeError(
            f"{name} are {array.dtype}, the kernel's are {dtype}, so {_lost(array.dtype, dtype)} would get "
            "lost: convert them, or allow it by cast=True"
        )
    if array.dtype.kind == "c" and dtype.kind != "c":
        array = array.real
    with np.errstate(all="ignore"):
        result = array.astype(dtype, copy=False)
    if not cast and is_whole and (result.real.astype(np.longdouble) != array).any():
        raise DtypeError(
            f"{name} have integers beyond the digits of {dtype}: allow their rounding by cast=True"
        )
    return result


def product(
    kernel: Any, x: Any, out: Any = None, alpha: complex = 1.0, beta: complex = 0.0, cast: bool = False,
    own: bool = False, wide: bool = False, is_conjugated: bool = False,
) -> Any:  # fmt: skip
    """matvec for arrays that do not fit the kernel as they lie, and with `wide` matmat. With
    `is_conjugated` it is the product of conj(A)."""
    rows, cols = kernel.shape
    is_complex = kernel.dtype.kind == "c"
    alpha, beta = factor(alpha, "alpha", is_complex), factor(beta, "beta", is_complex)
    vector = plain(x, "x")
    wide = wide or (vector.shape == (cols, 1) and out is None)  # as SciPy's operators take them
    more: Any = vector.shape[1:] if wide and vector.ndim == 2 else ("k",) if wide else ()
    _check_shape(vector, "x", (cols, *more), kernel)
    result = product_type(kernel.dtype, vector.dtype, cast)
    if out is None:
        if beta != 0:
            raise LayoutError("beta wants an out to add to")
        target = out = _memory(kernel, more, result)
    else:
        target = _target(out, (rows, *more), kernel)
        _check_target_type(target.dtype, result, cast)
        if np.shares_memory(vector, target):
            raise LayoutError("x and out overlap")
    taken = _as_taken(vector, result)
    if target.dtype == result and target.flags.aligned and not is_conjugated:
        _multiply(kernel, taken, target, alpha, beta, own)
        return out
    fresh = _memory(kernel, more, result)
    if is_conjugated:
        _multiply(kernel, taken.conj(), fresh, alpha.conjugate(), 0.0, own)
        np.conj(fresh, out=fresh)
    else:
        _multiply(kernel, taken, fresh, alpha, 0.0, own)
    with np.errstate(all="ignore"):
        if beta != 0:
            fresh = fresh + beta * target
        np.copyto(target, fresh.real if target.dtype.kind != "c" else fresh, casting="unsafe")
    return out


def _multiply(kernel: Any, x: np.ndarray, y: np.ndarray, alpha: complex, beta: complex, own: bool) -> None:
    """The product of arrays of the kernel's type, or its complex counterpart."""
    size, itemsize = kernel.dtype.itemsize, x.dtype.itemsize
    if x.ndim == 2 and x.dtype == kernel.dtype:
        by_columns = x.strides[0] == y.strides[0] == size
        for part, first, count in tiles(kernel, x.shape[1], by_columns, takes_more=True):
            part.native_run_arrays(x, y, first, count, alpha, beta, own)
        return
    both = [columns_of(one.__array_interface__["data"][0], one.shape, one.strides, itemsize) for one in (x, y)]
    for pair in real_columns(both[0], both[1], itemsize, size):
        for part, first, count in tiles(kernel, pair[0].number, takes_more=True):
            part.native_run(*pair[0].part(first, count), *pair[1].part(first, count), alpha, beta, own)


def _memory(kernel: Any, more: "tuple[int, ...]", dtype: np.dtype) -> np.ndarray:
    """A y with any values, by columns where the kernel takes them one by one."""
    shape = (kernel.shape[0], *more)
    count = math.prod(shape) * (dtype.itemsize // kernel.dtype.itemsize)
    memory = _native.new_result(kernel.dtype.char, count).view(dtype)
    return memory.reshape(shape, order="F" if kernel.vectors == (1,) else "C")


def _as_taken(x: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """X as kernels read it: of their type, in the machine's byte order."""
    if x.dtype == dtype and x.flags.aligned:
        return x
    with np.errstate(all="ignore"):
        return np.require(x.real if dtype.kind != "c" else x, dtype, ["A"])


def checked(kernel: Any, array: Any, name: str) -> np.ndarray:
    """An x or a y as an array of NumPy, of one column or of more. Raises ShapeError, DeviceError."""
    whole = plain(array, name)
    more = whole.shape[1:] if whole.ndim == 2 else ()
    _check_shape(whole, name, (kernel.shape[name == "x"], *more), kernel)
    return whole


def _check_shape(array: np.ndarray, name: str, shape: "tuple[Any, ...]", kernel: Any) -> None:
    if array.shape != shape:
        rows, cols = kernel.shape
        taken = f"({shape[0]}, {'k' if name == 'x' else shape[1]})" if len(shape) == 2 else f"({shape[0]},)"
        raise ShapeError(f"{name} has shape {array.shape}, but a matrix of {rows} x {cols} takes {taken}")


def _target(out: Any, shape: "tuple[int, ...]", kernel: Any) -> np.ndarray:
    target = plain(out, "out", is_written=True)
    _check_shape(target, "out", shape, kernel)
    if not target.flags.writeable:
        raise LayoutError("out cannot be written")
    if len(shape) == 1 and not target.flags.c_contiguous:
        raise LayoutError("out is not contiguous")
    if not target.flags.forc and repeats(target.shape, target.strides, target.itemsize):
        raise LayoutError("out repeats elements in memory")
    return target


def _check_target_type(target: np.dtype, result: np.dtype, cast: bool) -> None:
    if target == result:
        return
    _check_numbers(target, "out")
    if not cast and not np.can_cast(result, target, "safe"):
        raise DtypeError(
            f"out is {target}, the product {result}, so {_lost(result, target)} would get lost: make out "
            f"of {result}, or allow it by cast=True"
        )
