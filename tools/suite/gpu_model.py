"""gpu_model: the time of a kernel from the counts of its launches, and the constants that fit.

The formula is that of runtime/emulated/modelled_time.cpp, over all launches at once. compare_model
writes the counts, the GPU's row of the table and the constants; `times_us` gives the same times
from them as the program does, which `Counts.differs` holds it to.

Example: a launch with 47 MB of scattered sectors on a GPU that takes 1.26 us for a launch and gives
4700 GB/s takes 1.26 + 10 us, somewhat more where another limit is near those 10.
"""

import numpy as np
from scipy.optimize import least_squares

SECTOR_BYTES = 32
ISSUE_A_CYCLE = 4
# Of the kernel whose time is the launch floor.
FLOOR_BLOCKS = 17

# What may be fitted: name, least, most, whether equal steps are equal factors.
RANGES = [
    ("launch_scale", 0.25, 4, True),
    ("dram_efficiency", 0.25, 1, True),
    ("l2_efficiency", 0.2, 3, True),
    ("instructions_scale", 0.1, 10, True),
    ("atomic_pass_ns", 0.002, 0.5, True),
    ("atomic_line_ns", 0.1, 20, True),
    ("longest_scale", 0.05, 4, True),
    ("queued_scale", 0.05, 4, True),
    ("tail", 0, 1, False),
]
# Moving one constant through its whole range costs as much as 1 % of error in every time, so that
# a constant of which no time speaks stays as assumed.
PULL = 0.01

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
    """What each limit alone takes of each launch, its floor aside: an array [limits, launches]."""
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


def _place(value, least, most, by_factors):
    if by_factors:
        return np.log(value / least) / np.log(most / least)
    return (value - least) / (most - least)


def _value(place, least, most, by_factors):
    return float(least * (most / least) ** place if by_factors else least + place * (most - least))


def fit(counts, measured_us, table, assumed):
    """The constants with the least squares of log(modelled / measured), and their cost.

    They begin from the assumed ones and from others far away, for the longest of several limits
    has valleys of its own."""
    logs = np.log(measured_us)
    start = np.array([_place(assumed[name], *range_) for name, *range_ in RANGES])

    def constants_at(places):
        changed = {name: _value(place, *range_) for (name, *range_), place in zip(RANGES, places)}
        return {**assumed, **changed}

    def residuals(places):
        errors = np.log(times_us(counts, table, constants_at(places))) - logs
        return np.concatenate([errors / np.sqrt(len(logs)), PULL * (places - start)])

    best = None
    for shift in (0, -0.2, 0.2):
        begin = np.clip(start + shift, 0.01, 0.99)
        found = least_squares(residuals, begin, bounds=(0, 1), diff_step=1e-4)
        if best is None or found.cost < best.cost:
            best = found
    return constants_at(best.x), best.cost
