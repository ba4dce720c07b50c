"""errors: every exception of the package is an Error, each with one line that names the remedy. The table of
all is in python/README.md."""

from __future__ import annotations

import contextlib
import os
from typing import Any, Iterator


class Error(Exception):
    """The base of all exceptions of the package."""


class InputError(Error, ValueError):
    """Bad input: an argument, a matrix, a vector or a word for the program."""


class ShapeError(InputError):
    """A vector or a matrix of the wrong shape."""


class LayoutError(InputError):
    """An output that cannot be written as it lies: not contiguous, read-only, over x."""


class DeviceError(InputError):
    """An array on another device than the kernel, or a device that the kernel does not take."""


class ValuesError(InputError):
    """Values that the format cannot hold."""


class TransposeError(InputError):
    """The transpose was not tuned."""


class ArrayNameError(InputError, KeyError):
    """A format has no array of that name."""

    def __str__(self) -> str:  # KeyError has quotes around it
        return Exception.__str__(self)


class DtypeError(Error, TypeError):
    """Values of another type than the kernel's, or an argument of a type that is not taken."""


class FileError(Error, OSError):
    """A file that is missing, damaged or not the one that its neighbours describe."""


class HostError(Error, OSError):
    """The machine lacks something: a device, a compiler, memory, a folder to write into."""


class ToolchainError(HostError, RuntimeError):
    """A program or a compiler that is missing or does not work."""


class CompileError(ToolchainError):
    """A compiler that is missing or refuses a kernel."""


class MissingDeviceError(DeviceError, HostError):
    """A device, its driver or its compiler is missing or does not work."""


class ProgramError(Error, RuntimeError):
    """The program alphasparse is missing or ended with an error; `exit_code` is its own."""

    def __init__(self, text: str, exit_code: "int | None" = None) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class MissingProgramError(ProgramError, ToolchainError):
    """The program alphasparse is missing or cannot be run."""


class ProgramInputError(ProgramError, InputError):
    """The program refused its input or an option: exit code 2."""


class NothingVerifiedError(ProgramError):
    """The search found no kernel with the right results: exit code 3."""


class ProgramHostError(ProgramError, HostError):
    """The program lacks a device, a compiler, memory or a folder: exit code 4."""


class DatabaseError(ProgramError):
    """The tuning database cannot be read or written: exit code 5."""


_BY_EXIT_CODE = {
    2: ProgramInputError,
    3: NothingVerifiedError,
    4: ProgramHostError,
    5: DatabaseError,
}


def program_error(text: str, exit_code: int) -> ProgramError:
    """The exception for the text and exit code that the program ended with."""
    return _BY_EXIT_CODE.get(exit_code, ProgramError)(text, exit_code)


@contextlib.contextmanager
def of_files(doing: str) -> Iterator[None]:
    """Raises errors of the system as FileError, with the file that they name."""
    try:
        yield
    except Error:
        raise
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        raise FileError(f"{doing}: {named}{error.strerror or error}") from error
    except UnicodeError as error:
        raise FileError(f"{doing}: no text in UTF-8 ({error})") from error


def path_of(value: Any, name: str) -> str:
    """A path as text. Raises DtypeError."""
    if isinstance(value, (str, os.PathLike)):
        path = os.fspath(value)
        if isinstance(path, str):
            if "\0" in path:
                raise InputError(f"{name} has a zero byte in it: {path!r}")
            return path
    raise DtypeError(f"{name} is of type {type(value).__name__}: it takes a path")


def text_of(value: Any, name: str) -> str:
    """A word for the program. Raises DtypeError."""
    if not isinstance(value, str):
        raise DtypeError(f"{name} is of type {type(value).__name__}: it takes text")
    return value
