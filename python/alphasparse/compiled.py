"""compiled: what compilers make of a kernel's text, kept beside the text."""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from typing import Callable

from .errors import CompileError

FLAGS = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-shared"]


def cache_folder() -> str:
    """ALPHASPARSE_CACHE, else alphasparse in XDG_CACHE_HOME or ~/.cache, as the program has it."""
    named = os.environ.get("ALPHASPARSE_CACHE")
    if named:
        return named
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(home, "alphasparse")


def read_text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def made_of(path: str, ending: str, folder: "str | None" = None) -> "list[str]":
    """What was made of a text and lies in a folder, its own where it is not said."""
    stem = os.path.basename(path).rsplit(".", 1)[0]
    place = os.path.join(glob.escape(folder or os.path.dirname(os.path.abspath(path))), "*." + ending)
    ours = re.compile(re.escape(stem) + r"\.[0-9a-f]{16}\." + ending)
    return [one for one in glob.glob(place) if ours.fullmatch(os.path.basename(one))]


def kept(path: str, ending: str, key: str, make: Callable[[str], None]) -> str:
    """The file STEM.KEY.ENDING for the text at `path`: made by make(file) where it is not there yet,
    and older ones go. Beside the text, or in the cache where that folder cannot be written."""
    digits = hashlib.sha256(key.encode()).hexdigest()[:16]
    stem = os.path.basename(path).rsplit(".", 1)[0]
    folders = [os.path.dirname(os.path.abspath(path)), os.path.join(cache_folder(), "python")]
    for folder in folders:
        made = os.path.join(folder, f"{stem}.{digits}.{ending}")
        if os.path.exists(made):
            return made
    folder = folders[0] if os.access(folders[0], os.W_OK) else folders[1]
    os.makedirs(folder, exist_ok=True)
    made = os.path.join(folder, f"{stem}.{digits}.{ending}")
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as place:
        fresh = os.path.join(place, "made")
        make(fresh)
        os.replace(fresh, made)
    for older in made_of(path, ending, folder):
        if older != made:
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
    compiler = shutil.which(named)
    if not compiler:
        raise CompileError(f"the compiler {named} is missing: install g++, or name one by ALPHASPARSE_CXX")

    def make(into: str) -> None:
        command = [compiler, *FLAGS, "-o", into, path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            told = [line for line in done.stderr.split("\n") if "error" in line]
            raise CompileError(f"{path} does not compile: {(told or [done.stderr.strip()])[0]}")

    return kept(path, "so", "\n".join([read_text(path), compiler, *FLAGS, _processor()]), make)
