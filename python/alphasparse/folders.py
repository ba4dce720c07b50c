"""folders: where kernels lie, and how several threads and processes put them into one folder."""

from __future__ import annotations

import contextlib
import fcntl
import filecmp
import os
import shutil
import tempfile
from typing import Iterator

from .errors import FileError, HostError
from .trust import make_folders


@contextlib.contextmanager
def locked(folder: str, exclusive: bool) -> Iterator[None]:
    """Holds a folder. Loaders share it, and a publisher has it alone, so that nobody loads half of
    a kernel. A file system that knows no locks is taken as it is."""
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


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """A new folder in TMPDIR, which goes in the end. Raises HostError."""
    try:
        place = tempfile.mkdtemp(prefix="alphasparse-")
    except OSError as error:
        raise HostError(
            f"no temporary folder can be made ({error.strerror}): set TMPDIR to a folder with room"
        ) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def private_folder(folder: str) -> Iterator[str]:
    """A new folder inside `folder`, which is made where it is missing; it goes in the end."""
    try:
        make_folders(folder)
        place = tempfile.mkdtemp(dir=folder, prefix=".tuning-")
    except OSError as error:
        raise FileError(
            f"folder {folder} cannot be written into ({error.strerror}); name another by folder="
        ) from None
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def move_into(folder: str, place: str) -> None:
    """Moves all files of `place` into `folder`, each whole. The caller holds the folder."""
    for name in sorted(os.listdir(place)):
        try:
            os.replace(os.path.join(place, name), os.path.join(folder, name))
        except OSError as error:
            target = os.path.join(folder, name)
            raise FileError(f"{target} cannot be written ({error.strerror})") from None


def link_into(place: str, files: "list[str]") -> None:
    """Links files into a folder where the file system can: what was compiled serves there too."""
    for one in files:
        with contextlib.suppress(OSError):
            os.link(one, os.path.join(place, os.path.basename(one)))


def same_contents(one: str, other: str) -> bool:
    """Whether both files are there, with the same bytes."""
    try:
        return filecmp.cmp(one, other, shallow=False)
    except OSError:
        return False
