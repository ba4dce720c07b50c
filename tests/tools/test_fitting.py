"""The fit of the model's constants: measured times that the model itself has made with other
constants give those constants back. And the figures of agreement, worked by hand."""

import math
import random

import numpy as np
import pytest

from laboratory_fixture import facts, model, models

import agreement
import fitting
from comparison import Comparison, ComparedDesign

SHARES = [0.25, 0.5, 1]
OTHER = {"launch_scale": 1.4, "dram_efficiency": 0.75, "l2_efficiency": 0.8,
         "instructions_scale": 1.8, "atomic_pass_ns": 0.05, "atomic_line_ns": 2.2,
         "longest_scale": 2.4, "queued_scale": 0.56, "tail": 0.5, "l1_share": 0.5}


def assumed():
    return model("h200")["constants"]


def others():
    return {**assumed(), **OTHER}


def empty_comparison(matrices):
    comparison = Comparison(facts(), model("h200"), SHARES)
    comparison.matrices = [f"made {matrix}" for matrix in range(matrices)]
    return comparison


def made_comparison(matrices):
    """Designs that each ask most of another part of the GPU, by the assumed constants, and others
    that ask about as much of two."""
    comparison = empty_comparison(matrices)
    chance = random.Random(7)
    table = comparison.gpu["table"]

    def between(low, high):
        return low * (high / low) ** chance.random()

    for matrix in range(matrices):
        for kind in range(14):
            us = between(10, 200)

            def asked(part):
                return us if kind % 7 == part else us * between(0.02, 0.8)

            on_one_line = kind % 2 == 0  # else all over L2
            work = {"busy": table["multiprocessors"], "imbalance": between(1, 4),
                    "dram_sectors": asked(0) * 4.8e6 / 32, "lsu_cycles": asked(2) * 261e3,
                    "basic_blocks": asked(3) * 157e3,
                    "atomic_hottest" if on_one_line else "atomic_passes":
                        asked(4) * 1e3 / (1.25 if on_one_line else 0.026),
                    "longest": {"l1": asked(5) * 1e3 / table["l1_ns"]},
                    "each": {"l1": asked(6) * 1e3 / table["l1_ns"]}}
            sectors, missed = asked(1) * 9.7e6 / 32, between(1, 2)
            works = [[{**work, "l2_whole": sectors * (1 + missed * (1 - share))}]
                     for share in SHARES]
            comparison.designs.append(ComparedDesign(matrix, f"design {kind}", 1, works))
    return comparison


def set_measured(comparison, times_us):
    comparison.designs = [design._replace(measured_us=time_us)
                          for design, time_us in zip(comparison.designs, times_us)]


def measure(comparison, truth):
    set_measured(comparison, comparison.times_us(truth))


def test_the_constants_that_made_the_times_are_found():
    comparison = made_comparison(6)
    truth = others()
    measure(comparison, truth)
    before = comparison.overall(comparison.times_us(assumed()))
    assert before["error_factor"] > 1.2
    assert before["spearman"] < 0.98
    assert before["misranked"] > 0
    fitted = comparison.fitted()
    for range_ in fitting.RANGES:
        assert fitted[range_.name] == pytest.approx(truth[range_.name], rel=0.03), range_.name
        assert comparison.times_moved(fitted, range_) > 0, range_.name
    assert fitted["l1_share"] == truth["l1_share"]
    assert comparison.times_moved(fitted) > 0
    after = comparison.overall(comparison.times_us(fitted))
    assert after["error_factor"] < 1.01
    assert after["spearman"] > 0.999
    assert after["kendall"] > 0.99
    assert after["pick_ratio"] < 1.01
    held_out = comparison.overall(comparison.held_out_us())
    assert held_out["error_factor"] < 1.02
    assert held_out["spearman"] > 0.99


def test_constants_that_no_time_depends_on_stay_as_assumed():
    comparison = made_comparison(2)
    for i, design in enumerate(comparison.designs):
        first = design.works[0][0]
        only = {"basic_blocks": first["basic_blocks"], "busy": first["busy"]}
        comparison.designs[i] = design._replace(works=[[only, only]] * len(SHARES))
    truth = {**assumed(), "instructions_scale": 3}
    measure(comparison, truth)
    fitted = comparison.fitted()
    for range_ in fitting.RANGES:
        wanted = truth[range_.name]
        assert fitted[range_.name] == pytest.approx(wanted, rel=0.02, abs=1e-9), range_.name
        spoken_of = range_.name in ("instructions_scale", "launch_scale")
        assert (comparison.times_moved(fitted, range_) > 0) == spoken_of, range_.name
    assert fitted["l1_share"] == assumed()["l1_share"]
    assert comparison.times_moved(fitted) == 0


def test_a_matrix_is_predicted_without_its_own_times():
    """Twice as slow on the first matrix as the constants of all others say: a fit without it is off
    by that factor there, and hardly anywhere else."""
    comparison = made_comparison(5)
    measure(comparison, assumed())
    set_measured(comparison, [design.measured_us * (2 if design.matrix == 0 else 1)
                              for design in comparison.designs])
    held_out = comparison.held_out_us()
    assert comparison.rows(held_out)[0]["error_factor"] == pytest.approx(2, abs=0.02)
    rest = [design.matrix != 0 for design in comparison.designs]
    assert comparison.fitted(rest)["dram_efficiency"] == pytest.approx(
        assumed()["dram_efficiency"], abs=0.01)
    to_all = comparison.overall(comparison.times_us(comparison.fitted()))
    assert to_all["error_factor"] < comparison.overall(held_out)["error_factor"], (
        "the matrices of the fit look better than those that it has not met")


