"""Kernels and searches in forked children, and kernels that run at the same time."""

import multiprocessing
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest
from conftest import SECONDS_MOST, emit, integers, random_matrix

import alphasparse
from alphasparse._native import compiler_command

PLAIN = ("--device", "cpu:2", "--design", "csr-scalar")


@pytest.fixture(scope="module")
def big():
    return random_matrix(5000, 5000, 40000)


@pytest.fixture(scope="module")
def path(program, big, tmp_path_factory):
    return emit(program, str(tmp_path_factory.mktemp("forks")), big, "m", *PLAIN)


def load(path):
    """With two threads, however many cores there are."""
    kernel = alphasparse.load(path, "cpu:2")
    assert kernel.threads == 2
    return kernel


def in_child(check):
    """Whether check() is true in a forked child."""
    child = os.fork()
    if child == 0:
        status = 2
        try:
            status = 0 if check() else 1
        finally:
            os._exit(status)
    end = time.monotonic() + SECONDS_MOST
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


@pytest.mark.parametrize("called_before", [False, True])
def test_a_forked_child_multiplies(path, big, called_before):
    kernel, x = load(path), integers(5000)
    if called_before:
        assert np.array_equal(kernel @ x, big @ x)
    for _ in range(3):
        assert in_child(lambda: np.array_equal(kernel @ x, big @ x))
        assert np.array_equal(kernel @ x, big @ x)


def test_a_child_of_a_child_multiplies(path, big):
    kernel, x = load(path), integers(5000)
    kernel @ x
    assert in_child(lambda: in_child(lambda: np.array_equal(kernel @ x, big @ x)))


def test_a_kernel_that_is_loaded_in_the_child_multiplies(path, big):
    x = integers(5000)
    load(path) @ x  # OpenMP has threads here

    def check():
        kernel = load(path)
        kernel.threads = 3
        kernel.update(big.data * 2)
        return np.array_equal(kernel @ x, 2 * (big @ x))

    assert in_child(check)


def test_another_kernel_is_loaded_in_the_child(program, path, big, tmp_path):
    """Its shared object is one that the parent does not have."""
    x, other = integers(5000), random_matrix(400, 5000, 3000, seed=8)
    load(path) @ x
    there = emit(program, str(tmp_path), other, "other", *PLAIN)
    assert in_child(lambda: np.array_equal(load(there) @ x, other @ x))


def test_a_fork_waits_for_an_update(path, big):
    """No child has half of an update, and none waits for a thread that only the parent has."""
    kernel, x = load(path), integers(5000)
    expected = [big @ x, 2 * (big @ x)]
    stop = threading.Event()

    def work():
        for turn in range(1_000_000):
            kernel.update(big.data * (1 + turn % 2))
            kernel.matvec(x)
            if stop.is_set():
                return

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for _ in range(20):
            assert in_child(lambda: any(np.array_equal(kernel @ x, one) for one in expected))
    finally:
        stop.set()
        worker.join()


def product_of(kernel, x):
    return kernel @ x


def test_a_pool_of_processes(path, big):
    kernel, x = load(path), integers(5000)
    kernel @ x
    with multiprocessing.get_context("fork").Pool(4) as pool:
        results = pool.starmap_async(product_of, [(kernel, x * factor) for factor in range(8)])
        for factor, y in enumerate(results.get(SECONDS_MOST)):
            assert np.array_equal(y, factor * (big @ x))


def tuned(folder, seed):
    matrix = random_matrix(50, 50, 300, seed=seed)
    kernel = alphasparse.tune(matrix, device="cpu:1", time="0", folder=folder)
    return kernel, np.array_equal(kernel @ integers(50), matrix @ integers(50))


def test_processes_search_in_forks_and_in_one_folder(program, path, tmp_path):
    load(path) @ integers(5000)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        seeds = [20, 21, 20, 21, 22, 22]
        found = pool.starmap_async(tuned, [(str(tmp_path), seed) for seed in seeds])
        results = found.get(SECONDS_MOST)
    for (kernel, is_right), seed in zip(results, seeds):
        matrix = random_matrix(50, 50, 300, seed=seed)
        assert is_right and np.array_equal(kernel @ integers(50), matrix @ integers(50))
    assert len({kernel.path for kernel, _ in results}) == 3


def test_two_kernels_run_at_the_same_time(program, path, big, tmp_path):
    other = random_matrix(5000, 5000, 30000, seed=9)
    pairs = [(load(path), big), (load(emit(program, str(tmp_path), other, "o", *PLAIN)), other)]
    x, wrong = integers(5000), []

    def work(kernel, expected):
        for _ in range(300):
            if not np.array_equal(kernel @ x, expected):
                wrong.append(1)

    workers = [threading.Thread(target=work, args=(kernel, matrix @ x), daemon=True)
               for kernel, matrix in pairs + pairs]  # fmt: skip
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(SECONDS_MOST)
    assert not wrong and not any(worker.is_alive() for worker in workers)


C_PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "m.cpu.h"

static int is_right(alphasparse_handle* handle, const double* x, double* y, const double* right) {
  if (m_cpu_spmv(handle, x, y, 1, 0) != alphasparse_ok) return 0;
  for (int i = 0; i < 5000; ++i) if (y[i] != right[i]) return 0;
  return 1;
}

int main(int count, char** words) {
  static double x[5000], y[5000], right[5000];
  alphasparse_handle *handle, *again;
  FILE* file = fopen(words[2], "rb");
  if (count != 3 || fread(x, 8, 5000, file) != 5000 || fread(right, 8, 5000, file) != 5000) return 2;
  if (m_cpu_load(words[1], &handle) != alphasparse_ok) return 3;
  if (m_cpu_set_threads(handle, 2) != alphasparse_ok || !is_right(handle, x, y, right)) return 4;
  for (int turn = 0; turn < 3; ++turn) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(300);
      if (!is_right(handle, x, y, right)) _exit(5);
      if (m_cpu_load(words[1], &again) != alphasparse_ok) _exit(6);
      if (m_cpu_set_threads(again, 3) != alphasparse_ok) _exit(7);
      _exit(is_right(again, x, y, right) ? 0 : 8);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) return 9;
    if (!is_right(handle, x, y, right)) return 10;
  }
  m_cpu_free(handle);
  return 0;
}
"""


def test_a_program_in_c_forks(path, big, tmp_path):
    x = integers(5000)
    (tmp_path / "x").write_bytes(x.tobytes() + (big @ x).tobytes())
    (tmp_path / "main.c").write_text(C_PROGRAM)
    compiler, folder = compiler_command(), os.path.dirname(path)
    text = path.replace(".safetensors", ".cpp")
    for command in (
        ["gcc", "-c", "-I", folder, "main.c", "-o", "main.o"],
        [*compiler, "-std=c++17", "-fopenmp", "-c", text, "-o", "m.o"],
        [*compiler, "-fopenmp", "main.o", "m.o", "-o", "main"],
        [str(tmp_path / "main"), path, "x"],
    ):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stderr)
