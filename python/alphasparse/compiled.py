"""compiled: the files that compilers make of a kernel's text, kept beside the text.

Each such file ends with a seal: hashes of the text, of everything that it was made from, and of its
own bytes. A file that was cut, or that was made from something else, is made again. Comments count
for nothing: a text that differs in them alone keeps its file."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from typing import Callable

from .cache import cache_folder, python_folder
from .errors import CompileError, FileError
from .folders import RUNTIME, mark
from .texts import without_comments
from .trust import child_environment, find_compiler, is_own_file, is_own_folder, make_own_folder, read_text

FLAGS = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared"]
# The first library with a symbol that is unique in the process would stay in memory. Clang makes no
# such symbols, and refuses the word.
_UNLOADABLE = "-fno-gnu-unique"
_SEAL = b"\nalphasparse:seal"
_HASH_BYTES = 32
_SEAL_BYTES = len(_SEAL) + 3 * _HASH_BYTES


def made_of(path: str, ending: str, folder: "str | None" = None) -> "list[str]":
    """The files that were made of a text and lie in a folder, that of the text by default."""
    stem = os.path.basename(path).rsplit(".", 1)[0]
    place = os.path.join(glob.escape(folder or os.path.dirname(os.path.abspath(path))), "*." + ending)
    ours = re.compile(re.escape(stem) + r"\.[0-9a-f]{16}\." + ending)
    return [one for one in glob.glob(place) if ours.fullmatch(os.path.basename(one))]


def _hash(data: "str | bytes") -> bytes:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).digest()


def _sealed_contents(path: str) -> "tuple[bytes, bytes, bytes] | None":
    """(contents, hash of the text, hash of the key) of a file that is whole, else None."""
    try:
        with open(path, "rb") as file:
            whole = file.read()
    except OSError:
        return None
    contents, seal = whole[:-_SEAL_BYTES], whole[-_SEAL_BYTES:]
    if not seal.startswith(_SEAL) or seal[-_HASH_BYTES:] != _hash(contents):
        return None
    text, key = seal[len(_SEAL) :][:_HASH_BYTES], seal[-2 * _HASH_BYTES : -_HASH_BYTES]
    return contents, text, key


def _is_whole(path: str, key: str) -> bool:
    """Whether a file is ours alone, whole, and made from the key."""
    found = _sealed_contents(path) if is_own_file(path) else None
    return found is not None and found[2] == _hash(key)


def contents(path: str) -> bytes:
    """A file that `kept` gave, without its seal."""
    found = _sealed_contents(path)
    if found is None:
        raise CompileError(f"{path} is damaged; remove it")
    return found[0]


def _seal(made: str, bare: str, key: str, make: Callable[[str], None]) -> None:
    """Puts the file that make(file) makes, with its seal, into its place at once."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(made), prefix=f".making-{_hash(key).hex()[:16]}-") as place:
        mark(place)
        fresh = os.path.join(place, "made")
        make(fresh)
        with open(fresh, "rb") as file:
            seal = _SEAL + _hash(bare) + _hash(key) + _hash(file.read())
        with open(fresh, "ab") as file:
            file.write(seal)
        os.chmod(fresh, 0o600)
        os.replace(fresh, made)


def kept(path: str, text: str, ending: str, tools: str, make: Callable[[str], None]) -> str:
    """The file STEM.KEY.ENDING for the text of `path` and the tools that compile it: made by
    make(file) where it is not there whole. Files of other texts are removed. It lies beside the
    text, or in the cache where others can write into that folder, or we cannot. A file that
    others can have written is made again."""
    bare = without_comments(text)
    key = f"{bare}\n{tools}"
    digits = _hash(key).hex()[:16]
    stem = os.path.basename(path).rsplit(".", 1)[0]
    folder = os.path.dirname(os.path.abspath(path))
    made = os.path.join(folder, f"{stem}.{digits}.{ending}")
    is_ours = is_own_folder(folder)
    if is_ours and _is_whole(made, key):
        return made
    if not is_ours or not os.access(folder, os.W_OK):
        folder = python_folder()
        make_own_folder(folder)
        made = os.path.join(folder, f"{stem}.{digits}.{ending}")
        if _is_whole(made, key):
            return made
    _seal(made, bare, key, make)
    remove_made_of_others(path, text, ending, folder)
    return made


