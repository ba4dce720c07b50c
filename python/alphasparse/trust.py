"""trust: folders and files that are ours. The program has the same rules (SECURITY.md)."""

from __future__ import annotations

import os
import stat

from . import _native
from .errors import FileError

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def is_own_folder(path: str) -> bool:
    """Whether only this user can write into the folder, or the one that a link names."""
    try:
        facts = os.stat(path)
    except OSError:
        return False
    return stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid() and not facts.st_mode & OTHERS_WRITE


def make_folders(path: str) -> None:
    """Makes a folder and the missing folders above it, for this user alone. Raises OSError."""
    error = _native.make_folders(os.path.abspath(path))
    if error:
        raise OSError(error, os.strerror(error), path)


def make_own_folder(path: str) -> None:
    """The same of a folder with trusted files; one of ours that others can write becomes ours
    alone. Raises FileError where it is another user's."""
    error = _native.make_own_folder(os.path.abspath(path))
    if error:
        raise FileError(f"cannot make folder {path}: {os.strerror(error)}; name another by ALPHASPARSE_CACHE")
    if not is_own_folder(path):
        raise FileError(f"folder {path} can be written by other users; name another by ALPHASPARSE_CACHE")


def read_text(path: str) -> str:
    """The text of a regular file: a pipe would keep us waiting. Raises FileError."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, encoding="utf-8") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise FileError(f"{path} is no file")
            return file.read()
    except UnicodeError:
        raise FileError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path} cannot be read ({error.strerror})") from None
