"""files: the files of a kernel, their names, and the kernel that they belong to."""

from __future__ import annotations

import glob
import json
import os
import re
from typing import Any

from . import _native
from .columns import WIDTHS
from .errors import FileError
from .folders import RUNTIME
from .formats import identity_in
from .matrices import Identity
from .trust import read_text

FORMAT = ".safetensors"
CPU = ".cpu" + FORMAT
HIP = ".kernel.hip"
TUNED = ".tune.json"
REMEDY = "tune or emit it again under a name of its own"


def stem_of(path: str) -> str:
    return path.removesuffix(FORMAT)


def ending_of(path: str) -> str:
    return CPU if path.endswith(CPU) else FORMAT


def name_of(path: str) -> str:
    """The kernel's name, without its folder and endings."""
    return os.path.basename(path).removesuffix(ending_of(path))


_WIDTH = re.compile(r"_x(2|4|8|16|32|64)$")


def name_of_width(name: str, width: int) -> str:
    """The name of the kernel that multiplies so many vectors at once."""
    return name if width == 1 else f"{name}_x{width}"


def named_width(name: str) -> "tuple[str, int]":
    """The name without its width, and the width."""
    found = _WIDTH.search(name)
    return (name[: found.start()], int(found[1])) if found else (name, 1)


def widths_beside(path: str, identity: Identity) -> "list[str]":
    """The format files of one matrix that differ from another one in the width of their names alone."""
    folder, ending = os.path.dirname(path), ending_of(path)
    name = named_width(name_of(path))[0]
    beside = (os.path.join(folder, name_of_width(name, width) + ending) for width in WIDTHS)
    return [one for one in beside if one != path and os.path.exists(one) and identity_at(one) == identity]


def source_of(path: str) -> str:
    """The text beside a format file that this package compiles."""
    if path.endswith(CPU):
        return stem_of(path) + ".cpp"
    hip = stem_of(path) + HIP
    return hip if os.path.exists(hip) else stem_of(path) + ".kernel.cu"


def texts_of(path: str) -> "list[str]":
    """The texts that belong to a format file, whether they are there or not."""
    endings = [".cpp", ".h"] if path.endswith(CPU) else [".kernel.cu", ".cu", HIP, ".hip", ".h"]
    return [stem_of(path) + ending for ending in endings]


def runtime_of(path: str, text: str) -> "list[str]":
    """The header that a kernel's text shares with others, which lies beside it; empty: it has none."""
    folder = os.path.dirname(os.path.abspath(path))
    return [os.path.join(folder, RUNTIME)] if f'#include "{RUNTIME}"' in text else []


def check_present(path: str, *files: str) -> None:
    """Raises FileError where a kernel's file is gone: the kernel was loaded from there before."""
    for file in (path, *files):
        if not os.path.exists(file):
            raise FileError(
                f"kernel {name_of(path)}: {file} is not there any more; load the kernel from the folder "
                "that it was moved to, or tune it again"
            )


def name_matrix(path: str, file: str, called: str, in_memory: str = "") -> None:
    """The texts of a format file name the matrix by `called`, not by the temporary file that the
    program read. A matrix of memory, `in_memory` for its owner, has no file: they say how to get one."""
    for text in texts_of(path):
        if not os.path.exists(text):
            continue
        named = read_text(text).replace(file, called)
        if in_memory:
            saved = f"scipy.io.mmwrite({json.dumps(called)}, {in_memory}, precision=17)"
            first = f"//   first    {saved}: it was in memory, and remake reads that file\n"
            named = re.sub("^//   remake ", lambda found: first + found[0], named, count=1, flags=re.MULTILINE)
        with open(text, "w", encoding="utf-8") as output:
            output.write(named)


def identity_at(path: str) -> Identity:
    """The identity of the matrix of a format file, by its header. Raises FileError."""
    try:
        return identity_in(_native.read_metadata(path))
    except KeyError as error:
        raise FileError(f"{path}: the metadata has no {error}; {REMEDY}") from None


