"""compare_model on times that were made here - by the model itself with other constants, in the
wrong order, or not at all; and the files that it reads them from."""

import copy
import json
import math
import os

import pytest

from laboratory_fixture import (EXAMPLES, command, done, expect_refusal, model, models,
                               run)

import measured_times
from laboratory import Refused

MATRICES = [EXAMPLES / f"{name}.mtx.gz" for name in ("rajat19", "plskz362", "jagmesh7")]
KARATE = EXAMPLES / "karate.mtx.gz"
HEAD = "source\tgpu\tdtype\tmatrix\trows\tcols\tnnz\tformat\ttime_us\n"


@pytest.fixture(scope="session")
def benched(tmp_path_factory):
    """The times that bench models of designs with one launch, called measured."""
    text = done([os.environ["PROGRAM"], "bench", *MATRICES, "--designs",
                 "csr-scalar,csr-vector,ell,sell-c-sigma,ellpack-r", "--device", "emulated:h200",
                 "--json", "--quiet"], tmp_path_factory.mktemp("bench"))
    content = json.loads(text)
    assert content["kind"] == "modelled"
    content["kind"], content["device"] = "measured", "cuda:0"
    content["gpu"]["name"] = "NVIDIA H200"
    return content


class Ground:
    def __init__(self, folder):
        self.folder = folder

    def run(self, *words):
        return run([*command("compare_model"), *words], self.folder)

    def write(self, content):
        (self.folder / "measured.json").write_text(json.dumps(content))

    def compared(self, content, *words):
        """The text and the JSON of a comparison."""
        self.write(content)
        ended = self.run("measured.json", *words, "--json", "result.json", "--quiet")
        assert ended.returncode == 0, ended.stderr
        assert ended.stderr == ""
        return ended.stdout, json.loads((self.folder / "result.json").read_text())

    def refuses(self, text, *words):
        expect_refusal("compare_model", self.run(*words), text)


@pytest.fixture
def ground(tmp_path):
    return Ground(tmp_path)


def with_times(content, time_of):
    content = copy.deepcopy(content)
    for matrix in content["matrices"]:
        for design in matrix["designs"]:
            if design.get("time_us") is not None:
                design["time_us"] = time_of(design["time_us"])
    return content


def test_the_constants_that_made_the_times_are_found(ground, benched):
    # A floor of 0.8 of the model's, and all that goes on above it three times as slow.
    floor_us = model("h200")["table"]["launch_us"]
    slower = with_times(benched, lambda time_us: 0.8 * floor_us + 3 * (time_us - floor_us))
    text, result = ground.compared(slower, *MATRICES)
    fitted = {row["name"]: row["fitted"] for row in result["constants"]}
    assert fitted["launch_scale"] == pytest.approx(0.8, abs=0.03)
    assert fitted["longest_scale"] == pytest.approx(3 * model("h200")["constants"]["longest_scale"],
                                                    abs=0.15)
    agreement = result["agreement"]
    assert list(agreement) == ["assumed", "fitted", "held_out"]
    assert agreement["assumed"]["error_factor"] > 1.3
    assert agreement["assumed"]["spearman"] == pytest.approx(1)
    assert agreement["fitted"]["error_factor"] < 1.02
    assert agreement["held_out"]["error_factor"] < 1.05
    assert agreement["held_out"]["spearman"] > 0.95
    # It holds where it also keeps the order, in which designs of nearly the same time may swap.
    in_order = agreement["held_out"]["kendall"] >= agreement["assumed"]["kendall"]
    assert result["fit_holds"] is in_order
    assert [matrix["name"] for matrix in result["matrices"]] == ["rajat19", "plskz362", "jagmesh7"]
    assert result["matrices"][0]["assumed"]["misranked"] == 0
    for line in ("no pair of designs is misranked", "stay assumed", "\nheld out "):
        assert line in text


