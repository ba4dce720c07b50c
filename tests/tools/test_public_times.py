"""Tables of published times are read, bad lines are told by file and line, their formats and GPUs
are those that come nearest, and the figures of a source are those worked by hand."""

import math

import numpy as np
import pytest

from laboratory_fixture import EXAMPLES, facts, model, models

import public_times
from comparison import Comparison, ComparedDesign
from laboratory import Refused
from public_designs import (FORMATS, FORMATS_AMD, NearestDesign, OtherKernel, RowLengths,
                            has_design, model_called, model_of_source, nearest_design, why_left_out)
from public_sources import figures, fit_to, fitted_host_us, fitted_hosts_us, half_of

HEAD = "source\tgpu\tdtype\tmatrix\trows\tcols\tnnz\tformat\ttime_us\n"
GOOD = "a\tV100\tf32\tm\t1\t1\t1\tcsr\t2\n"
GINKGO = "ginkgo-project/ginkgo-data@master"
SMALL = RowLengths(rows=9, longest=5, nnz=33)
LARGE = RowLengths(rows=1600, longest=5, nnz=7840)


def read(folder, text):
    file = folder / "times.tsv"
    file.write_text(text, newline="")
    return public_times.read(str(file))


def test_tables_are_read(tmp_path):
    first, second = read(tmp_path, HEAD +
                         "gunrock/loops\tV100\tf32\tkarate\t34\t34\t156\tcub\t15.14\r\n" +
                         "other\tA100\tf64\ttwin:ldoor\t9\t8\t7\tell\t2e3\n")
    assert first == ("gunrock/loops", "V100", "f32", "karate", 34, 34, 156, "cub", 15.14)
    assert second == ("other", "A100", "f64", "twin:ldoor", 9, 8, 7, "ell", 2000)


@pytest.mark.parametrize("text, why", [
    ("", ":1: the first line"), (HEAD, ": holds no time"),
    (GOOD, ":1: the first line should name the columns"),
    ("\n" + GOOD, ":1: the first line should name the columns"),
    (HEAD + GOOD + "a\tV100\n", ":3: 2 fields where there should be 9"),
    (HEAD + "\n" + GOOD, ":2: 1 fields"),
    (HEAD + "a\tV100\tf16\tm\t1\t1\t1\tcsr\t2\n", ":2: dtype is"),
    (HEAD + "a\tV100\tf32\tm\t1\tx\t1\tcsr\t2\n", ":2: cols wants"),
    (HEAD + "a\tV100\tf32\tm\t1\t1_0\t1\tcsr\t2\n", ":2: cols wants"),
    (HEAD + f"a\tV100\tf32\tm\t{2 ** 63}\t1\t1\tcsr\t2\n", ":2: rows wants"),
    (HEAD + "\tV100\tf32\tm\t1\t1\t1\tcsr\t2\n", ":2: source is empty")])
def test_bad_lines_are_told_by_file_and_line(tmp_path, text, why):
    with pytest.raises(Refused) as refused:
        read(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path / 'times.tsv'}{why}")
    assert refused.value.code == 2


def test_times_that_are_none_are_told_one_by_one(tmp_path):
    texts = ("2", "0", "0.0", "", "-1", "nan", "inf", "2us", "1e999")
    times = read(tmp_path, HEAD + "".join(f"a\tV100\tf32\tm\t1\t1\t1\tcsr\t{text}\n"
                                         for text in texts))
    faults = [time.fault for time in times]
    assert faults[0] is None
    assert set(faults[1:3]) == {"its time is 0"}
    assert set(faults[3:]) == {"its time is no number of microseconds"}


def test_a_missing_table_is_refused(tmp_path):
    with pytest.raises(Refused):
        public_times.read(str(tmp_path / "missing.tsv"))


def test_nearest_designs_can_be_built():
    matrix = facts().ask("matrix", path=str(EXAMPLES / "jagmesh7.mtx.gz"), dtype="f64")
    rows = RowLengths(matrix["rows"], matrix["longest_row"], matrix["nnz"])
    for source, dtype, formats in (
            (GINKGO, "f64", ("csr", "csrc", "csri", "coo", "ell", "sellp")),
            ("someone else", "f32", ("csr-scalar", "merge", "csr", "sell", "csr5"))):
        for name in formats:
            assert has_design(source, name), name
            nearest = nearest_design(source, name, rows)
            answer = facts().ask("count", design=nearest.design, dtype=dtype, cache="warm",
                                 gpu="v100", l1_shares=[])
            assert answer.get("works") == [], (name, answer)
    formats = {name for table in (FORMATS, FORMATS_AMD) for name in table["ginkgo-project/"]}
    assert len(formats) == 12
    for name in formats:
        nearest = nearest_design(GINKGO, name, LARGE, "gfx90a")
        answer = facts().ask("count", design=nearest.design, dtype="f64", cache="warm",
                             gpu="mi250x", l1_shares=[])
        assert answer.get("works") == [], (name, answer)


