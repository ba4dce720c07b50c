"""computed: arrays of a format that kernels compute instead of loading them.

A computed entry is an expression as nested lists (runtime/formats/expression_json.h). It is
evaluated for a vector of indices at once, [n] of int64."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

_OPERATIONS: "dict[str, Any]" = {
    "+": np.add, "*": np.multiply, "min": np.minimum, "/": np.floor_divide, "%": np.remainder,
}  # fmt: skip
_CONDITIONS = {"<": np.less, "==": np.equal}
_WORD_MOST = 2**32 - 1


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
        facts = self.computed[name]
        return np.asarray(self.evaluate(facts["entry"], np.arange(facts["shape"][0])))

    def entry(self, name: str, i: np.ndarray) -> Any:
        if name not in self.tensors:
            return self.evaluate(self.computed[name]["entry"], i)
        taken = self.tensors[name][i]  # expressions may leave the type's bits on their way
        return taken.astype(np.int64) if taken.dtype.kind in "iu" else taken

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
            return self._window(name, place * width) & (1 << width) - 1
        if kind == "bits":  # where the head of its chunk says, which says too how wide it is
            head, place = numbers
            cut = head % 32
            return self._window(name, head + place * (cut - 32)) >> cut
        if kind == "bytes":
            return self._bytes(name, *numbers)
        if kind == "run":
            word, first, place = numbers
            return first + set_bits(word & (2 << place) - 1) - 1
        if kind not in _OPERATIONS:
            raise ValueError(f"an expression is of an unknown kind, {kind}")
        return _OPERATIONS[kind](*numbers)

    def _chosen(self, holds: Any, parts: "list[Any]", i: np.ndarray) -> np.ndarray:
        """One of two expressions, each evaluated only for the indices for which it stands."""
        a, b, then, otherwise = parts
        first = holds(self.evaluate(a, i), self.evaluate(b, i))
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
        field, size = place.copy(), np.array([0, 1, 2, 4])[head % 4]
        some = np.flatnonzero(size)
        first, at, bits = head[some] // 4, place[some] * size[some], 8 * size[some]
        field[some] = self.entry(name, first + at // 4) >> 8 * (at % 4) & (1 << bits) - 1
        return field

    def columns(self, walk: "dict[str, Any]") -> np.ndarray:
        """Columns that are steps: those of a thread are added up from its first column on. The
        threads of each parent take turns at its positions."""
        edges = np.arange(walk["parents"] + 1)
        positions, threads = (self.evaluate(walk[name], edges) for name in ("first_position", "first_thread"))
        parent = np.repeat(edges[:-1], np.diff(positions))
        place = np.arange(len(parent)) - (positions - positions[0])[parent]
        turn = place % walk["stride"]
        order = np.lexsort((place, turn, parent))  # by threads
        order = order[turn[order] < np.diff(threads)[parent[order]]]
        step = self.evaluate(walk["step"], positions[0] + order)
        firsts = np.flatnonzero((place == turn)[order])
        total = np.cumsum(step)
        before = self.evaluate(walk["first"], (threads[parent] + turn)[order[firsts]])
        before = before - total[firsts] + step[firsts]
        columns = np.full(len(parent), walk["pad"], np.int64)
        columns[order] = total + np.repeat(before, np.diff(firsts, append=len(order)))
        return columns
