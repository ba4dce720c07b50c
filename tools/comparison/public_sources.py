"""public_sources: modelled times beside those that others have published, a source at a time.

Such times hold more than a kernel: a launch from the host, a timer, a synchronisation. One overhead
a source, the one with the least squared log((modelled + overhead) / measured), is fitted and added
to its modelled times. Their kernels are neighbours of the designs: differences under 20 % mean
nothing.
"""

import os
from collections import Counter
from typing import NamedTuple, Optional

import numpy as np

import agreement
import gpu_model
import public_times
from comparison import Comparison, ComparedDesign
from laboratory import ProgressLine, Refused
from public_designs import RowLengths, has_design, model_of_source, nearest_design

TOLD_APART = 1.2  # least factor between measured times that counts as a difference
TWIN = "twin:"
NO_WAITS = {"l1": 0, "l2": 0, "dram": 0}
NO_WORK = {**dict.fromkeys(gpu_model.SINGLE, 0), "turns": 1, "busy": 1, "imbalance": 1,
           "longest": NO_WAITS, "each": NO_WAITS}


class Source:
    """The times of one source, of one GPU and one type."""

    def __init__(self, time, about):
        self.source, self.gpu, self.dtype = time.source, time.gpu, time.dtype
        self.model = model_of_source(time.source, time.gpu, about["models"])
        self.comparison = None
        if self.model:  # sources launch one by one
            self.comparison = Comparison(self.model, about["constants"],
                                         [about["constants"]["l1_share"]])
            self.comparison.table = {**self.model["table"],
                                     "launch_us": self.model["launch_single_us"]}
        self.rows_used = 0
        self.left_out = Counter()  # rows of the tables, by the reason

    @property
    def has_designs(self):
        return self.comparison is not None and bool(self.comparison.designs)


# --- counts

def sources_of(times, about):
    """All sources, and the rows that have a model and a design: by matrix, (source, time) pairs."""
    sources, matrices = {}, {}
    for time in times:
        key = time.source, time.gpu, time.dtype
        source = sources.setdefault(key, None) or Source(time, about)
        sources[key] = source
        if not source.model:
            source.left_out["its GPU has no model"] += 1
        elif not has_design(time.source, time.format):
            source.left_out[f"its format {time.format} is no design"] += 1
        else:
            key = time.nnz, time.matrix, time.rows, time.cols
            matrices.setdefault(key, []).append((source, time))
    return list(sources.values()), sorted(matrices.items(), key=lambda item: item[0])


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
            same = (answer["rows"], answer["cols"], answer["nnz"]) == (time.rows, time.cols,
                                                                       time.nnz)
            return answer, None if same else "has another size than the file"
    return None, "is no file of the folder"


def as_launched(works, kernel):
    """The works of a public kernel that searches and launches more than ours."""
    changed = []
    for launches in works:
        first = {**launches[0]}
        for name in ("longest", "each"):
            first[name] = {**first[name], "l2": first[name]["l2"] + kernel.searches}
        missing = max(0, kernel.launches - len(launches))
        changed.append([first, *launches[1:], *[NO_WORK] * missing])
    return changed


def works_of(source, nearest, facts):
    kernel, comparison = nearest.kernel, source.comparison
    answer = facts.ask("count", design=nearest.design, dtype=source.dtype, cache="warm",
                       gpu=source.model["name"], l1_shares=comparison.l1_shares,
                       terms_in_flight=kernel.terms_in_flight, values_wait=kernel.values_wait)
    if "refused" in answer:
        return None, answer["refused"]
    return as_launched(answer["works"], kernel), None


