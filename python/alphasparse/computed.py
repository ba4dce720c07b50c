"""computed: arrays of a format that kernels compute instead of loading them.

A computed entry is an expression as nested lists (runtime/formats/expression_json.h). It is
evaluated for a vector of indices at once, [n] of int64. ValueError says which entry of which array
lies outside its range, or outside the array that it is read from. A division by zero is a
FloatingPointError where NumPy raises those."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from .ranges import check_facts, check_range

_OPERATIONS: "dict[str, Any]" = {"+": np.add, "*": np.multiply, "min": np.minimum,
                                 "/": np.floor_divide, "%": np.remainder}  # fmt: skip
_CONDITIONS = {"<": np.less, "==": np.equal}
_EXTENT_MOST = 2**31


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
        (length,) = facts["shape"]
        if not 0 <= length <= _EXTENT_MOST:
            raise ValueError(f"{name} has {length} entries")
        entries: np.ndarray = self.entry(name, np.arange(length, dtype=np.int64))
        check_facts(name, entries, facts)
        return entries

    def entry(self, name: str, i: np.ndarray) -> Any:
        if name in self.tensors:
            tensor = self.tensors[name]
            check_range(f"an index of {name}", i, 0, len(tensor) - 1)
            return tensor[i]
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
            return self._window(name, place * width) & (1 << width) - 1
        if kind == "bits":  # where the head of its chunk says, which says too how wide it is
            head, place = numbers
            cut = head % 32
            return self._window(name, head + place * (cut - 32) & 0xFFFFFFFF) >> cut
        if kind == "bytes":
            return self._bytes(name, *numbers)
        if kind == "run":
            word, first, place = numbers
            check_range("a place of a word", place, 0, 31)
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
        """The 32 bits of an array of words from one bit on."""
        first, shift = bit // 32, bit % 32
        return (self.entry(name, first) | self.entry(name, first + 1) << 32) >> shift & 0xFFFFFFFF

    def _bytes(self, name: str, head: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Fields of 1, 2 or 4 bytes, as the head of their chunk says; those of no byte: place."""
        first, kind = head // 4, head % 4
        size = np.where(kind == 3, 4, kind)
        at = np.where(size == 0, 0, first + place * size // 4)
        field = self.entry(name, at) >> 8 * (place * size % 4) & (1 << 8 * size) - 1
        return np.where(size == 0, place, field)
