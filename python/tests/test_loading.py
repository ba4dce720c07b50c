"""The loader of kernels for GPUs against the one of an emitted NAME.cu: Python refuses every forged
file that the kernel's own loader refuses. No GPU is needed, for neither opens a device."""

import json
import os
import re
import subprocess

import numpy as np
import pytest
from conftest import banded_matrix, emit, resealed, tensors_in, with_another_entry, with_another_formula

import alphasparse
from alphasparse.formats import Format
from alphasparse.loading import check_format

PLAIN = "compress | thread_rows rows=1 | thread_total | global_store"
CSR5 = "compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave | thread_bitmap | warp_segment"
MERGE = "compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | shared_offset"
SLICES = "sort_rows_in_bands rows=128 | compress | warp_rows rows=32 | thread_rows rows=1 | thread_pad"
LANES = "compress | thread_cols lanes=8 | thread_pad multiple=4 | thread_total vector=4 | warp_total"
DESIGNS = {
    "fields of one width": f"{PLAIN} | compact columns=packed | launch threads=256",
    "fields of bytes": f"{PLAIN} | compact columns=bytes | launch threads=256",
    "steps": f"{PLAIN} | compact columns=deltas | launch threads=256",
    "steps in turns": f"{SLICES} | interleave | thread_total | global_store | compact columns=deltas | "
    "launch threads=256",
    "rows at multiples": f"{LANES} | global_store | launch threads=256",
    "entries that fit each other": f"{MERGE} | global_carry | compact columns=packed | launch threads=128",
    "spans": f"{CSR5} | global_atomic | launch threads=128",
    "spans of computed arrays": f"{CSR5} | global_atomic | compact columns=packed | launch threads=128",
    "set bits": "band-dia",
    "branches": "hyb",
    "one triangle": "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | "
    "compact columns=narrow | launch threads=256",
}
FORGED = 60  # files of each design
DRIVER = """
}
int main() {
  namespace host = alphasparse::host;
  char path[4096];
  while (std::scanf("%4095s", path) == 1) {
    std::string told = "taken";
    try {
      host::load_format(path, host::facts, true);
    } catch (const host::BadFile& error) {
      told = error.what();
    }
    std::printf("%s\\n", told.c_str());
  }
}
"""


def metadata_of(text):
    return dict(re.findall(r"^//= (\w+) (.*)$", text, re.MULTILINE))


def own_loader(source, place):
    """A program of the loader in the text of NAME.cu: the parts that need no CUDA."""
    text = open(source, encoding="utf-8").read()
    begin = "namespace alphasparse::host {\n"
    host = text[text.index(begin) + len(begin) : text.index("\n// calls: ")]
    own = "/// Launches the kernels|/// Checks the numbers that|/// The format file's arrays"
    parts = re.split(f"^(?=// [a-z_]+: |{own})", host, flags=re.M)
    includes = re.findall("^#include <(?!cuda).*$", text, re.M)
    parts = [one for one in parts if not re.search("cuda|alphasparse_", re.sub("//.*", "", one))]
    whole = "\n".join([*includes, "namespace {", begin, *parts, "}", DRIVER])
    program = os.path.join(place, "loader")
    compiler = os.environ.get("QUICK_COMPILER") or "g++"
    command = [compiler, "-std=c++17", "-O0", "-w", "-o", program, "-x", "c++", "-"]
    subprocess.run(command, input=whole, text=True, check=True)
    return program


def refusal(path, text):
    """Why Python refuses a file, or "taken"."""
    try:
        check_format(Format(path), text)
        return "taken"
    except alphasparse.FileError as error:
        assert "\n" not in str(error) and path in str(error), error
        return str(error).removeprefix(path + ": ")


@pytest.fixture(scope="module", params=DESIGNS)
def emitted(program, request, tmp_path_factory):
    """A format file, the text of its kernel, and the program of its own loader."""
    folder = str(tmp_path_factory.mktemp("loading"))
    matrix = banded_matrix()
    if request.param == "one triangle":
        matrix = (matrix + matrix.T).tocsr()
    path = emit(program, folder, matrix, "m", "--device", "emulated", "--design", DESIGNS[request.param])
    stem = path.removesuffix(".safetensors")
    return path, open(stem + ".kernel.cu").read(), own_loader(stem + ".cu", folder)


def both(emitted, files):
    """What Python and the kernel's loader say of files."""
    path, text, loader = emitted
    places = []
    for number, whole in enumerate(files):
        places.append(f"{path.removesuffix('.safetensors')}{number}.safetensors")
        open(places[-1], "wb").write(whole)
    told = subprocess.run([loader], input="\n".join(places), text=True, check=True, capture_output=True)
    ours = [refusal(place, text) for place in places]
    return list(zip(ours, told.stdout.splitlines()))


