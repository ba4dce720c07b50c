"""number_types: the types of numbers, a row each: whoever needs a fact about one asks the row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .errors import DtypeError


_F4, _F8, _C8, _C16 = map(np.dtype, ("float32", "float64", "complex64", "complex128"))


class NumberType(NamedTuple):
    """A type of x and y."""

    name: str  # of options, files and reports
    dtype: "np.dtype[Any]"
    real: "np.dtype[Any]"  # of its parts; of a real type itself
    complex: "np.dtype[Any]"  # of a product with a complex x


NUMBER_TYPES = (
    NumberType("f32", _F4, real=_F4, complex=_C8),
    NumberType("f64", _F8, real=_F8, complex=_C16),
    NumberType("c64", _C8, real=_F4, complex=_C8),
    NumberType("c128", _C16, real=_F8, complex=_C16),
)
# By the letter of real and of complex ones. The widest hold the values of all files.
WIDEST = {one.dtype.kind: one.dtype for one in NUMBER_TYPES}
NARROWEST = {one.dtype.kind: one.dtype for one in reversed(NUMBER_TYPES)}
_ROWS = {one.dtype: one for one in NUMBER_TYPES}
DTYPES = {one.name: one.dtype for one in NUMBER_TYPES}
_NAMES = [str(one.dtype) for one in NUMBER_TYPES]
KERNELS_ARE = f"kernels are of {', '.join(_NAMES[:-1])} or {_NAMES[-1]}"


def known_dtype(dtype: Any) -> np.dtype:
    """One of the table, by whichever name: "f32", "float32", "single", a type of NumPy. Raises
    DtypeError."""
    try:
        known = DTYPES[dtype] if isinstance(dtype, str) and dtype in DTYPES else np.dtype(dtype)
    except TypeError:
        raise DtypeError(f"dtype {dtype!r} is no type: {KERNELS_ARE}") from None
    if known not in DTYPES.values():
        told = repr(dtype) if isinstance(dtype, str) else known  # NumPy's f16 has 16 bytes, not bits
        raise DtypeError(f"dtype {told}: {KERNELS_ARE}")
    return known.newbyteorder("=")


def number_type(dtype: np.dtype) -> NumberType:
    """The row of a type of the table."""
    return _ROWS[dtype]


def dtype_name(dtype: Any) -> str:
    """ "f32", "f64", "c64" or "c128", as the program has it."""
    return number_type(known_dtype(dtype)).name
