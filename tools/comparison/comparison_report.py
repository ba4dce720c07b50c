"""comparison_report: the comparison for people and for programs; the last table is the result."""

from comparison import NAMES, fit_holds
from laboratory import SCHEMA, printable

MISRANKINGS_TOLD = 10
ABOUT_COLUMNS = """\
error: modelled / measured or its inverse, geometric mean; misranked: of the pairs of designs;
pick: measured time of the design that is modelled fastest, over the least
"""
NOTHING_WRITTEN = """\
Nothing was written: the constants in runtime/emulated/model_constants.h stay assumed until a person
takes fitted ones over, with their origin and a new version of the models.
"""


def number(value):
    return "-" if value is None else f"{value:.2f}"


def table_text(title, rows, name_width=24, pairs_width=10):
    """Rows of agreement, (name, row) each."""
    text = (f"\n{title:<{name_width}} {'designs':>7} {'spearman':>8} {'kendall':>8} {'error':>7} "
            f"{'misranked':>{pairs_width}} {'pick':>6}\n")
    for name, row in rows:
        misranked = f"{row['misranked']}/{row['pairs']}"
        text += (f"{name:<{name_width}} {row['designs']:>7} {number(row['spearman']):>8} "
                 f"{number(row['kendall']):>8} {row['error_factor']:>7.2f} "
                 f"{misranked:>{pairs_width}} {row['pick_ratio']:>6.2f}\n")
    return text


class Report:
    def __init__(self, measured, version, left_out, comparison, result):
        self.measured, self.version, self.left_out = measured, version, left_out
        self.comparison, self.result = comparison, result
        self.rows = {key: comparison.rows(times) for key, times in result.modelled.items()}
        self.overall = {key: comparison.overall(times) for key, times in result.modelled.items()}
        self.worst = comparison.misrankings(result.modelled["assumed"], MISRANKINGS_TOLD)

    # --- for people

    def text(self):
        matrices = zip([matrix.name for matrix in self.comparison.matrices], self.rows["assumed"])
        overall = [(NAMES[key], row) for key, row in self.overall.items()]
        return (self._head() + self._left_out() + table_text("as assumed", matrices) +
                ABOUT_COLUMNS + self._misrankings() + self._constants() + self._verdict() +
                table_text("model against measured", overall))

    def _head(self):
        measured, gpu = self.measured, self.comparison.gpu
        regimes = sorted({f"{matrix.dtype}, {matrix.cache} caches"
                          for matrix in self.comparison.matrices})
        shares = "".join(f" {share:g}" for share in self.comparison.l1_shares)
        noisy = sum(matrix.noisy for matrix in measured.matrices)
        measured_by = printable(f"{measured.device} ({measured.gpu}), {measured.version}")
        text = (f"measured   {measured.file}, {measured_by}: {'; '.join(regimes)}\n"
                f"modelled   {gpu['name']} ({gpu['full_name']}), {self.version}; "
                f"counted with shares of L1{shares}\n")
        if noisy:
            text += f"noisy      {noisy} of the measured times: \"noisy\" in {measured.file}\n"
        return text

    def _left_out(self):
        return "\nnot compared\n" * bool(self.left_out) + "".join(
            f"  {printable(line)}\n" for line in self.left_out)

    def _misrankings(self):
        if not self.worst:
            return "\nno pair of designs is misranked\n"
        times, designs = self.result.modelled["assumed"], self.comparison.designs
        text = (f"\n{'worst misrankings, us':<22} {'modelled first':<16} {'modelled':>8} "
                f"{'measured':>8}  {'measured first':<16} {'modelled':>8} {'measured':>8} "
                f"{'factor':>6}\n")
        for factor, first, better in self.worst:
            matrix = self.comparison.matrices[designs[first].matrix].name
            text += (f"{matrix:<22} {designs[first].name:<16} {times[first]:>8.4g} "
                     f"{designs[first].measured_us:>8.4g}  {designs[better].name:<16} "
                     f"{times[better]:>8.4g} {designs[better].measured_us:>8.4g} {factor:>6.2f}\n")
        return text

    def _constants(self):
        text = f"\n{'constant':<24} {'assumed':>9} {'fitted':>9} {'times moved':>12}\n"
        for row in self.result.constants:
            remark = "; at the bound of what it may be" if row.at_bound else ""
            remark = remark if row.times_moved else "; no time speaks of it"
            moved = f"{row.times_moved}/{len(self.comparison.designs)}"
            text += (f"{row.name:<24} {row.assumed:>9.4g} {row.fitted:>9.4g} {moved:>12}  "
                     f"{row.about}{remark}\n")
        return text + NOTHING_WRITTEN

    def _holds(self):
        if not self.result.is_held_out:
            return None
        return fit_holds(self.overall["assumed"], self.overall["held_out"])

    def _verdict(self):
        return {None: "One matrix says nothing of how a fit holds on others: there is no held-out "
                      "error.\n",
                True: "Fitted constants do better on matrices that they were not fitted to.\n",
                False: "Fitted constants do no better on matrices that they were not fitted to: do "
                       "not take them over.\n"}[self._holds()]

    # --- for programs

    def as_json(self):
        measured, comparison = self.measured, self.comparison
        designs = comparison.designs
        return {
            "schema": SCHEMA,
            "measured": {"file": measured.file, "device": measured.device, "gpu": measured.gpu,
                         "version": measured.version},
            "modelled": {"gpu": comparison.gpu["name"], "gpu_name": comparison.gpu["full_name"],
                         "version": self.version, "l1_shares": comparison.l1_shares,
                         "table": comparison.gpu["table"], "constants": comparison.assumed},
            "matrices": [self._matrix_json(place) for place in range(len(comparison.matrices))],
            "misrankings": [{"matrix": comparison.matrices[designs[first].matrix].name,
                             "modelled_first": designs[first].name,
                             "measured_first": designs[better].name, "factor": float(factor)}
                            for factor, first, better in self.worst],
            "constants": [{"name": row.name, "assumed": row.assumed, "fitted": row.fitted,
                           "times_moved": row.times_moved, "at_bound": row.at_bound}
                          for row in self.result.constants],
            "agreement": self.overall,
            "fit_holds": self._holds(),
            "not_compared": self.left_out}

    def _matrix_json(self, place):
        matrix, modelled = self.comparison.matrices[place], self.result.modelled
        designs = [{"name": design.name, "design": design.line, "measured_us": design.measured_us,
                    **{f"{key}_us": float(times[i]) for key, times in modelled.items()},
                    "works": design.works}
                   for i, design in enumerate(self.comparison.designs) if design.matrix == place]
        return {"name": matrix.name, "dtype": matrix.dtype, "cache": matrix.cache,
                "fingerprints": matrix.fingerprints,
                **{key: rows[place] for key, rows in self.rows.items()}, "designs": designs}