def test_times_in_the_wrong_order_are_seen_to_be(ground, benched):
    text, result = ground.compared(with_times(benched, lambda time_us: 100 / time_us), *MATRICES,
                                   "--l1-shares", "0.5")
    assumed = result["agreement"]["assumed"]
    assert assumed["spearman"] == pytest.approx(-1)
    assert assumed["kendall"] == pytest.approx(-1)
    assert assumed["pick_ratio"] > 1.2
    factors = [pair["factor"] for pair in result["misrankings"]]
    assert len(factors) == 10 and factors == sorted(factors, reverse=True)
    assert "worst misrankings" in text
    assert result["modelled"]["l1_shares"] == [0.5, 1]


def suite_of(content):
    """The suite's output of the same times."""
    rows = [{"matrix": matrix["name"], "dtype": content["dtype"], "cache": content["cache"],
             "fingerprints": matrix["fingerprints"],
             "outcomes": [{key: value for key, value in design.items()
                           if key not in ("name", "verified")} for design in matrix["designs"]]}
            for matrix in content["matrices"]]
    return {"schema": 1, "device": "cuda:0", "gpu": content["gpu"]["name"],
            "version": content["gpu"]["version"], "kind": "measured", "rows": rows}


def test_designs_of_the_suite_are_counted_by_their_text(ground, benched):
    _, of_suite = ground.compared(suite_of(benched), *MATRICES, "--l1-shares", "1")
    few = ground.run("measured.json", *MATRICES, "--designs-max", "2")
    assert few.returncode == 0, few.stderr
    assert "1 beyond --designs-max on rajat19" in few.stdout
    ground.refuses("--designs-max wants", "measured.json", *MATRICES, "--designs-max", "1")
    _, of_bench = ground.compared(benched, *MATRICES, "--l1-shares", "1")
    assert of_suite["agreement"] == of_bench["agreement"]
    for design in (design for matrix in of_bench["matrices"] for design in matrix["designs"]):
        assert design["assumed_us"] == pytest.approx(design["measured_us"], rel=1e-9), (
            "one formula, for bench and for the fit")
    matrix = of_suite["matrices"][0]
    design = matrix["designs"][0]
    assert design["name"] == design["design"]
    assert len(design["works"]) == 1, "a share of L1"
    assert design["works"][0][0]["basic_blocks"] > 0
    assert (matrix["dtype"], matrix["cache"]) == ("f32", "warm")
    assert matrix["fingerprints"] == benched["matrices"][0]["fingerprints"]
    assert of_suite["modelled"]["table"] == model("h200")["table"]


def test_one_matrix_is_held_out_in_all_its_caches(ground, benched):
    content = suite_of({**benched, "matrices": benched["matrices"][2:]})
    content["rows"].append({**content["rows"][0], "cache": "cold"})
    text, result = ground.compared(content, MATRICES[2], "--l1-shares", "1")
    assert [matrix["cache"] for matrix in result["matrices"]] == ["warm", "cold"]
    assert "there is no held-out error" in text


def test_designs_that_cannot_be_compared_are_named(ground, benched):
    content = copy.deepcopy(benched)
    content["matrices"] = content["matrices"][:2]
    designs = content["matrices"][0]["designs"]
    designs.append({**designs[0], "name": "cusparse-csr-1", "design": "cusparse-csr-1"})
    designs[1]["format_bytes"] = 1
    designs[2]["time_us"] = None
    text, _ = ground.compared(content, MATRICES[0], KARATE, "--gpu", "a100")
    for line in ("karate.mtx.gz: no matrix of these entries was measured",
                 "plskz362: was measured and is none of the files", "1 of cuSPARSE on rajat19",
                 "without a right time on rajat19", "csr-vector on rajat19: its format has",
                 "modelled   a100 (NVIDIA A100 SXM4 80GB)", "there is no held-out error"):
        assert line in text
    assert "\nheld out " not in text
    ground.refuses("nothing of it can be compared", "measured.json", KARATE)


