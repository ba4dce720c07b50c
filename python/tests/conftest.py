"""Fixtures and functions that all tests share: matrices, and the program with a database and a
cache of their own."""

import hashlib
import json
import os
import re
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
    """Values, or both of their parts, are small integers: sums are exact in any order. Some rows are
    empty."""
    random = np.random.default_rng(seed)
    values = random.integers(1, 9, nnz).astype(dtype)
    if np.dtype(dtype).kind == "c":
        values += (1j * random.integers(-4, 4, nnz)).astype(dtype)
    places = random.integers(0, rows, nnz), random.integers(0, cols, nnz)
    matrix = sp.csr_matrix((values, places), (rows, cols))
    matrix.sum_duplicates()
    return matrix


def banded_matrix():
    """Rows of many lengths with columns that are close together."""
    random = np.random.default_rng(5)
    rows = np.repeat(np.arange(400), random.integers(0, 12, 400))
    cols = np.clip(rows + random.integers(-20, 20, len(rows)), 0, 399)
    matrix = sp.csr_matrix((random.integers(1, 4, len(rows)).astype(float), (rows, cols)))
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
    from alphasparse.matrices import canonical_matrix, write_matrix
    from alphasparse.number_types import dtype_name

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


def checksum(whole):
    """The digest of a format file whose own digits are '0': of its header and its tensors of floats."""
    digest = hashlib.blake2b(whole[: 8 + int.from_bytes(whole[:8], "little")], digest_size=32)
    for first, last, kind in tensors_in(whole).values():
        digest.update(whole[first:last] if kind[0] == "F" else b"")
    return digest.hexdigest()


def resealed(whole):
    """A format file with the digests of its present bytes."""
    structure = hashlib.blake2b(digest_size=32)
    for name, (first, last, kind) in tensors_in(whole).items():
        if kind[0] in "IU":
            structure.update(f"{name} {kind} {(last - first) * 8 // int(kind[1:])}\n".encode())
            structure.update(whole[first:last])
    for key, digest in (("structure", lambda bare: structure.hexdigest()), ("checksum", checksum)):
        first, last = re.search(f'"{key}":"([0-9a-f]+)"'.encode(), whole).span(1)
        bare = whole[:first] + b"0" * (last - first) + whole[last:]
        whole = whole[:first] + digest(bare).encode() + whole[last:]
    return whole


def tensors_in(whole):
    """name -> (first byte, length, type) of the tensors of a format file."""
    end = 8 + int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8:end])
    header.pop("__metadata__")
    return {name: (end + one["data_offsets"][0], end + one["data_offsets"][1], one["dtype"])
            for name, one in header.items()}  # fmt: skip
