"""Format files as NumPy arrays, stored and computed ones."""

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, random_matrix

import alphasparse

PLAIN = "compress | thread_rows rows=1 | thread_total | global_store"
DESIGNS = [
    f"{PLAIN} | launch threads=256",
    f"{PLAIN} | compact | launch threads=256",
    f"{PLAIN} | compact columns=deltas | launch threads=256",
    f"{PLAIN} | compact columns=narrow | launch threads=256",
    f"{PLAIN} | compact columns=bytes | launch threads=256",
    f"{PLAIN} | compact columns=packed | launch threads=256",
    "sell-c-sigma",
    "csr5",
]


@pytest.fixture(scope="module")
def banded():
    """Rows of many lengths with columns that are close together."""
    random = np.random.default_rng(5)
    rows = np.repeat(np.arange(400), random.integers(0, 12, 400))
    cols = np.clip(rows + random.integers(-20, 20, len(rows)), 0, 399)
    matrix = sp.csr_matrix((random.integers(1, 4, len(rows)).astype(float), (rows, cols)))
    matrix.sum_duplicates()
    return matrix


@pytest.mark.parametrize("design", DESIGNS)
def test_arrays_are_those_of_the_matrix(program, banded, tmp_path, design):
    path = emit(program, str(tmp_path), banded, "m", "--device", "emulated", "--design", design)
    format = alphasparse.read_format(path)
    assert (format.matrix() != banded).nnz == 0
    assert (format.shape, format.nnz, format.dtype) == (banded.shape, banded.nnz, np.float64)
    # In every layout, and however they are coded, columns stand where the values stand.
    source = format.tensors[[n for n in format.tensors if n.endswith(".source")][0]]
    if "value" in format.stored and "value.code" not in format.tensors:
        column = format["column"]
        assert np.array_equal(column[source >= 0], banded.indices[source[source >= 0]])
    else:
        code = [name for name in format.tensors if name.endswith(".code")][0]
        assert np.array_equal(format.tensors[code[:-5]][format.tensors[code]], banded.data)
    for name in format.names:
        assert name in format and format[name].ndim == 1
    with pytest.raises(KeyError):
        format["nothing"]


def test_a_damaged_file_is_refused(program, tmp_path):
    matrix = random_matrix(20, 20, 50)
    path = emit(program, str(tmp_path), matrix, "m", "--device", "emulated", "--design", "coo")
    whole = bytearray(open(path, "rb").read())
    whole[-3] ^= 1
    (tmp_path / "m.safetensors").write_bytes(whole)
    with pytest.raises(alphasparse.FileError, match="checksum"):
        alphasparse.read_format(path)
    with pytest.raises(alphasparse.FileError, match="No such file"):
        alphasparse.read_format(tmp_path / "none.safetensors")
