"""Memory of results is reused, but never while an array refers to it."""

import os
import threading

import numpy as np
import pytest
from conftest import SECONDS_MOST, emit, integers, random_matrix

import alphasparse
from alphasparse import _native

ROWS = 20_000
KEPT_MOST = 64 << 20


@pytest.fixture(scope="module")
def big():
    return random_matrix(ROWS, 500, 60_000)


@pytest.fixture(scope="module")
def kernel(program, big, tmp_path_factory):
    words = ("--device", "cpu:1", "--design", "csr-scalar")
    return alphasparse.load(emit(program, str(tmp_path_factory.mktemp("results")), big, "m", *words))


def address(array):
    return array.__array_interface__["data"][0]


def test_memory_is_taken_again(kernel, big):
    x = integers(500)
    y = kernel @ x
    first = address(y)
    del y
    y = kernel @ x
    assert address(y) == first and np.array_equal(y, big @ x)
    assert y.flags.writeable and y.flags.aligned and y.flags.c_contiguous and first % 64 == 0


@pytest.mark.parametrize("seen_by", [
    lambda y: y, lambda y: y[5:], lambda y: y[::-7], lambda y: y[1:][2:][3:], memoryview,
    lambda y: memoryview(y[3:]), lambda y: np.frombuffer(y, np.uint8), lambda y: y.view(np.uint64),
    lambda y: y.reshape(4, -1).T, lambda y: iter(y), lambda y: {"deep": [y[1:2]]},
    lambda y: np.asarray(y).data, lambda y: y.flat, lambda y: np.lib.stride_tricks.as_strided(y, (3,)),
])  # fmt: skip
def test_memory_that_is_visible_is_never_handed_out(kernel, seen_by):
    x = integers(500)
    y = kernel @ x
    first, seen = address(y), seen_by(y)
    del y
    others = [kernel @ (x * 2) for _ in range(5)]
    assert first not in [address(one) for one in others]
    assert len({address(one) for one in others}) == len(others)
    del seen


def test_what_is_kept_is_bounded(kernel):
    x, results = integers(500), []
    for _ in range(2 * KEPT_MOST // (8 * ROWS)):
        results.append(kernel @ x)
    assert _native.kept_bytes() <= KEPT_MOST
    results.clear()
    assert 0 < _native.kept_bytes() <= KEPT_MOST


def test_threads_have_results_of_their_own(kernel, big):
    wrong = []

    def work(seed):
        x = integers(500, seed=seed)
        expected = big @ x
        held = []
        for turn in range(200):
            held.append(kernel @ x)
            if turn % 3 == 0:
                held.pop(0)
            if len(held) > 5:
                held = held[2:]
            if not all(np.array_equal(one, expected) for one in held[-2:]):
                wrong.append(seed)

    workers = [threading.Thread(target=work, args=(seed,), daemon=True) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(SECONDS_MOST)
    assert not wrong and not any(worker.is_alive() for worker in workers)


def test_a_forked_child_and_its_parent_do_not_share_results(kernel, big):
    x = integers(500)
    kernel @ x  # its memory is kept
    held = kernel @ x
    child = os.fork()
    if child == 0:
        status = 1
        try:
            others = [kernel @ (x * factor) for factor in (2, 3)]
            right = all(np.array_equal(one, big @ (x * factor)) for one, factor in zip(others, (2, 3)))
            status = 0 if right and np.array_equal(held, big @ x) else 1
        finally:
            os._exit(status)
    mine = kernel @ (x * 5)
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(held, big @ x) and np.array_equal(mine, big @ (x * 5))
