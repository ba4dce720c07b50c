"""Products release the interpreter: kernels run at the same time, and Python runs beside them."""

import os
import subprocess
import threading

import numpy as np
import pytest
from conftest import SECONDS_MOST

import alphasparse
from alphasparse import _native
from alphasparse._native import compiler_command

# A kernel with a product that waits until as many products run as x[0] says, and then returns their
# number.
KERNEL = """
#include "alphasparse_kernel.h"
#include <atomic>
#include <chrono>
#include <thread>
struct alphasparse_handle {};
static std::atomic<int> inside{0}, met{0};
static int load(const char*, alphasparse_handle** out) { *out = new alphasparse_handle; return 0; }
static int spmv(const alphasparse_handle*, const void* x, void* y, double, double, CUstream_st*) {
  const int wanted = static_cast<int>(*static_cast<const double*>(x));
  if (++inside == wanted) met = wanted;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(SECONDS);
  while (met != wanted && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  *static_cast<double*>(y) = met;
  return 0;
}
static int spmm(const alphasparse_handle* handle, const void* x, int64_t, void* y, int64_t, double, double,
                CUstream_st*) {
  return spmv(handle, x, y, 1, 0, nullptr);
}
extern "C" const alphasparse_kernel* wide_interface() {
  static const alphasparse_kernel kernel = {
      ALPHASPARSE_VECTORS_VERSION, sizeof(alphasparse_kernel), "wide", "none", "f64", 1, 1, 1, load,
      nullptr,
      nullptr, nullptr, nullptr, nullptr, [](alphasparse_handle* handle) { delete handle; },
      [] { return ""; }, "cpu", nullptr, 0, nullptr, nullptr, nullptr, 2, spmm};
  return &kernel;
}
extern "C" const alphasparse_kernel* waits_interface() {
  static const alphasparse_kernel kernel = {
      ALPHASPARSE_KERNEL_VERSION, sizeof(alphasparse_kernel), "waits", "none", "f64", 1, 1, 1, load,
      spmv,
      nullptr, nullptr, nullptr, nullptr, [](alphasparse_handle* handle) { delete handle; },
      [] { return ""; }, "cpu", nullptr};
  return &kernel;
}
"""


@pytest.fixture(scope="module")
def waits(tmp_path_factory):
    """The object of that kernel, by a compiler that is there."""
    headers = os.environ.get("ALPHASPARSE_HEADERS")
    if not compiler_command() or not headers:
        pytest.skip(
            "no compiler, or ALPHASPARSE_HEADERS does not name the folder of alphasparse_kernel.h"
        )
    library = str(tmp_path_factory.mktemp("waits") / "waits.so")
    subprocess.run(
        [*compiler_command(), "-std=c++17", f"-DSECONDS={SECONDS_MOST}", f"-I{headers}", "-fPIC",
         "-shared",
         "-o", library, "-x", "c++", "-"],
        input=KERNEL, text=True, check=True,
    )  # fmt: skip
    return library


@pytest.mark.parametrize("prefix", ["waits", "wide"])
def test_two_kernels_run_at_the_same_time(waits, prefix):
    kernels = [_native.CpuKernel(waits, prefix, "none") for _ in range(2)]
    results = [np.zeros(2), np.zeros(2)]
    x = np.array([2.0, 0.0])

    def work(which):
        if prefix == "waits":
            kernels[which].matvec(x[:1], results[which][:1])
            return
        assert kernels[which].native_vectors == 2
        columns = (2, 16, 8)  # their number, and the bytes from row to row and from number to number
        kernels[which].native_run(x.ctypes.data, *columns, results[which].ctypes.data, *columns, 1.0, 0.0, False)

    workers = [threading.Thread(target=work, args=(which,)) for which in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(2 * SECONDS_MOST)
    assert [one[0] for one in results] == [2, 2]


def test_kernels_of_users_have_the_same_call():
    """It is the extension's own, so all that holds for it holds for them."""
    from alphasparse.cpu import CpuKernel

    assert CpuKernel.matvec is _native.CpuKernel.matvec and issubclass(
        CpuKernel, alphasparse.Kernel
    )
