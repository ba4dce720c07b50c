"""gpu_model: the time of a kernel from the counts of its launches, and the constants that fit.

The formula is that of runtime/emulated/modelled_time.cpp, over all launches at once. compare_model
writes the counts, the GPU's row of the table and the constants; `times_us` gives the same times
from them as the program does, which `Counts.differs` holds it to.

Example: a launch with 47 MB of scattered sectors on a GPU that takes 1.26 us for a launch and gives
4700 GB/s takes 1.26 + 10 us, somewhat more where another limit is near those 10.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares, minimize

SECTOR_BYTES = 32
ISSUE_A_CYCLE = 4
# The blocks of the kernel that measures the launch floor.
FLOOR_BLOCKS = 17


class Range(NamedTuple):
    """A constant that may be fitted."""
    name: str
    least: float
    most: float
    by_factors: bool  # equal steps are equal factors
    about: str

    def place(self, value):
        """Where in the range a value lies, in [0, 1]."""
        if self.by_factors:
            return np.log(value / self.least) / np.log(self.most / self.least)
        return (value - self.least) / (self.most - self.least)

    def value(self, place):
        if self.by_factors:
            return float(self.least * (self.most / self.least) ** place)
        return float(self.least + place * (self.most - self.least))


RANGES = [
    Range("launch_scale", 0.25, 4, True, "of the table's launch floor"),
    Range("dram_efficiency", 0.25, 1, True, "of the peak bandwidth"),
    Range("l2_efficiency", 0.2, 3, True, "of the table's L2 bandwidth"),
    Range("instructions_scale", 0.1, 10, True, "of the table's instructions a basic block"),
    Range("atomic_pass_ns", 0.002, 0.5, True, "of a pass of atomics"),
    Range("atomic_line_ns", 0.1, 20, True, "between two on one line"),
    Range("longest_scale", 0.05, 4, True, "of the longest warp's waits"),
    Range("queued_scale", 0.05, 4, True, "of the waits of all warps"),
    Range("tail", 0, 1, False, "of the busiest multiprocessor's surplus"),
]
# Moving one constant through its whole range costs as much as 1 % of error in every time, so that
# a constant of which no time speaks stays as assumed.
PULL = 0.01
SCAN_PLACES = 13  # of a range
ROUNDS_MAX = 6
GAIN_LEAST = 1e-4  # of the cost
AT_END = 1e-4  # of a range: such a place is its end
NUDGE = 0.1  # of a range
MOVED_FACTOR = 1.01

SINGLE = [
    "dram_sectors", "l2_whole", "l2_scattered", "lsu_cycles", "basic_blocks", "atomic_passes",
    "atomic_hottest", "longest_basic_blocks", "longest_begins", "each_basic_blocks", "turns",
    "blocks", "busy", "imbalance",
]
WAITS = ["longest", "each"]
LEVELS = ["l1", "l2", "dram"]


class Counts:
    """The launches of designs, side by side: one array a count."""

    def __init__(self, designs):
        """`designs[i]` is the list of design i's launches, as compare_model writes them."""
        launches = [launch for design in designs for launch in design]
        self.design = np.repeat(np.arange(len(designs)), [len(design) for design in designs])
        self.designs = len(designs)
        for name in SINGLE:
            setattr(self, name, np.array([float(launch[name]) for launch in launches]))
        for name in WAITS:
            for level in LEVELS:
                values = [float(launch[name][level]) for launch in launches]
                setattr(self, f"{name}_{level}", np.array(values))

    def waits_ns(self, name, table):
        return sum(getattr(self, f"{name}_{level}") * table[f"{level}_ns"] for level in LEVELS)


