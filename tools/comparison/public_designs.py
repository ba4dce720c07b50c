"""public_designs: the designs that come nearest to the kernels of public measurements, and the GPU
models of their GPUs."""

import math
import re
from typing import NamedTuple


class OtherKernel(NamedTuple):
    """Where a public kernel is known to be compiled or launched otherwise than ours."""
    terms_in_flight: int = 0  # with loads in flight together; 0: as ours
    values_wait: bool = False  # Launch::values_wait
    launches: int = 0  # at least
    searches: int = 0  # loads from L2, one after the other, before it knows its entries


class NearestDesign(NamedTuple):
    """A design, and how the public kernel differs."""
    design: str
    kernel: OtherKernel = OtherKernel()
    call: str = ""  # of a library with work of its own on the host, beside that of the source


class RowLengths(NamedTuple):
    """The row lengths that decide which kernel a library takes."""
    rows: int
    longest: int
    nnz: int
    third: int = 0  # a third of the rows are no longer

    @property
    def mean(self):
        return self.nnz / max(1, self.rows)


SLICES_OF_64 = ("compress | block_rows rows=64 | thread_rows rows=1 | thread_pad | interleave | "
                "thread_total | global_store | launch threads=64")

# Ginkgo's kernels, as its sources have them. Its loops wait term by term. Kernels that add
# atomically clear y by a launch of its own, always. Its ELL leaves a row at the first column that
# is less than its place, as the first pad's 0 is. So later pads are never read, as in ELLPACK-R,
# and values wait for columns.
ONE_BY_ONE = OtherKernel(terms_in_flight=1)
ONTO_ZEROS = OtherKernel(terms_in_flight=1, launches=2)
COLUMNS_FIRST = OtherKernel(terms_in_flight=1, values_wait=True)


def lanes_a_row(entries):
    """A part of a warp a row, as wide as that many entries fill."""
    lanes = 32
    while lanes > entries and lanes > 1:
        lanes //= 2
    if lanes == 1:
        return "csr-scalar"
    return (f"compress | thread_cols lanes={lanes} | thread_total | warp_total | global_store | "
            "launch threads=256")


def ginkgo_classical(rows):
    """Ginkgo takes as many lanes as its longest row fills."""
    return NearestDesign(lanes_a_row(rows.longest), ONE_BY_ONE)


def ginkgo_balanced(rows):
    """About as many entries a thread as Ginkgo is known to give it: 2 warps of work a
    multiprocessor, 8, 32 or 128 times, by the non-zeros. Its sources were not read for this."""
    warps = 1500 if rows.nnz < 200_000 else 6000 if rows.nnz < 2_000_000 else 24_000
    items = 1
    while items < 16 and items * 32 * warps < rows.nnz:
        items *= 2
    return NearestDesign(balanced(items), ONTO_ZEROS)


def balanced(items):
    """So many entries a thread, summed by warps before they are added to y."""
    return (f"compress | warp_nnz nnz={32 * items} | thread_nnz nnz={items} | interleave | "
            "thread_bitmap | warp_segment | global_atomic | launch threads=128")


def ginkgo_csr(rows):
    """Ginkgo's choice by itself: balanced where there is much or a row is long."""
    is_balanced = rows.nnz > 1_000_000 or rows.longest > 1024
    return (ginkgo_balanced if is_balanced else ginkgo_classical)(rows)


def ginkgo_ell(rows):
    """Where rows are long and few, Ginkgo's ELL is taken to have several threads a row: its times
    say so."""
    if 100 * rows.longest > rows.rows:
        return None
    return NearestDesign("ellpack-r", COLUMNS_FIRST)


def searched_merge(rows):
    """CUB's and loops' blocks find their coordinates on the merge path by halving all rows; ours
    have them in the format."""
    return NearestDesign("merge-csr", OtherKernel(searches=rows.rows.bit_length()))


