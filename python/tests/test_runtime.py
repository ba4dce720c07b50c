"""The header that kernels share: beside them, and compiled once in the cache."""

import os
import re

import numpy as np
import pytest
from conftest import emit, integers, random_matrix

import alphasparse

DESIGN = ("--design", "csr-scalar", "--device", "cpu:1")


def compiled_runtimes():
    """The compiled headers in the cache: objects that are no libraries."""
    root = os.environ["ALPHASPARSE_CACHE"]
    found = [os.path.join(root, one) for one in os.listdir(root) if one.endswith(".kernel")]
    return [one for one in found if b"\x7fELF\2\1\1" + 9 * b"\0" + b"\1\0" in open(one, "rb").read()]


def test_tuned_kernels_share_a_header_that_is_compiled_once(program, tmp_path, monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    made = []
    for number, name in enumerate(("first", "second")):
        matrix = random_matrix(30 + number, 20, 90, seed=number)
        kernel = alphasparse.tune(
            matrix, device="cpu:1", time="0", folder=tmp_path, name=name, progress=False
        )
        x = integers(20)
        assert np.array_equal(kernel @ x, matrix @ x)
        assert '#include "alphasparse_runtime.h"' in (tmp_path / f"{name}.cpu.cpp").read_text()
        (object_there,) = compiled_runtimes()
        made.append(os.stat(object_there).st_ino)
    assert made[0] == made[1]
    assert (tmp_path / "alphasparse_runtime.h").exists()


@pytest.mark.parametrize("form", ["standalone", "shared"])
def test_kernels_of_both_forms_are_loaded_and_saved(program, tmp_path, form):
    matrix = random_matrix(30, 20, 90)
    emit(program, str(tmp_path), matrix, "neighbour", *DESIGN, "--runtime", "shared")
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", *DESIGN, "--runtime", form))
    x = integers(20)
    assert np.array_equal(kernel @ x, matrix @ x)
    copy = alphasparse.load(kernel.save(tmp_path / "copy"))
    assert np.array_equal(copy @ x, matrix @ x)
    assert (tmp_path / "copy" / "alphasparse_runtime.h").exists() == (form == "shared")


def test_a_kernel_is_loaded_where_no_cache_takes_files(program, tmp_path, monkeypatch):
    matrix, x = random_matrix(30, 20, 90), integers(20)
    path = emit(program, str(tmp_path), matrix, "m", *DESIGN, "--runtime", "shared")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "file"))
    assert np.array_equal(alphasparse.load(path) @ x, matrix @ x)
    for name in ("ALPHASPARSE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    assert np.array_equal(alphasparse.load(path) @ x, matrix @ x)


def test_the_cache_may_lose_the_header_while_a_kernel_is_compiled(program, tmp_path, monkeypatch):
    """As where another process keeps the limit of the cache: here the compiler removes it first."""
    cache, compiler = tmp_path / "cache", tmp_path / "compiler"
    compiler.write_text(
        f'#!/bin/sh\ncase "$*" in *RUNTIME_COMPILED*) rm {cache}/*.kernel || exit ;; esac\n'
        f'exec {os.environ.get("ALPHASPARSE_CXX", "g++")} "$@"\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(cache))
    monkeypatch.setenv("ALPHASPARSE_CXX", str(compiler))
    matrix, x = random_matrix(30, 20, 90), integers(20)
    path = emit(program, str(tmp_path), matrix, "m", *DESIGN, "--runtime", "shared")
    assert np.array_equal(alphasparse.load(path) @ x, matrix @ x)
    assert compiled_runtimes() == []


def as_of_version(path, version):
    """Changes the version of a header, or the one that a kernel needs."""
    text = re.sub(r"(ALPHASPARSE_RUNTIME_VERSION(?: ==)?) \d+", rf"\1 {version}", path.read_text())
    path.write_text(re.sub(r'VERSION_TEXT "\d+"', f'VERSION_TEXT "{version}"', text))


def test_a_header_that_other_kernels_need_is_kept(program, tmp_path):
    matrix = random_matrix(30, 20, 90)
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "new", *DESIGN, "--runtime", "shared"))
    folder = tmp_path / "to"
    kernel.save(folder)
    (folder / "new.cpu.cpp").rename(folder / "old.cpu.cpp")
    for name in ("old.cpu.cpp", "alphasparse_runtime.h"):
        as_of_version(folder / name, 999)
    before = (folder / "alphasparse_runtime.h").read_text()
    with pytest.raises(alphasparse.FileError, match="has version 999, which old.cpu.cpp needs"):
        kernel.save(folder)
    assert (folder / "alphasparse_runtime.h").read_text() == before


def older_kernel(program, folder):
    """Emits old.cpu.cpp with a header of another version; returns the text of that header."""
    emit(program, str(folder), random_matrix(9, 8, 30), "old", *DESIGN, "--runtime", "shared")
    for name in ("old.cpu.cpp", "alphasparse_runtime.h"):
        as_of_version(folder / name, 999)
    return (folder / "alphasparse_runtime.h").read_text()


def test_a_kernel_beside_older_ones_holds_its_runtime(program, tmp_path):
    header = older_kernel(program, tmp_path)
    matrix, x = random_matrix(30, 20, 90), integers(20)
    kernel = alphasparse.tune(
        matrix, device="cpu:1", time="0", folder=tmp_path, name="new", values="varying", progress=False
    )
    assert np.array_equal(kernel @ x, matrix @ x)
    assert "alphasparse_runtime.h" not in (tmp_path / "new.cpu.cpp").read_text()
    assert (tmp_path / "alphasparse_runtime.h").read_text() == header


def test_a_rebuilt_format_beside_an_older_kernel_holds_its_runtime(program, tmp_path):
    matrix, x = random_matrix(30, 20, 90), integers(20)
    matrix.data[:] = 3  # one value is a constant of the format, so others need another format
    kernel = alphasparse.load(emit(program, str(tmp_path), matrix, "m", *DESIGN, "--runtime", "shared"))
    for name in ("m.cpu.cpp", "alphasparse_runtime.h"):
        as_of_version(tmp_path / name, 999)
    header = (tmp_path / "alphasparse_runtime.h").read_text()
    values = np.arange(1, matrix.nnz + 1) % 7
    kernel.update(values, rebuild=True)
    other = matrix.copy()
    other.data[:] = values
    assert np.array_equal(kernel @ x, other @ x)
    assert (tmp_path / "alphasparse_runtime.h").read_text() == header


def test_a_header_of_another_version_is_named(program, tmp_path):
    path = emit(program, str(tmp_path), random_matrix(30, 20, 90), "m", *DESIGN, "--runtime", "shared")
    as_of_version(tmp_path / "alphasparse_runtime.h", 999)
    with pytest.raises(alphasparse.CompileError, match="needs version .* not 999: emit the kernel again"):
        alphasparse.load(path)
    (tmp_path / "alphasparse_runtime.h").unlink()
    with pytest.raises(alphasparse.FileError, match="alphasparse_runtime.h cannot be read"):
        alphasparse.load(path)
