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
from collections import defaultdict

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../comparison"))

from laboratory import (SCHEMA, Options, Refused, WholeFile, command_main,  # noqa: E402
                        with_packages)

if __name__ == "__main__":
    with_packages("model_agreement")

import numpy as np  # noqa: E402

import agreement  # noqa: E402
import gpu_model  # noqa: E402
import measured_json  # noqa: E402

MISRANKINGS_TOLD = 10
SAME_TIMES = 1e-6  # between the program's formula and this one


class Comparison:
    """Measured designs beside their modelled times."""

    def __init__(self, inputs):
        known = [key for key in inputs.measured if key in inputs.counted or key in inputs.modelled]
        self.keys = sorted(known, key=lambda key: (inputs.measured[key].matrix, *key))
        self.inputs = inputs
        self.measured_us = np.array([inputs.measured[key].time_us for key in self.keys])
        self.matrices = defaultdict(list)  # (name, dtype, cache, pattern) -> indices
        for i, key in enumerate(self.keys):
            name = inputs.measured[key].matrix
            self.matrices[name, key.dtype, key.cache, key.pattern].append(i)
        self.shipped_us = np.array([
            inputs.counted[key].assumed_us if key in inputs.counted else inputs.modelled[key]
            for key in self.keys])

    def counts(self, share, chosen):
        return gpu_model.Counts([self.inputs.counted[self.keys[i]].works[share] for i in chosen])


def judged(comparison, times_us, chosen=None):
    """Rows of all matrices that have one of the chosen designs, and the row of all."""
    rows = {}
    for matrix, indices in comparison.matrices.items():
        indices = [i for i in indices if chosen is None or i in chosen]
        if indices:
            rows[matrix] = agreement.of_matrix(times_us[indices], comparison.measured_us[indices])
    return rows, agreement.overall(list(rows.values()))


def misrankings(comparison, times_us):
    """The worst pairs: the factor, the matrix, modelled first, measured first."""
    found = []
    for matrix, indices in comparison.matrices.items():
        pairs = agreement.misrankings(times_us[indices], comparison.measured_us[indices])
        found += [(factor, matrix[0], indices[a], indices[b]) for factor, a, b in pairs]
    return sorted(found, key=lambda pair: -pair[0])[:MISRANKINGS_TOLD]


class Fit:
    """Constants fitted to all, and times by constants that were fitted to other matrices alone."""

    def __init__(self, comparison):
        inputs = comparison.inputs
        self.chosen = [i for i, key in enumerate(comparison.keys) if key in inputs.counted]
        model = inputs.model
        self.assumed = model["constants"]
        self.shares = model["l1_shares"]
        self.table = model["table"]
        self.measured_us = comparison.measured_us
        self.counts = self._counts(comparison, self.chosen)
        self._check(comparison)
        patterns = [comparison.keys[i].pattern for i in self.chosen]
        self.constants = self._fitted(comparison, self.chosen)
        self.fitted_us = self._times(self.constants)
        self.held_out_us = np.array(self.fitted_us)
        self.is_held_out = len(set(patterns)) > 1
        for pattern in sorted(set(patterns)) if self.is_held_out else []:
            others = [i for i, of in zip(self.chosen, patterns) if of != pattern]
            times = self._times(self._fitted(comparison, others))
            for i, of in zip(self.chosen, patterns):
                if of == pattern:
                    self.held_out_us[i] = times[i]

    def _times(self, constants):
        times = np.full(len(self.measured_us), np.nan)
        counts = self.counts[constants["l1_share"]]
        times[self.chosen] = gpu_model.times_us(counts, self.table, constants)
        return times

    def _check(self, comparison):
        """The program's times, by the program's constants, are those of gpu_model."""
        ours = self._times(self.assumed)[self.chosen]
        off = np.abs(ours / comparison.shipped_us[self.chosen] - 1).max()
        if off > SAME_TIMES:
            raise Refused(
                f"gpu_model.py: its formula is {100 * off:.2g} % off the program's; use the script "
                "and compare_model of one version")

    def _counts(self, comparison, chosen):
        return {share: comparison.counts(place, chosen) for place, share in enumerate(self.shares)}

    def _fitted(self, comparison, chosen):
        return gpu_model.fit(self._counts(comparison, chosen), self.measured_us[chosen], self.table,
                             self.assumed)


def number(value, text="{:8.2f}"):
    return text.format(value) if value is not None else f"{'-':>8}"


def row_text(name, row):
    misranked = f"{row['misranked']}/{row['pairs']}"
    return (f"{name:<34} {row['designs']:>7} {number(row['spearman'])} {number(row['kendall'])} "
            f"{row['error_factor']:>7.2f} {misranked:>12} {row['pick_ratio']:>6.2f}")


