"""loading: whether a format file is safe for the kernel beside it, by the rules of the loader that
an emitted NAME.cu has (templates/host/loader.h). The kernel's text states the file's metadata, and
that text is trusted. So the file must have the same, and its arrays must keep them: no number that
the kernel computes from them then leads outside an array, x or y."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from .computed import PART, Arrays, as_ints, spread
from .errors import FileError
from .files import REMEDY, source_of
from .formats import Format
from .ranges import check_range

ELEMENTS = {"F64": np.float64, "F32": np.float32, "I32": np.int32, "U32": np.uint32,
            "U16": np.uint16, "U8": np.uint8}  # fmt: skip
_METADATA = re.compile(r"^//= (\w+) (.*)$", re.MULTILINE)


def check_format(format: Format, text: str) -> None:
    """Raises FileError where the format file is not that of the kernel's text, or not safe for it.
    No device is needed."""
    expected = dict(_METADATA.findall(text))
    source = source_of(format.path)
    if "rules" not in expected:
        raise FileError(f"{source} does not state the metadata of its format file; {REMEDY}")
    for name in sorted({*expected, *format.metadata} - {"checksum"}):
        ours, theirs = expected.get(name, "missing"), format.metadata.get(name, "missing")
        if ours != theirs:
            raise FileError(
                f"{format.path}: kernel and format differ: {name} is {ours:.80} in {source} and "
                f"{theirs:.80} in the file; {REMEDY}"
            )
    with format.refusing():
        _check_tensors(format.tensors, json.loads(expected["arrays"]))
        for facts in json.loads(expected["computed"]):
            for _ in format.arrays.parts(facts) if "least" in facts else ():
                pass
        for walk in json.loads(expected["steps"]):
            for _ in format.arrays.columns(walk):
                pass
        _check_rules(format.arrays, json.loads(expected["rules"]))


def _check_tensors(tensors: "dict[str, np.ndarray]", arrays: "list[dict[str, Any]]") -> None:
    """The file has the kernel's tensors and those of their values, and no others; each has the
    kernel's type. The lengths are those of the metadata (Format)."""
    types = {"canonical_row_first": "I32", "canonical_col": "I32"}
    for facts in arrays:
        types[facts["name"]] = facts["dtype"]
        if facts["dtype"].startswith("F"):
            types[facts["name"] + ".source"] = "I32"
        if facts.get("dictionary"):
            types[facts["name"] + ".code"] = "I32"
    for name in sorted({*types, *tensors}):
        ours = np.dtype(ELEMENTS[types[name]]) if name in types else "missing"
        theirs = tensors[name].dtype if name in tensors else "missing"
        if ours != theirs:
            raise ValueError(f"{name} is {ours} in the kernel and {theirs} in the file")


def _check_rules(arrays: Arrays, rules: "dict[str, list[dict[str, Any]]]") -> None:
    """The relations between arrays (generator/arrays/rules.h)."""
    for rule in rules["entries"]:
        for _ in arrays.parts({**rule, "shape": [rule["count"]]}):
            pass
    for rule in rules["spans"]:
        _check_spans(arrays, rule)
    for rule in rules["bits"]:
        _check_bits(arrays, rule)


def _check_spans(arrays: Arrays, rule: "dict[str, Any]") -> None:
    for parents, begin, count in arrays.stretches(rule["first"], rule["parents"]):
        some = count > 0
        base = as_ints(arrays.evaluate(rule["base"], parents[some]))
        which, local = spread(count[some])
        at = begin[some][which] + local
        numbers = base[which] + as_ints(arrays.evaluate(rule["entry"], at))
        check_range(rule["name"], numbers, rule["least"], rule["most"], at)


def _check_bits(arrays: Arrays, rule: "dict[str, Any]") -> None:
    least, most, bits = rule["least"], rule["most"], np.arange(rule["bits"])
    together = max(1, PART // rule["bits"])
    for start in range(0, rule["items"], together):
        items = np.arange(start, min(start + together, rule["items"]), dtype=np.int64)
        base = as_ints(arrays.evaluate(rule["base"], items))
        near = (base < least) | (base + rule["period"] - 1 > most)  # others are inside, bits or not
        bit = (items[near, None] * rule["bits"] + bits).ravel()
        numbers = (base[near, None] + bits % rule["period"]).ravel()
        is_set = (arrays.entry(rule["words"], bit // 32) >> bit % 32 & 1).astype(bool)
        check_range(rule["name"], numbers[is_set], least, most, bit[is_set])
