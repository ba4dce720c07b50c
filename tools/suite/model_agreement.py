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
import json
import sys
from collections import defaultdict
from itertools import combinations

try:
    import numpy as np
    from scipy import stats
except ImportError as error:
    print(f"model_agreement: the package {error.name} is missing here; install it with "
          "pip install numpy scipy (Debian: python3-scipy)", file=sys.stderr)
    sys.exit(4)

import gpu_model
import measured_json

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


def agreement(measured_us, modelled_us):
    """Of one matrix; correlations are None where there is no order to get right."""
    count = len(measured_us)
    factors = np.exp(np.abs(np.log(modelled_us / measured_us)))
    misranked = sum(1 for a, b in combinations(range(count), 2)
                    if (measured_us[a] - measured_us[b]) * (modelled_us[a] - modelled_us[b]) < 0)
    result = {"designs": count, "spearman": None, "kendall": None,
              "error_factor": float(np.exp(np.log(factors).mean())),
              "pick_cost": float(measured_us[np.argmin(modelled_us)] / measured_us.min()),
              "pairs": count * (count - 1) // 2, "misranked": misranked}
    if len(set(measured_us)) > 1 and len(set(modelled_us)) > 1:
        result["spearman"] = float(stats.spearmanr(modelled_us, measured_us)[0])
        result["kendall"] = float(stats.kendalltau(modelled_us, measured_us)[0])
    return result


def overall(rows):
    """Means over matrices, errors over designs."""
    def mean(values):
        known = [value for value in values if value is not None]
        return float(np.mean(known)) if known else None

    designs = np.array([row["designs"] for row in rows])
    errors = np.log([row["error_factor"] for row in rows])
    return {"designs": int(designs.sum()),
            "spearman": mean([row["spearman"] for row in rows]),
            "kendall": mean([row["kendall"] for row in rows]),
            "error_factor": float(np.exp((errors * designs).sum() / designs.sum())),
            "pick_cost": float(np.exp(np.mean(np.log([row["pick_cost"] for row in rows])))),
            "pairs": sum(row["pairs"] for row in rows),
            "misranked": sum(row["misranked"] for row in rows)}


def judged(comparison, times_us, chosen=None):
    """Rows of all matrices that have one of the chosen designs, and the row of all."""
    rows = {}
    for matrix, indices in comparison.matrices.items():
        indices = [i for i in indices if chosen is None or i in chosen]
        if indices:
            rows[matrix] = agreement(comparison.measured_us[indices], times_us[indices])
    return rows, overall(list(rows.values()))


def misrankings(comparison, times_us):
    """The worst pairs: modelled first, measured second, by the product of both factors."""
    found = []
    for matrix, indices in comparison.matrices.items():
        for a, b in combinations(indices, 2):
            if times_us[a] > times_us[b]:
                a, b = b, a
            slower = comparison.measured_us[a] / comparison.measured_us[b]
            if slower > 1 and times_us[a] < times_us[b]:
                found.append((slower * times_us[b] / times_us[a], matrix[0], a, b))
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
        self.counts = {share: comparison.counts(place, self.chosen)
                       for place, share in enumerate(self.shares)}
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
            raise measured_json.Refused(
                f"gpu_model.py: its formula is {100 * off:.2g} % off the program's; use the script "
                "and compare_model of one version")

    def _fitted(self, comparison, chosen):
        best = None
        for place, share in enumerate(self.shares):
            constants, cost = gpu_model.fit(comparison.counts(place, chosen),
                                            self.measured_us[chosen], self.table, self.assumed)
            if best is None or cost < best[1]:
                best = ({**constants, "l1_share": share}, cost)
        return best[0]


def number(value, text="{:8.2f}"):
    return text.format(value) if value is not None else f"{'-':>8}"


def row_text(name, row):
    misranked = f"{row['misranked']}/{row['pairs']}"
    return (f"{name:<34} {row['designs']:>7} {number(row['spearman'])} {number(row['kendall'])} "
            f"{row['error_factor']:>7.2f} {misranked:>12} {row['pick_cost']:>6.2f}")


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


def as_json(comparison, result, fit):
    inputs = comparison.inputs
    (gpu, version), = inputs.models
    names = [inputs.measured[key].name for key in comparison.keys]
    rows = [{"matrix": name, "dtype": dtype, "cache": cache, "pattern": pattern, **row}
            for (name, dtype, cache, pattern), row in result["rows"].items()]
    told = [{"factor": float(factor), "matrix": matrix, "modelled_first": names[a],
             "measured_first": names[b]} for factor, matrix, a, b in result["misrankings"]]
    return {"schema": measured_json.SCHEMA, "gpu": gpu, "version": version,
            "measured_by": sorted(inputs.measured_by), "not_modelled": result["not_modelled"],
            "matrices": rows, "misrankings": told, "agreement": result["over_all"],
            "constants": {"shipped": fit.assumed, "fitted": fit.constants} if fit else None}


def run(options):
    inputs = measured_json.read(options.files)
    comparison = Comparison(inputs)
    first = options.files[0]
    if not inputs.measured:
        raise measured_json.Refused(f"{first}: no file has a time that was measured; add what "
                                    "alphasparse bench --device cuda:0 --json printed")
    if not comparison.keys:
        raise measured_json.Refused(
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
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(as_json(comparison, result, fit), file, indent=1)
            file.write("\n")


def main():
    parser = argparse.ArgumentParser(prog="model_agreement", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="JSON of bench, bench_suite or compare_model")
    parser.add_argument("--json", metavar="FILE", help="also write one JSON object")
    options = parser.parse_args()
    try:
        run(options)
    except measured_json.Refused as refused:
        print(f"model_agreement: {refused}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"model_agreement: {error.filename}: cannot be written ({error.strerror})",
              file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
