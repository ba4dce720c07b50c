"""Random histories: tune, transpose, update, pickle, copy, save, load and fork, in one folder, for
several matrices of one shape. After each step kernels have the products that SciPy has."""

import collections
import copy
import os
import pickle
import random

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix

import alphasparse

USUAL = 10_000 if "ALPHASPARSE_LONG" in os.environ else 2_000
OPERATIONS = int(os.environ.get("HISTORY_OPERATIONS", USUAL))  # in all
DEVICES = {1: "cpu:1", 2: "cpu:1", 3: "cpu:1", 4: "cpu:2"}  # by seed
WIDTHS = {3: [1, 2]}  # by seed
ROWS = 30
LIVE_MOST = 12
SAVES_OF_UPDATED_MOST = 1  # in each history: each has to be compiled
WEIGHTS = {"multiply": 300, "update": 120, "transpose": 80, "pickle": 40, "copy": 40, "load": 40,
           "fork": 20, "save": 20, "forget": 20, "tune": 2}  # fmt: skip
QUICK = {"time": "0", "transpose": True, "options": ("--values", "varying")}


class Model:
    """The matrix that a kernel and its transpose have now, and the one that their files have."""

    def __init__(self, matrix, on_disk):
        self.matrix, self.on_disk = matrix, on_disk


class One:
    """A kernel, and whether it is that of the model's transpose."""

    def __init__(self, kernel, model, is_transpose=False):
        self.kernel, self.model, self.is_transpose = kernel, model, is_transpose

    def matrix(self):
        return self.model.matrix.T.tocsr() if self.is_transpose else self.model.matrix

    def again(self, kernel, from_disk=False):
        """Another kernel, from now on with values of its own."""
        model = self.model.on_disk if from_disk else self.model.matrix
        return One(kernel, Model(model.copy(), self.model.on_disk), self.is_transpose)


def four_matrices():
    """One is symmetric, and two have the same pattern."""
    one, half = random_matrix(ROWS, ROWS, 150, seed=11), random_matrix(ROWS, ROWS, 80, seed=12)
    other = one.copy()
    other.data = other.data + 1
    return [one, other, (half + half.T).tocsr(), random_matrix(ROWS, ROWS, 120, seed=13)]


class History:
    def __init__(self, seed, device, folder):
        self.random, self.numbers = random.Random(seed), np.random.default_rng(seed)
        self.seed, self.device, self.folder = seed, device, folder
        self.matrices = four_matrices()
        self.counts = collections.Counter()
        self.live, self.saves_of_updated = [], 0
        for number in range(len(self.matrices)):
            self.do_tune(None, number)

    def run(self, operations):
        for _ in range(operations):
            (name,) = self.random.choices(list(WEIGHTS), WEIGHTS.values())
            one = self.random.choice(self.live)
            getattr(self, "do_" + name)(one)
            self.counts[name] += 1
            self.check(self.random.choice(self.live))
            while len(self.live) > LIVE_MOST:
                self.do_forget(None)

    def is_right(self, one):
        x, matrix = self.numbers.integers(-9, 9, ROWS).astype(float), one.matrix()
        return np.array_equal(one.kernel @ x, matrix @ x)

    def check(self, one):
        assert self.is_right(one)

    def do_multiply(self, one):
        x, matrix = self.numbers.integers(-9, 9, (ROWS, 2)), one.matrix()
        z = x[:, 0] + 1j * x[:, 1]
        operator = one.kernel.aslinearoperator()
        ours, scipys = self.random.choice([
            (lambda: one.kernel @ x, lambda: matrix @ x),
            (lambda: one.kernel @ z, lambda: matrix @ z),
            (lambda: one.kernel.rmatvec(z), lambda: matrix.T @ z),
            (lambda: one.kernel.T.T @ z, lambda: matrix @ z),
            (lambda: operator.matvec(z), lambda: matrix @ z),
            (lambda: operator.rmatvec(z), lambda: matrix.T @ z),
        ])  # fmt: skip
        assert np.array_equal(ours(), scipys())

    def do_update(self, one):
        values = self.numbers.integers(1, 99, one.kernel.nnz).astype(float)
        matrix = one.matrix()
        matrix = sp.csr_matrix((values, matrix.indices, matrix.indptr), matrix.shape)
        turned = matrix.T.tocsr()
        if self.random.random() < 0.3 and np.array_equal(turned.indices, matrix.indices):
            matrix = (matrix + turned).tocsr()  # symmetric where it was, and may be so again
        matrix.sort_indices()
        one.kernel.update(matrix.data)
        one.model.matrix = matrix.T.tocsr() if one.is_transpose else matrix

    def do_transpose(self, one):
        self.live.append(One(one.kernel.T, one.model, not one.is_transpose))

    def do_pickle(self, one):
        self.live.append(one.again(pickle.loads(pickle.dumps(one.kernel))))

    def do_copy(self, one):
        self.live.append(one.again(self.random.choice([copy.copy, copy.deepcopy])(one.kernel)))

    def do_load(self, one):
        loaded = alphasparse.load(one.kernel.path, one.kernel.device)
        # The file of a symmetric matrix is that of both sides.
        side = one.is_transpose and one.kernel.T.path != one.kernel.path
        on_disk = One(loaded, one.model, side).again(loaded, from_disk=True)
        self.live.append(on_disk)

    def do_save(self, one):
        is_updated = one.kernel.current_identity() != one.kernel.identity
        if is_updated:
            if self.saves_of_updated == SAVES_OF_UPDATED_MOST:
                return
            self.saves_of_updated += 1
        place = os.path.join(self.folder, f"saved{self.seed}-{self.counts['save']}")
        loaded = alphasparse.load(one.kernel.save(place), one.kernel.device)
        saved = one.matrix().copy()
        self.live.append(One(loaded, Model(saved, saved.copy())))

    def do_tune(self, one, number=None):
        number = self.random.randrange(len(self.matrices)) if number is None else number
        matrix = self.matrices[number]
        # Of a name that no device is part of, so that each is compiled once for all histories.
        kernel = alphasparse.tune(matrix, self.device, folder=self.folder, name=f"m{number}",
                                  vectors=WIDTHS.get(self.seed, 1), **QUICK)  # fmt: skip
        self.live.append(One(kernel, Model(matrix, matrix)))

    def do_fork(self, one):
        others = self.random.choices(self.live, k=3)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if all(self.is_right(each) for each in others) else 1
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0

    def do_forget(self, one):
        if len(self.live) > 2:
            self.live.pop(self.random.randrange(len(self.live)))


@pytest.fixture(scope="module")
def folder(program, tmp_path_factory):
    return str(tmp_path_factory.mktemp("histories"))


@pytest.mark.parametrize("seed", DEVICES)
def test_random_histories(folder, seed, record_property):
    history = History(seed, DEVICES[seed], folder)
    history.run(OPERATIONS // len(DEVICES))
    assert sum(history.counts.values()) >= OPERATIONS // len(DEVICES)
    print(f"seed {seed}: {sum(history.counts.values())} operations: {dict(history.counts)}")
    record_property("operations", dict(history.counts))