def add_matrix(rows, options, facts):
    """Counts the designs of one matrix. Formats that are one design count once, with the geometric
    mean of their times."""
    first = rows[0][1]
    answer, why = ask_matrix(first, options, facts)
    if why:
        for source, _ in rows:
            source.left_out[f"its matrix {why}"] += 1
        return
    lengths = RowLengths(answer["rows"], answer["longest_row"], answer["nnz"])
    same = {}  # (source, design) -> times
    for source, time in rows:
        nearest = nearest_design(time.source, time.format, lengths)
        if nearest:
            same.setdefault((source, nearest), []).append(time)
        else:
            source.left_out[f"its format {time.format} is no design on this matrix"] += 1
    known = {}  # kernels are counted once for all sources that measured their design
    name = f"{first.matrix} {first.nnz}"  # rows of like names and other sizes are other matrices
    for (source, nearest), times in same.items():
        key = nearest, source.dtype, source.model["name"]
        works, refused = known.get(key) or known.setdefault(key, works_of(source, nearest, facts))
        if refused:
            source.left_out[f"its design: {refused}"] += len(times)
            continue
        comparison = source.comparison
        if not comparison.matrices or comparison.matrices[-1] != name:
            comparison.matrices.append(name)
        comparison.designs.append(ComparedDesign(
            len(comparison.matrices) - 1, "+".join(time.format for time in times),
            agreement.geometric_mean([time.time_us for time in times]), works))
        source.rows_used += len(times)


def counted(options, facts):
    """Every source, also one that nothing is left of, and the models that count."""
    times = [time for file in options.public for time in public_times.read(file)]
    if not os.path.isdir(options.folder):
        raise Refused(f"--matrices: {options.folder} is no folder")
    about = facts.ask("models")
    sources, matrices = sources_of(times, about)
    line = ProgressLine(options.quiet)
    for place, (key, rows) in enumerate(matrices):
        line.update(f"counting {key[1]}, {place + 1} of {len(matrices)}")
        add_matrix(rows, options, facts)
    line.clear()
    return sources, about


# --- figures

class Figures(NamedTuple):
    """The figures of the modelled times of one source."""
    host_us: float  # the overhead
    designs: int  # pairs of a design and a matrix
    matrices: int  # that have one
    pairs: int  # of designs of a matrix with measured times over 20 % apart
    pairs_right: Optional[float]  # the share of them that is in the right order
    ratio: float  # modelled / measured, median
    error_factor: float  # exp of the standard deviation of log(modelled / measured)
    pick_cost: Optional[float]  # geometric mean of pick_ratio over matrices with several designs
    spearman: Optional[float]  # mean over matrices


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


def figures(comparison, times_us):
    measured_us = comparison.measured_us()
    host_us = fitted_host_us(measured_us, times_us)
    logs = np.log((times_us + host_us) / measured_us)
    of = np.array([design.matrix for design in comparison.designs])
    apart = ((of[:, None] == of) & (measured_us[:, None] > TOLD_APART * measured_us))
    right = (apart & (times_us[:, None] > times_us)).sum()
    pairs = int(apart.sum())
    rows = [row for row in comparison.rows(times_us) if row]
    several = [row for row in rows if row["designs"] > 1]
    return Figures(host_us, len(times_us), len(rows), pairs,
                   float(right / pairs) if pairs else None,
                   float(np.exp(np.sort(logs)[len(logs) // 2])), float(np.exp(logs.std())),
                   agreement.geometric_mean([row["pick_ratio"] for row in several]),
                   agreement.mean([row["spearman"] for row in several]))


class Verdict(NamedTuple):
    """How one set of constants does on a source."""
    source: Source
    fitted_on: Optional[list]  # None: the constants as shipped
    constants: dict
    times_us: np.ndarray
    figures: Figures


def fit_to(comparisons, assumed):
    """The constants with the least squares over the designs of all, each with its own overhead."""
    counted_all = [(one, one.counts()[assumed["l1_share"]], one.measured_us())
                   for one in comparisons]

    def errors(constants):
        logs = []
        for comparison, counts, measured_us in counted_all:
            times = gpu_model.times_us(counts, comparison.table, constants)
            logs.append(np.log((times + fitted_host_us(measured_us, times)) / measured_us))
        return np.concatenate(logs)

    return gpu_model.fit_to(errors, assumed)[0]


def judged(sources, about):
    """Every source that has designs by the shipped constants and, where there are several, by those
    fitted on the others."""
    with_designs = [source for source in sources if source.has_designs]
    verdicts = []

    def judge(source, constants, fitted_on):
        times = source.comparison.times_us(constants)
        verdicts.append(Verdict(source, fitted_on, constants, times,
                                figures(source.comparison, times)))

    for source in with_designs:
        judge(source, about["constants"], None)
        others = [other for other in with_designs if other is not source]
        if others:
            fitted = fit_to([other.comparison for other in others], about["constants"])
            judge(source, fitted, [f"{other.source} {other.gpu}" for other in others])
    return verdicts
