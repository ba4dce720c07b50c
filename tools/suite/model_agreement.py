#!/usr/bin/env python3
"""model_agreement: how well modelled times agree with measured ones, and constants that fit better.

    alphasparse bench MATRIX... --device cuda:0 --json > measured.json        where the GPU is
    bench_suite MATRIX... --device cuda:0 --json suite.json
    compare_model suite.json MATRIX... --json counted.json                    anywhere
    model_agreement.py measured.json suite.json counted.json

In place of compare_model's counts, what `alphasparse bench --device emulated:GPU --json` printed
gives ranks and errors, but no constants. Files may be named in any order, several of a kind. Every
design that was measured and modelled on the same matrix, in the same type, with the same caches, is
compared. Prints, a matrix a row and over all: the correlations of ranks, the error of the model and
the cost of its choice; then the worst misrankings; then, where there are counts, constants fitted
by SciPy, and how these do on matrices that they were not fitted to. Writes nothing into the model.
"""

import argparse
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../comparison"))

from laboratory import (SCHEMA, Options, Refused, WholeFile, command_main,  # noqa: E402
                        with_packages)

if __name__ == "__main__":
    with_packages("model_agreement")

import numpy as np  # noqa: E402

import gpu_model  # noqa: E402
import measured_json  # noqa: E402
from comparison import Comparison, ComparedDesign, compare  # noqa: E402
from comparison_report import ABOUT_COLUMNS, MISRANKINGS_TOLD, table_text  # noqa: E402

SAME_TIMES = 1e-6  # between the program's formula and this one
NAMES = {"assumed": "as shipped", "fitted": "fitted to all", "held_out": "held out"}


def comparison_of(inputs, keys):
    """The comparison of these designs; the types and caches of one matrix are matrices, held out
    together."""
    model = inputs.model or {"table": None, "constants": None, "l1_shares": []}
    comparison = Comparison(model, model["constants"], model["l1_shares"])
    for key in keys:
        entry = inputs.measured[key]
        matrix = entry.matrix, key.dtype, key.cache, key.pattern
        if matrix not in comparison.matrices:
            comparison.matrices.append(matrix)
        works = inputs.counted[key].works if key in inputs.counted else None
        comparison.designs.append(ComparedDesign(comparison.matrices.index(matrix), entry.name,
                                                 entry.time_us, works))
    patterns = [pattern for *_, pattern in comparison.matrices]
    comparison.same = {place: patterns.index(pattern) for place, pattern in enumerate(patterns)}
    return comparison


def check_formula(comparison, shipped_us):
    """The program's times, by the program's constants, are those of gpu_model."""
    off = np.abs(comparison.times_us(comparison.assumed) / shipped_us - 1).max()
    if off > SAME_TIMES:
        raise Refused(f"gpu_model.py: its formula is {100 * off:.2g} % off the program's; use the "
                      "script and compare_model of one version")


class Agreement:
    """Everything that is reported."""

    def __init__(self, inputs):
        self.inputs = inputs
        known = [key for key in inputs.measured if key in inputs.counted or key in inputs.modelled]
        keys = sorted(known, key=lambda key: (inputs.measured[key].matrix, *key))
        self.comparison = comparison_of(inputs, keys)
        self.shipped_us = np.array([
            inputs.counted[key].assumed_us if key in inputs.counted else inputs.modelled[key]
            for key in keys])
        self.not_modelled = len(inputs.measured) - len(keys)
        self.fit = None
        counted = [i for i, key in enumerate(keys) if key in inputs.counted]
        if counted:
            self.of_counts = comparison_of(inputs, [keys[i] for i in counted])
            check_formula(self.of_counts, self.shipped_us[counted])
            self.fit = compare(self.of_counts)

    def rows(self):
        return zip(self.comparison.matrices, self.comparison.rows(self.shipped_us))

    def misrankings(self):
        return self.comparison.misrankings(self.shipped_us, MISRANKINGS_TOLD)

    def over_all(self):
        rows = {"as shipped": self.comparison.overall(self.shipped_us)}
        if self.fit:
            rows.update({NAMES[key]: self.of_counts.overall(times)
                         for key, times in self.fit.modelled.items() if key != "assumed"})
        return rows