def test_least_squares_are_found_in_askew_valleys_and_at_kinks():
    """Errors of the places of two constants."""
    first, second = fitting.RANGES[0], fitting.RANGES[-1]

    def found(errors):
        constants, _ = fitting.fit_to(
            lambda constants: np.array(errors(first.place(constants[first.name]),
                                              second.place(constants[second.name]))), assumed())
        return first.place(constants[first.name]), second.place(constants[second.name])

    assert found(lambda a, b: [10 * (a + b - 1.1), a - b - 0.3]) == pytest.approx((0.7, 0.4),
                                                                                  abs=2e-3)
    assert found(lambda a, b: [abs(a - 0.2) + 0.1, max(b - 0.9, 0.9 - b)]) == pytest.approx(
        (0.2, 0.9), abs=2e-3)
    assert found(lambda a, b: [2 + a, 0])[0] == 0, "the range ends there"
    places = first.place(assumed()[first.name]), second.place(assumed()[second.name])
    assert found(lambda a, b: [3, 3]) == pytest.approx(places), "nothing is gained by moving"


# --- agreement

def test_agreement_is_that_worked_by_hand():
    comparison = empty_comparison(0)
    comparison.matrices = ["a", "b", "without designs"]
    comparison.designs = [ComparedDesign(matrix, "", measured_us, [])
                          for matrix, measured_us in ((0, 6), (0, 4), (1, 5), (1, 10), (0, 3))]
    times = np.array([3.0, 4, 5, 20, 6])
    a, _, none = comparison.rows(times)
    assert none is None
    assert a == {"designs": 3, "spearman": pytest.approx(-1), "kendall": pytest.approx(-1),
                 "error_factor": pytest.approx((2 * 1 * 2) ** (1 / 3)),
                 "pick_ratio": 2,  # 6 us where 3 were to be had
                 "pairs": 3, "misranked": 3}
    assert comparison.overall(times) == {
        "designs": 5, "spearman": pytest.approx(0), "kendall": pytest.approx(0),
        "error_factor": pytest.approx((2 * 1 * 1 * 2 * 2) ** 0.2),
        "pick_ratio": pytest.approx(math.sqrt(2 * 1)), "pairs": 4, "misranked": 3}
    worst = comparison.misrankings(times, 2)
    assert worst[0] == (pytest.approx(4), 0, 4)
    assert [factor for factor, *_ in worst] == pytest.approx([4, 2])


@pytest.mark.parametrize("a, b, spearman, kendall", [
    ([1, 2], [5, 9], 1, 1), ([1, 2], [9, 5], -1, -1),
    ([1, 2, 3, 4, 5], [10, 100, 1e3, 1e4, 1e5], 1, 1),
    ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1], -1, -1),
    # squared differences of ranks 1 + 1 + 0 + 0 + 0: 1 - 6 * 2 / (5 * 24); 1 pair of 10 disagrees
    ([1, 2, 3, 4, 5], [2, 1, 3, 4, 5], 0.9, 0.8),
    # 1 + 1 + 1 + 1 + 0: 1 - 6 * 4 / (5 * 24); 2 of 10 disagree
    ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], 0.8, 0.6),
    # 4 + 1 + 1 + 4: 1 - 6 * 10 / (4 * 15); 3 agree, 3 disagree
    ([1, 2, 3, 4], [3, 1, 4, 2], 0, 0),
    # with ties, see agreement.py
    ([1, 2, 2, 4], [1, 3, 2, 3], 3.75 / 4.5, 0.8),
    # ranks 1.5 1.5 3.5 3.5 and 1 2 3 4: 4 / sqrt(4 * 5); 4 agree, 4 and 6 are no ties
    ([1, 1, 2, 2], [1, 2, 3, 4], 4 / math.sqrt(20), 4 / math.sqrt(24))])
def test_correlations_are_those_worked_by_hand(a, b, spearman, kendall):
    for one, other in ((a, b), (b, a)):
        assert agreement.correlations(one, other) == pytest.approx((spearman, kendall), abs=1e-12)


@pytest.mark.parametrize("a, b", [([], []), ([1], [2]), ([1, 1], [1, 2]), ([1, 2], [3, 3])])
def test_where_nothing_differs_there_is_no_correlation(a, b):
    assert agreement.correlations(a, b) == (None, None)


def test_misrankings_are_the_reversed_pairs_worst_first():
    # 0 is modelled twice as fast as 1 and measured 1.5 times as slow, and so on; 2 is right.
    modelled, measured = [1, 2, 8, 4], [6, 4, 12, 2]
    assert agreement.misrankings(modelled, measured) == [(12, 0, 3), (4, 1, 3), (3, 0, 1)]
    assert agreement.misrankings(modelled, modelled) == []
    assert agreement.misrankings([1, 1], [2, 3]) == [], "a tie prefers neither"
