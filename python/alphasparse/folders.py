"""folders: where kernels lie, and how several threads and processes put them into one folder."""

from __future__ import annotations

import contextlib
import fcntl
import filecmp
import os
import re
import secrets
import shutil
from typing import Iterator

from . import _native
from .errors import FileError, HostError
from .trust import make_folders, read_text

# The code that the kernels of a folder share.
RUNTIME = "alphasparse_runtime.h"


def without_tilde(path: "str | os.PathLike[str]", called: str) -> str:
    """The path, with HOME in the place of a tilde that it begins with: a folder called ~ is never
    meant. `called` is how messages name the path."""
    found = _native.without_tilde(os.fspath(path))
    if found is None:
        told = f"{called} {os.fspath(path)}"
        raise FileError(f"{told}: HOME, which ~ stands for, is not set; give the whole path")
    return found


def whole_path(path: "str | os.PathLike[str]", called: str) -> str:
    """The same as an absolute path."""
    return os.path.abspath(without_tilde(path, called))


def _held_folder(place: str, prefix: str) -> "tuple[str, int]":
    """A new folder, and the descriptor that holds it. The program removes the folder when no
    process holds it any more."""
    while True:
        folder = os.path.join(place, prefix + secrets.token_hex(3))
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            continue
        try:
            holder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:  # a run took it for an abandoned one
            continue
        try:
            fcntl.flock(holder, fcntl.LOCK_SH)
        except OSError:  # a file system without locks
            pass
        if os.path.isdir(folder):
            return folder, holder
        os.close(holder)


def mark(folder: str) -> None:
    """Has the program remove the folder where we are killed."""
    open(os.path.join(folder, ".alphasparse"), "x").close()


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder in TMPDIR, else in /tmp, as the program has it; it goes in the end."""
    place = whole_path(os.environ.get("TMPDIR") or "/tmp", "TMPDIR")
    try:
        folder, holder = _held_folder(place, "alphasparse-run-")
    except OSError as error:
        raise HostError(
            f"cannot make a folder in {place} ({error.strerror}); set TMPDIR to a folder that takes files"
        ) from None
    try:
        mark(folder)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(holder)


@contextlib.contextmanager
def locked(folder: str, exclusive: bool) -> Iterator[None]:
    """Holds a folder. Loaders share it, and a publisher has it alone, so that nobody loads half of
    a kernel. On a file system without locks there is no lock."""
    try:
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    held = False
    try:
        try:
            fcntl.flock(place, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
            held = True
        except OSError:
            pass
        yield
    finally:
        if held:  # aloud, for a forked child may still have the folder open
            fcntl.flock(place, fcntl.LOCK_UN)
        os.close(place)


def _held_inside(folder: str) -> "tuple[str, int]":
    """The same inside a folder, which is made where it is missing. The cache may lose it at any time
    before it is held: then it is made again."""
    for is_last in (False, False, True):
        make_folders(folder)
        try:
            return _held_folder(folder, ".tuning-")
        except FileNotFoundError:
            if is_last:
                raise
    raise AssertionError("the last round returns or raises")


@contextlib.contextmanager
def private_folder(folder: str) -> Iterator[str]:
    """A new folder inside `folder`, which is made where it is missing; it goes in the end."""
    try:
        place, holder = _held_inside(folder)
    except OSError as error:
        raise FileError(
            f"folder {folder} cannot be written into ({error.strerror}); name another by folder="
        ) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        os.close(holder)


def _runtime_version(path: str) -> str:
    """The version of an alphasparse_runtime.h, or the one that a kernel needs; empty: neither."""
    try:
        text = read_text(path)
    except FileError:
        return ""
    found = re.search(r"^#(?:define ALPHASPARSE_RUNTIME_VERSION|if ALPHASPARSE_RUNTIME_VERSION ==) (\w+)$", text,
                      re.MULTILINE)  # fmt: skip
    return found[1] if found else ""


def kernels_of_other_runtime(folder: str, place: str) -> "list[str]":
    """The kernels of the folder that need another version of the header that they share than the
    files of `place` bring along. They would lose it."""
    version, fresh = _runtime_version(os.path.join(folder, RUNTIME)), os.listdir(place)
    if not version or RUNTIME not in fresh or _runtime_version(os.path.join(place, RUNTIME)) == version:
        return []
    kernels = [one for one in sorted(os.listdir(folder)) if one.endswith((".cu", ".cpu.cpp"))]
    others = [one for one in kernels if one not in fresh]
    return [one for one in others if _runtime_version(os.path.join(folder, one)) == version]


def _refuse_other_runtime(folder: str, place: str) -> None:
    """Raises FileError where files of `place` would take its header from kernels of the folder."""
    needing = kernels_of_other_runtime(folder, place)
    if needing:
        header = os.path.join(folder, RUNTIME)
        version = _runtime_version(header)
        more = f" and {len(needing) - 3} more" if len(needing) > 3 else ""
        verb, them = ("needs", "that kernel") if len(needing) == 1 else ("need", "those kernels")
        raise FileError(
            f"{header} has version {version}, which {', '.join(needing[:3])}{more} {verb}: give another "
            f"folder, or remove the header and tune {them} again"
        )


def _refuse_foreign(file: str) -> None:
    """Raises FileError where a file that is not ours has the name of a text or a format, as the program would."""
    stem, ending = os.path.splitext(os.path.basename(file))
    if ending not in (".cu", ".cpp", ".h", ".safetensors") or not os.path.isfile(file):
        return
    with open(file, "rb") as stream:
        text = stream.read(1 << 16)
    name = (stem if stem.isprintable() else "").encode()
    is_opened = ending == ".safetensors" or (text[:3] in (b"// ", b"/* ") and text.startswith(name, 3))
    if text and not (is_opened and b"alphasparse" in text):
        told = f"{file} was not written by alphasparse and is not replaced"
        raise FileError(f"{told}: give another folder, or remove it")


def move_into(folder: str, place: str) -> None:
    """Moves all files of `place` into `folder`, each whole. The caller holds the folder. Raises
    FileError, also where a file that is not ours would be replaced."""
    _refuse_other_runtime(folder, place)
    for name in os.listdir(place):
        _refuse_foreign(os.path.join(folder, name))
    for name in sorted(os.listdir(place)):
        try:
            os.replace(os.path.join(place, name), os.path.join(folder, name))
        except OSError as error:
            target = os.path.join(folder, name)
            raise FileError(f"{target} cannot be written ({error.strerror})") from None


def same_contents(one: str, other: str) -> bool:
    """Whether both files are there, with the same bytes."""
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False
