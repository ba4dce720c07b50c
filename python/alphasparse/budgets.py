"""budgets: how the time of `tune` is divided.

    time of the call = time of the search + time that is kept

The kept time is for all else: the matrix is written for the program, the last trial of the search
ends, and the kernel is compiled and loaded. It depends on the arguments alone, so that the same
call has the same search, which the program's database answers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .errors import DtypeError, InputError

_UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "h": 3600.0}  # as the program has them
_SECONDS_MOST = 8 * 3600.0
_KEPT_SECONDS = 3.0  # a compiler takes 1 to 2, the end of a search 1
_SECONDS_PER_NNZ = 3e-7
_SHARE_MOST = 1 / 2


def time_text(time: Any) -> str:
    """The time of a call as text with a unit. Raises DtypeError, InputError."""
    if isinstance(time, str):
        return time
    if isinstance(time, bool) or not isinstance(time, (int, float, np.integer, np.floating)):
        raise DtypeError(
            f"time is of type {type(time).__name__}: it takes seconds, or text as '30s'"
        )
    if not 0 <= time <= _SECONDS_MOST:
        raise InputError(f"time is {time!r:.20}: it takes 0 seconds to 8 hours")
    return _seconds_text(float(time))


def _seconds_text(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".") + "s"


def seconds_of(text: str) -> "float | None":
    """None where the program will refuse the text with a message, and of 0."""
    found = re.fullmatch(r"(\d+\.?\d*|\.\d+)(s|ms|m|h|)", text)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    return seconds if 0 < seconds <= _SECONDS_MOST else None


def kept_seconds(seconds: float, nnz: int) -> float:
    """How much of a call's time is not for the search."""
    return min(_KEPT_SECONDS + _SECONDS_PER_NNZ * nnz, seconds * _SHARE_MOST)


def overrun_line(whole: float, text: str) -> str:
    """A line for the user where a call took longer than its time, else nothing."""
    seconds = seconds_of(text)
    if seconds is None or whole <= seconds:
        return ""
    return (
        f"late     the call took {whole:.1f} s of {seconds:g} s: the end of the search and the "
        "compiler took longer than was kept for them\n"
    )


def search_time(text: str, nnz: int) -> str:
    """The program's time, for a call's time and a matrix. 0, the first design, stays 0."""
    seconds = seconds_of(text)
    if seconds is None:
        return text
    return _seconds_text(max(seconds - kept_seconds(seconds, nnz), 0.001))
