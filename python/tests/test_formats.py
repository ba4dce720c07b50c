"""Format files as NumPy arrays, stored and computed ones."""

import json
import re

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import emit, random_matrix

import alphasparse
from alphasparse import _native

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


def resealed(whole):
    """A format file with the checksum of its present bytes."""
    found = re.search(rb'"checksum":"([0-9a-f]+)"', whole)
    first, last = found.span(1)
    bare = whole[:first] + b"0" * (last - first) + whole[last:]
    return bare[:first] + _native.checksum(bare).encode() + bare[last:]


def tensors_in(whole):
    """name -> (first byte, length, type) of the tensors of a format file."""
    end = 8 + int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8:end])
    header.pop("__metadata__")
    return {name: (end + one["data_offsets"][0], end + one["data_offsets"][1], one["dtype"])
            for name, one in header.items()}  # fmt: skip


def with_another_entry(whole, random):
    """One integer of a tensor is another one."""
    ints = {n: t for n, t in tensors_in(whole).items() if t[2][0] in "IU" and t[1] > t[0]}
    first, last, kind = ints[random.choice(sorted(ints))]
    width = int(kind[1:]) // 8
    at = first + width * random.integers((last - first) // width)
    entry = int.from_bytes(whole[at : at + width], "little")
    other = random.choice([entry + 1, entry - 1, 1 << 8 * width - 1, 2**8 * width - 1, random.integers(1 << 31)])
    return whole[:at] + (int(other) % (1 << 8 * width)).to_bytes(width, "little") + whole[at + width :]


def with_another_formula(whole, random):
    """One number of what the metadata says of arrays is another one of as many digits."""
    end = 8 + int.from_bytes(whole[:8], "little")
    parts = re.finditer(rb'"(?:computed|steps|arrays)":"(?:[^"\\]|\\.)*"', whole[:end])
    numbers = [n for part in parts for n in re.finditer(rb"(?<=[\[,:])-?\d+", whole[: part.end()])
               if n.start() > part.start()]  # fmt: skip
    first, last = random.choice(np.array([n.span() for n in numbers]))
    digits = "".join(str(d) for d in random.integers(1, 10, last - first))
    return whole[:first] + digits.encode() + whole[last:]


FUZZED = 40  # files of each design
ON_CPUS = [one.replace("threads=256", "tasks=bytes") for one in DESIGNS if one != "csr5"]


@pytest.mark.parametrize(
    "device, design", [("emulated", one) for one in DESIGNS] + [("cpu:1", one) for one in ON_CPUS]
)
def test_a_damaged_file_with_a_right_checksum_reads_nothing_outside(program, banded, tmp_path, device, design):
    path = emit(program, str(tmp_path), banded, "m", "--device", device, "--design", design)
    whole = open(path, "rb").read()
    random = np.random.default_rng(11)
    counts = {"refused": 0, "read": 0}
    for number in range(FUZZED):
        change = with_another_formula if number % 2 else with_another_entry
        open(path, "wb").write(resealed(change(whole, random)))
        try:
            format = alphasparse.read_format(path)
            arrays = {name: format[name] for name in format.names}
        except alphasparse.FileError as error:
            assert "\n" not in str(error) and path in str(error), error
            counts["refused"] += 1
            continue
        counts["read"] += 1
        for name, array in arrays.items():
            if name.rpartition(".")[2] == "column":
                assert -1 <= array.min() and array.max() < 400, name
    print(f"{device}, {design}: {counts}")
    assert counts["refused"] > FUZZED / 10


def test_a_refusal_names_the_array_and_the_entry(program, banded, tmp_path):
    design = DESIGNS[3]
    path = emit(program, str(tmp_path), banded, "m", "--device", "emulated", "--design", design)
    whole = open(path, "rb").read()
    for name, words in {
        "column_base": r"column_base\[2\] is 2147483647, outside ",
        "canonical_col": r"canonical_col\[2\] is 2147483647, outside 0..399",
        "value_dictionary.source": r"value_dictionary.source\[2\] is 2147483647, outside -1..1940",
    }.items():
        at = tensors_in(whole)[name][0] + 8
        open(path, "wb").write(resealed(whole[:at] + b"\xff\xff\xff\x7f" + whole[at + 4 :]))
        with pytest.raises(alphasparse.FileError, match=re.escape(path) + ": " + words):
            alphasparse.read_format(path)
