"""The time of a call: its parts, and the arguments of the program."""

import pytest
import scipy.sparse as sp

import alphasparse
from alphasparse import budgets


@pytest.mark.parametrize("text", ["12s", "12", "1.5h", "2m", "250ms", "8h", "1s", ".5", "30s"])
@pytest.mark.parametrize("nnz", [0, 1000, 10**7])
def test_the_parts_are_the_whole(text, nnz):
    whole = budgets.seconds_of(text)
    given = budgets.seconds_of(budgets.search_time(text, nnz))
    assert given + budgets.kept_seconds(whole, nnz) == pytest.approx(whole, abs=1e-3)
    assert given >= whole / 2 - 1e-3


def test_how_much_is_kept():
    assert budgets.kept_seconds(30, 0) == 3
    assert budgets.kept_seconds(600, 10**6) == pytest.approx(3.3)
    assert budgets.kept_seconds(2, 0) == 1


def test_a_late_call_says_so():
    assert budgets.overrun_line(14.06, "12s").startswith("late     the call took 14.1 s of 12 s: ")
    for whole, text in ((11.9, "12s"), (12.0, "12"), (5.0, "0")):
        assert budgets.overrun_line(whole, text) == ""


@pytest.mark.parametrize("text", ["0", "0s", "9h", "2min", "-1", "nan", "", "1e3", "5 s"])
def test_what_is_no_budget_is_left_to_the_program(text):
    assert budgets.search_time(text, 5) == text


def test_what_the_program_is_given(program, tmp_path):
    """It is in the words of the kernel, by which `explain` asks again."""
    for _ in range(2):
        kernel = alphasparse.tune(sp.eye(20), device="cpu:1", time=0.9, folder=tmp_path, progress=False)
        words = kernel.tuned["arguments"]
        assert words[words.index("--time") + 1] == "0.45s"
    kernel = alphasparse.tune(sp.eye(20), device="cpu:1", time="0", folder=tmp_path, progress=False)
    words = kernel.tuned["arguments"]
    assert words[words.index("--time") + 1] == "0"


def test_a_time_that_the_program_refuses_is_told_as_it_was_given(program, tmp_path):
    with pytest.raises(alphasparse.InputError, match="'2min'"):
        alphasparse.tune(sp.eye(3), device="cpu:1", time="2min", folder=tmp_path)
