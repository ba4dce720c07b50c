"""ranges: the range and the order of an array's entries, as the loaders of kernels check them."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_range(
    name: str, entries: np.ndarray, least: int, most: int, at: "np.ndarray | None" = None
) -> None:
    """Raises ValueError with the first entry outside [least, most]; `at` has their indices."""
    wrong = np.flatnonzero((entries < least) | (entries > most))
    if len(wrong):
        entry = wrong[0] if at is None else at[wrong[0]]
        raise ValueError(f"{name}[{entry}] is {entries[wrong[0]]}, outside {least}..{most}")


def check_order(name: str, entries: np.ndarray, first: int = 0) -> None:
    """Raises ValueError with the first entry that is below the one before it; `first` is the index
    of entries[0]."""
    falls = np.flatnonzero(entries[1:] < entries[:-1])
    if len(falls):
        raise ValueError(f"{name}[{first + falls[0] + 1}] is below the entry before it")


def check_facts(
    name: str, entries: np.ndarray, facts: "dict[str, Any]", at: "np.ndarray | None" = None
) -> None:
    """The range that a format gives an array of integers, and the order of a whole one."""
    if entries.dtype.kind not in "iu":
        return
    if "least" in facts:
        check_range(name, entries, facts["least"], facts["most"], at)
    if at is None and facts.get("ascending"):
        check_order(name, entries)