def test_formats_on_gpus_of_amd():
    def of(name, rows):
        return nearest_design(GINKGO, name, rows, "gfx90a")

    assert not has_design(GINKGO, "hybrid") and has_design(GINKGO, "hybrid", "gfx90a")
    wide = RowLengths(rows=9000, longest=800, nnz=90_000, third=4)
    assert of("csr", wide) == of("coo", wide), "over 768 entries"
    assert "lanes=32" in nearest_design(GINKGO, "csr", wide).design, "over 1024 elsewhere"
    assert "warp_nnz nnz=32 " in of("coo", wide._replace(nnz=225_280)).design
    assert "warp_nnz nnz=64 " in of("coo", wide._replace(nnz=225_281)).design
    assert "ell_peel width=4 " in of("hybrid", wide).design
    assert "ell_peel width=9 " in of("hybrid", wide._replace(third=40)).design
    assert of("hybrid", wide._replace(rows=900)) == of("coo", wide), "ELL of no columns"
    assert "ell_peel width=10 " in of("hipsparse_hybrid", wide).design
    assert of("hipsparse_hybrid", wide._replace(longest=10)).design == "ell"
    calls = {of(name, rows).call for name in FORMATS_AMD["ginkgo-project/"]
             for rows in (wide, wide._replace(longest=10))}
    assert len(calls) == 7, "Ginkgo's own, hipSPARSE's five, and a hybrid of ELL alone"
    assert why_left_out(GINKGO, "RadeonVII") and not why_left_out(GINKGO, "MI100")
    assert not why_left_out("someone else", "RadeonVII")


def test_halves_go_by_the_name():
    halves = [half_of(f"matrix {i}") for i in range(1000)]
    assert set(halves) == {"first", "second"}
    assert 450 < halves.count("first") < 550
    assert half_of("email-Enron") == "second" and half_of("bcsstk16") == "first"


def test_nearest_designs_go_by_the_librarys_choice():
    assert "lanes=4" in nearest_design(GINKGO, "csrc", SMALL).design
    assert nearest_design(GINKGO, "csrc", SMALL).kernel == OtherKernel(1, False, 0, 0)
    assert nearest_design(GINKGO, "coo", SMALL).kernel.launches == 2, "it clears y"
    assert nearest_design(GINKGO, "csr", SMALL) == nearest_design(GINKGO, "csrc", SMALL)
    assert nearest_design(GINKGO, "ell", SMALL) is None, "several threads a row"
    assert nearest_design(GINKGO, "ell", LARGE).kernel.values_wait
    assert nearest_design("gunrock/loops", "thread-mapped", SMALL) == NearestDesign("csr-scalar")
    assert nearest_design("gunrock/loops", "cub", SMALL).kernel.searches == 4, "of 9 rows"
    assert not has_design("gunrock/loops", "csr"), "it has none of that name"
    assert not has_design(GINKGO, "csrm")
    assert not has_design("someone else", "cusparse")
    sellp = [nearest_design(source, "sellp", SMALL) for source in (GINKGO, "someone else")]
    assert sellp[0].design == sellp[1].design
    assert [one.kernel.terms_in_flight for one in sellp] == [1, 0]


@pytest.mark.parametrize("gpu, name", [
    ("NVIDIA A100-SXM4-80GB", "a100"), ("A100 40GB", "a100_40"),
    ("NVIDIA GeForce RTX 4090", "rtx4090"), ("NVIDIA H100 PCIe", "h100_pcie"),
    ("NVIDIA H100 80GB HBM3", "h100"), ("V100_SXM2", "v100"), ("NVIDIA L40S", "l40s"),
    ("NVIDIA B300", None)])
def test_models_are_found_by_the_gpus_words(gpu, name):
    found = model_called(gpu, models()["models"])
    assert (found and found["name"]) == name


def test_a_source_may_say_less_than_its_gpu_is():
    found = model_of_source("ginkgo-project/ginkgo-data@csrmp", "A100", models()["models"])
    assert found["name"] == "a100_40"


# --- figures

def of_times(times, gpu="v100", works=()):
    """Designs of matrices 0 and 1 with these measured times."""
    comparison = Comparison(facts(), model(gpu), [1])
    comparison.matrices = ["a", "b", "without designs"]
    comparison.designs = [ComparedDesign(matrix, "", measured_us, works)
                          for matrix, measured_us in times]
    return comparison


