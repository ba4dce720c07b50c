#!/usr/bin/env python3
"""Loads in flight of the kernels of every named design, by their machine code: NVRTC compiles them,
with the product's options, and nvdisasm prints the result.

  bench_sass [MATRIX...]                 without matrices, of a made one of 4e4 non-zeros
  bench_sass --design NAME-OR-LINE ...   another design, or several; --arch sm_90; --json

nvdisasm is the one that ALPHASPARSE_NVDISASM names, else the one in PATH; tools/setup --all
installs it in build/peers. No GPU is needed. For each kernel of each --dtype are printed:

  registers, spills   of a thread, as ptxas tells; bytes of spill stores and loads
  loads, constant     instructions that load from global memory, and of these by LDG.CONSTANT
  non-zeros           products in one round of the main loop (sass.py says which count), the loop
                      without another one inside that loads most; of a kernel without loops that
                      load, marked *, all of it, every instruction once
  a non-zero          instructions, and loads, of that round for each of its non-zeros
  first               loads ahead of its first product
  rounds              waits for loads in it: rounds of loads that depend on those before
  in flight           loads issued up to each wait in it
"""

import argparse
import os
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../comparison"))

import sass  # noqa: E402
from laboratory import KernelFacts, Options, command_main, json_text, output_of  # noqa: E402

IN_FLIGHT_SHOWN = 16


def write_made_matrix(file):
    """2,000 rows of 1 to 49 entries; the same with every compiler."""
    entries = [(row, entry * 40 + row * 13 % 40, 1 / (1 + row + entry))
               for row in range(2000) for entry in range(row * 7 % 49 + 1)]
    with open(file, "w", encoding="ascii") as opened:
        opened.write(f"%%MatrixMarket matrix coordinate real general\n2000 2000 {len(entries)}\n")
        opened.writelines(f"{row + 1} {column + 1} {value!r}\n" for row, column, value in entries)


def disassembled(cubin, folder):
    file = os.path.join(folder, "kernel.cubin")
    with open(file, "wb") as opened:
        opened.write(cubin)
    return output_of([os.environ.get("ALPHASPARSE_NVDISASM") or "nvdisasm", "-c", file],
                     "ALPHASPARSE_NVDISASM names nvdisasm, and tools/setup --all installs it in "
                     "build/peers")


def rows_of(design, dtype, options, facts, folder):
    """A row a kernel of a design, as JSON has it; or one that says why there is none."""
    row = {"design": design, "dtype": dtype}
    answer = facts.ask("compile", design=design, dtype=dtype, arch=options.arch)
    if "refused" in answer:
        return [{**row, "refused": answer["refused"]}]
    code = sass.parse(disassembled(bytes.fromhex(answer["cubin"]), folder))
    rows = []
    for launch in answer["launches"]:
        for kernel in code:
            if kernel.name == launch["kernel"]:
                loop = sass.main_loop(kernel)
                whole = sass.loads_of(kernel, sass.Range(0, len(kernel.instructions)))
                rows.append({**row, **launch, "has_loop": loop.repeats,
                             "whole": loads_json(whole),
                             "main_loop": loads_json(sass.loads_of(kernel, loop))})
    return rows


def loads_json(loads):
    keys = ("instructions", "loads", "constant_loads", "local_accesses", "nonzeros", "in_flight",
            "ahead_of_the_product")
    return {**{key: getattr(loads, key) for key in keys}, "rounds": len(loads.in_flight)}


def ratio(number, by):
    """"2.5", or - where there is nothing to divide by."""
    return f"{number / by:.1f}" if by else "-"


def in_flight_text(loads):
    """"[2,1,2,1,5]", or its beginning where it is long."""
    more = ",..." if len(loads) > IN_FLIGHT_SHOWN else ""
    return f"[{','.join(map(str, loads[:IN_FLIGHT_SHOWN]))}{more}]"


def text_of(row):
    name = f"{row['design']:<20} {row['dtype']}"
    if "refused" in row:
        return f"{name} refused: {row['refused']}"
    whole, loop = row["whole"], row["main_loop"]
    return (f"{name} {row['kernel']:<12} {row['registers']:>5} {row['spill_bytes']:>6} "
            f"{whole['loads']:>6} {whole['constant_loads']:>8} {loop['nonzeros']:>5}"
            f"{' ' if row['has_loop'] else '*'} {ratio(loop['instructions'], loop['nonzeros']):>7} "
            f"{ratio(loop['loads'], loop['nonzeros']):>7} {loop['ahead_of_the_product']:>5} {loop['rounds']:>6}  "
            f"{in_flight_text(loop['in_flight'])}")


def bench(name, path, options, facts, folder):
    """The table of one matrix; its object of the JSON."""
    matrix = facts.ask("matrix", path=path, dtype="c128")
    if not options.json:
        print(f"{name}: {matrix['rows']} x {matrix['cols']}, {matrix['nnz']} non-zeros, "
              f"{options.arch}\n{'design':<24} {'kernel':<12} {'regs':>5} {'spills':>6} "
              f"{'loads':>6} {'constant':>8} {'nz':>5}  {'instr/nz':>7} {'load/nz':>7} "
              f"{'first':>5} {'rounds':>6}  in flight")
    kernels = []
    for dtype in options.dtypes:
        for design in options.designs:
            for row in rows_of(design, dtype, options, facts, folder):
                kernels.append(row)
                if not options.json:
                    print(text_of(row), flush=True)
    return {"matrix": name, "rows": matrix["rows"], "columns": matrix["cols"],
            "nonzeros": matrix["nnz"], "arch": options.arch, "kernels": kernels}


def parse():
    parser = Options(prog="bench_sass", description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", nargs="*", metavar="MATRIX", help="matrix files")
    parser.add_argument("--design", dest="designs", action="append", metavar="DESIGN",
                        help="a named design or a line (default: all named)")
    parser.add_argument("--dtype", dest="dtypes", action="append",
                        choices=["f32", "f64", "c64", "c128"],
                        help="a type of numbers, or several (f32 and f64)")
    parser.add_argument("--arch", default="sm_90", help="a real architecture (sm_90)")
    parser.add_argument("--json", action="store_true", help="one JSON array instead of tables")
    return parser.parse_intermixed_args()


def run():
    options = parse()
    with tempfile.TemporaryDirectory() as folder, KernelFacts() as facts:
        options.dtypes = options.dtypes or ["f32", "f64"]
        options.designs = options.designs or facts.ask("models")["designs"]
        places = [(path, path) for path in options.matrices]
        if not places:
            made = os.path.join(folder, "made.mtx")
            write_made_matrix(made)
            places = [("made", made)]
        results = [bench(name, path, options, facts, folder) for name, path in places]
        if options.json:
            print(json_text(results), end="")


if __name__ == "__main__":
    sys.exit(command_main("bench_sass", run))
