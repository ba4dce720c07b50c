"""public_sources: modelled times beside those that others have published, a source at a time.

Such times hold more than a kernel: a launch from the host, a timer, a synchronisation. One overhead
a source, the one with the least squared log((modelled + overhead) / measured), is fitted and added
to its modelled times. Calls of a library that do work of their own on the host have one each. Their
kernels are neighbours of the designs: differences under 20 % mean nothing.

Where the model's constants are fitted to times of such a GPU, its matrices fall into two halves by
a hash of their names. The fit has seen the first one alone, and so have the overheads.
"""

import hashlib
import os
from collections import Counter
from typing import NamedTuple, Optional

import numpy as np

import agreement
import fitting
import public_times
from comparison import Comparison, ComparedDesign
from laboratory import SCHEMA, ProgressLine, Refused, printable
from public_designs import (RowLengths, has_design, model_of_source, nearest_design,
                            why_left_out)

TWIN = "twin:"
HALVES = ("first", "second")
# A wrong unit is a factor of a thousand. Overheads of a source hide shorter modelled times.
UNIT_FACTOR, HIDDEN_US = 100, 20
ABOUT_COLUMNS = (
    "values: constants as shipped, or fitted on the other sources or on the first half; half: of "
    "the matrices;\npairs: of designs of one matrix whose measured times are over 20 % apart; right: share of them in the right "
    "order; error: exp of the standard\ndeviation of log(modelled / measured); pick: measured "
    "time of the design that is modelled fastest over\nthe least; modelled: over measured, "
    "median; host: us of the source's own that are added to modelled times\n")


class Source(Comparison):
    """The times of one source, of one GPU and one type. Sources launch one by one."""

    def __init__(self, time, facts, about):
        gpu = model_of_source(time.source, time.gpu, about["models"])
        super().__init__(facts, gpu, [gpu["constants"]["l1_share"]] if gpu else [], single=True)
        self.half_of = []  # each matrix'
        self.name, self.named_gpu, self.dtype = time.source, time.gpu, time.dtype
        self.rows_used = 0
        self.left_out = Counter()  # rows of the tables, by the reason

    @property
    def arch(self):
        return self.gpu["arch"] if self.gpu else ""

    @property
    def has_halves(self):
        return bool(self.gpu["fit"])

    def of_half(self, half):
        """Of each design, whether its matrix is of that half."""
        return np.array([self.half_of[design.matrix] == half for design in self.designs])

    def why_impossible(self, time, works):
        """Why a time cannot be one of this kernel, of these counts, on this GPU."""
        table = self.gpu["table"]
        least_bytes = time.nnz * ({"f32": 4, "f64": 8}[time.dtype] + 4)
        least_us = max(least_bytes / table["l2_gb_per_s"],
                       (least_bytes - table["l2_bytes"]) / table["dram_gb_per_s"]) / 1e3
        if time.time_us < least_us:
            return "its time is less than the peak bandwidth of its GPU permits"
        kept = self.facts.ask("keep", works=works[:1])["kept"]
        modelled_us = self.facts.ask("times", kept=kept, gpu=self.gpu["name"], single=True,
                                     constants=self.assumed)["times_us"][0]
        if (time.time_us * UNIT_FACTOR < modelled_us or
                time.time_us > UNIT_FACTOR * (modelled_us + HIDDEN_US)):
            return f"its time is in another unit: over {UNIT_FACTOR} times off the model"
        return None


def half_of(name):
    """Half of the matrices, by a hash of the name."""
    return HALVES[hashlib.sha256(name.encode()).digest()[0] % 2]


# --- counts

def sources_of(times, facts, about):
    """All sources, and the rows that have a model and a design: by matrix, (source, time) pairs."""
    sources, matrices = {}, {}
    for time in times:
        key = time.source, time.gpu, time.dtype
        source = sources[key] = sources.get(key) or Source(time, facts, about)
        why = why_left_out(time.source, time.gpu) or (
            "its GPU has no model" if not source.gpu else time.fault)
        if why:
            source.left_out[why] += 1
        elif not has_design(time.source, time.format, source.arch):
            source.left_out[f"its format {time.format} is no design"] += 1
        else:
            key = time.nnz, time.matrix, time.rows, time.cols
            matrices.setdefault(key, []).append((source, time))
    return list(sources.values()), [matrices[key] for key in sorted(matrices)]


def ask_matrix(time, options, facts):
    """The matrix' facts, or why there are none."""
    if 0 < options.nnz_max < time.nnz:
        return None, f"has more than {options.nnz_max:.0f} non-zeros"
    if time.matrix.startswith(TWIN):
        answer = facts.ask("matrix", twin=time.matrix[len(TWIN):], rows=time.rows, cols=time.cols,
                           nnz=time.nnz)
        return answer, answer.get("refused")
    for end in (".mtx", ".mtx.gz"):
        file = os.path.join(options.folder, time.matrix) + end
        if os.path.exists(file):
            answer = facts.ask("matrix", path=file, dtype=time.dtype)
            same = all(answer[key] == getattr(time, key) for key in ("rows", "cols", "nnz"))
            return answer, None if same else "has another size than the file"
    return None, "is no file of the folder"