def test_figures_are_those_worked_by_hand():
    # Over 20 % apart: 10 and 20, 10 and 30, 20 and 30 of a; 40 and 100 of b, not 40 and 44.
    comparison = of_times([(0, 10), (0, 20), (0, 30), (1, 40), (1, 44), (1, 100)])
    modelled = np.array([15.0, 12, 30, 60, 50, 100])
    found = figures(comparison, modelled)
    assert (found.designs, found.matrices, found.pairs) == (6, 2, 5)
    assert found.pairs_right == pytest.approx(0.8), "10 and 20 are the wrong way round"
    assert found.pick_cost == pytest.approx(math.sqrt(2 * 1.1)), "20 for 10, and 44 for 40"
    assert found.spearman == pytest.approx(0.5)
    # 44 measured is the fourth in the order of modelled / measured
    logs = np.log((modelled + found.host_us) / comparison.measured_us())
    assert found.error_factor == pytest.approx(
        math.exp(math.sqrt((logs ** 2).sum() / 6 - logs.sum() ** 2 / 36)))
    assert found.ratio == pytest.approx(math.exp(sorted(logs)[3]))


def test_the_hosts_overhead_is_found():
    comparison = of_times([(0, 12), (0, 15), (1, 110)])
    modelled = np.array([2.0, 5, 100])
    measured = comparison.measured_us()
    assert fitted_host_us(measured, modelled) == pytest.approx(10, abs=0.01)
    found = figures(comparison, modelled)
    assert found.error_factor == pytest.approx(1, abs=1e-3)
    assert found.ratio == pytest.approx(1, abs=1e-3)
    assert fitted_host_us(measured, np.array([13.0, 16, 120])) == 0, "never below 0"


def test_calls_of_another_library_have_overheads_of_their_own():
    comparison = of_times([(0, 12), (0, 75), (1, 30), (1, 110)])
    comparison.designs = [design._replace(call=call) for design, call in
                          zip(comparison.designs, ("", "slow", "", "slow"))]
    modelled = np.array([2.0, 5, 20, 30])
    hosts = fitted_hosts_us(comparison, modelled)
    assert hosts[""] == pytest.approx(10, abs=0.01)
    assert 70 <= hosts["slow"] <= 75
    first = np.array([True, True, False, False])
    assert fitted_hosts_us(comparison, modelled, first)["slow"] == pytest.approx(70, abs=0.01)
    only = np.array([True, False, False, False])
    assert fitted_hosts_us(comparison, modelled, only)["slow"] == pytest.approx(hosts["slow"]), (
        "the chosen ones have no such call")
    found = figures(comparison, modelled, hosts, first)
    assert (found.designs, found.matrices, found.pairs) == (2, 1, 1)


def test_one_design_a_matrix_says_nothing_of_order():
    found = figures(of_times([(0, 12), (1, 110)]), np.array([12.0, 110]))
    assert (found.pairs, found.pairs_right, found.pick_cost) == (0, None, None)


def test_constants_are_found_through_the_hosts_overheads():
    assumed = model("v100")["constants"]
    truth = {**assumed, "dram_efficiency": 0.6}
    comparisons = []
    for gpu, host_us in (("v100", 3), ("a100", 9)):
        comparison = of_times([], gpu)
        comparison.designs = [
            ComparedDesign(i % 2, "", 1, [[{"dram_sectors": 1e5 * i * i}]])
            for i in range(1, 13)]
        comparison.designs = [
            design._replace(measured_us=time_us + host_us)
            for design, time_us in zip(comparison.designs, comparison.times_us(truth))]
        comparisons.append(comparison)
    fitted = fit_to(comparisons, assumed)
    assert fitted["dram_efficiency"] == pytest.approx(0.6, abs=0.02)
    assert fitted["queued_scale"] == pytest.approx(assumed["queued_scale"], abs=0.01), (
        "no time speaks of it")


def test_a_public_kernel_searches_and_launches_more():
    facts().ask("matrix", path=str(EXAMPLES / "karate.mtx.gz"), dtype="f32")

    def work_of(**kernel):
        return of_times([]).counted("csr-scalar", "f32", "warm", **kernel)["works"][0]

    (ours,), (first, second) = work_of(), work_of(launches=2, searches=4)
    for waits in ("longest", "each"):
        assert first[waits]["l2"] == ours[waits]["l2"] + 4
    assert first["longest_begins"] == ours["longest_begins"]
    assert (second["blocks"], second["turns"], second["busy"]) == (0, 1, 1)
    assert work_of(launches=1) == [ours]