def test_times_of_others_stand_beside_the_models(ground):
    loops = "gunrock/loops\tV100\tf32\t"
    (ground.folder / "a.tsv").write_text(
        HEAD + loops + "rajat19\t1157\t1157\t5399\tthread-mapped\t25.88\n" +
        loops + "rajat19\t1157\t1157\t5399\tmerge-path\t18.07\n" +
        loops + "rajat19\t1157\t1157\t5399\tcub\t21\n" +
        loops + "rajat19\t1157\t1157\t5399\tcusparse\t53\n" +
        loops + "plskz362\t362\t362\t1760\tthread-mapped\t12\n" +
        loops + "plskz362\t362\t362\t1761\tcub\t12\n" + loops + "nowhere\t1\t1\t1\tcub\t12\n")
    (ground.folder / "b.tsv").write_text(
        HEAD + "somebody\tA100 40GB\tf64\tjagmesh7\t1138\t1138\t7450\tcsr\t3\n" +
        "somebody\tTPU\tf64\tjagmesh7\t1138\t1138\t7450\tcsr\t3\n")
    ended = ground.run("--public", "a.tsv", "b.tsv", "--matrices", EXAMPLES, "--nnz-max", "2e6",
                       "--json", "result.json", "--quiet")
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    result = json.loads((ground.folder / "result.json").read_text())
    assert (result["kind"], result["version"]) == ("modelled", models()["version"])
    assert len(result["sources"]) == 4, "two sources, each by two sets of constants"
    first, fitted, somebody, _ = result["sources"]
    expected = {"source": "gunrock/loops", "model": "v100", "constants": "shipped",
                "fitted_on": None, "rows_used": 4, "rows_left_out": 3, "matrices": 2, "pairs": 1}
    assert {key: first[key] for key in expected} == expected
    assert first["error_factor"] >= 1
    assert len(first["times"]) == 3, "merge-path and cub are one design"
    assert first["times"][2]["formats"] == "merge-path+cub"
    assert first["times"][2]["measured_us"] == pytest.approx(math.sqrt(18.07 * 21))
    assert (fitted["constants"], fitted["fitted_on"]) == ("fitted", ["somebody A100 40GB"])
    assert somebody["model"] == "a100_40"
    assert somebody["pairs_right"] is None and somebody["pick_cost"] is None
    for line in ("1 its format cusparse is no design",
                 "1 its matrix has another size than the file",
                 "1 its matrix is no file of the folder", "1 its GPU has no model"):
        assert line in ended.stdout


def test_times_of_amds_gpus_are_filtered_and_halved(ground):
    def row(gpu, name, kind, time, sizes="1138\t1138\t7450"):
        return (f"ginkgo-project/ginkgo-data@x\t{gpu}\tf64\t{name}\t{sizes}\t{kind}\t{time}\n")

    plskz = "362\t362\t1760"
    (ground.folder / "a.tsv").write_text(
        HEAD + row("MI250X_GCD", "jagmesh7", "csr", 11.2) + row("MI250X_GCD", "jagmesh7", "sellp",
                                                                14.4) +
        row("MI250X_GCD", "jagmesh7", "hipsparse_coo", 74.2) +
        row("MI250X_GCD", "jagmesh7", "coo", 0) + row("MI250X_GCD", "jagmesh7", "ell", "15.8us") +
        row("MI250X_GCD", "jagmesh7", "hybrid", 0.01) +
        row("MI250X_GCD", "jagmesh7", "hipsparse_csr", 44900) +
        row("MI250X_GCD", "plskz362", "csr", 11.1, plskz) +
        row("MI250X_GCD", "plskz362", "sellp", 12.9, plskz) +
        row("MI250X_GCD", "rajat19", "csr", 14.2, "1157\t1157\t5400") +
        row("RadeonVII", "jagmesh7", "csr", 30))
    ended = ground.run("--public", "a.tsv", "--matrices", EXAMPLES, "--json", "result.json",
                       "--quiet")
    assert ended.returncode == 0, ended.stderr
    for line in ("1 its time is 0", "1 its time is no number of microseconds",
                 "1 its time is less than the peak bandwidth of its GPU permits",
                 "1 its time is in another unit: over 100 times off the model",
                 "1 its matrix has another size than the file", "1 its floor of 27 to 34 us"):
        assert f"  {line}" in ended.stdout, ended.stdout
    result = json.loads((ground.folder / "result.json").read_text())
    both, *others = result["sources"]
    assert (both["model"], both["fit"]) == ("mi250x", "fitted to public times of MI250X")
    assert (both["rows_used"], both["rows_left_out"], both["half"]) == (5, 5, "")
    halves = {(other["constants"], other["half"]): other for other in others}
    assert set(halves) <= {(constants, half) for constants in ("shipped", "fitted")
                           for half in ("first", "second")}
    shipped = [other for (constants, _), other in halves.items() if constants == "shipped"]
    assert sum(other["designs"] for other in shipped) == both["designs"] == 5
    hosts = {time["formats"]: time["host_us"] for time in both["times"]}
    assert hosts["hipsparse_coo"] > 3 * hosts["csr"]


