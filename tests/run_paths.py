#!/usr/bin/env python3
"""Looks for libraries and programs that would load code from the current folder: of every ELF file
in folders and archives (tar, zip, wheel) it reads the run path (DT_RPATH, DT_RUNPATH) and the
libraries that it needs. An entry must begin with / or $ORIGIN; a needed library has a name without
a folder, or an absolute path. Prints a line for each that does not, then how many files it has
read; exit 1 where anything is wrong, or where a place has no ELF file at all.
Usage: run_paths.py FOLDER|ARCHIVE..."""

import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ENTRY = re.compile(r"\((RPATH|RUNPATH|NEEDED)\)[^\[]*\[(.*)\]$")


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF" and path.suffix != ".o"


def is_foreign(path):
    """Packages of others, in an environment of Python that tests have made in the build folder."""
    parts = path.parts
    if "site-packages" not in parts:
        return False
    return not parts[parts.index("site-packages") + 1].startswith("alphasparse")


def faults(path):
    told = subprocess.run(
        ["readelf", "-dW", path], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}
    )
    for line in told.stdout.splitlines():
        found = ENTRY.search(line)
        if not found:
            continue
        kind, text = found.groups()
        if kind == "NEEDED":
            if "/" in text and not text.startswith("/"):
                yield f"needs {text}"
            continue
        for entry in text.split(":"):
            if not re.match(r"/|\$ORIGIN(/|$)|\$\{ORIGIN\}(/|$)", entry):
                yield f"{kind} [{text}] has the entry '{entry}'"


def check(place, shown):
    """How many ELF files are in the folder, and how many faults."""
    files = [path for path in sorted(pathlib.Path(place).rglob("*")) if is_elf(path) and not is_foreign(path)]
    wrong = 0
    for path in files:
        for fault in faults(path):
            print(f"{shown}/{path.relative_to(place)}: {fault}")
            wrong += 1
    print(f"{shown}: {len(files)} ELF files")
    return len(files), wrong


def main():
    ended_well = len(sys.argv) > 1
    for place in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as unpacked:
            folder = place
            if not os.path.isdir(place):
                folder = unpacked
                opened = zipfile.ZipFile(place) if zipfile.is_zipfile(place) else tarfile.open(place)
                with opened as archive:
                    archive.extractall(unpacked)
            files, wrong = check(folder, place)
            ended_well = ended_well and files > 0 and wrong == 0
    sys.exit(0 if ended_well else 1)


main()
