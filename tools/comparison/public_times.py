"""public_times: times of SpMV kernels that others have published, as a table.

Tab-separated, a time a line, after a first line with the columns' names:

  source  gpu  dtype  matrix  rows  cols  nnz  format  time_us
"""

import math
import re
from typing import NamedTuple

from laboratory import Refused


class PublicTime(NamedTuple):
    source: str  # that measured it: "gunrock/loops"
    gpu: str  # as the source calls it: "V100"
    dtype: str
    matrix: str  # the stem of its file, or "twin:NAME": of like statistics alone
    rows: int
    cols: int
    nnz: int
    format: str  # as the source calls it
    time_us: float


def number_of(column, text):
    pattern = r"\d+" if column != "time_us" else r"(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?"
    if re.fullmatch(pattern, text, re.ASCII):
        value = float(text) if column == "time_us" else int(text)
        if 0 < value and (math.isfinite(value) if column == "time_us" else value < 2 ** 63):
            return value
    raise Refused(f"{column} wants a number above 0, not '{text}'")


def time_of(fields):
    columns = PublicTime._fields
    if len(fields) != len(columns):
        raise Refused(f"{len(fields)} fields where there should be {len(columns)}, parted by tabs: "
                      f"{', '.join(columns)}")
    named = dict(zip(columns, fields))
    for column in ("source", "gpu", "matrix", "format"):
        if not named[column]:
            raise Refused(f"{column} is empty")
    if named["dtype"] not in ("f32", "f64"):
        raise Refused(f"dtype is f32 or f64, not '{named['dtype']}'")
    numbers = {column: number_of(column, named[column])
               for column in ("rows", "cols", "nnz", "time_us")}
    return PublicTime(**{**named, **numbers})


def read(file):
    """All times of a file."""
    try:
        with open(file, encoding="utf-8", errors="replace", newline="\n") as opened:
            content = opened.read()
    except OSError:
        raise Refused(f"{file}: cannot be read")
    times, columns = [], PublicTime._fields
    lines = content.removesuffix("\n").split("\n") if content else []
    for number, line in enumerate(lines, 1):
        fields = line.removesuffix("\r").split("\t")
        try:
            if number > 1:
                times.append(time_of(fields))
            elif tuple(fields) != columns:
                raise Refused("the first line should name the columns, parted by tabs: " +
                              ", ".join(columns))
        except Refused as refused:
            raise Refused(f"{file}:{number}: {refused}")
    if not times:
        raise Refused(f"{file}: holds no time; it wants one a line")
    return times