def text_of(result):
    inputs, comparison = result.inputs, result.comparison
    (gpu, version), = inputs.models
    text = (f"measured   {'; '.join(sorted(inputs.measured_by))}\n"
            f"modelled   {gpu}, {version}\n"
            f"compared   {len(comparison.designs)} designs; {result.not_modelled} that were "
            "measured have no modelled time\n")
    rows = [(" ".join(matrix[:3]), row) for matrix, row in result.rows()]
    text += table_text("as shipped", rows, 34, 12) + ABOUT_COLUMNS
    text += "\nworst misrankings: factor, matrix; modelled first, measured first, in us\n"
    for factor, *pair in result.misrankings():
        designs = [comparison.designs[i] for i in pair]
        text += f"{factor:8.2f} {comparison.matrices[designs[0].matrix][0]}\n"
        for i, design in zip(pair, designs):
            text += (f"{result.shipped_us[i]:10.4g} modelled {design.measured_us:10.4g} "
                     f"measured  {design.name}\n")
    if result.fit:
        text += f"\n{'constant':<24} {'shipped':>9} {'fitted':>9}\n"
        for name in [range_.name for range_ in gpu_model.RANGES] + ["l1_share"]:
            text += (f"{name:<24} {comparison.assumed[name]:>9.4g} "
                     f"{result.fit.fitted[name]:>9.4g}\n")
    else:
        text += ("\nno constants: none of the files has counts; write one with compare_model "
                 "MEASURED MATRIX... --json FILE\n")
    text += table_text("over all", result.over_all().items(), 34, 12)
    if result.fit and not result.fit.is_held_out:
        text += ("One matrix says nothing of how a fit holds on others: there is no held-out "
                 "error.\n")
    return text


def row_json(row):
    return {"pick_cost" if key == "pick_ratio" else key: value for key, value in row.items()}


def as_json(result):
    inputs, comparison = result.inputs, result.comparison
    (gpu, version), = inputs.models
    rows = [{"matrix": name, "dtype": dtype, "cache": cache, "pattern": pattern, **row_json(row)}
            for (name, dtype, cache, pattern), row in result.rows()]
    designs = comparison.designs
    told = [{"factor": float(factor), "matrix": comparison.matrices[designs[a].matrix][0],
             "modelled_first": designs[a].name, "measured_first": designs[b].name}
            for factor, a, b in result.misrankings()]
    constants = result.fit and {"shipped": comparison.assumed, "fitted": result.fit.fitted}
    return {"schema": SCHEMA, "gpu": gpu, "version": version,
            "measured_by": sorted(inputs.measured_by), "not_modelled": result.not_modelled,
            "matrices": rows, "misrankings": told,
            "agreement": {name: row_json(row) for name, row in result.over_all().items()},
            "constants": constants}


def run(options):
    inputs = measured_json.read(options.files)
    first = options.files[0]
    if not inputs.measured:
        raise Refused(f"{first}: no file has a time that was measured; add what alphasparse bench "
                      "--device cuda:0 --json printed")
    result = Agreement(inputs)
    if not result.comparison.designs:
        raise Refused(f"{first}: none of {len(inputs.measured)} measured designs is modelled in "
                      "these files; count them with compare_model MEASURED MATRIX... --json FILE")
    print(text_of(result), end="")
    with WholeFile(options.json) as file:
        file.write_json(as_json(result))


def parse():
    parser = Options(prog="model_agreement", description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="JSON of bench, bench_suite or compare_model")
    parser.add_argument("--json", metavar="FILE", help="also write one JSON object")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(command_main("model_agreement", lambda: run(parse())))
