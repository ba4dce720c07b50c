"""budgets: how the time of `tune` is divided.

    time of the call = time of the search + time that is kept

The kept time is for all else: the matrix is written for the program, the last trial of the search
ends, and the kernel is compiled and loaded. Earlier calls on the machine tell how much that is
(reserves.py); the first call assumes it."""

from __future__ import annotations

import math
import re
from typing import Any, Sequence

import numpy as np

from .errors import DtypeError, InputError

_UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "h": 3600.0}  # as the program has them
_SECONDS_MOST = 8 * 3600.0
_ASSUMED_SECONDS = 6.0  # a compiler takes 2 to 4, the end of a search 1 to 2
_MARGIN_SECONDS = 0.5
_STEP_SECONDS = 0.5  # so that many calls have the same
_SECONDS_PER_NNZ = 3e-7
_SHARE_MOST = 1 / 2
_TELLING_SECONDS = 4.0  # of a search: less is over before its first trials are


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


def kept_seconds(seconds: float, nnz: int, spent: Sequence[float] = ()) -> float:
    """How much of a call's time is not for the search. `spent` has the seconds of earlier calls
    beside their searches, as `spent_seconds` gives them: three of four took no longer than the one
    that counts."""
    usual = _ASSUMED_SECONDS
    if spent:
        longest = sorted(spent)[len(spent) * 3 // 4] + _MARGIN_SECONDS
        usual = math.ceil(longest / _STEP_SECONDS) * _STEP_SECONDS
    return min(usual + _SECONDS_PER_NNZ * nnz, seconds * _SHARE_MOST)


def spent_seconds(whole: float, searched: str, nnz: int) -> "float | None":
    """The seconds of a call, `whole`, beside those that its search was given. Those that each
    matrix takes by its size are left out. None: the search was too short, or ended early, and
    tells nothing of others."""
    given = seconds_of(searched)
    if given is None or given < _TELLING_SECONDS or whole < given:
        return None
    return max(whole - given - _SECONDS_PER_NNZ * nnz, 0.0)


def overrun_line(whole: float, text: str) -> str:
    """A line for the user where a call took longer than its time, else nothing."""
    seconds = seconds_of(text)
    if seconds is None or whole <= seconds:
        return ""
    return (
        f"late     the call took {whole:.1f} s of {seconds:g} s: the end of the search and the "
        "compiler took longer than was kept for them; later calls keep more, up to half\n"
    )


def search_time(text: str, nnz: int, spent: Sequence[float] = ()) -> str:
    """The program's time, for a call's time and a matrix. 0, the first design, stays 0."""
    seconds = seconds_of(text)
    if seconds is None:
        return text
    return _seconds_text(max(seconds - kept_seconds(seconds, nnz, spent), 0.001))
