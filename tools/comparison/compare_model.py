#!/usr/bin/env python3
"""Compare modelled with measured times, and fit the model's constants.

    alphasparse bench MATRIX... --device cuda:0 --json > measured.json     where the GPU is
    compare_model measured.json MATRIX...                                  anywhere
    compare_model suite.json MATRIX... --designs-max 32                    of bench_suite --json
    compare_model --public FILE... --matrices FOLDER                       times of others

The measured designs are counted anew by the emulator. Printed are, for every matrix, the
correlations of ranks; the worst misrankings; the constants of runtime/emulated/model_constants.h
as assumed and as fitted; and how both do, the fitted ones also on matrices that they were not
fitted to. Nothing of it is written into the model. --json FILE writes it down as well, with the
counts of every design and the GPU's row of the table.
"""

import argparse
import sys

from laboratory import (KernelFacts, Options, ProgressLine, Refused, WholeFile, command_main,
                        with_packages)

if __name__ == "__main__":
    with_packages("compare_model")

import comparison_report  # noqa: E402
import measured_times  # noqa: E402
import public_sources  # noqa: E402
from comparison import Comparison, ComparedDesign, compare  # noqa: E402
from public_designs import model_called  # noqa: E402


def chosen_gpu(options, measured, models):
    if options.gpu:
        model = next((each for each in models if each["name"] == options.gpu), None)
    else:
        model = model_called(measured.gpu, models)
    if model:
        return model
    names = ", ".join(each["name"] for each in models)
    if options.gpu:
        raise Refused(f"--gpu: no GPU is modelled as '{options.gpu}'; there are {names}")
    raise Refused(f"{options.measured}: no model is of '{measured.gpu}'; choose one with --gpu: "
                  f"{names}")


def choose(options, measured):
    """Keeps the matrices that were measured in the requested type, with so many designs."""
    dtypes = [matrix.dtype for matrix in measured.matrices]
    if options.dtype and dtypes and options.dtype not in dtypes:
        raise Refused(f"{options.measured}: was measured in {dtypes[0]}, not {options.dtype}")
    measured.matrices = [matrix for matrix in measured.matrices
                         if options.dtype in ("", matrix.dtype)]
    for matrix in measured.matrices:
        matrix.keep_spread(options.designs_max)


def matched_files(options, measured, facts, left_out):
    """(file, measured matrix) pairs. Every file is read before any work begins, so that a mistyped
    name does not end the work of hours. A measured matrix is given one file at most; one file
    serves all matrices that were measured of it."""
    still_open = list(measured.matrices)
    # A file that cannot be read is reported even where nothing was measured.
    dtypes = sorted({matrix.dtype for matrix in still_open}) or ["f32"]
    matched = []
    for path in options.matrices:
        found = []
        for dtype in dtypes:
            prints = facts.ask("matrix", path=path, dtype=dtype)["fingerprints"]
            found += [matrix for matrix in still_open
                      if matrix.dtype == dtype and matrix.fingerprints == prints]
        still_open = [matrix for matrix in still_open if matrix not in found]
        matched += [(path, matrix) for matrix in found]
        if not found:
            left_out.append(f"{path}: no matrix of these entries was measured")
    left_out += [f"{matrix.name}: was measured and is none of the files" for matrix in still_open]
    return matched


def add_counted(matrix, comparison, left_out):
    """Counts the designs of a measured matrix, which is read, with every share of L1."""
    designs = []
    for design in matrix.designs:
        answer = comparison.counted(design.line, matrix.dtype, matrix.cache,
                                    format_bytes=design.format_bytes)
        if "works" in answer:
            designs.append(ComparedDesign(len(comparison.matrices), design.name, design.time_us,
                                          answer["works"], design.line))
        else:
            why = answer.get("refused") or (
                f"its format has {answer['format_bytes']} bytes here and had {design.format_bytes} "
                "where it was measured")
            left_out.append(f"{design.name} on {matrix.name}: {why}")
    for count, what in ((matrix.libraries, "of cuSPARSE"),
                        (matrix.untimed, "without a right time"),
                        (matrix.duplicates, "with the kernel of another"),
                        (matrix.beyond_bound, "beyond --designs-max")):
        if count > 0:
            left_out.append(f"{count} {what} on {matrix.name}")
    if designs:
        comparison.matrices.append(matrix)
        comparison.designs += designs


