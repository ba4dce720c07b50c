"""many_loads: the memory that stays in the process of kernels that were loaded, called and deleted.

    python3 many_loads.py [LOADS]      (20000)

Each is a library of its own. Memory maps and resident memory are to stay as they are."""

import os
import re
import shutil
import sys
import tempfile

import numpy as np
import scipy.sparse as sp

import alphasparse
from alphasparse import _native
from alphasparse.files import runtime_of, source_of
from alphasparse.trust import read_text


def state() -> str:
    with open("/proc/self/status", encoding="ascii") as status:
        resident = re.search(r"VmRSS:\s+(\d+)", status.read())
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return f"{len(maps.readlines()):6} maps {int(resident[1]) if resident else 0:10} kB"


def main() -> None:
    loads = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    x = np.ones(1000)
    with tempfile.TemporaryDirectory() as folder:
        matrix = sp.eye(1000, format="csr") * 2
        path = alphasparse.tune(matrix, device="cpu:2", time="0", folder=folder).path
        source = source_of(path)
        text = read_text(source)
        prefix = _native.read_metadata(path)["prefix"]
        header = "".join(map(read_text, runtime_of(source, text)))
        library = _native.compile_cpu(source, text, header, tempfile.mkdtemp(dir=folder))
        copy = os.path.join(folder, "copy.so")
        for number in range(1, loads + 1):
            shutil.copyfile(library, copy + ".draft")
            os.replace(copy + ".draft", copy)  # another file, which the loader does not know
            kernel = _native.CpuKernel(copy, prefix, path)
            kernel.native_threads = 2
            assert kernel.matvec(x)[0] == 2
            del kernel
            if number in (1, 10, 100, 1000, 10_000, loads):
                print(f"{number:6} loads {state()}", flush=True)


main()
