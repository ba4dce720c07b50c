"""Format files as NumPy arrays, stored and computed ones."""

import re

import numpy as np
import pytest
from conftest import banded_matrix, emit, random_matrix, resealed, tensors_in

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
    return banded_matrix()


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
def test_a_forged_file_reads_nothing_outside_and_is_no_kernels(
    program, banded, tmp_path, monkeypatch, device, design
):
    """Its digests are right. A kernel names those of its own file: it is refused before a device is opened."""
    path = emit(program, str(tmp_path), banded, "m", "--device", device, "--design", design)
    whole = open(path, "rb").read()
    monkeypatch.setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so")
    if device == "emulated":
        with pytest.raises(alphasparse.DeviceError, match="no CUDA driver"):
            alphasparse.load(path)
    random, read = np.random.default_rng(11), 0
    for number in range(FUZZED):
        forged = resealed((with_another_formula if number % 2 else with_another_entry)(whole, random))
        open(path, "wb").write(forged)
        try:
            format = alphasparse.read_format(path)
            arrays = [format[name] for name in format.names]
            products = format.matrix() @ np.ones(format.shape[1])
        except alphasparse.FileError as error:
            assert "\n" not in str(error) and path in str(error), error
        else:
            read += 1
            assert products.shape == (format.shape[0],) and all(array.ndim == 1 for array in arrays)
        if forged != whole and device == "emulated":
            with pytest.raises(alphasparse.FileError, match=path):
                alphasparse.load(path)
    assert 0 < read < FUZZED


def test_a_text_without_metadata_is_refused(program, banded, tmp_path):
    path = emit(program, str(tmp_path), banded, "m", "--device", "emulated", "--design", DESIGNS[3])
    text = tmp_path / "m.kernel.cu"
    text.write_text(text.read_text().replace("//= ", "// "))
    with pytest.raises(alphasparse.FileError, match="m.kernel.cu does not state the metadata"):
        alphasparse.load(path)


def test_a_pattern_that_scipy_would_follow_outside_is_refused(program, banded, tmp_path):
    path = emit(program, str(tmp_path), banded, "m", "--device", "emulated", "--design", DESIGNS[3])
    whole = open(path, "rb").read()
    for name in ("canonical_col", "canonical_row_first"):
        at = tensors_in(whole)[name][0] + 8
        open(path, "wb").write(resealed(whole[:at] + b"\xff\xff\xff\x7f" + whole[at + 4 :]))
        with pytest.raises(alphasparse.FileError, match=re.escape(path)):
            alphasparse.read_format(path)
