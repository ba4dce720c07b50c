"""computed: arrays of a format that kernels compute instead of loading them.

A computed entry is an expression as nested lists (runtime/formats/expression_json.h). It is
evaluated for a vector of indices at once, [n] of int64, as templates/host/checked.h does for one.
ValueError says which entry of which array lies outside its range, or outside the array that it is
read from, and which number is no int of a kernel. Long arrays are computed part by part."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

import numpy as np

from .ranges import check_facts, check_order, check_range

_OPERATIONS: "dict[str, Any]" = {"+": np.add, "*": np.multiply, "min": np.minimum}
_DIVISIONS: "dict[str, Any]" = {"/": np.floor_divide, "%": np.remainder}
_CONDITIONS = {"<": np.less, "==": np.equal}
_EXTENT_MOST = 2**31
_INT_MOST, _WORD_MOST = 2**31 - 1, 2**32 - 1
PART = 1 << 18  # entries that are computed together


def as_ints(numbers: np.ndarray) -> np.ndarray:
    """The numbers, which a kernel's int can hold; as in the loader, -2^31 is none."""
    wrong = np.flatnonzero((numbers < -_INT_MOST) | (numbers > _INT_MOST))
    if len(wrong):
        raise ValueError(f"{numbers[wrong[0]]} is no int")
    return numbers


def _check_division(a: np.ndarray, b: np.ndarray) -> None:
    """A kernel divides words without a sign, and an int may not be negative."""
    wrong = np.flatnonzero((a < 0) | (a > _WORD_MOST) | (b <= 0) | (b > _WORD_MOST))
    if len(wrong):
        raise ValueError(f"a division of {a[wrong[0]]} by {b[wrong[0]]}")


def set_bits(word: Any) -> Any:
    """How many bits of 32 are set."""
    word = word - (word >> 1 & 0x55555555)
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    word = word + (word >> 4) & 0x0F0F0F0F
    return (word * 0x01010101 & 0xFFFFFFFF) >> 24