def remove_made_of_others(path: str, text: str, ending: str, folder: "str | None" = None) -> None:
    """Removes files that were made of another text of that name."""
    ours = _hash(without_comments(text))
    for one in made_of(path, ending, folder):
        found = _sealed_contents(one)
        if found is None or found[1] != ours:
            try:
                os.unlink(one)
            except FileNotFoundError:  # another process was quicker
                pass


def _processor() -> str:
    """The properties of this processor that -march=native depends on."""
    try:
        lines = read_text("/proc/cpuinfo").split("\n\n")[0].split("\n")
    except FileError:
        return ""
    return "\n".join(line for line in lines if line.startswith(("model", "flags", "Features", "CPU")))


def runtime_of(path: str, text: str) -> "str | None":
    """The header that a kernel's text shares with others, which lies beside it. None: it has none."""
    if f'#include "{RUNTIME}"' not in text:
        return None
    return os.path.join(os.path.dirname(os.path.abspath(path)), RUNTIME)


def _compiled(command: "list[str]", into: str, text: str) -> "subprocess.CompletedProcess[str]":
    """The result of a compiler that makes the file `into` of a text."""
    folder = os.path.dirname(into)  # ours, and not where somebody may have left headers or programs
    try:
        return subprocess.run(
            [*command, "-o", into, "-x", "c++", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**child_environment(), "TMPDIR": folder},  # which goes with it
        )
    except OSError as error:
        raise CompileError(f"the compiler {command[0]} cannot be run ({error.strerror})") from None


def _made(command: "list[str]", into: str, text: str, path: str, name: str) -> None:
    """Compiles a text, which messages call `name` at `path`. Raises CompileError."""
    done = _compiled([*command, _UNLOADABLE], into, text)
    if done.returncode != 0 and _UNLOADABLE in done.stderr:
        done = _compiled(command, into, text)
    if done.returncode != 0:
        told = [line for line in done.stderr.split("\n") if "error" in line]
        line = (told or done.stderr.strip().split("\n"))[0].replace("<stdin>", name)
        raise CompileError(f"{path} does not compile: {line}")


def _runtime_object(header: str, path: str, compiler: "list[str]", tools: str, place: str) -> str:
    """The functions of the header that the kernel at `path` includes, compiled, as a file in the
    folder `place`. They lie in the cache too, once for all kernels. By their name the program counts
    and removes them with its own compiled kernels. So the compiler reads the copy: another process
    may remove the file of the cache at any time."""
    key = f"{header}\n{tools}"
    command = [*compiler, *FLAGS, "-DALPHASPARSE_RUNTIME_IMPLEMENTATION", "-c"]

    def make(into: str) -> None:
        _made(command, into, header, path, RUNTIME)

    alone = os.path.join(place, "runtime.o")
    try:
        folder = cache_folder()
        make_own_folder(folder)  # first: others could put another file there behind the check
        made = os.path.join(folder, _hash(key).hex()[:32] + ".kernel")
        if _is_whole(made, key):
            os.utime(made)
        else:
            _seal(made, header, key, make)
        shutil.copyfile(made, alone)
    except CompileError:
        raise
    except OSError:  # the cache takes no files, or the file is gone: the kernel can have its own
        make(alone)
    return alone


def shared_object(path: str, text: str) -> str:
    """The shared object of `text`, that of NAME.cpu.cpp at `path`. Raises CompileError."""
    compiler = find_compiler()
    if not compiler:
        named = os.environ.get("ALPHASPARSE_CXX") or "g++"
        raise CompileError(
            f"the compiler {named} is missing: install g++ (Debian, Ubuntu: apt-get install g++; Fedora: "
            "dnf install gcc-c++), or name one by ALPHASPARSE_CXX"
        )

    tools = "\n".join([*compiler, *FLAGS, _UNLOADABLE, _processor()])
    runtime = runtime_of(path, text)
    header = read_text(runtime) if runtime else ""

    def make(into: str) -> None:
        command = [*compiler, *FLAGS]
        if runtime:
            place = os.path.dirname(into)
            with open(os.path.join(place, RUNTIME), "w", encoding="utf-8") as file:
                file.write(header)  # beside the text, which comes from a pipe
            runtime_object = _runtime_object(header, path, compiler, tools, place)
            command += ["-DALPHASPARSE_RUNTIME_COMPILED", runtime_object]
        _made(command, into, text, path, os.path.basename(path))

    key = f"{tools}\n{_hash(header).hex()}" if runtime else tools
    return kept(path, text, "so", key, make)
