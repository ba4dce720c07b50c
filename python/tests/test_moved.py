"""Kernels whose files were moved or removed: products go on, and all else names the missing file."""

import copy
import os
import pickle
import shutil

import numpy as np
import pytest
from conftest import emit, integers

import alphasparse

USES = {
    "format": lambda kernel: kernel.format(),
    "values": lambda kernel: kernel.values(),
    "transpose": lambda kernel: kernel.T,
    "explain": lambda kernel: kernel.explain(),
    "report": lambda kernel: kernel.report(),
    "save": lambda kernel: kernel.save("to"),
    "pickle": lambda kernel: pickle.loads(pickle.dumps(kernel)),
    "deepcopy": lambda kernel: copy.deepcopy(kernel),
}


@pytest.fixture
def kernel(program, matrix, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkdir("from")
    path = emit(program, str(tmp_path / "from"), matrix, "m", "--device", "cpu:1", "--design", "csr-scalar")
    return alphasparse.load(path)


def expect_gone(call, file):
    with pytest.raises(alphasparse.FileError) as told:
        call()
    assert str(told.value) == (
        f"kernel m: {file} is not there any more; load the kernel from the folder that it was moved to, "
        "or tune it again"
    )


@pytest.mark.parametrize("use", USES)
def test_a_moved_kernel_is_told_with_its_place(kernel, matrix, tmp_path, use):
    os.rename("from", "other")
    expect_gone(lambda: USES[use](kernel), tmp_path / "from/m.cpu.safetensors")
    x = integers(kernel.shape[1])
    assert np.array_equal(kernel @ x, matrix @ x)
    assert np.array_equal(alphasparse.load("other") @ x, matrix @ x)
    assert not os.path.exists("from") and not os.path.exists("to/m.cpu.safetensors")


def test_a_removed_text_is_told_too(kernel, tmp_path):
    os.remove("from/m.cpu.cpp")
    expect_gone(lambda: kernel.save("to"), tmp_path / "from/m.cpu.cpp")
    shutil.rmtree("from")
    expect_gone(lambda: kernel.save("to"), tmp_path / "from/m.cpu.safetensors")