def vector_csr(rows):
    return NearestDesign(lanes_a_row(rows.nnz // rows.rows if rows.rows else 1))


def always(design, kernel=OtherKernel()):
    return lambda rows: NearestDesign(design, kernel)


# Ginkgo and hipSPARSE on GPUs of AMD. Their wavefronts of 64 lanes are two warps here.

def ginkgo_balanced_amd(rows):
    """An entry a lane up to 3,520 wavefronts of 64, which is 8 for each of the 440 SIMDs of a die of
    MI250X; twice as many wavefronts from a million non-zeros on. That is as Ginkgo's sources have
    it, by memory; its times step there."""
    wavefronts = 3520 if rows.nnz < 1_000_000 else 7040 if rows.nnz < 10_000_000 else 28_160
    items = 1
    while items < 16 and items * 64 * wavefronts < rows.nnz:
        items *= 2
    return NearestDesign(balanced(items), ONTO_ZEROS)


def ginkgo_csr_amd(rows):
    """As ginkgo_csr, by other limits: ginkgo-project/ginkgo 8ff0f6c,
    include/ginkgo/core/matrix/csr.hpp, class automatical."""
    is_balanced = rows.nnz > 100_000_000 or rows.longest > 768
    return (ginkgo_balanced_amd if is_balanced else ginkgo_classical)(rows)


def ginkgo_hybrid(rows):
    """ELL takes as many entries as a third of the rows have at most, and no more than a thousandth
    of the number of rows; coordinates take the rest (class automatic of Ginkgo's Hybrid)."""
    width = min(rows.third, rows.rows // 1000)
    if width == 0:
        return ginkgo_balanced_amd(rows)
    return NearestDesign(
        f"ell_peel width={width} {{ compress | thread_rows rows=1 | thread_pad | interleave | "
        f"thread_total | global_store | launch threads=256 }} {{ {balanced(1)} }}", ONTO_ZEROS)


def hipsparse(name, design, kernel=ONE_BY_ONE):
    return NearestDesign(design, kernel, name)


def hipsparse_csr(rows):
    """As many lanes as the mean row fills."""
    return hipsparse("hipsparse_csr", lanes_a_row(rows.mean))


def hipsparse_csrmm(rows):
    """A kernel for matrices of several columns, of which one is used: its eight lanes a row take
    the elements of x one after the other."""
    return hipsparse("hipsparse_csrmm", lanes_a_row(2))


def hipsparse_coo(rows):
    return hipsparse("hipsparse_coo", balanced(1), ONTO_ZEROS)


def hipsparse_ell(rows):
    return hipsparse("hipsparse_ell", "ell")


def hipsparse_hybrid(rows):
    """ELL takes of each row as many as the mean row has."""
    width = math.ceil(rows.mean)
    if width >= rows.longest:
        return hipsparse("hipsparse_hybrid of ELL alone", "ell")
    return hipsparse(
        "hipsparse_hybrid",
        f"ell_peel width={width} {{ compress | thread_rows rows=1 | thread_pad | interleave | "
        f"thread_total | global_store | launch threads=256 }} {{ {balanced(1)} }}", ONTO_ZEROS)


# Nearest, not the same. Ginkgo's balanced csr and its coo add up within a warp before they are
# atomic, as csr5 does over tiles. Merge-path and CUB are both merge-csr. Left out are formats that
# have no near design (hybrid's coordinates are summed by warps, hyb's are not), cuSPARSE's own, and
# kernels that pay for launches and allocations that others of their source do not (csrm). A table
# holds for sources with a name that begins so. In the last one, for all others, a format is the
# usual meaning of its name.
FORMATS = {
    "ginkgo-project/": {
        "csr": ginkgo_csr, "csrc": ginkgo_classical, "csri": ginkgo_balanced,
        "coo": ginkgo_balanced, "ell": ginkgo_ell, "sellp": always(SLICES_OF_64, ONE_BY_ONE)},
    "gunrock/loops": {
        "thread-mapped": always("csr-scalar"), "merge-path": searched_merge,
        "cub": searched_merge},
    "": {
        "csr": vector_csr, "csr-vector": vector_csr, "csr-scalar": always("csr-scalar"),
        "csr5": always("csr5"), "merge": always("merge-csr"), "merge-csr": always("merge-csr"),
        "merge-path": always("merge-csr"), "cub": always("merge-csr"), "ell": always("ell"),
        "sell": always("sell-c-sigma"), "sell-c-sigma": always("sell-c-sigma"),
        "sellp": always(SLICES_OF_64)},
}
# The formats on GPUs of AMD, beside those or in their place.
FORMATS_AMD = {
    "ginkgo-project/": {
        "csr": ginkgo_csr_amd, "csri": ginkgo_balanced_amd, "coo": ginkgo_balanced_amd,
        "hybrid": ginkgo_hybrid, "hipsparse_csr": hipsparse_csr,
        "hipsparse_csrmm": hipsparse_csrmm, "hipsparse_coo": hipsparse_coo,
        "hipsparse_ell": hipsparse_ell, "hipsparse_hybrid": hipsparse_hybrid},
}
# GPUs that are left out, and the reason.
LEFT_OUT = {
    ("ginkgo-project/", "RadeonVII"):
        "its floor of 27 to 34 us hides most kernels, and no row of the table is of its GPU"}
# GPUs that a source calls less than they are.
NAMED_GPUS = {("ginkgo-project/", "A100"): "a100_40"}


def find_format(source, name, arch):
    project = next(project for project in FORMATS if source.startswith(project))
    formats = dict(FORMATS[project])
    if arch.startswith("gfx"):
        formats.update(FORMATS_AMD.get(project, {}))
    return formats.get(name)


def has_design(source, name, arch=""):
    """Whether any matrix has one on GPUs of this architecture."""
    return find_format(source, name, arch) is not None


def nearest_design(source, name, rows, arch=""):
    """The design that a source's format is on a matrix; None where none is near enough."""
    found = find_format(source, name, arch)
    return found(rows) if found else None


def why_left_out(source, gpu):
    """Why no time of a source's GPU is compared; None where they are."""
    return next((why for (project, name), why in LEFT_OUT.items()
                 if source.startswith(project) and gpu == name), None)


def model_called(gpu, models):
    """The model with a name among a GPU's words, or in two that follow each other: the longest such
    name. "NVIDIA A100-SXM4-80GB" is an a100, "NVIDIA GeForce RTX 4090" an rtx4090."""
    words = re.findall("[a-z0-9]+", gpu.lower())
    pairs = [first + second for first, second in zip(words, words[1:])]
    names = {*words, *pairs, *(pair[:-2] for pair in pairs if pair.endswith("gb"))}
    found = [model for model in models if model["name"].replace("_", "") in names]
    return max(found, key=lambda model: len(model["name"]), default=None)


def model_of_source(source, gpu, models):
    """The model of a GPU as a source calls it; the source may say less than it knows."""
    for (project, name), model in NAMED_GPUS.items():
        if source.startswith(project) and gpu == name:
            return next(each for each in models if each["name"] == model)
    return model_called(gpu, models)
