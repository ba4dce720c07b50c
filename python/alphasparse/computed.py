"""computed: arrays of a format that kernels compute instead of loading them.

A computed entry is an expression as nested lists (runtime/formats/expression_json.h). The index is
an int, or a NumPy array of many; arrays come from a mapping. Its entries are Python's ints, or
NumPy arrays of int64. This module needs nothing but them: neither the package nor NumPy, unless
there are arrays.
"""

from __future__ import annotations

from typing import Any, Mapping


def chosen(condition: Any, then: Any, otherwise: Any) -> Any:
    """One of two numbers, for each entry by itself where there are many."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    import numpy

    return numpy.where(condition, then, otherwise)


def set_bits(word: Any) -> Any:
    """How many bits of 32 are set."""
    word = word - (word >> 1 & 0x55555555)
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    word = word + (word >> 4) & 0x0F0F0F0F
    return (word * 0x01010101 & 0xFFFFFFFF) >> 24


class Arrays:
    """The arrays of a kernel by name, whether they are stored or computed."""

    def __init__(self, tensors: Mapping[str, Any], computed: "list[dict[str, Any]]") -> None:
        self.tensors = tensors
        self.computed = {facts["name"]: facts for facts in computed}

    def __contains__(self, name: str) -> bool:
        return name in self.tensors or name in self.computed

    def entry(self, name: str, i: Any) -> Any:
        if name in self.tensors:
            return self.tensors[name][i]
        return self.evaluate(self.computed[name]["entry"], i)

    def evaluate(self, expression: Any, i: Any) -> Any:
        """The expression for index i."""
        if expression == "i":
            return i
        if not isinstance(expression, list):
            return expression
        kind, *parts = expression
        if kind == "[]":
            return self.entry(parts[0], self.evaluate(parts[1], i))
        if kind == "bits":
            return self.packed_bits(parts[0], *(self.evaluate(part, i) for part in parts[1:]))
        if kind == "fields":
            return self.packed_fields(parts[0], parts[1], self.evaluate(parts[2], i))
        if kind == "bytes":
            return self.packed_bytes(parts[0], *(self.evaluate(part, i) for part in parts[1:]))
        a, b = (self.evaluate(part, i) for part in parts[:2])
        if kind in ("<", "=="):
            return self.either(a < b if kind == "<" else a == b, parts[2], parts[3], i)
        if kind == "run":
            place = self.evaluate(parts[2], i)
            return b + set_bits(a & (2 << place) - 1) - 1
        if kind == "min":
            return chosen(a < b, a, b)
        if kind == "+":
            return a + b
        if kind == "*":
            return a * b
        if kind not in ("/", "%"):
            raise ValueError(f"an expression of an unknown kind, {kind}")
        return a // b if kind == "/" else a % b

    def either(self, condition: Any, then: Any, otherwise: Any, i: Any) -> Any:
        """One of two expressions, each only for those indices for which it stands."""
        if isinstance(condition, bool):
            return self.evaluate(then if condition else otherwise, i)
        result = i.copy()
        result[condition] = self.evaluate(then, i[condition])
        result[~condition] = self.evaluate(otherwise, i[~condition])
        return result

    def window(self, name: str, bit: Any) -> Any:
        """The 32 bits of an array of words from one bit on."""
        words = self.tensors[name]
        first, shift = bit // 32, bit % 32
        return (words[first] | words[first + 1] << 32) >> shift & 0xFFFFFFFF

    def packed_bits(self, name: str, head: Any, place: Any) -> Any:
        """A field where the head of its chunk says, which says too how wide it is."""
        cut = head % 32
        return self.window(name, head + place * (cut - 32) & 0xFFFFFFFF) >> cut

    def packed_fields(self, name: str, width: int, place: Any) -> Any:
        """A field where all have as many bits."""
        return self.window(name, place * width) & (1 << width) - 1

    def packed_bytes(self, name: str, head: Any, place: Any) -> Any:
        """A field of 1, 2 or 4 bytes, as the head of its chunk says; of none it is its place."""
        first, kind = head // 4, head % 4
        size = chosen(kind == 3, 4, kind)
        at = chosen(size == 0, 0, first + place * size // 4)
        field = self.tensors[name][at] >> 8 * (place * size % 4) & (1 << 8 * size) - 1
        return chosen(size == 0, place, field)
