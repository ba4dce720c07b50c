"""Kernels that are gone leave nothing in the process, and loading starts no threads in vain."""

import gc
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import SECONDS_MOST, emit, integers, random_matrix

import alphasparse
from alphasparse import _native
from alphasparse.files import source_of
from alphasparse.trust import read_text

HUGE_BYTES = 2 << 20  # arrays from there on are touched by several threads


def mapped(folder):
    """How many parts of files below a folder are in memory."""
    with open("/proc/self/maps") as maps:
        return sum(str(folder) in line for line in maps)


@pytest.fixture(scope="module")
def compiled_kernel(program, matrix, tmp_path_factory):
    """The format file of a kernel, its object and its prefix."""
    folder = str(tmp_path_factory.mktemp("unloading"))
    path = emit(program, folder, matrix, "m", "--device", "cpu:2", "--design", "csr-scalar")
    source = source_of(path)
    text = read_text(source)
    prefix = re.search(r'extern "C" int (\w+)_load\(', text)[1]
    place = str(tmp_path_factory.mktemp("place"))
    return path, _native.compile_cpu(source, text, "", place), prefix


def test_deleted_kernels_free_their_maps(compiled_kernel, matrix, tmp_path):
    path, library, prefix = compiled_kernel
    x = integers(matrix.shape[1])
    for number in range(40):  # each is a library of its own
        copy = str(tmp_path / f"{number}.so")
        shutil.copyfile(library, copy)
        kernel = _native.CpuKernel(copy, prefix, path)
        assert mapped(tmp_path) > 0
        kernel.native_threads = 2
        assert np.array_equal(kernel.matvec(x), matrix @ x)
        shared = _native.CpuKernel(kernel)
        del kernel
        assert np.array_equal(shared.matvec(x), matrix @ x)  # the code stays with the last handle
        del shared
        gc.collect()
        assert mapped(tmp_path) == 0
    child = os.fork()  # the handlers of forks are gone
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_a_kernel_that_is_refused_frees_its_maps(compiled_kernel, tmp_path):
    path, library, prefix = compiled_kernel
    copy = str(tmp_path / "one.so")
    shutil.copyfile(library, copy)
    for named, file in ((prefix, str(tmp_path / "none.safetensors")), ("another", path)):
        with pytest.raises(alphasparse.Error):
            _native.CpuKernel(copy, named, file)
    assert mapped(tmp_path) == 0


THREADS = """
import os, sys, alphasparse
before = len(os.listdir("/proc/self/task"))
k = alphasparse.load(sys.argv[1], sys.argv[2])
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.parametrize(
    "nnz, device, started", [(2_500, "cpu", 0), (400_000, "cpu:1", 0), (400_000, "cpu", 2)]
)
def test_threads_that_loading_starts(program, tmp_path, nnz, device, started):
    matrix = random_matrix(3000, 2000, nnz)
    path = emit(program, str(tmp_path), matrix, "m", "--device", "cpu:1", "--design", "csr-scalar")
    tensors = alphasparse.load(path, "cpu:1").format().tensors.values()
    assert any(one.nbytes >= HUGE_BYTES for one in tensors) == (nnz > 2_500)
    done = subprocess.run(
        [sys.executable, "-c", THREADS, path, device],
        env={**os.environ, "OMP_NUM_THREADS": "3"}, capture_output=True, text=True,
        timeout=SECONDS_MOST,
    )  # fmt: skip
    assert done.stderr == "" and int(done.stdout) == started


def test_the_object_has_no_symbol_that_keeps_it_in_memory(compiled_kernel):
    """STB_GNU_UNIQUE, 10, in the upper half of a symbol's info byte."""
    with open(compiled_kernel[1], "rb") as file:
        library = file.read()
    entry, count = (int.from_bytes(library[at : at + 2], "little") for at in (58, 60))
    sections = int.from_bytes(library[40:48], "little")
    word = lambda at: int.from_bytes(library[at : at + 8], "little")  # noqa: E731
    bindings = set()
    for header in range(sections, sections + entry * count, entry):
        if int.from_bytes(library[header + 4 : header + 8], "little") == 11:  # SHT_DYNSYM
            first, size = word(header + 24), word(header + 32)
            bindings |= {library[at + 4] >> 4 for at in range(first, first + size, 24)}
    assert bindings and 10 not in bindings
