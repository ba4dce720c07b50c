"""Fixtures and functions that all tests share: matrices, and the program with a database and a
cache of their own."""

import os
import subprocess

import numpy as np
import pytest
import scipy.sparse as sp

import alphasparse

SECONDS_MOST = 300  # after which something hangs, however loaded the machine is


@pytest.fixture(scope="session", autouse=True)
def own_places(tmp_path_factory):
    """No test touches files of the user."""
    place = tmp_path_factory.mktemp("places")
    os.environ["ALPHASPARSE_DB"] = str(place / "t.db")
    os.environ["ALPHASPARSE_CACHE"] = str(place / "cache")
    os.environ["ALPHASPARSE_EIGEN"] = str(place / "none")  # it takes seconds to compile
    os.environ.pop("OMP_NUM_THREADS", None)
    return place


@pytest.fixture(scope="session")
def program():
    try:
        return alphasparse.program.find_program()
    except alphasparse.ProgramError as error:
        pytest.skip(str(error))


def random_matrix(rows, cols, nnz, dtype=np.float64, seed=7):
    """Values are small integers: sums are exact in any order. Some rows are empty."""
    random = np.random.default_rng(seed)
    values = random.integers(1, 9, nnz).astype(dtype)
    places = random.integers(0, rows, nnz), random.integers(0, cols, nnz)
    matrix = sp.csr_matrix((values, places), (rows, cols))
    matrix.sum_duplicates()
    return matrix


def integers(length, dtype=np.float64, seed=3):
    return np.random.default_rng(seed).integers(-9, 9, length).astype(dtype)


@pytest.fixture(scope="session")
def matrix():
    return random_matrix(300, 200, 2500)


def is_whole(told):
    """Whether a search reached its end, by its own answer. A search with disturbed times did not,
    so the same call goes on instead of answering from the database."""
    return not (told["disturbed"] or told["skipped"] or told["interrupted"])


def emit(program, folder, matrix, name, *options):
    """The format file of one design, without a search."""
    from alphasparse.matrices import canonical_matrix, dtype_name, write_matrix

    csr = canonical_matrix(matrix)
    file = os.path.join(folder, name + ".mtx")
    write_matrix(file, csr)
    subprocess.run(
        [program, "emit", file, "-o", folder, "--dtype", dtype_name(csr.dtype), *options],
        check=True,
        capture_output=True,
    )
    is_cpu = any(option.startswith("cpu") for option in options)
    return os.path.join(folder, name + (".cpu" if is_cpu else "") + ".safetensors")
