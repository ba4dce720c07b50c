"""comparison: measured designs beside their modelled times, and the constants that fit them.

`modelled` has the times of all designs by the constants as assumed, as fitted to all matrices, and,
matrix by matrix, as fitted to the other ones alone; the last is missing where there is one matrix.
"""

from typing import NamedTuple

import numpy as np

import agreement
import gpu_model

BOUND_CLOSE = 1.001  # a factor, or a thousandth of a range from 0
NAMES = {"assumed": "as assumed", "fitted": "fitted to all", "held_out": "held out"}


class ComparedDesign(NamedTuple):
    """A design on a matrix, with its time on a GPU and its counts by the emulator."""
    matrix: int  # its index in Comparison.matrices
    name: str
    measured_us: float
    works: list  # a list a share of L1, of the launches' work
    line: str = ""


class Comparison:
    """The times that are compared."""

    def __init__(self, gpu, assumed, l1_shares):
        self.gpu, self.assumed = gpu, assumed
        self.table = gpu["table"]
        self.l1_shares = l1_shares  # the assumed one is among them
        self.matrices = []
        self.same = {}  # matrix -> another one of the same pattern, that is held out with it
        self.designs = []

    def of(self, matrix):
        """The indices of a matrix' designs."""
        return [i for i, design in enumerate(self.designs) if design.matrix == matrix]

    def measured_us(self, chosen=None):
        return np.array([self.designs[i].measured_us for i in self._chosen(chosen)])

    def counts(self, chosen=None):
        """The counts of the chosen designs, by share of L1."""
        return {share: gpu_model.Counts([self.designs[i].works[place]
                                         for i in self._chosen(chosen)])
                for place, share in enumerate(self.l1_shares)}

    def _chosen(self, chosen):
        return range(len(self.designs)) if chosen is None else chosen

    def times_us(self, constants, chosen=None):
        counts = self.counts(chosen)[constants["l1_share"]]
        return gpu_model.times_us(counts, self.table, constants)

    def fitted(self, chosen=None):
        """The constants with the least squares over the chosen designs."""
        return gpu_model.fit(self.counts(chosen), self.measured_us(chosen), self.table,
                             self.assumed)

    def held_out_us(self):
        """The time of each design by constants that were fitted to the other matrices alone."""
        times = np.zeros(len(self.designs))
        patterns = [self.same.get(design.matrix, design.matrix) for design in self.designs]
        for pattern in set(patterns):
            own = [i for i, other in enumerate(patterns) if other == pattern]
            others = [i for i, other in enumerate(patterns) if other != pattern]
            times[own] = self.times_us(self.fitted(others), own)
        return times

    @property
    def can_hold_out(self):
        return len({self.same.get(design.matrix, design.matrix) for design in self.designs}) > 1

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
    assumed, counts = comparison.assumed, comparison.counts()

    def row(name, about, range_, at_bound):
        moved = gpu_model.times_moved(counts, comparison.table, fitted, range_)
        return ConstantRow(name, about, assumed[name], fitted[name], moved, at_bound)

    rows = [row(range_.name, range_.about, range_,
                bool(abs(range_.place(fitted[range_.name]) - range_.place(assumed[range_.name])) >
                     1e-4 and is_at_bound(range_, fitted[range_.name])))
            for range_ in gpu_model.RANGES]
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