def test_bad_tables_end_before_any_work(ground):
    (ground.folder / "bad.tsv").write_text(HEAD + "a\tV100\tf32\n")
    (ground.folder / "alien.tsv").write_text(HEAD + "a\tTPU\tf32\tm\t1\t1\t1\tcsr\t2\n")
    for text, *words in (
            ("bad.tsv:2: 3 fields where there should be 9", "bad.tsv", "--matrices", EXAMPLES),
            ("missing.tsv: cannot", "missing.tsv", "--matrices", EXAMPLES),
            ("--matrices", "bad.tsv"),
            ("--nnz-max wants", "bad.tsv", "--matrices", ".", "--nnz-max", "nan"),
            ("nowhere is no folder", "alien.tsv", "--matrices", "nowhere"),
            ("its GPU has no model", "alien.tsv", "--matrices", EXAMPLES)):
        ground.refuses(text, "--public", *words)
    ground.refuses("--public takes", "measured.json", "--public", "alien.tsv", "--matrices",
                   EXAMPLES)
    ground.refuses("--matrices is for --public", "measured.json", "a.mtx", "--matrices", EXAMPLES)


def test_bad_inputs_end_before_any_work(ground):
    content = {"schema": 1, "device": "cuda:0", "kind": "measured",
               "gpu": {"name": "NVIDIA B300", "arch": "", "version": ""}, "dtype": "f32",
               "cache": "warm", "matrices": [
                   {"name": "m", "fingerprints": {"pattern": "p", "values": "v"}, "designs": []}]}
    ground.write(content)
    ground.refuses("no model is of 'NVIDIA B300'", "measured.json", KARATE)
    for text, *words in (
            ("nothing of it", KARATE, "--gpu", "h200"),
            ("missing.mtx", "missing.mtx", "--gpu", "h200"),
            ("modelled as 'tpu'; there are h2", KARATE, "--gpu", "tpu"),
            ("measured in f32, not f64", KARATE, "--dtype", "f64"),
            ("--l1-shares", KARATE, "--l1-shares", "0,1"),
            ("--l1-shares: wants numbers", KARATE, "--l1-shares", "many"),
            ("cannot write", KARATE, "--gpu", "h200", "--json", "no/folder.json"),
            ("MATRIX is required",), ("unrecognized arguments: --bogus", KARATE, "--bogus")):
        ground.refuses(text, "measured.json", *words)
    ground.refuses("missing.json: cannot be read", "missing.json", KARATE)
    ground.refuses("MEASURED is required")
    assert not list(ground.folder.glob("no*"))
    (ground.folder / "measured.json").write_text('{"schema": 1,')
    ground.refuses("measured.json: is no JSON", "measured.json", KARATE)


# --- measured_times: the files of bench and the suite, read back

def design(name, status, time_us):
    return {"name": name, "verified": status in ("ok", "duplicate"), "design": f"of {name}",
            "status": status, "format_bytes": 100, "time_us": time_us, "registers": None}


def measured_json():
    return {"schema": 1, "device": "cuda:0",
            "gpu": {"name": "NVIDIA H200", "arch": "sm_90", "version": "driver 1"},
            "kind": "measured", "dtype": "f64", "cache": "cold", "interrupted": False,
            "matrices": [{"name": "m", "fingerprints": {"pattern": "p", "values": "v"},
                          "a field to come": 1,
                          "designs": [design("csr-scalar", "ok", 4.5),
                                      design("ell", "pruned", None),
                                      design("cusparse-csr-1", "ok", 3),
                                      design("jds", "duplicate", 4.5), design("coo", "ok", 6)]}]}