def add_matrix(rows, options, facts):
    """Counts the designs of one matrix. Formats that are one design count once, with the geometric
    mean of their times."""
    first = rows[0][1]
    answer, why = ask_matrix(first, options, facts)
    same = {}  # (source, design) -> times
    for source, time in rows:
        nearest = None if why else nearest_design(
            time.source, time.format, RowLengths(answer["rows"], answer["longest_row"],
                                                 answer["nnz"], answer["third_row"]), source.arch)
        if nearest:
            same.setdefault((source, nearest), []).append(time)
        else:
            source.left_out[f"its matrix {why}" if why else
                            f"its format {time.format} is no design on this matrix"] += 1
    name = f"{first.matrix} {first.nnz}"  # rows of like names and other sizes are other matrices
    for (source, nearest), times in same.items():
        counts = source.counted(nearest.design, source.dtype, "warm", **nearest.kernel._asdict())
        if "refused" in counts:
            source.left_out[f"its design: {counts['refused']}"] += len(times)
            continue
        faults = [source.why_impossible(time, counts["works"]) for time in times]
        source.left_out.update(fault for fault in faults if fault)
        times = [time for time, fault in zip(times, faults) if not fault]
        if not times:
            continue
        if source.matrices[-1:] != [name]:
            source.matrices.append(name)
            source.half_of.append(half_of(first.matrix))
        source.designs.append(ComparedDesign(
            len(source.matrices) - 1, "+".join(time.format for time in times),
            agreement.geometric_mean([time.time_us for time in times]), counts["works"],
            call=nearest.call))
        source.rows_used += len(times)


def counted(options, facts, about):
    """Every source, also one that nothing is left of."""
    times = [time for file in options.public for time in public_times.read(file)]
    if not os.path.isdir(options.folder):
        raise Refused(f"--matrices: {options.folder} is no folder")
    sources, matrices = sources_of(times, facts, about)
    line = ProgressLine(options.quiet)
    for place, rows in enumerate(matrices, 1):
        line.update(f"counting {rows[0][1].matrix}, {place} of {len(matrices)}")
        add_matrix(rows, options, facts)
    line.clear()
    return sources


# --- figures

class Figures(NamedTuple):
    """The figures of the modelled times of one source."""
    pairs_right: Optional[float]  # the share of the pairs that is in the right order
    error_factor: float  # exp of the standard deviation of log(modelled / measured)
    pick_cost: Optional[float]  # geometric mean of pick_ratio over matrices with several designs
    ratio: float  # modelled / measured, median
    spearman: Optional[float]  # mean over matrices
    host_us: float  # the overhead of the source's own calls
    pairs: int  # of designs of a matrix with measured times over 20 % apart
    designs: int  # pairs of a design and a matrix
    matrices: int  # that have one


def fitted_host_us(measured_us, times_us):
    """Scanned, then narrowed; no more than the least measured time."""
    def squares(host_us):
        return (np.log((times_us + host_us[:, None]) / measured_us) ** 2).sum(axis=1)

    most, steps = measured_us.min(), 32
    best, width, least = 0.0, most, squares(np.zeros(1))[0]
    for _ in range(4):
        hosts = np.linspace(max(0.0, best - width), min(most, best + width), steps + 1)
        found = squares(hosts)
        if found.min() < least:
            best, least = float(hosts[found.argmin()]), found.min()
        width /= steps / 2
    return best


def fitted_hosts_us(comparison, times_us, chosen=None):
    """The overhead of each call, fitted to the chosen designs: those of the source's own and, where
    the chosen ones have it not, of another library's call are those of all."""
    calls = np.array([design.call for design in comparison.designs])
    measured_us, hosts = comparison.measured_us(), {}
    for call in sorted(set(calls)):
        own = calls == call
        if chosen is not None and (own & chosen).any():
            own &= chosen
        hosts[call] = fitted_host_us(measured_us[own], times_us[own])
    return hosts


def with_hosts(comparison, times_us, hosts):
    return times_us + np.array([hosts[design.call] for design in comparison.designs])