def identity_in_text(text: str, path: str, dtype: str) -> Identity:
    """The identity of the matrix that a kernel's text names."""
    found = [re.search(rf"^//   {word} +([0-9a-f]{{32}})$", text, re.MULTILINE)
             for word in ("pattern", "values")]  # fmt: skip
    if not found[0] or not found[1]:
        raise FileError(f"{path} names no fingerprints of a matrix; {REMEDY}")
    return Identity(found[0][1], found[1][1], dtype)


def check_identity(path: str, found: Identity, expected: Identity) -> None:
    """Raises FileError where a file is of another matrix than the kernel that reads it."""
    if found != expected:
        raise FileError(
            f"{path} is of another matrix than this kernel: it was written over; {REMEDY}"
        )


def is_of_another(path: str, identity: Identity) -> bool:
    """Whether the kernel of another matrix stands at `path`."""
    try:
        return identity_at(path) != identity
    except FileError:  # none is there, or nothing that could be read
        return False


def reject_others(path: str, identity: Identity) -> None:
    """Raises FileError where the kernel of another matrix stands at `path`."""
    if is_of_another(path, identity):
        raise FileError(
            f"{path} is the kernel of another matrix: give another name or folder, or remove it"
        )


def read_tuned(path: str) -> "dict[str, Any]":
    """NAME.tune.json beside a format file; empty where there is none."""
    file = stem_of(path) + TUNED
    if not os.path.lexists(file):
        return {}
    try:
        told = json.loads(read_text(file))
    except ValueError as error:
        raise FileError(f"{file} is no JSON ({error}); remove it") from None
    if not isinstance(told, dict):
        raise FileError(f"{file} holds no object; remove it")
    return told


def write_tuned(path: str, told: "dict[str, Any]") -> None:
    """Writes a NAME.tune.json that others cannot write, so that no words of theirs reach the
    program."""
    with open(path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o644)) as file:
        json.dump(told, file)


def tuned_identity(told: "dict[str, Any]") -> "Identity | None":
    """The identity of the matrix in NAME.tune.json."""
    try:
        prints = told["fingerprints"]
        return Identity(prints["pattern"], prints["values"], told["dtype"])
    except (KeyError, TypeError):
        return None


def formats_in(folder: str, ending: str) -> "list[str]":
    """The format files of a folder for one kind of device."""
    found = sorted(glob.glob(os.path.join(glob.escape(folder), "*" + ending)))
    return [one for one in found if ending_of(one) == ending]


def format_file(path: str) -> str:
    """The format file of a path."""
    if os.path.isdir(path):
        return _only_kernel(path)
    for ending in (".cpu.cpp", ".cpu.h", ".kernel.cu", ".cu", HIP, ".hip", ".h"):
        if path.endswith(ending):
            path = path.removesuffix(ending) + (CPU if ending.startswith(".cpu") else FORMAT)
    found = [one for one in (path, path + CPU, path + FORMAT) if os.path.isfile(one)]
    if not found or not found[0].endswith(FORMAT):
        raise FileError(f"{path}: no format file of a kernel; tune or emit it")
    return found[0]


def _only_kernel(folder: str) -> str:
    """The one kernel of a folder, transposes that were tuned with others aside. A transpose alone is
    not meant: its products would be those of another matrix."""
    found = [one for ending in (CPU, FORMAT) for one in formats_in(folder, ending)]
    own = [one for one in found if _transposed_of(one) is None]
    own = [one for one in own if not any(before in own for before in _narrower(one))]
    if len(own) != 1:
        told = ", ".join(os.path.basename(one) for one in own or found) or "none"
        raise FileError(f"{folder} has not one kernel but: {told}; load one by its path")
    return own[0]


def _narrower(path: str) -> "list[str]":
    """The format files of less columns, whether they are there or not."""
    name, width = named_width(name_of(path))
    names = (name_of_width(name, one) for one in WIDTHS if one < width)
    return [os.path.join(os.path.dirname(path), one + ending_of(path)) for one in names]


def _transposed_of(path: str) -> "Identity | None":
    """The matrix that a kernel was tuned with as its transpose."""
    mark = read_tuned(path).get("transpose_of")
    return Identity(*mark) if isinstance(mark, list) and len(mark) == 3 else None