def read(folder, content):
    file = folder / "m.json"
    file.write_text(json.dumps(content))
    return measured_times.read(str(file), {"cusparse-csr-1"})


def refusal(folder, content):
    with pytest.raises(Refused) as refused:
        read(folder, content)
    text = str(refused.value)
    assert text.startswith(f"{folder / 'm.json'}: ") and "\n" not in text
    assert refused.value.code == 2
    return text


def test_times_are_those_of_designs_that_are_right_and_timed_by_themselves(tmp_path):
    times = read(tmp_path, measured_json())
    assert (times.device, times.gpu, times.version) == ("cuda:0", "NVIDIA H200", "driver 1")
    matrix, = times.matrices
    assert (matrix.dtype, matrix.cache) == ("f64", "cold")
    assert matrix.fingerprints == {"pattern": "p", "values": "v"}
    assert matrix.designs == [("csr-scalar", "of csr-scalar", 4.5, 100), ("coo", "of coo", 6, 100)]
    assert (matrix.noisy, matrix.libraries, matrix.untimed, matrix.duplicates) == (0, 1, 1, 1)


def suite_json():
    """Two searches; an outcome has no name, and no time where it failed."""
    def outcome(line, status, **more):
        return {"design": line, "status": status, "format_bytes": 7, **more}

    def row(dtype, cache, outcomes):
        return {"matrix": "m", "dtype": dtype, "cache": cache,
                "fingerprints": {"pattern": "p", "values": dtype}, "outcomes": outcomes,
                "vendor_outcomes": [outcome("cusparse-csr-1", "ok", time_us=3)]}

    return {"schema": 1, "device": "cuda:0", "gpu": "NVIDIA H100", "version": "driver 2",
            "kind": "measured", "rows": [
                row("f32", "warm", [outcome("a", "ok", time_us=2),
                                    outcome("b", "duplicate", time_us=2), outcome("c", "pruned"),
                                    outcome("d", "ok", time_us=5)]),
                row("f64", "cold", [])]}


def test_times_are_those_of_every_search_of_the_suite(tmp_path):
    times = read(tmp_path, suite_json())
    assert (times.gpu, times.version) == ("NVIDIA H100", "driver 2")
    warm, cold = times.matrices
    assert (warm.name, warm.dtype, warm.cache) == ("m", "f32", "warm")
    assert warm.designs[1] == ("d", "d", 5, 7), "a design's text is its name"
    assert (len(warm.designs), warm.duplicates, warm.untimed) == (2, 1, 1)
    assert (cold.dtype, cold.cache, cold.designs) == ("f64", "cold", [])
    broken = suite_json()
    del broken["rows"][0]["outcomes"][0]["design"]
    assert "bench_suite --json" in refusal(tmp_path, broken)


def test_of_many_designs_are_kept_fastest_slowest_and_between():
    matrix = measured_times.Matrix("m", "f32", "warm", {})
    matrix.designs = [measured_times.Design("", "", time_us, 0)
                      for time_us in (9, 1, 8, 2, 7, 3, 6, 4, 5)]
    matrix.keep_spread(9)
    assert matrix.designs[0].time_us == 9, "all are left as they are"
    matrix.keep_spread(5)
    assert [kept.time_us for kept in matrix.designs] == [1, 3, 5, 7, 9]
    assert matrix.beyond_bound == 4


@pytest.mark.parametrize("place, value, why", [
    (["kind"], "modelled", "its times are modelled, by cuda:0"),
    (["schema"], 2, "schema is not 1"), (["dtype"], "f16", "neither f32 nor f64"),
    (["cache"], "hot", "neither warm nor cold"), (["matrices"], 7, "not what"),
    (["matrices", 0, "fingerprints"], None, "not what"),
    (["matrices", 0, "designs", 0, "time_us"], "4.5", "not what"),
    (["matrices", 0, "designs", 0, "time_us"], 0.0, "csr-scalar on m takes"),
    (["matrices", 0, "designs", 0, "time_us"], -1.0, "csr-scalar on m takes")])
def test_a_changed_file_is_refused(tmp_path, place, value, why):
    content = measured_json()
    inside = content
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = value
    assert why in refusal(tmp_path, content)
