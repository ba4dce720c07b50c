"""The time of a call: its parts, the memory of earlier calls, and the arguments of the program."""

import os

import pytest
import scipy.sparse as sp

import alphasparse
from alphasparse import budgets
from alphasparse.reserves import Call


SPENT = [[], [0.0], [2.2], [4.9, 3.1, 3.0, 2.9], [30.0]]


@pytest.fixture
def memory(tmp_path, monkeypatch):
    """A cache without earlier calls."""
    monkeypatch.setenv("ALPHASPARSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "python" / "times.json"


@pytest.mark.parametrize("spent", SPENT)
@pytest.mark.parametrize("text", ["12s", "12", "1.5h", "2m", "250ms", "8h", "1s", ".5", "30s"])
@pytest.mark.parametrize("nnz", [0, 1000, 10**7])
def test_the_parts_are_the_whole(text, nnz, spent):
    whole = budgets.seconds_of(text)
    given = budgets.seconds_of(budgets.search_time(text, nnz, spent))
    assert given + budgets.kept_seconds(whole, nnz, spent) == pytest.approx(whole, abs=1e-3)
    assert given >= whole / 2 - 1e-3


@pytest.mark.parametrize(
    "spent, kept",
    [([], 6), ([3.4], 4), ([3.6], 4.5), ([0.0], 0.5), ([9, 2, 2, 2, 2, 2, 2, 2], 2.5),
     ([9, 9, 2, 2], 9.5), ([2, 2, 7], 7.5), ([80], 15)],
)  # fmt: skip
def test_earlier_calls_tell_how_much_is_kept(spent, kept):
    assert budgets.kept_seconds(30, 0, spent) == kept
    assert budgets.kept_seconds(600, 10**6, spent) == pytest.approx(budgets.kept_seconds(600, 0, spent) + 0.3)


def test_a_call_that_repeats_what_earlier_calls_spent_ends_in_time():
    for whole in (12.0, 30.0, 60.0):
        for beside in (1.0, 2.5, 3.7, 5.5):
            for nnz in (0, 400_000):
                searched = budgets.seconds_of(budgets.search_time(f"{whole}s", nnz, [beside]))
                assert searched + beside + 3e-7 * nnz <= whole
                again = budgets.spent_seconds(searched + beside + 3e-7 * nnz, f"{searched}s", nnz)
                assert again == pytest.approx(beside, abs=1e-6)


@pytest.mark.parametrize("searched", ["0", "2s", "20s", "soon"])
def test_a_search_that_is_short_or_ends_early_tells_nothing(searched):
    assert budgets.spent_seconds(10.0, searched, 5) is None


def test_calls_are_remembered_by_kind_of_device(memory):
    first = Call("m", "12s", 100, "cpu")
    assert first.searched == "6s"
    first.note(6 + 3.3)
    assert Call("other", "12s", 100, "cpu").searched == "8s"
    assert Call("other", "12s", 100, "cuda").searched == "6s"
    assert Call("m", "30s", 100, "cpu").searched == "26s"


def test_the_same_call_gives_its_search_the_same_time(memory):
    Call("m", "12s", 100, "cpu").note(9.3)
    assert Call("m", "12s", 100, "cpu").searched == "6s"
    Call("m", "12s", 100, "cpu").note(None)
    assert Call("m", "12s", 100, "cpu").searched == "6s"


def test_only_so_many_calls_are_remembered(memory):
    for number in range(20):
        Call(f"m{number}", "30s", 0, "cpu").note(24 + number)
    assert Call("new", "60s", 0, "cpu").searched != Call("m0", "60s", 0, "cuda").searched
    size = memory.stat().st_size
    for number in range(600):
        Call(f"m{number:03}", "0.5s", 0, "cpu").note(None)
    assert memory.stat().st_size < 500 * 30 + size


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"spent": 3, "given": {}}', '{"spent": {"cpu": 5}, "given": {}}',
             '{"spent": {"cpu": [NaN, "x", -1.0, null]}, "given": {"m 12s": "x"}}',
             '{"spent": {}, "given": {"m 12s": 5}}', "\0\1"],
)  # fmt: skip
def test_a_damaged_memory_is_none(memory, text):
    os.makedirs(memory.parent, mode=0o700)
    memory.write_text(text)
    call = Call("m", "12s", 100, "cpu")
    assert call.searched == "6s"
    call.note(9.3)
    assert Call("n", "12s", 100, "cpu").searched == "8s"


def test_a_memory_that_others_can_write_is_none(memory):
    Call("m", "12s", 100, "cpu").note(9.3)
    os.chmod(memory, 0o666)
    assert Call("n", "12s", 100, "cpu").searched == "6s"


def test_without_a_place_nothing_is_remembered(monkeypatch):
    for name in ("ALPHASPARSE_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    call = Call("m", "12s", 100, "cpu")
    call.note(9.3)
    assert Call("n", "12s", 100, "cpu").searched == "6s"


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
