"""public_report: the model's agreement with public times, for people and for programs."""

import gpu_model
from laboratory import SCHEMA, printable

COLUMNS = (
    "values: constants as shipped, or fitted on the other sources; pairs: of designs of one "
    "matrix whose\nmeasured times are over 20 % apart; right: share of them in the right "
    "order; error: exp of the standard\ndeviation of log(modelled / measured); pick: measured "
    "time of the design that is modelled fastest over\nthe least; modelled: over measured, "
    "median; host: us of the source's own that are added to modelled times\n")


def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def values_name(verdict):
    return "fitted" if verdict.fitted_on else "shipped"


def text(sources, verdicts, about):
    lines = [f"modelled by {about['version']}\n"]
    for source in sources:
        lines.append(printable(f"{source.source}, {source.gpu} in {source.dtype}: "
                               f"{source.rows_used} rows used, {source.left_out.total()} left out"))
        lines += [printable(f"  {count} {why}") for why, count in sorted(source.left_out.items())]
        lines.append("")
    lines.append(f"{'source':<44} {'model':<9} {'values':<8} {'matrices':>8} {'pairs':>6} "
                 f"{'right':>6} {'error':>6} {'pick':>6} {'modelled':>8} {'host':>6}")
    for verdict in verdicts:
        figures = verdict.figures
        lines.append(f"{printable(verdict.source.source):<44} {verdict.source.model['name']:<9} "
                     f"{values_name(verdict):<8} {figures.matrices:>8} {figures.pairs:>6} "
                     f"{number(figures.pairs_right, 3):>6} {figures.error_factor:>6.2f} "
                     f"{number(figures.pick_cost, 3):>6} {figures.ratio:>8.2f} "
                     f"{figures.host_us:>6.1f}")
    return "\n".join(lines) + "\n" + COLUMNS


def verdict_json(verdict):
    source, figures = verdict.source, verdict.figures
    comparison = source.comparison
    named = figures._asdict()
    keys = ("pairs_right", "error_factor", "pick_cost", "ratio", "spearman", "host_us", "pairs",
            "designs", "matrices")
    times = [{"matrix": comparison.matrices[design.matrix], "formats": design.name,
              "measured_us": design.measured_us, "modelled_us": float(time_us)}
             for design, time_us in zip(comparison.designs, verdict.times_us)]
    return {"source": source.source, "gpu": source.gpu, "model": source.model["name"],
            "dtype": source.dtype, "constants": values_name(verdict),
            "fitted_on": verdict.fitted_on, **{key: named[key] for key in keys},
            "rows_used": source.rows_used, "rows_left_out": source.left_out.total(),
            "values": {range_.name: verdict.constants[range_.name] for range_ in gpu_model.RANGES},
            "times": times}


def as_json(sources, verdicts, about):
    return {"schema": SCHEMA, "kind": "modelled", "version": about["version"],
            "sources": [verdict_json(verdict) for verdict in verdicts],
            "left_out": [{"source": source.source, "gpu": source.gpu, "why": why, "rows": count}
                         for source in sources for why, count in sorted(source.left_out.items())]}