def with_an_entry_in_its_range(whole, random):
    """One integer of the kernel's arrays is another one, which its array may hold by itself."""
    end = 8 + int.from_bytes(whole[:8], "little")
    arrays = json.loads(json.loads(whole[8:end])["__metadata__"]["arrays"])
    facts = random.choice([one for one in arrays if one["dtype"][0] in "IU" and one["shape"] != [0]])
    first, _, kind = tensors_in(whole)[facts["name"]]
    width = int(kind[1:]) // 8
    at = first + width * int(random.integers(facts["shape"][0]))
    entry = int(random.integers(facts["least"], facts["most"] + 1))
    return whole[:at] + (entry % (1 << 8 * width)).to_bytes(width, "little") + whole[at + width :]


def test_both_loaders_refuse_the_same_forged_entries(emitted):
    whole = open(emitted[0], "rb").read()
    random = np.random.default_rng(23)
    changes = (with_another_entry, with_an_entry_in_its_range, with_an_entry_in_its_range)
    pairs = both(emitted, [whole, *(resealed(change(whole, random)) for change in changes * FORGED)])
    assert pairs[0] == ("taken", "taken")
    named = set()
    for ours, theirs in pairs[1:]:
        assert (ours == "taken") == (theirs == "taken"), (ours, theirs)
        found = re.match(r"([^\[]*)\[\d+\] is", theirs)
        if found:
            assert found[1] + "[" in ours, (ours, theirs)
            named.add(found[1])
    facts = metadata_of(emitted[1])
    ranged = {one["name"] for one in json.loads(facts["computed"]) if "least" in one}
    walks, rules = json.loads(facts["steps"]), json.loads(facts["rules"]).values()
    # Each kind of check has refused a file; ranges of computed arrays come before rules.
    assert not ranged or named & ranged
    for kind in (walks, *(() if ranged else rules)):
        assert not kind or named & {one["name"] for one in kind}, (kind, named)


def test_every_change_of_the_metadata_is_refused(emitted):
    whole = open(emitted[0], "rb").read()
    random = np.random.default_rng(29)
    changed = {resealed(with_another_formula(whole, random)) for _ in range(FORGED)} - {whole}
    for ours, _ in both(emitted, sorted(changed)):
        assert ours != "taken"


def with_header(whole, change):
    """A format file with a changed header, of any length."""
    end = 8 + int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8:end])
    data = change(header, whole[end:])
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return resealed(len(text).to_bytes(8, "little") + text + data)


def test_arrays_of_another_type_or_of_no_use_are_refused(program, tmp_path):
    words = ("--device", "emulated", "--design", "csr-scalar")
    path = emit(program, str(tmp_path), banded_matrix(), "m", *words)
    whole = open(path, "rb").read()
    text = open(path.removesuffix(".safetensors") + ".kernel.cu").read()
    assert refusal(path, text) == "taken"

    def more(header, data):
        header["another"] = {"dtype": "U8", "shape": [8], "data_offsets": [len(data), len(data) + 8]}
        return data + bytes(8)

    def half(header, data):
        """Half as many bytes, under the same length."""
        (length,), (first, last) = header["column"]["shape"], header["column"]["data_offsets"]
        del header["column"]
        for one in header.values():
            if one.get("data_offsets", [0])[0] >= last:
                one["data_offsets"] = [place - (last - first) for place in one["data_offsets"]]
        end = len(data) - (last - first)
        header["column"] = {"dtype": "U16", "shape": [length], "data_offsets": [end, end + 2 * length]}
        return data[:first] + data[last:] + bytes(2 * length)

    def other_digest(header, data):
        header["__metadata__"]["digest"] = "0" * 32
        return data

    for change, words in ((more, "another is missing in the kernel"),
                          (half, "column is int32 in the kernel and uint16 in the file"),
                          (other_digest, "kernel and format differ: digest is ")):  # fmt: skip
        open(path, "wb").write(with_header(whole, change))
        assert words in refusal(path, text)
    open(path, "wb").write(whole)
    with pytest.raises(alphasparse.FileError, match="m.kernel.cu does not state the metadata"):
        check_format(Format(path), text.replace("//= ", "// "))


def test_a_forged_file_is_refused_before_a_device_is_opened(program, tmp_path, monkeypatch):
    words = ("--device", "emulated", "--design", DESIGNS["set bits"])
    path = emit(program, str(tmp_path), banded_matrix(), "m", *words)
    monkeypatch.setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so")
    with pytest.raises(alphasparse.DeviceError, match="libcuda is missing"):
        alphasparse.load(path)
    whole = open(path, "rb").read()
    at = tensors_in(whole)["warp_first_entry"][0] + 4
    entry = int.from_bytes(whole[at : at + 4], "little")
    open(path, "wb").write(resealed(whole[:at] + (entry + 1).to_bytes(4, "little") + whole[at + 4 :]))
    with pytest.raises(alphasparse.FileError, match=r"warp_first_entry % 32\[1\] is 1, outside 0..0"):
        alphasparse.load(path)
