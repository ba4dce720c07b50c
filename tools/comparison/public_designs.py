"""public_designs: the designs that come nearest to the kernels of public measurements, and the GPU
models of their GPUs."""

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


class RowLengths(NamedTuple):
    """The row lengths that decide which kernel a library takes."""
    rows: int
    longest: int
    nnz: int


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
    return NearestDesign(
        f"compress | warp_nnz nnz={32 * items} | thread_nnz nnz={items} | interleave | "
        "thread_bitmap | warp_segment | global_atomic | launch threads=128", ONTO_ZEROS)


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
# GPUs that a source calls less than they are.
NAMED_GPUS = {("ginkgo-project/", "A100"): "a100_40"}


def find_format(source, name):
    project = next(project for project in FORMATS if source.startswith(project))
    return FORMATS[project].get(name)


def has_design(source, name):
    """Whether any matrix has one."""
    return find_format(source, name) is not None


def nearest_design(source, name, rows):
    """The design that a source's format is on a matrix; None where none is near enough."""
    found = find_format(source, name)
    return found(rows) if found else None


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
