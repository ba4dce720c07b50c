"""agreement: how well modelled times agree with measured ones, matrix by matrix and over all.

Example, modelled times 1 2 2 4 and measured times 1 3 2 3: the ranks are 1 2.5 2.5 4 and
1 3.5 2 3.5. Spearman's coefficient is the correlation of these, 3.75 / 4.5 = 0.83; of Kendall's
pairs 4 agree, none disagrees, and each side ties one of 6: 4 / sqrt(5 * 5) = 0.8.
"""

from itertools import permutations

import numpy as np
from scipy import stats

TOLD_APART = 1.2  # least factor between measured times that counts as a difference


def correlations(modelled_us, measured_us):
    """Spearman's coefficient and Kendall's tau-b; None where one side is all equal."""
    if len(set(modelled_us)) < 2 or len(set(measured_us)) < 2:
        return None, None
    return (float(stats.spearmanr(modelled_us, measured_us)[0]),
            float(stats.kendalltau(modelled_us, measured_us)[0]))


def pairs(times_us, apart=1):
    """(slower, faster) of every pair whose times differ by more than such a factor."""
    return [(i, k) for i, k in permutations(range(len(times_us)), 2)
            if times_us[i] > apart * times_us[k]]


def misrankings(modelled_us, measured_us):
    """(factor, modelled first, measured first) of every pair in the wrong order, the worst first.

    The factor is how much the model prefers the wrong one, times how much slower that one is."""
    found = [(modelled_us[k] / modelled_us[i] * (measured_us[i] / measured_us[k]), i, k)
             for i, k in pairs(measured_us) if modelled_us[i] < modelled_us[k]]
    return sorted(found, key=lambda pair: -pair[0])


def of_matrix(modelled_us, measured_us):
    """The figures of one matrix. `pick_ratio`: measured time of the design that is modelled
    fastest, over the least measured time, which is the cost of trusting the model."""
    modelled_us, measured_us = np.asarray(modelled_us), np.asarray(measured_us)
    count = len(measured_us)
    spearman, kendall = correlations(modelled_us, measured_us)
    return {"designs": count, "spearman": spearman, "kendall": kendall,
            "error_factor": float(np.exp(np.abs(np.log(modelled_us / measured_us)).mean())),
            "pick_ratio": float(measured_us[np.argmin(modelled_us)] / measured_us.min()),
            "pairs": count * (count - 1) // 2,
            "misranked": len(misrankings(modelled_us, measured_us))}


def mean(values):
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def geometric_mean(values):
    log = mean([None if value is None else np.log(value) for value in values])
    return None if log is None else float(np.exp(log))


def overall(rows):
    """Means over matrices, errors over designs."""
    def column(name):
        return [row[name] for row in rows]

    designs = np.array(column("designs"))
    errors = (np.log(column("error_factor")) * designs).sum() / designs.sum()
    return {"designs": int(designs.sum()), "spearman": mean(column("spearman")),
            "kendall": mean(column("kendall")), "error_factor": float(np.exp(errors)),
            "pick_ratio": geometric_mean(column("pick_ratio")), "pairs": sum(column("pairs")),
            "misranked": sum(column("misranked"))}
