"""trust: programs, folders and files that are ours, without regard to the current folder and to
folders that others can write. The program has the same rules (SECURITY.md)."""

from __future__ import annotations

import errno
import os
import shlex
import stat

from .errors import FileError

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def program_folders() -> "list[str]":
    """The absolute folders of PATH: other entries depend on the current folder."""
    return [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]


def find_executable(name: str) -> "str | None":
    """The absolute path of a program: of a name by PATH, else of the path that it is."""
    places = [os.path.abspath(name)] if os.sep in name else [os.path.join(one, name) for one in program_folders()]
    for place in places:
        if os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    return None


def find_compiler() -> "list[str]":
    """The words of ALPHASPARSE_CXX, or g++, as the program reads them: those of a shell, but the
    path of a program is one word even with blanks. The first is an absolute path. Empty: there
    is none."""
    named = os.environ.get("ALPHASPARSE_CXX") or "g++"
    whole = find_executable(named)
    if whole:
        return [whole]
    try:
        words = shlex.split(named)
    except ValueError:  # a quote that is not closed
        words = []
    found = [find_executable(word) if n == 0 or os.sep in word else None for n, word in enumerate(words)]
    return [other or word for word, other in zip(words, found)] if words and found[0] else []


def child_environment() -> "dict[str, str]":
    """Our environment, but a child finds programs in the absolute folders of PATH alone."""
    return {**os.environ, "PATH": os.pathsep.join(program_folders()) or "/usr/bin:/bin"}


def _is_ours(facts: os.stat_result) -> bool:
    return facts.st_uid == os.geteuid() and not facts.st_mode & OTHERS_WRITE


def is_own_folder(path: str) -> bool:
    """Whether only this user can write into the folder, or the one that a link names."""
    try:
        facts = os.stat(path)
    except OSError:
        return False
    return stat.S_ISDIR(facts.st_mode) and _is_ours(facts)


def is_own_file(path: str) -> bool:
    """Whether it is a file, and no link, that only this user can have written."""
    try:
        facts = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(facts.st_mode) and _is_ours(facts)


def make_folders(path: str) -> None:
    """Makes a folder and the missing folders above it, for this user alone. Raises OSError."""
    missing = []
    above = os.path.abspath(path)
    while not os.path.lexists(above):
        missing.append(above)
        above = os.path.dirname(above)
    for folder in reversed(missing):
        os.makedirs(folder, mode=0o700, exist_ok=True)
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)


def make_own_folder(path: str) -> None:
    """The same of a folder with trusted files; one of ours that others can write becomes ours
    alone. Raises FileError where it is another user's."""
    try:
        make_folders(path)
        facts = os.stat(path)
        if facts.st_uid == os.geteuid() and facts.st_mode & OTHERS_WRITE and not facts.st_mode & stat.S_ISVTX:
            os.chmod(path, 0o700)
    except OSError as error:
        raise FileError(f"cannot make folder {path}: {error.strerror}; name another by ALPHASPARSE_CACHE") from error
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
