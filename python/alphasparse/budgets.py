"""budgets: how the time of `tune` is divided.

    time of the call = time of the search + time that is kept

The kept time is for all else: the matrix is written for the program, and the kernel is compiled and
loaded. It is the same for every call with the same matrix and time, for the program's database
knows a search by its time too."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .errors import DtypeError, InputError

_UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "h": 3600.0}  # as the program has them
_SECONDS_MOST = 8 * 3600.0
_KEPT_SECONDS = 4.0  # a compiler takes 2 to 4
_KEPT_SECONDS_PER_NNZ = 3e-7
_KEPT_SHARE_MOST = 1 / 3


def time_text(time: Any) -> str:
    """The time of a call as text with a unit. Raises DtypeError, InputError."""
    if isinstance(time, str):
        return time
    if isinstance(time, bool) or not isinstance(time, (int, float, np.integer, np.floating)):
        raise DtypeError(
            f"time is of type {type(time).__name__}: it takes seconds, or text as '30s'"
        )
    if not 0 <= time < float("inf"):
        raise InputError(f"time is {time}: it takes 0 seconds or more")
    return _seconds_text(float(time))


def _seconds_text(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".") + "s"


def _seconds_of(text: str) -> "float | None":
    """None where the program will refuse the text with a message."""
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)(s|ms|m|h|)", text)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    return seconds if 0 < seconds <= _SECONDS_MOST else None


def kept_seconds(seconds: float, nnz: int) -> float:
    """How much of a call's time is not for the search."""
    return min(_KEPT_SECONDS + _KEPT_SECONDS_PER_NNZ * nnz, seconds * _KEPT_SHARE_MOST)


def search_time(text: str, nnz: int) -> str:
    """The program's time, for a call's time and a matrix. 0, the first design, stays 0."""
    seconds = _seconds_of(text)
    if seconds is None:
        return text
    return _seconds_text(max(seconds - kept_seconds(seconds, nnz), 0.001))