def count_all(options, files, comparison, facts, left_out):
    line = ProgressLine(options.quiet)
    for place, (path, matrix) in enumerate(files):
        line.update(f"counting {path}, {place + 1} of {len(files)}")
        facts.ask("matrix", path=path, dtype=matrix.dtype)
        add_counted(matrix, comparison, left_out)
    line.clear()
    patterns = [matrix.fingerprints["pattern"] for matrix in comparison.matrices]
    comparison.same = {place: patterns.index(pattern) for place, pattern in enumerate(patterns)}


def check_form(options):
    """One of the two ways to call the command, whole."""
    see = "; see compare_model --help"
    if not options.public:
        if not options.measured:
            raise Refused(f"MEASURED is required{see}")
        if not options.matrices:
            raise Refused(f"MATRIX is required{see}")
        if options.folder:
            raise Refused(f"--matrices is for --public{see}")
        if options.designs_max < 2:
            raise Refused("--designs-max wants a number from 2 on")
        return
    if not options.folder:
        raise Refused(f"--public wants the folder of its matrices: --matrices{see}")
    if options.measured:
        raise Refused(f"--public takes no MEASURED: '{options.measured}'{see}")
    if not options.nnz_max >= 0:
        raise Refused("--nnz-max wants a number from 0 on")


def shares_of(text):
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"wants numbers parted by commas, not '{text}'")


def parse():
    parser = Options(prog="compare_model", description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("words", nargs="*", metavar="MEASURED MATRIX...",
        help="what alphasparse bench --json or bench_suite --json wrote on a GPU; matrix files")
    add("--public", nargs="+", metavar="FILE", default=[],
        help="instead: tables of published times (tools/comparison/README.md)")
    add("--matrices", dest="folder", metavar="FOLDER", default="",
        help="with --public: the folder of their matrices")
    add("--designs-max", type=int, default=64, metavar="N",
        help="of a matrix, count so many designs: fastest, slowest and evenly between (64)")
    add("--nnz-max", type=float, default=0, metavar="N",
        help="with --public: leave out matrices with more non-zeros")
    add("--gpu", default="", help="model (default: that of the GPU that was measured)")
    add("--dtype", default="", help="f32 or f64: leave out times of the other type")
    add("--l1-shares", default=[[0.125, 0.25, 0.5, 1]], nargs="+", metavar="SHARES",
        type=shares_of,
        help="shares of L1 to count with, parted by commas (0.125,0.25,0.5,1; 1 always)")
    add("--json", metavar="FILE", default="", help="also write one JSON object")
    add("--quiet", action="store_true", help="results and errors only")
    options = parser.parse_intermixed_args()
    options.measured, *options.matrices = options.words or [""]
    check_form(options)
    options.l1_shares = sorted({share for shares in options.l1_shares for share in shares} | {1.0})
    return options


def run_public(options, facts):
    with WholeFile(options.json) as file:
        about = facts.ask("models")
        sources = public_sources.counted(options, facts, about)
        verdicts = public_sources.judged(sources)
        if not verdicts:
            why = next((f" ({sorted(source.left_out)[0]})" for source in sources
                        if source.left_out), "")
            raise Refused(f"{options.public[0]}: nothing of it can be compared{why}")
        print(public_sources.text(sources, verdicts, about["version"]), end="")
        file.write_json(public_sources.as_json(sources, verdicts, about["version"]))


def run_measured(options, facts):
    about = facts.ask("models")
    measured = measured_times.read(options.measured, set(about["libraries"]))
    for share in options.l1_shares:
        if not 0 < share <= 1:
            raise Refused(f"--l1-shares wants shares above 0 and at most 1, not {share:g}")
    choose(options, measured)
    comparison = Comparison(facts, chosen_gpu(options, measured, about["models"]),
                            options.l1_shares)
    left_out = []
    files = matched_files(options, measured, facts, left_out)
    with WholeFile(options.json) as file:
        count_all(options, files, comparison, facts, left_out)
        if not comparison.designs:
            why = left_out[0] if left_out else "it is empty"
            raise Refused(f"{options.measured}: nothing of it can be compared ({why})")
        result = compare(comparison)
        report = comparison_report.Report(measured, about["version"], left_out, comparison, result)
        print(report.text(), end="")
        file.write_json(report.as_json())


def run():
    options = parse()
    with KernelFacts() as facts:
        (run_public if options.public else run_measured)(options, facts)


if __name__ == "__main__":
    sys.exit(command_main("compare_model", run))
