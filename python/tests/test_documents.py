"""The documentation: examples run, and each public function documents its errors."""

import doctest
import inspect

import pytest

import alphasparse
from alphasparse import cpu, gpu

PUBLIC = {
    alphasparse.Kernel: ["matvec", "matmat", "rmatvec", "rmatmat", "__matmul__", "__rmatmul__", "update",
                         "save", "explain", "report", "tuned", "T", "values", "format",
                         "aslinearoperator"],
    cpu.CpuKernel: ["matvec", "matmat"],
    gpu.GpuKernel: ["matvec", "matmat", "aslinearoperator"],
    alphasparse.Format: ["__getitem__", "matrix"],
}  # fmt: skip
NAMES = [(owner, name) for owner, names in PUBLIC.items() for name in names]


@pytest.mark.parametrize("one", [alphasparse.tune, alphasparse.Kernel, alphasparse.load,
                                 alphasparse.read_format], ids=lambda one: one.__name__)  # fmt: skip
def test_examples_run(program, one, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.DocTestFinder(recurse=False).find(one, one.__name__)
    assert [test for test in found if test.examples]
    runner = doctest.DocTestRunner()
    told = []
    for test in found:
        runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


@pytest.mark.parametrize("owner, name", [(alphasparse, "tune"), (alphasparse, "load"),
                                         (alphasparse, "read_format"), *NAMES])  # fmt: skip
def test_errors_are_documented(owner, name):
    text = inspect.getdoc(inspect.getattr_static(owner, name))
    assert text and "Raises" in text


def test_the_version_is_that_of_the_package():
    assert alphasparse.__version__.count(".") == 2