class Arrays:
    """The arrays of a kernel by name, whether they are stored or computed."""

    def __init__(self, tensors: Mapping[str, np.ndarray], computed: "list[dict[str, Any]]") -> None:
        self.tensors = tensors
        self.computed = {facts["name"]: facts for facts in computed}

    def whole(self, name: str) -> np.ndarray:
        """All entries of a computed array."""
        return np.concatenate(list(self.parts(self.computed[name])))

    def parts(self, facts: "dict[str, Any]") -> Iterator[np.ndarray]:
        """The entries of a computed array, some at a time, each in its range and order."""
        name, (length,) = facts["name"], facts["shape"]
        if not 0 <= length <= _EXTENT_MOST:
            raise ValueError(f"{name} has {length} entries")
        before = np.empty(0, np.int64)
        for first in range(0, max(length, 1), PART):
            i = np.arange(first, min(first + PART, length), dtype=np.int64)
            entries = self._located(name, facts["entry"], i)
            check_facts(name, entries, facts, i)
            if facts.get("ascending"):
                check_order(name, np.concatenate([before, entries]), first - len(before))
                before = entries[-1:]
            yield entries

    def _located(self, name: str, expression: Any, i: np.ndarray) -> Any:
        """The expression for consecutive indices; a refusal names the first that is refused."""
        try:
            return self.evaluate(expression, i)
        except ValueError as error:
            if len(i) == 1:
                raise ValueError(f"{name}[{i[0]}]: {error}") from None
            for half in np.array_split(i, 2):
                self._located(name, expression, half)
            raise

    def entry(self, name: str, i: np.ndarray) -> Any:
        if name in self.tensors:
            tensor = self.tensors[name]
            check_range(f"an index of {name}", i, 0, len(tensor) - 1)
            taken = tensor[i]  # expressions may leave the type's bits on their way
            return taken.astype(np.int64) if taken.dtype.kind in "iu" else taken
        facts = self.computed[name]
        check_range(f"an index of {name}", i, 0, facts["shape"][0] - 1)
        entries = self.evaluate(facts["entry"], i)
        check_facts(name, entries, facts, i)
        return entries

    def evaluate(self, expression: Any, i: np.ndarray) -> Any:
        """The expression for indices, [n]."""
        if expression == "i":
            return i
        if not isinstance(expression, list):
            return np.full(i.shape, int(expression), np.int64)
        kind, *parts = expression
        if kind in _CONDITIONS:
            return self._chosen(_CONDITIONS[kind], parts, i)
        name, *rest = parts if kind in ("[]", "fields", "bits", "bytes") else ("", *parts)
        numbers = [self.evaluate(part, i) for part in rest]
        if kind == "[]":
            return self.entry(name, *numbers)
        if kind == "fields":  # all have as many bits
            width, place = numbers
            check_range("the width of a field", width, 1, 31)
            return self._window(name, as_ints(place) * width) & (1 << width) - 1
        if kind == "bits":  # where the head of its chunk says, which says too how wide it is
            head, place = numbers
            cut = as_ints(head) % 32
            return self._window(name, head + as_ints(place) * (cut - 32)) >> cut
        if kind == "bytes":
            return self._bytes(name, *numbers)
        if kind == "run":
            word, first, place = numbers
            check_range("a place of a word", place, 0, 31)
            return as_ints(first) + set_bits(word & (2 << place) - 1) - 1
        if kind in _DIVISIONS:
            _check_division(*numbers)
            return _DIVISIONS[kind](*numbers)
        if kind not in _OPERATIONS:
            raise ValueError(f"an expression is of an unknown kind, {kind}")
        return as_ints(_OPERATIONS[kind](*map(as_ints, numbers)))

    def _chosen(self, holds: Any, parts: "list[Any]", i: np.ndarray) -> np.ndarray:
        """One of two expressions, each evaluated only for the indices for which it stands."""
        a, b, then, otherwise = parts
        first = holds(as_ints(self.evaluate(a, i)), as_ints(self.evaluate(b, i)))
        ours, others = self.evaluate(then, i[first]), self.evaluate(otherwise, i[~first])
        result = np.empty(i.shape, np.result_type(ours, others))
        result[first], result[~first] = ours, others
        return result

    def _window(self, name: str, bit: np.ndarray) -> Any:
        """The 32 bits of an array of words from one bit on, which is counted modulo 2^32."""
        first, shift = (bit & _WORD_MOST) // 32, bit % 32
        return (self.entry(name, first) | self.entry(name, first + 1) << 32) >> shift & _WORD_MOST

    def _bytes(self, name: str, head: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Fields of 1, 2 or 4 bytes, as the head of their chunk says; those of no byte: place."""
        for number in (head, place):
            check_range("a head or a place of bytes", number, 0, _INT_MOST)
        field, size = place.copy(), np.array([0, 1, 2, 4])[head % 4]
        some = np.flatnonzero(size)
        first, at, bits = head[some] // 4, place[some] * size[some], 8 * size[some]
        field[some] = self.entry(name, first + at // 4) >> 8 * (at % 4) & (1 << bits) - 1
        return field

    def stretches(self, first: Any, parents: int) -> "Iterator[tuple[np.ndarray, ...]]":
        """Each parent has the places from first(parent) up to first(parent + 1). Gives parents, first
        places and counts: of parents that have PART places together, or of one that has more."""
        if not 0 <= parents <= _EXTENT_MOST:
            raise ValueError(f"a format has {parents} parents")
        for start in range(0, parents, PART):
            edges = np.arange(start, min(start + PART, parents) + 1, dtype=np.int64)
            places = as_ints(self.evaluate(first, edges))
            counts = np.maximum(np.diff(places), 0)
            ends = np.cumsum(counts)
            begin = 0
            while begin < len(counts):
                fitting = np.searchsorted(ends, ends[begin] - counts[begin] + PART, side="right")
                end = max(begin + 1, int(fitting))
                yield edges[begin:end], places[begin:end], counts[begin:end]
                begin = end

    def columns(self, walk: "dict[str, Any]") -> "Iterator[tuple[np.ndarray, np.ndarray]]":
        """Columns that are steps: those of a thread are added up from its first column on. Gives
        positions and their columns. Positions of threads that a parent does not have hold pads and
        are left out."""
        stride = walk["stride"]
        for parents, begin, count in self.stretches(walk["first_position"], walk["parents"]):
            edges = np.append(parents, parents[-1] + 1)
            threads = as_ints(self.evaluate(walk["first_thread"], edges))
            taking = np.diff(threads)
            if (taking > stride).any():
                raise ValueError(f"{taking.max()} threads take turns at {stride} positions")
            count[taking <= 0] = 0
            last = count - 1 - np.maximum((count - 1) % stride - taking + 1, 0)
            self.evaluate(walk["step"], (begin + last)[count > 0])  # so that none leads far away
            yield from self._walked(walk, begin, count, threads, taking)

    def _walked(
        self,
        walk: "dict[str, Any]",
        begin: np.ndarray,
        count: np.ndarray,
        threads: np.ndarray,
        taking: np.ndarray,
    ) -> "Iterator[tuple[np.ndarray, np.ndarray]]":
        """The columns of parents together, or turns of a single one together that has many."""
        stride = walk["stride"]
        together = max(1, PART // stride) * stride if len(count) == 1 else count.max()
        came_to = None  # the columns of the threads, in the turns before
        for done in range(0, count.max(), max(1, together)):
            which, local = spread(np.minimum(count - done, together))
            turn = local % stride
            order = np.lexsort((local, turn, which))
            order = order[turn[order] < taking[which[order]]]
            which, local, turn = which[order], local[order], turn[order]
            at = begin[which] + done + local
            step = as_ints(self.evaluate(walk["step"], at))
            firsts = np.flatnonzero(local == turn)
            if came_to is None:
                came_to = as_ints(self.evaluate(walk["first"], threads[which[firsts]] + turn[firsts]))
            total = np.cumsum(step)
            before = came_to[: len(firsts)] - total[firsts] + step[firsts]
            ends = np.append(firsts[1:], len(at))
            columns = total + np.repeat(before, ends - firsts)
            check_range(walk["name"], columns, walk["least"], walk["most"], at)
            came_to = columns[ends - 1]
            yield at, columns


def spread(counts: np.ndarray) -> "tuple[np.ndarray, np.ndarray]":
    """For each of as many things as the counts say together: whose it is, and its number there."""
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which), dtype=np.int64) - np.repeat(np.cumsum(counts) - counts, counts)