def figures(comparison, times_us, hosts=None, chosen=None):
    """Of the chosen designs, with these overheads or those that fit all designs."""
    hosts = hosts or fitted_hosts_us(comparison, times_us)
    times_us, measured_us = with_hosts(comparison, times_us, hosts), comparison.measured_us()
    chosen = np.full(len(times_us), True) if chosen is None else chosen
    logs = np.log(times_us / measured_us)[chosen]
    of = [[i for i in comparison.of(matrix) if chosen[i]]
          for matrix in range(len(comparison.matrices))]
    pairs = [(own[slower], own[faster]) for own in of
             for slower, faster in agreement.pairs(measured_us[own], agreement.TOLD_APART)]
    right = [times_us[slower] > times_us[faster] for slower, faster in pairs]
    rows = [agreement.of_matrix(times_us[own], measured_us[own]) for own in of if own]
    several = [row for row in rows if row["designs"] > 1]
    return Figures(agreement.mean(right), float(np.exp(logs.std())),
                   agreement.geometric_mean([row["pick_ratio"] for row in several]),
                   float(np.exp(np.sort(logs)[len(logs) // 2])),
                   agreement.mean([row["spearman"] for row in several]), hosts.get("", 0.0),
                   len(pairs), len(logs), len(rows))


class Verdict(NamedTuple):
    """How one set of constants does on a source."""
    source: Source
    fitted_on: Optional[list]  # None: the constants as shipped
    constants: dict
    times_us: np.ndarray
    hosts_us: dict  # the overhead of each call
    figures: Figures
    half: str = ""  # that the figures are of; empty: both

    @property
    def values(self):
        return "fitted" if self.fitted_on else "shipped"


def fit_to(comparisons, assumed, chosen=None):
    """The constants with the least squares over the chosen designs of all, each with its own
    overheads."""
    def errors_of(constants):
        logs = []
        for comparison in comparisons:
            times = comparison.times_us(constants)
            hosts = fitted_hosts_us(comparison, times, chosen)
            errors = np.log(with_hosts(comparison, times, hosts) / comparison.measured_us())
            logs.append(errors if chosen is None else errors[chosen])
        return np.concatenate(logs)

    return fitting.fit_to(errors_of, assumed)[0]


def judged(sources):
    """Every source that has designs by the shipped constants and, where there are several of GPUs
    of its maker, by those fitted on the others. A source with halves is also judged on each, by the
    shipped constants and by those fitted on the first."""
    with_designs = [source for source in sources if source.designs]
    verdicts = []

    def judge(source, constants, fitted_on, halves=("",)):
        times = source.times_us(constants)
        first = source.of_half(HALVES[0]) if halves != ("",) else None
        hosts = fitted_hosts_us(source, times, first)
        for half in halves:
            chosen = source.of_half(half) if half else None
            if chosen is None or chosen.any():
                verdicts.append(Verdict(source, fitted_on, constants, times, hosts,
                                        figures(source, times, hosts, chosen), half))

    for source in with_designs:
        judge(source, source.assumed, None)
        first = source.of_half(HALVES[0])
        if source.has_halves:
            judge(source, source.assumed, None, HALVES)
        if source.has_halves and first.any():
            judge(source, fit_to([source], source.assumed, first),
                  [f"{source.name} {source.named_gpu}, first half"], HALVES)
        others = [other for other in with_designs
                  if other is not source and other.arch[:2] == source.arch[:2]]
        if others:
            judge(source, fit_to(others, source.assumed),
                  [f"{other.name} {other.named_gpu}" for other in others])
    return verdicts


# --- report

def number(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def text(sources, verdicts, version):
    lines = [f"modelled by {version}\n"]
    for source in sources:
        lines.append(printable(f"{source.name}, {source.named_gpu} in {source.dtype}: "
                               f"{source.rows_used} rows used, {source.left_out.total()} left out"))
        lines += [printable(f"  {count} {why}") for why, count in sorted(source.left_out.items())]
        lines.append("")
    lines.append(f"{'source':<44} {'model':<9} {'values':<8} {'half':<6} {'matrices':>8} "
                 f"{'pairs':>6} "
                 f"{'right':>6} {'error':>6} {'pick':>6} {'modelled':>8} {'host':>6}")
    for verdict in verdicts:
        source, of = verdict.source, verdict.figures
        lines.append(f"{printable(source.name):<44} {source.gpu['name']:<9} {verdict.values:<8} "
                     f"{verdict.half:<6} {of.matrices:>8} {of.pairs:>6} {number(of.pairs_right, 3):>6} "
                     f"{of.error_factor:>6.2f} {number(of.pick_cost, 3):>6} {of.ratio:>8.2f} "
                     f"{of.host_us:>6.1f}")
    return "\n".join(lines) + "\n" + ABOUT_COLUMNS


def verdict_json(verdict):
    source = verdict.source
    times = [{"matrix": source.matrices[design.matrix], "formats": design.name,
              "measured_us": design.measured_us, "modelled_us": float(time_us),
              "host_us": verdict.hosts_us[design.call]}
             for design, time_us in zip(source.designs, verdict.times_us)
             if verdict.half in ("", source.half_of[design.matrix])]
    return {"source": source.name, "gpu": source.named_gpu, "model": source.gpu["name"],
            "fit": source.gpu["fit"], "dtype": source.dtype, "constants": verdict.values,
            "fitted_on": verdict.fitted_on, "half": verdict.half,
            **verdict.figures._asdict(), "rows_used": source.rows_used,
            "rows_left_out": source.left_out.total(),
            "values": {range_.name: verdict.constants[range_.name] for range_ in fitting.RANGES},
            "times": times}


def as_json(sources, verdicts, version):
    return {"schema": SCHEMA, "kind": "modelled", "version": version,
            "sources": [verdict_json(verdict) for verdict in verdicts],
            "left_out": [{"source": source.name, "gpu": source.named_gpu, "why": why, "rows": count}
                         for source in sources for why, count in sorted(source.left_out.items())]}
