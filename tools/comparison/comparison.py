"""comparison: measured designs beside their modelled times, and the constants that fit them.

`modelled` has the times of all designs by the constants as assumed, as fitted to all matrices, and,
matrix by matrix, as fitted to the other ones alone; the last is missing where there is one matrix.
"""

from typing import NamedTuple

import numpy as np

import agreement
import fitting

BOUND_CLOSE = 1.001  # a factor, or a thousandth of a range from 0
NUDGE = 0.1  # of a range
MOVED_FACTOR = 1.01
NAMES = {"assumed": "as assumed", "fitted": "fitted to all", "held_out": "held out"}


class ComparedDesign(NamedTuple):
    """A design on a matrix, with its time on a GPU and its counts by the emulator."""
    matrix: int  # its index in Comparison.matrices
    name: str
    measured_us: float
    works: list  # a list a share of L1, of the launches' work: kernel_facts makes and reads it
    line: str = ""
    call: str = ""  # of a library with an overhead of its own


class Comparison:
    """The times that are compared. Designs are added first, and asked for their times then."""

    def __init__(self, facts, gpu, l1_shares, single=False):
        """`single`: of kernels that were launched one by one."""
        self.facts, self.gpu, self.single = facts, gpu, single
        self.assumed = gpu["constants"] if gpu else {}
        self.l1_shares = l1_shares  # the assumed one is among them
        self.matrices = []
        self.same = {}  # matrix -> another one of the same pattern, that is held out with it
        self.designs = []
        self._kept = {}  # share of L1 -> the designs' works in the program

    def counted(self, design, dtype, cache, **details):
        """The program's counts of a design on the matrix that it has read last."""
        return self.facts.ask("count", design=design, dtype=dtype, cache=cache,
                              gpu=self.gpu["name"], l1_shares=self.l1_shares, **details)

    def of(self, matrix):
        """The indices of a matrix' designs."""
        return [i for i, design in enumerate(self.designs) if design.matrix == matrix]

    def measured_us(self):
        return np.array([design.measured_us for design in self.designs])

    def times_us(self, constants):
        share = constants["l1_share"]
        if share not in self._kept:
            works = [design.works[self.l1_shares.index(share)] for design in self.designs]
            self._kept[share] = self.facts.ask("keep", works=works)["kept"]
        return np.array(self.facts.ask("times", kept=self._kept[share], gpu=self.gpu["name"],
                                       single=self.single, constants=constants)["times_us"])

    def fitted(self, chosen=slice(None)):
        """The constants with the least squares over the chosen designs. The share of L1 is one of
        those counted with."""
        logs = np.log(self.measured_us())
        found = []
        for share in self.l1_shares:
            constants, cost = fitting.fit_to(
                lambda constants: (np.log(self.times_us(constants)) - logs)[chosen],
                {**self.assumed, "l1_share": share})
            cost += (fitting.PULL * (share - self.assumed["l1_share"])) ** 2 / 2
            found.append((cost, share, constants))
        return min(found, key=lambda one: one[0])[2]

    def times_moved(self, constants, range_=None):
        """How many times change by more than 1 % where one constant alone moves by a tenth of its
        range, or the share of L1 to any that was counted with: whether the data speak of it at
        all."""
        if range_ is None:
            others = [{**constants, "l1_share": share} for share in self.l1_shares]
        else:
            place = range_.place(constants[range_.name])
            others = [{**constants, range_.name: range_.value(min(max(place + step, 0), 1))}
                      for step in (-NUDGE, NUDGE)]
        times_us = self.times_us(constants)
        logs = [np.abs(np.log(self.times_us(other) / times_us)) for other in others]
        return int((np.max(logs, axis=0) > np.log(MOVED_FACTOR)).sum())

    def _patterns(self):
        """The matrices of designs; one of a pattern stands for all."""
        return np.array([self.same.get(design.matrix, design.matrix) for design in self.designs])

    def held_out_us(self):
        """The time of each design by constants that were fitted to the other matrices alone."""
        times, patterns = np.zeros(len(self.designs)), self._patterns()
        for pattern in set(patterns):
            own = patterns == pattern
            times[own] = self.times_us(self.fitted(~own))[own]
        return times

    @property
    def can_hold_out(self):
        return len(set(self._patterns())) > 1

    def rows(self, times_us):
        """The agreement of each matrix that has designs; None for others."""
        measured_us = self.measured_us()
        groups = [self.of(matrix) for matrix in range(len(self.matrices))]
        return [agreement.of_matrix(times_us[own], measured_us[own]) if own else None
                for own in groups]

    def overall(self, times_us):
        return agreement.overall([row for row in self.rows(times_us) if row])

    def misrankings(self, times_us, most):
        """(factor, modelled first, measured first) over all matrices, the worst first."""
        measured_us, found = self.measured_us(), []
        for matrix in range(len(self.matrices)):
            own = self.of(matrix)
            found += [(factor, own[a], own[b]) for factor, a, b in
                      agreement.misrankings(times_us[own], measured_us[own])]
        return sorted(found, key=lambda pair: -pair[0])[:most]


class ConstantRow(NamedTuple):
    """A constant, as assumed and as fitted."""
    name: str
    about: str
    assumed: float
    fitted: float
    times_moved: int  # of all times: none where the data do not speak of it
    at_bound: bool  # of the possible values: the data ask for more


class Result(NamedTuple):
    modelled: dict  # assumed, fitted, held_out -> times
    fitted: dict  # constants
    constants: list

    @property
    def is_held_out(self):
        return "held_out" in self.modelled


def is_at_bound(range_, value):
    if range_.by_factors:
        return value < range_.least * BOUND_CLOSE or value * BOUND_CLOSE > range_.most
    margin = (BOUND_CLOSE - 1) * (range_.most - range_.least)
    return value < range_.least + margin or value > range_.most - margin


def constant_rows(comparison, fitted):
    assumed = comparison.assumed

    def row(name, about, range_, at_bound):
        return ConstantRow(name, about, assumed[name], fitted[name],
                           comparison.times_moved(fitted, range_), at_bound)

    rows = [row(range_.name, range_.about, range_,
                bool(abs(range_.place(fitted[range_.name]) - range_.place(assumed[range_.name])) >
                     1e-4 and is_at_bound(range_, fitted[range_.name])))
            for range_ in fitting.RANGES]
    least, most = min(comparison.l1_shares), max(comparison.l1_shares)
    rows.append(row("l1_share", "of L1 and shared memory, works as L1", None,
                    least < most and fitted["l1_share"] == least))
    return rows


def compare(comparison):
    """Fits constants and measures errors; the comparison has designs."""
    fitted = comparison.fitted()
    modelled = {"assumed": comparison.times_us(comparison.assumed),
                "fitted": comparison.times_us(fitted)}
    if comparison.can_hold_out:
        modelled["held_out"] = comparison.held_out_us()
    return Result(modelled, fitted, constant_rows(comparison, fitted))


def fit_holds(assumed, held_out):
    """Whether constants that were fitted elsewhere do better than those assumed."""
    return (held_out["error_factor"] < assumed["error_factor"] and
            (held_out["kendall"] or 0) >= (assumed["kendall"] or 0))
