"""The program that is run, and the matrices that it is given."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

import alphasparse
from alphasparse.matrices import canonical_matrix, write_matrix


def test_a_missing_program_is_told(monkeypatch):
    monkeypatch.setenv("ALPHASPARSE_PROGRAM", "/nowhere/alphasparse")
    with pytest.raises(alphasparse.ProgramError, match="tools/build release"):
        alphasparse.tune(sp.eye(3))


def test_what_the_program_says_of_an_error_is_the_exception(program, tmp_path):
    with pytest.raises(alphasparse.ProgramError, match="--trials") as told:
        alphasparse.tune(sp.eye(3), folder=tmp_path, options=("--trials", "-1"))
    assert told.value.exit_code == 2


def tried(database):
    """How many designs a search has verified so far; peers' algorithms are none."""
    try:
        with contextlib.closing(sqlite3.connect(database)) as rows:
            query = """SELECT count(*) FROM measurement JOIN run ON run.key = run
                JOIN problem ON problem.key = problem
                WHERE options <> 'vendor' AND status = 'ok' AND verified = 1"""
            return rows.execute(query).fetchone()[0]
    except sqlite3.Error:  # not made yet, or being written
        return 0


def test_an_interrupt_ends_with_the_best_so_far(program, tmp_path):
    """In a process of its own, which is interrupted while the program searches."""
    code = (
        "import alphasparse, scipy.sparse as sp, sys\n"
        "a = sp.random(50, 50, 0.1)\n"
        "k = alphasparse.tune(a, time='300s', folder=sys.argv[1], database=sys.argv[1] + '/t.db')\n"
        "print(k.nnz, k.tuned['interrupted'])\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 60
    while tried(tmp_path / "t.db") < 3 and time.monotonic() < end:
        time.sleep(0.2)
    os.kill(child.pid, signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "250 True\n"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_matrices_are_written_bit_for_bit(tmp_path, dtype):
    values = np.array([1 / 3, -1e-30, 7.0, 2.0**40, 0.1], dtype)
    matrix = sp.csr_matrix((values, [1, 0, 3, 2, 0], [0, 2, 2, 5]), (3, 4))
    file = str(tmp_path / "m.mtx")
    write_matrix(file, canonical_matrix(matrix))
    read = sp.csr_matrix(scipy.io.mmread(file)).astype(dtype)
    read.sort_indices()
    assert (read != matrix).nnz == 0 and read.shape == matrix.shape


def test_matrices_become_canonical():
    twice = sp.coo_matrix(([1, 2, 3], ([0, 0, 1], [2, 2, 0])), (2, 3))
    csr = canonical_matrix(twice)
    assert csr.dtype == np.float64 and csr.nnz == 2 and csr[0, 2] == 3
    with pytest.raises(alphasparse.DtypeError, match="complex"):
        canonical_matrix(sp.eye(3, dtype=complex))
    with pytest.raises(alphasparse.DtypeError, match="float16"):
        canonical_matrix(sp.eye(3), np.float16)
    with pytest.raises(alphasparse.DtypeError, match="ndarray"):
        canonical_matrix(np.eye(3))
    with pytest.raises(alphasparse.ShapeError):
        canonical_matrix(sp.csr_matrix((0, 3)))
    with pytest.raises(alphasparse.FileError):
        alphasparse.tune("/nowhere/m.mtx")
    with pytest.raises(alphasparse.FileError):
        alphasparse.load("/nowhere/m")