def limits_us(counts, table, constants):
    """The time of each launch under each limit alone, its floor aside: an array [limits,
    launches]."""
    cycles_a_us = table["clock_ghz"] * 1e3 * counts.busy
    l2_scale = 1e3 * constants["l2_efficiency"]
    busiest = 1 + constants["tail"] * (counts.imbalance - 1)
    instructions = table["instructions_a_block"] * constants["instructions_scale"]
    block_ns = instructions * constants["instruction_cycles"] / table["clock_ghz"]
    dram = counts.dram_sectors * SECTOR_BYTES
    whole, scattered = counts.l2_whole * SECTOR_BYTES, counts.l2_scattered * SECTOR_BYTES
    issued = counts.basic_blocks * instructions / (ISSUE_A_CYCLE * constants["issue_efficiency"])
    atomics_ns = (counts.atomic_passes * constants["atomic_pass_ns"] +
                  counts.atomic_hottest * constants["atomic_line_ns"])

    def launched_ns(blocks):
        return np.maximum(0, blocks - FLOOR_BLOCKS) * table["block_ns"]

    def taken_ns(name):
        return (counts.waits_ns(name, table) +
                getattr(counts, f"{name}_basic_blocks") * block_ns)

    longest_ns = (taken_ns("longest") * constants["longest_scale"] +
                  launched_ns(counts.longest_begins))
    each_ns = taken_ns("each") * constants["queued_scale"]
    queue_ns = np.maximum(each_ns * counts.turns * busiest, each_ns + launched_ns(counts.blocks))
    return np.array([
        dram / (table["dram_gb_per_s"] * 1e3 * constants["dram_efficiency"]),
        whole / (table["l2_gb_per_s"] * l2_scale) +
        scattered / (table["l2_scattered_gb_per_s"] * l2_scale),
        counts.lsu_cycles / cycles_a_us * busiest,
        issued / cycles_a_us * busiest,
        atomics_ns * 1e-3,
        longest_ns * 1e-3,
        queue_ns * 1e-3,
    ])


def times_us(counts, table, constants):
    """The time of each design: its launches one after the other."""
    limits = limits_us(counts, table, constants)
    order = constants["limits_order"]
    longest = limits.max(axis=0)
    scaled = limits / np.where(longest > 0, longest, 1)
    launches = (table["launch_us"] * constants["launch_scale"] +
                longest * (scaled ** order).sum(axis=0) ** (1 / order))
    return np.bincount(counts.design, launches, counts.designs)


def fit_to(errors_of, assumed):
    """The constants with the least squares of errors_of(constants), and their cost.

    They begin from the assumed ones and from others far away, then from wherever moving one of them
    does best: the longest of several limits has valleys of its own. `errors_of` gives logarithms of
    modelled / measured."""
    start = np.array([range_.place(assumed[range_.name]) for range_ in RANGES])

    def constants_at(places):
        changed = {range_.name: range_.value(place) for range_, place in zip(RANGES, places)}
        return {**assumed, **changed}

    def residuals(places):
        errors = errors_of(constants_at(places))
        return np.concatenate([errors / np.sqrt(len(errors)), PULL * (places - start)])

    def cost_at(places):
        return (residuals(places) ** 2).sum() / 2

    def descended(begin):
        begin = np.clip(begin, 0.01, 0.99)
        found = least_squares(residuals, begin, bounds=(0, 1), diff_step=1e-4)
        return found.cost, found.x

    def swept(begin):  # past kinks, where there is no slope to follow
        found = minimize(cost_at, begin, method="Powell", bounds=[(0, 1)] * len(start))
        return float(found.fun), found.x

    def least(*found):
        return min(found, key=lambda one: one[0])

    best = least(*(descended(start + shift) for shift in (0, -0.2, 0.2)))
    for _ in range(ROUNDS_MAX):
        moved = [np.concatenate([best[1][:i], [place], best[1][i + 1:]])
                 for i in range(len(start)) for place in np.linspace(0, 1, SCAN_PLACES)]
        found = descended(min(moved, key=cost_at))
        found = least(found, swept(found[1]))
        before, best = best, least(best, found)
        if best[0] > (1 - GAIN_LEAST) * before[0]:
            break
    cost, places = best
    places = np.where(np.abs(places - np.round(places)) < AT_END, np.round(places), places)
    return constants_at(places), cost


def fit(counts_by_share, measured_us, table, assumed):
    """The constants that fit best, among them the share of L1: one of those counted with."""
    logs = np.log(measured_us)
    best = None
    for share, counts in counts_by_share.items():
        constants, cost = fit_to(
            lambda constants: np.log(times_us(counts, table, constants)) - logs, assumed)
        cost += (PULL * (share - assumed["l1_share"])) ** 2 / 2
        if best is None or cost < best[1]:
            best = ({**constants, "l1_share": share}, cost)
    return best[0]


def times_moved(counts_by_share, table, constants, range_=None):
    """How many times change by more than 1 % where one constant alone moves by a tenth of its
    range, or the share of L1 to any that was counted with: whether the data speak of it at all."""
    def times(changed):
        return times_us(counts_by_share[changed["l1_share"]], table, changed)

    if range_ is None:
        others = [{**constants, "l1_share": share} for share in counts_by_share]
    else:
        place = range_.place(constants[range_.name])
        others = [{**constants, range_.name: range_.value(min(max(place + step, 0), 1))}
                  for step in (-NUDGE, NUDGE)]
    logs = [np.abs(np.log(times(other) / times(constants))) for other in others]
    return int((np.max(logs, axis=0) > np.log(MOVED_FACTOR)).sum())
