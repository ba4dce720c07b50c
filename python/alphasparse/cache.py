"""cache: where kernels lie that were given no folder, and the limit of all that is kept there.

The program holds the limit (`alphasparse cache`): it counts the files that it compiled itself, too,
and removes those that were used longest ago."""

from __future__ import annotations

import contextlib
import os

from .errors import Error, FileError
from .folders import home_folder, whole_path
from .program import run_program

_LOOKED_AFTER_BYTES = 16_000_000  # that were added; less than the program lets grow unseen


class _Growth:
    """The bytes that this process has added since the program last checked the limit."""

    unseen_bytes = _LOOKED_AFTER_BYTES  # the first kernel asks: others may have filled the cache


def cache_folder() -> str:
    """ALPHASPARSE_CACHE, else alphasparse in XDG_CACHE_HOME or HOME/.cache, as the program has it.
    Absolute. Raises FileError where none of them is set."""
    named = os.environ.get("ALPHASPARSE_CACHE")
    if named:
        return whole_path(named, "ALPHASPARSE_CACHE")
    shared, home = os.environ.get("XDG_CACHE_HOME", ""), home_folder()
    if os.path.isabs(shared):
        return os.path.join(shared, "alphasparse")
    if home:
        return os.path.join(home, ".cache", "alphasparse")
    raise FileError(
        "no place for kernels, HOME is not set; name one by folder= or set ALPHASPARSE_CACHE"
    )


def python_folder() -> str:
    """The part of the cache that is the package's."""
    return os.path.join(cache_folder(), "python")


def note_use(folder: str) -> None:
    """Marks a folder in the cache as the last to be removed. Folders elsewhere stay as they are."""
    with contextlib.suppress(Error, OSError):
        if os.path.dirname(folder) == python_folder():
            os.utime(folder)


def drop_empty(folder: str) -> None:
    """Removes a folder of the cache that a call left empty. Folders elsewhere stay as they are."""
    with contextlib.suppress(Error, OSError):
        if os.path.dirname(folder) == python_folder():
            os.rmdir(folder)


def note_growth(folder: str) -> None:
    """Has the limit kept, where much was added since it was last; `folder` is new in the cache."""
    with contextlib.suppress(OSError):
        _Growth.unseen_bytes += sum(one.stat().st_size for one in os.scandir(folder))
    if _Growth.unseen_bytes < _LOOKED_AFTER_BYTES:
        return
    _Growth.unseen_bytes = 0
    with contextlib.suppress(Error):  # a cache that is too large is no reason to lose a kernel
        run_program(["cache", "trim"])
