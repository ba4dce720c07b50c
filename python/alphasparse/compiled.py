"""compiled: what compilers make of a kernel's text, kept beside the text."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import subprocess
import tempfile
from typing import Callable

from .errors import CompileError, FileError
from .trust import child_environment, find_executable, is_own_file, is_own_folder, make_own_folder, read_text

FLAGS = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared"]


def cache_folder() -> str:
    """ALPHASPARSE_CACHE, else alphasparse in XDG_CACHE_HOME or HOME/.cache, as the program has it.
    Absolute. Raises FileError where none of them is set."""
    named = os.environ.get("ALPHASPARSE_CACHE")
    if named:
        return os.path.abspath(named)
    shared, home = os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", "")
    if os.path.isabs(shared):
        return os.path.join(shared, "alphasparse")
    if os.path.isabs(home):
        return os.path.join(home, ".cache", "alphasparse")
    raise FileError("no folder for the cache: set ALPHASPARSE_CACHE, XDG_CACHE_HOME or HOME")


def made_of(path: str, ending: str, folder: "str | None" = None) -> "list[str]":
    """What was made of a text and lies in a folder, its own where it is not said."""
    stem = os.path.basename(path).rsplit(".", 1)[0]
    place = os.path.join(glob.escape(folder or os.path.dirname(os.path.abspath(path))), "*." + ending)
    ours = re.compile(re.escape(stem) + r"\.[0-9a-f]{16}\." + ending)
    return [one for one in glob.glob(place) if ours.fullmatch(os.path.basename(one))]


def kept(path: str, ending: str, key: str, make: Callable[[str], None]) -> str:
    """The file STEM.KEY.ENDING for the text at `path`: made by make(file) where it is not there yet,
    and older ones go. Beside the text, or in the cache where others can write into that folder, or we
    cannot. What others can have written is made again."""
    digits = hashlib.sha256(key.encode()).hexdigest()[:16]
    stem = os.path.basename(path).rsplit(".", 1)[0]
    folder = os.path.dirname(os.path.abspath(path))
    made = os.path.join(folder, f"{stem}.{digits}.{ending}")
    is_ours = is_own_folder(folder)
    if is_ours and is_own_file(made):
        return made
    if not is_ours or not os.access(folder, os.W_OK):
        folder = os.path.join(cache_folder(), "python")
        make_own_folder(folder)
        made = os.path.join(folder, f"{stem}.{digits}.{ending}")
        if is_own_file(made):
            return made
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as place:
        fresh = os.path.join(place, "made")
        make(fresh)
        os.chmod(fresh, 0o600)
        os.replace(fresh, made)
    for older in made_of(path, ending, folder):
        if older != made and is_own_file(older):
            os.unlink(older)
    return made


def _processor() -> str:
    """What -march=native depends on."""
    try:
        lines = read_text("/proc/cpuinfo").split("\n\n")[0].split("\n")
    except OSError:
        return ""
    return "\n".join(line for line in lines if line.startswith(("model", "flags", "Features", "CPU")))


def shared_object(path: str) -> str:
    """The shared object of NAME.cpu.cpp. Raises CompileError."""
    named = os.environ.get("ALPHASPARSE_CXX") or "g++"
    compiler = find_executable(named)
    if not compiler:
        raise CompileError(f"the compiler {named} is missing: install g++, or name one by ALPHASPARSE_CXX")

    def make(into: str) -> None:
        command = [compiler, *FLAGS, "-o", into, os.path.abspath(path)]
        # In a folder of ours, and not where somebody may have left headers or programs.
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=os.path.dirname(into), env=child_environment()
        )
        if done.returncode != 0:
            told = [line for line in done.stderr.split("\n") if "error" in line]
            raise CompileError(f"{path} does not compile: {(told or [done.stderr.strip()])[0]}")

    return kept(path, "so", "\n".join([read_text(path), compiler, *FLAGS, _processor()]), make)
