"""fitting: the constants of runtime/emulated/model_constants.h that may be fitted to measured times,
and the fit by SciPy. Times come from the program kernel_facts, which has the formula."""

from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares, minimize


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
    Range("atomic_line_ns", 0.1, 200, True, "between two on one line"),
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