def table_text(title, rows):
    head = (f"\n{title:<34} {'designs':>7} {'spearman':>8} {'kendall':>8} {'error':>7} "
            f"{'misranked':>12} {'pick':>6}")
    return "\n".join([head] + [row_text(name, row) for name, row in rows])


def print_text(comparison, result, fit):
    inputs = comparison.inputs
    (gpu, version), = inputs.models
    print(f"measured   {'; '.join(sorted(inputs.measured_by))}")
    print(f"modelled   {gpu}, {version}")
    print(f"compared   {len(comparison.keys)} designs; {result['not_modelled']} that were measured "
          "have no modelled time")
    print(table_text("as shipped", [(" ".join(matrix[:3]), row)
                                    for matrix, row in result["rows"].items()]))
    print("error: modelled / measured or its inverse, geometric mean; misranked: of the pairs of\n"
          "designs; pick: measured time of the design that is modelled fastest, over the least")
    print("\nworst misrankings: factor, matrix; modelled first, measured first, in us")
    for factor, matrix, *pair in result["misrankings"]:
        print(f"{factor:8.2f} {matrix}")
        for i in pair:
            print(f"{comparison.shipped_us[i]:10.4g} modelled {comparison.measured_us[i]:10.4g} "
                  f"measured  {inputs.measured[comparison.keys[i]].name}")
    if fit:
        print(f"\n{'constant':<24} {'shipped':>9} {'fitted':>9}")
        for name in [range_[0] for range_ in gpu_model.RANGES] + ["l1_share"]:
            print(f"{name:<24} {fit.assumed[name]:>9.4g} {fit.constants[name]:>9.4g}")
    else:
        print("\nno constants: none of the files has counts; write one with compare_model MEASURED "
              "MATRIX... --json FILE")
    print(table_text("over all", list(result["over_all"].items())))
    if fit and not fit.is_held_out:
        print("One matrix says nothing of how a fit holds on others: there is no held-out error.")


def row_json(row):
    return {"pick_cost" if key == "pick_ratio" else key: value for key, value in row.items()}


def as_json(comparison, result, fit):
    inputs = comparison.inputs
    (gpu, version), = inputs.models
    names = [inputs.measured[key].name for key in comparison.keys]
    rows = [{"matrix": name, "dtype": dtype, "cache": cache, "pattern": pattern, **row_json(row)}
            for (name, dtype, cache, pattern), row in result["rows"].items()]
    told = [{"factor": float(factor), "matrix": matrix, "modelled_first": names[a],
             "measured_first": names[b]} for factor, matrix, a, b in result["misrankings"]]
    return {"schema": SCHEMA, "gpu": gpu, "version": version,
            "measured_by": sorted(inputs.measured_by), "not_modelled": result["not_modelled"],
            "matrices": rows, "misrankings": told,
            "agreement": {name: row_json(row) for name, row in result["over_all"].items()},
            "constants": {"shipped": fit.assumed, "fitted": fit.constants} if fit else None}


def run(options):
    inputs = measured_json.read(options.files)
    comparison = Comparison(inputs)
    first = options.files[0]
    if not inputs.measured:
        raise Refused(f"{first}: no file has a time that was measured; add what "
                                    "alphasparse bench --device cuda:0 --json printed")
    if not comparison.keys:
        raise Refused(
            f"{first}: none of {len(inputs.measured)} measured designs is modelled in these files; "
            "count them with compare_model MEASURED MATRIX... --json FILE")
    rows, all_rows = judged(comparison, comparison.shipped_us)
    result = {"rows": rows, "over_all": {"as shipped": all_rows},
              "not_modelled": len(inputs.measured) - len(comparison.keys),
              "misrankings": misrankings(comparison, comparison.shipped_us)}
    fit = None
    if any(key in inputs.counted for key in comparison.keys):
        fit = Fit(comparison)
        chosen = set(fit.chosen)
        result["over_all"]["fitted to all"] = judged(comparison, fit.fitted_us, chosen)[1]
        if fit.is_held_out:
            result["over_all"]["held out"] = judged(comparison, fit.held_out_us, chosen)[1]
    print_text(comparison, result, fit)
    with WholeFile(options.json) as file:
        file.write_json(as_json(comparison, result, fit))


def parse():
    parser = Options(prog="model_agreement", description=__doc__,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="JSON of bench, bench_suite or compare_model")
    parser.add_argument("--json", metavar="FILE", help="also write one JSON object")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(command_main("model_agreement", lambda: run(parse())))
