"""number_types: the types of numbers, a row each: whoever needs a fact about one asks the row."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .errors import DtypeError


class NumberType(NamedTuple):
    """A type of values, x and y."""

    name: str  # of options, files and reports
    dtype: "np.dtype[Any]"
    element: str  # of arrays of it in a format file
    bits: "np.dtype[Any]"  # an integer of the same bytes
    complex: "np.dtype[Any]"  # of a product with a complex x


NUMBER_TYPES = (
    NumberType("f32", np.dtype(np.float32), "F32", np.dtype(np.uint32), np.dtype(np.complex64)),
    NumberType("f64", np.dtype(np.float64), "F64", np.dtype(np.uint64), np.dtype(np.complex128)),
)
NARROWEST, WIDEST = NUMBER_TYPES[0].dtype, NUMBER_TYPES[-1].dtype  # the widest holds all files' values
_ROWS = {one.dtype: one for one in NUMBER_TYPES}
DTYPES = {one.name: one.dtype for one in NUMBER_TYPES}
KERNELS_ARE = "kernels are of " + " or ".join(str(one.dtype) for one in NUMBER_TYPES)


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
    """ "f32" or "f64", as the program has it."""
    return number_type(known_dtype(dtype)).name
