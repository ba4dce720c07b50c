"""The loader of kernels for GPUs against the one of an emitted NAME.cu: Python refuses every forged
file that the kernel's own loader refuses. No GPU is needed, for neither opens a device."""

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
DESIGNS = {
    "fields": f"{PLAIN} | compact columns=packed | launch threads=256",
    "steps": f"{PLAIN} | compact columns=deltas | launch threads=256",
    "set bits": "band-dia",
    "branches": "hyb",
    "one triangle": "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | "
    "compact columns=narrow | launch threads=256",
}
FORGED = 30  # files of each design
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
    host = re.sub("^(namespace .*{|}  // namespace.*|#include.*|#pragma GCC.*)$", "", host, flags=re.M)
    own = "/// Launches the kernels|/// The format file's arrays"
    parts = re.split(f"^(?=// [a-z_]+: |{own})", host, flags=re.M)
    includes = re.findall("^#include <(?!cuda).*$", text, re.M)
    parts = [one for one in parts if not re.search("cuda|__global__|alphasparse_", re.sub("//.*", "", one))]
    whole = "\n".join([*includes, "namespace {", "using Value = double;", begin, *parts, "}", DRIVER])
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


def with_another_value(whole, random):
    """One bit of a value is another one, which any kernel may hold."""
    values = [one for one in tensors_in(whole).values() if one[2][0] == "F" and one[1] > one[0]]
    first, last, _ = values[random.integers(len(values))]
    at = first + int(random.integers(last - first))
    return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]


def test_both_loaders_refuse_another_structure_and_take_other_values(emitted):
    whole = open(emitted[0], "rb").read()
    random = np.random.default_rng(23)
    assert both(emitted, [whole]) == [("taken", "taken")]
    forged = {with_another_entry(whole, random) for _ in range(FORGED)} - {whole}
    for ours, theirs in both(emitted, map(resealed, sorted(forged))):
        assert ours != "taken"
        assert "not the file that this kernel was made with" in theirs, theirs
    valued = [resealed(with_another_value(whole, random)) for _ in range(FORGED)]
    assert set(both(emitted, valued)) == {("taken", "taken")}


def test_every_change_of_the_metadata_is_refused(emitted):
    whole = open(emitted[0], "rb").read()
    random = np.random.default_rng(29)
    changed = {resealed(with_another_formula(whole, random)) for _ in range(FORGED)} - {whole}
    for ours, _ in both(emitted, sorted(changed)):
        assert ours != "taken"


def test_a_text_without_metadata_is_refused(emitted):
    path, text, _ = emitted
    with pytest.raises(alphasparse.FileError, match="m.kernel.cu does not state the metadata"):
        check_format(Format(path), text.replace("//= ", "// "))


def test_a_forged_file_is_refused_before_a_device_is_opened(program, tmp_path, monkeypatch):
    words = ("--device", "emulated", "--design", DESIGNS["set bits"])
    path = emit(program, str(tmp_path), banded_matrix(), "m", *words)
    monkeypatch.setenv("ALPHASPARSE_LIBCUDA", "/nowhere/libcuda.so")
    with pytest.raises(alphasparse.DeviceError, match="no CUDA driver"):
        alphasparse.load(path)
    whole = open(path, "rb").read()
    at = tensors_in(whole)["warp_first_entry"][0] + 4
    entry = int.from_bytes(whole[at : at + 4], "little")
    open(path, "wb").write(resealed(whole[:at] + (entry + 1).to_bytes(4, "little") + whole[at + 4 :]))
    with pytest.raises(alphasparse.FileError, match="kernel and format differ: structure is"):
        alphasparse.load(path)
