"""cache: where kernels lie that were given no folder. All that is cached has one limit."""

from __future__ import annotations

import contextlib
import os

from . import _native
from .errors import Error, FileError
from .folders import without_tilde


def cache_folder() -> str:
    """ALPHASPARSE_CACHE, else alphasparse in XDG_CACHE_HOME or HOME/.cache, as the program has it.
    Absolute. Raises FileError where none of them is set."""
    found = _native.cache_folder()
    if found is None:
        without_tilde(os.environ.get("ALPHASPARSE_CACHE", ""), "ALPHASPARSE_CACHE")  # it may be refused
        raise FileError(
            "no place for kernels, HOME is not set; name one by folder= or set ALPHASPARSE_CACHE"
        )
    return found


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
