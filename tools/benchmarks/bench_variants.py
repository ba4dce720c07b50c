#!/usr/bin/env python3
"""Variants of device code beside each other on a GPU: each is emitted, compiled by nvcc, and timed by
its own program, in rounds that take all variants in turn.

  bench_variants MATRIX...             --rounds 7, --arch native, --dtype f32, --device D of emit,
                                       --group NAME
  bench_variants --compile MATRIX...   compiles them and times nothing: no GPU is needed

The first variant of each group is its reference. A line has the median time, and the ratio to the
reference in the same round: its median, least and greatest. nvcc is the one that ALPHASPARSE_NVCC
names, else the one in PATH. The programs check their results first."""

import argparse
import os
import re
import statistics
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../comparison"))

from laboratory import (NO_DEVICE, Options, Refused, command_main, find_program,  # noqa: E402
                        output_of, printable)

TIME = re.compile(r"^time +([0-9.]+) us ", re.MULTILINE)
ROWS = "compress | thread_rows rows=1 | thread_total{} | global_store | launch threads=256"
LANES = ("compress | thread_cols lanes={} | thread_total{} | warp_total | global_store | "
         "launch threads=256")
SLICES = ("sort_rows_in_bands rows=1024 | compress | warp_rows rows=32 | thread_rows rows=1 | "
          "thread_pad{} | interleave{} | thread_total{} | global_store | launch threads=256{}")
BLOCKS = ("dense_block_peel rows={0} cols={0} share=0 {{ sort_rows_in_bands rows=1024 | warp_bands "
          "bands=32 | thread_bands | thread_pad | interleave{1} | thread_total{2} | global_store | "
          "launch threads=256 }} {{ compress | thread_nnz nnz=1 | thread_total | global_atomic | "
          "launch threads=256 }}")
LOADS = {"one by one": ("", ""), "by 2": (" run=2", " vector=2"), "by 4": (" run=4", " vector=4")}
MERGE = ("compress | block_merge_path items=896 | thread_merge_path items=7 | thread_merge | "
         "shared_offset | global_carry | launch threads=128{}")
TILES = ("compress | warp_nnz nnz=512 | thread_nnz nnz=16 | interleave{} | thread_bitmap{} | "
         "warp_segment | global_atomic | launch threads=128{}")
WIDE = ("compress | thread_cols lanes={0} | thread_pad multiple={1} | thread_total vector={1}{2} | "
        "warp_total | global_store | launch threads=256")
BATCHES = {"one by one": "", "batch 4": " batch=4", "batch 8": " batch=8"}
VARIANTS = {
    "csr-scalar": {name: ROWS.format(batch) for name, batch in BATCHES.items()},
    **{f"csr-vector, {lanes} lanes": {
        **{name: LANES.format(lanes, batch) for name, batch in BATCHES.items()},
        "2 at once": WIDE.format(lanes, 2, ""),
        "4 at once": WIDE.format(lanes, 4, ""),
        "4 at once, batch 4": WIDE.format(lanes, 4, " batch=4")} for lanes in (8, 32)},
    "sell-c-sigma": {
        **{name: SLICES.format("", "", batch, "") for name, batch in BATCHES.items()},
        "16 bytes": SLICES.format(" multiple=4", " run=4", " vector=4", ""),
        "batch 8 streamed": SLICES.format("", "", " batch=8", " cache=streamed")},
    "csr5": {"one by one": TILES.format("", "", ""),
             "2 at once": TILES.format(" run=2", " vector=2", ""),
             "4 at once": TILES.format(" run=4", " vector=4", ""),
             "64 registers (f64: else 80)": TILES.format("", "", " blocks=8")},
    "merge-csr": {"64 registers": MERGE.format(""), "twice as many": MERGE.format(" blocks=4")},
    **{f"bsell, {size} x {size}": {name: BLOCKS.format(size, *words) for name, words in LOADS.items()}
       for size in (2, 4)},
}


def compiled(matrix, line, folder, options):
    """The program of a variant; it lies beside its format file."""
    output_of([find_program("alphasparse", "..", ""), "emit", matrix, "--design", line, "-o", folder,
               "--prefix", "variant", "--dtype", options.dtype, "--device", options.device],
              statuses=(2, 3))
    source, = [name for name in os.listdir(folder)
               if name.endswith(".cu") and not name.endswith(".kernel.cu")]
    program = os.path.join(folder, "program")
    output_of([os.environ.get("ALPHASPARSE_NVCC") or "nvcc", "-std=c++17", "-O3",
               f"-arch={options.arch}", "-DALPHASPARSE_MAIN", os.path.join(folder, source), "-o",
               program], "ALPHASPARSE_NVCC names nvcc")
    return [program, os.path.join(folder, source.removesuffix(".cu") + ".safetensors")]


def rounds_of(text):
    """A number of rounds, from its text."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 999):
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 to 999")
    return int(text)


def time_us(words):
    found = TIME.search(output_of(words))
    if not found:
        raise Refused(f"{words[0]}: prints no time", NO_DEVICE)
    return float(found[1])


def print_times(group, times):
    """`times[variant]` has a time a round."""
    reference = next(iter(times.values()))
    for name, taken in times.items():
        ratios = [one / other for one, other in zip(taken, reference)]
        print(f"{group:<22} {name:<24} {statistics.median(taken):>10.3f} us  "
              f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})",
              flush=True)


def bench(matrix, options):
    print(f"{printable(matrix)}:", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for number, (group, variants) in enumerate(VARIANTS.items()):
            if options.group not in (None, group):
                continue
            programs = {name: compiled(matrix, line, os.path.join(folder, f"{number}_{index}"), options)
                        for index, (name, line) in enumerate(variants.items())}
            if options.compile:
                print(f"{group:<22} {len(programs)} variants compiled", flush=True)
                continue
            times = {name: [] for name in programs}
            for _ in range(options.rounds):
                for name, words in programs.items():
                    times[name].append(time_us(words))
            print_times(group, times)


def run():
    parser = Options(prog="bench_variants", description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="+", metavar="MATRIX", help="matrix files")
    parser.add_argument("--rounds", type=rounds_of, default=7, metavar="N",
                        help="times of each variant (7)")
    parser.add_argument("--arch", default="native", help="nvcc's -arch (native)")
    parser.add_argument("--dtype", default="f32", choices=("f32", "f64"), help="f32 or f64 (f32)")
    parser.add_argument("--device", default="cuda", help="where emit checks the kernels (cuda)")
    parser.add_argument("--group", choices=VARIANTS, metavar="NAME", 
                        help="only this group: " + "; ".join(VARIANTS))
    parser.add_argument("--compile", action="store_true", help="compile and time nothing")
    options = parser.parse_args()
    for matrix in options.matrices:
        bench(matrix, options)


if __name__ == "__main__":
    sys.exit(command_main("bench_variants", run))
