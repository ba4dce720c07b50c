"""columns: products of any number of columns, as tiles of those that kernels take at once."""

from __future__ import annotations

import operator
from typing import Any, Iterator, NamedTuple, Sequence

from .errors import DtypeError, FileError, InputError

WIDTHS = (1, 2, 4, 8, 16, 32, 64)  # the columns that kernels take at once


class Columns(NamedTuple):
    """Columns of real numbers in memory: element (i, j) lies i * row_step + j * step bytes behind the
    address."""

    address: int
    number: int
    row_step: int
    step: int

    def part(self, first: int, count: int) -> "Columns":
        return Columns(self.address + first * self.step, count, self.row_step, self.step)


def columns_of(
    address: int, shape: "tuple[int, ...]", strides: "tuple[int, ...]", itemsize: int
) -> Columns:
    """Of a vector, or of more columns; not of real numbers yet where they are complex."""
    count = shape[1] if len(shape) == 2 else 1
    step = strides[1] if count > 1 else itemsize
    return Columns(address, count, strides[0] if shape[0] > 1 else count * itemsize, step)


def real_columns(x: Columns, y: Columns, itemsize: int, size: int) -> "list[tuple[Columns, Columns]]":
    """X and Y as columns of real numbers: both parts of a complex one are columns side by side."""
    if itemsize == size:
        return [(x, y)]
    if x.step == y.step == itemsize:
        return [(Columns(x[0], 2 * x.number, x.row_step, size), Columns(y[0], 2 * y.number, y.row_step, size))]
    return [(Columns(x.address + i * x.step, 2, x.row_step, size),
             Columns(y.address + i * y.step, 2, y.row_step, size)) for i in range(x.number)]  # fmt: skip


_COPY_US = 2e-3  # of a number that lies as a kernel does not take it; a quarter in whole tiles
_PLANNED = 64  # columns whose tiles are chosen together; those before them are of one width


def composition(
    widths: Sequence[int], count: int, times: "dict[int, float] | None" = None, copy: float = 0.0
) -> "list[int]":
    """The widths whose tiles have `count` columns, the largest first. Those that take the least time, where
    the time of each width is known, else the largest that fit. The last tile may have more columns than
    are left: these are copied, each in the time `copy`."""
    if times:
        return _fastest(times, count, copy)
    tiles = []
    for width in sorted(widths, reverse=True):
        tiles += count // width * [width]
        count %= width
    return tiles + ([min(widths)] if count else [])


def _fastest(times: "dict[int, float]", count: int, copy: float) -> "list[int]":
    widest = min(times, key=lambda width: times[width] / width)
    tiles = max(0, count - _PLANNED) // widest * [widest]
    best: "list[tuple[float, list[int]]]" = [(0.0, [])]  # for 0, 1, ... columns
    for columns in range(1, count - widest * len(tiles) + 1):
        ways = (
            (time + copy * columns * (columns < width), width, best[max(0, columns - width)])
            for width, time in times.items()
        )
        best.append(min((time + rest, [*used, width]) for time, width, (rest, used) in ways))
    return sorted(tiles + best[-1][1], reverse=True)


def composed(kernel: Any, columns: int, by_columns: bool = False) -> "list[int]":
    """The widths of the tiles of a product of so many columns, which lie in rows or by columns. The files
    of the kernel tell its times once."""
    known = kernel.__dict__.setdefault("_compositions", {})
    if (columns, by_columns) not in known:
        if "times" not in known:
            known["times"] = measured_times(kernel)
        copy = _COPY_US * sum(kernel.shape)
        times = {
            width: time + copy * (by_columns * width / 4 if width > 1 else not by_columns)
            for width, time in known["times"].items()
        }
        known[columns, by_columns] = composition(kernel.vectors, columns, times, copy)
    return known[columns, by_columns]


def measured_times(kernel: Any) -> "dict[int, float]":
    """The time of a product of each width, as `tune` measured it; empty: not all are known, or there is
    but one width."""
    try:
        times = {one._width: one.tuned.get("time_us") for one in kernel._parts if kernel._more}
    except FileError:
        return {}
    return times if all(times.values()) else {}


def tiles(
    kernel: Any, columns: int, by_columns: bool = False, takes_more: bool = False
) -> "Iterator[tuple[Any, int, int]]":
    """The kernels that multiply parts of so many columns, with the first column and the number of each. With
    `takes_more` a kernel of one column takes all that are left."""
    kernels, first = {one._width: one for one in kernel._parts}, 0
    for width in composed(kernel, columns, by_columns):
        count = columns - first if takes_more and width == 1 else min(width, columns - first)
        if count > 0:
            yield kernels[width], first, count
        first += count


def repeats(shape: "tuple[int, ...]", strides: "tuple[int, ...]", itemsize: int) -> bool:
    """Whether elements of an array may share memory: its lines are not apart."""
    if 0 in shape:
        return False
    end = itemsize
    for step, extent in sorted((abs(step), extent) for step, extent in zip(strides, shape) if extent > 1):
        if step < end:
            return True
        end += (extent - 1) * step
    return False


def checked_widths(vectors: Any) -> "list[int]":
    """The widths that `tune` is asked for, ascending. Raises DtypeError and InputError."""
    told = f"vectors is {vectors!r:.80}: it takes one or more of {', '.join(map(str, WIDTHS))}"
    try:
        one = not hasattr(vectors, "__iter__") or getattr(vectors, "shape", None) == ()
        widths = sorted({operator.index(width) for width in ([vectors] if one else vectors)})
    except TypeError:
        raise DtypeError(told) from None
    if not widths or not set(widths) <= set(WIDTHS):
        raise InputError(told)
    return widths
