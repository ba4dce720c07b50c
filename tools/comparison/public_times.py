"""public_times: times of SpMV kernels that others have published, as a table.

Tab-separated, a time a line, after a first line with the columns' names:

  source  gpu  dtype  matrix  rows  cols  nnz  format  time_us
"""

import math
import re
from typing import NamedTuple, Optional

from laboratory import Refused

NUMBERS = {int: r"\d{1,18}", float: r"(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"}


class PublicTime(NamedTuple):
    source: str  # that measured it: "gunrock/loops"
    gpu: str  # as the source calls it: "V100"
    dtype: str
    matrix: str  # the stem of its file, or "twin:NAME": of like statistics alone
    rows: int
    cols: int
    nnz: int
    format: str  # as the source calls it
    time_us: float  # nan: no number

    @property
    def fault(self) -> Optional[str]:
        """Why the time is none; other lines of its table may be good."""
        if self.time_us == 0:
            return "its time is 0"
        return None if 0 < self.time_us < math.inf else "its time is no number of microseconds"


def value_of(column, kind, text):
    if kind is str:
        if not text or column == "dtype" and text not in ("f32", "f64"):
            raise Refused(f"{column} is {'empty' if not text else f'f32 or f64, not {text!r}'}")
        return text
    value = kind(text) if re.fullmatch(NUMBERS[kind], text, re.ASCII) else 0
    if column == "time_us":
        return value if re.fullmatch(NUMBERS[kind], text, re.ASCII) else math.nan
    if not 0 < value < math.inf:
        raise Refused(f"{column} wants a number above 0, not '{text}'")
    return value


def time_of(line):
    kinds, fields = PublicTime.__annotations__, line.removesuffix("\r").split("\t")
    if len(fields) != len(kinds):
        raise Refused(f"{len(fields)} fields where there should be {len(kinds)}, parted by tabs: "
                      f"{', '.join(kinds)}")
    return PublicTime(*(value_of(*each, field) for each, field in zip(kinds.items(), fields)))


def read(file):
    """All times of a file."""
    try:
        with open(file, encoding="utf-8", errors="replace", newline="\n") as opened:
            head, *lines = opened.read().removesuffix("\n").split("\n")
    except OSError:
        raise Refused(f"{file}: cannot be read")
    if tuple(head.removesuffix("\r").split("\t")) != PublicTime._fields:
        raise Refused(f"{file}:1: the first line should name the columns, parted by tabs: "
                      f"{', '.join(PublicTime._fields)}")
    times = []
    for number, line in enumerate(lines, 2):
        try:
            times.append(time_of(line))
        except Refused as refused:
            raise Refused(f"{file}:{number}: {refused}")
    if not times:
        raise Refused(f"{file}: holds no time; it wants one a line")
    return times
