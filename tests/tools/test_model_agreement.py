"""tools/suite/model_agreement.py on JSON that the programs write here: measured times by the fakes
of NVIDIA's libraries with a clock that is no GPU's, and modelled times and counts by the
emulator.

PROGRAM, BENCH_SUITE, KERNEL_FACTS, FAKE_CUDA and FAKE_NVRTC name files of the build.
"""

import copy
import json
import os
import sys

import pytest

from laboratory_ground import EXAMPLES, SOURCE, command, done, expect_refusal, run

SCRIPT = SOURCE / "tools/suite/model_agreement.py"
NAMES = ["rajat19", "plskz362", "jagmesh7"]
MATRICES = [str(EXAMPLES / f"{name}.mtx.gz") for name in NAMES]
DESIGNS = "csr-scalar,csr-vector,ell,coo,csr5"


@pytest.fixture(scope="session")
def ground(tmp_path_factory):
    """A folder with the JSON of all programs: counted by an emulated h200, measured by fakes."""
    folder = tmp_path_factory.mktemp("agreement")
    doubles = {f"ALPHASPARSE_LIB{library}": os.environ["FAKE_CUDA"]
               for library in ("CUDA", "CUSPARSE", "NVML")}
    doubles["ALPHASPARSE_LIBNVRTC"] = os.environ["FAKE_NVRTC"]
    doubles["ALPHASPARSE_KERNEL_SECONDS"] = "120"
    doubles["ALPHASPARSE_CACHE"] = str(folder / "cache")
    bench = [os.environ["PROGRAM"], "bench", *MATRICES, "--designs", DESIGNS, "--json", "--quiet"]
    (folder / "bench.json").write_text(done(bench + ["--device", "cuda:0"], folder, **doubles))
    (folder / "modelled.json").write_text(done(bench + ["--device", "emulated:h200"], folder))
    done([os.environ["BENCH_SUITE"], MATRICES[1], "--device", "cuda:0", "--dtype", "f32", "--cache",
          "warm", "--time", "6", "--json", "suite.json"], folder, **doubles)
    for name in ("bench", "suite"):
        done([*command("compare_model"), f"{name}.json", *MATRICES, "--gpu", "h200",
              "--designs-max", "12", "--json", f"counted-{name}.json", "--quiet"], folder)
    return folder


def agree(folder, *files):
    return run([sys.executable, SCRIPT, *files, "--json", "result.json"], folder)


def result(folder, *files):
    ended = agree(folder, *files)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr == ""
    return json.loads((folder / "result.json").read_text()), ended.stdout


def read(folder, name):
    return json.loads((folder / name).read_text())


def write(folder, name, content):
    (folder / name).write_text(json.dumps(content))


def with_times(folder, name, time_of):
    """The file `name`, with measured times replaced by time_of(compare_model's row)."""
    measured, counted = read(folder, "bench.json"), read(folder, "counted-bench.json")
    rows = {(matrix["name"], row["design"]): row
            for matrix in counted["matrices"] for row in matrix["designs"]}
    for matrix in measured["matrices"]:
        for design in matrix["designs"]:
            row = rows.get((matrix["name"], design["design"]))
            if row:
                design["time_us"] = time_of(row)
    write(folder, name, measured)


def test_times_of_the_doubles_stand_beside_modelled_ones(ground):
    told, text = result(ground, "bench.json", "suite.json", "counted-bench.json",
                        "counted-suite.json")
    counted = read(ground, "counted-bench.json")
    assert sorted({row["matrix"] for row in told["matrices"]}) == sorted(NAMES)
    assert told["measured_by"] == [
        "cuda:0 (Fake GPU), " + read(ground, "bench.json")["gpu"]["version"]]
    assert told["version"] == counted["modelled"]["version"]
    assert set(told["agreement"]) == {"as shipped", "fitted to all", "held out"}
    designs = {row["matrix"]: row["designs"] for row in told["matrices"]}
    assert designs["plskz362"] > designs["rajat19"] >= 4, "the suite's designs count too"
    assert told["agreement"]["as shipped"]["designs"] == sum(designs.values())
    for line in ("worst misrankings", "over all", "held out", "atomic_pass_ns"):
        assert line in text


def test_rows_are_those_of_compare_model(ground):
    told, _ = result(ground, "bench.json", "counted-bench.json")
    theirs = {matrix["name"]: matrix["assumed"]
              for matrix in read(ground, "counted-bench.json")["matrices"]}
    for row in told["matrices"]:
        other = theirs[row["matrix"]]
        assert row["misranked"] == other["misranked"]
        assert row["pick_cost"] == pytest.approx(other["pick_ratio"])
        for name in ("designs", "spearman", "kendall", "error_factor", "pairs"):
            assert row[name] == pytest.approx(other[name], abs=1e-9), name


def test_constants_that_made_the_times_are_found(ground):
    floor_us = read(ground, "counted-bench.json")["modelled"]["table"]["launch_us"]

    def slower(row):
        floors_us = len(row["works"][-1]) * floor_us
        return 0.8 * floors_us + 3 * (row["assumed_us"] - floors_us)

    with_times(ground, "slower.json", slower)
    told, _ = result(ground, "slower.json", "counted-bench.json")
    assert told["constants"]["fitted"]["launch_scale"] == pytest.approx(0.8, abs=0.05)
    assert told["agreement"]["as shipped"]["error_factor"] > 1.3
    assert told["agreement"]["fitted to all"]["error_factor"] < 1.03
    assert told["agreement"]["held out"]["error_factor"] < 1.1


def test_the_wrong_order_is_seen_to_be(ground):
    with_times(ground, "wrong.json", lambda row: 100 / row["assumed_us"])
    told, text = result(ground, "wrong.json", "counted-bench.json")
    assert told["agreement"]["as shipped"]["spearman"] == pytest.approx(-1)
    assert told["agreement"]["as shipped"]["kendall"] == pytest.approx(-1)
    assert told["agreement"]["as shipped"]["pick_cost"] > 1.2
    factors = [pair["factor"] for pair in told["misrankings"]]
    assert len(factors) == 10 and factors == sorted(factors, reverse=True)


def test_bench_on_the_emulator_gives_ranks_without_constants(ground):
    told, text = result(ground, "bench.json", "modelled.json")
    assert told["constants"] is None
    assert "no constants: none of the files has counts" in text
    counted, _ = result(ground, "bench.json", "counted-bench.json")
    for name in ("spearman", "error_factor", "pick_cost"):
        assert told["agreement"]["as shipped"][name] == pytest.approx(
            counted["agreement"]["as shipped"][name])


def test_one_matrix_is_held_out_in_all_its_types(ground):
    """Two types of one matrix are no two matrices."""
    measured, counted = read(ground, "bench.json"), read(ground, "counted-bench.json")
    for content in (measured, counted):
        content["matrices"] = content["matrices"][:1]
    other = copy.deepcopy(counted["matrices"][0])
    other["dtype"] = "f64"
    counted["matrices"].append(other)
    write(ground, "one.json", measured)
    measured["dtype"] = "f64"
    write(ground, "one-f64.json", measured)
    write(ground, "counted-one.json", counted)
    told, text = result(ground, "one.json", "one-f64.json", "counted-one.json")
    assert len(told["matrices"]) == 2
    assert set(told["agreement"]) == {"as shipped", "fitted to all"}
    assert "there is no held-out error" in text


def refusal(folder, *files):
    ended = agree(folder, *files)
    expect_refusal("model_agreement", ended, "")
    return ended.stderr


@pytest.mark.parametrize("text, why", [
    ("", "is no JSON"), ("{\"schema\": 1,", "is no JSON"), ("[1, 2]", "has no schema 1"),
    ("{\"schema\": 2}", "has no schema 1"), ("{\"schema\": 1}", "'kind' is missing"),
    ("{\"schema\": 1, \"kind\": \"guessed\"}", "neither measured nor modelled"),
    ("{\"schema\": 1, \"modelled\": 7}", "is not what"),
    ("{\"schema\": 1, \"modelled\": {\"table\": {}}}", "is missing")])
def test_other_json_is_refused(ground, text, why):
    (ground / "other.json").write_text(text)
    assert why in refusal(ground, "bench.json", "other.json")
    assert "other.json: " in refusal(ground, "other.json")


def test_files_that_say_nothing_together_are_refused(ground):
    assert "missing.json: cannot be read" in refusal(ground, "missing.json")
    assert "no file has a time that was measured" in refusal(ground, "modelled.json")
    assert "is modelled in these files" in refusal(ground, "bench.json")
    counted = read(ground, "counted-bench.json")
    counted["modelled"]["version"] = "gpu-models 0"
    write(ground, "old.json", counted)
    assert "mixes times of two models" in refusal(ground, "bench.json", "modelled.json", "old.json")
    counted = read(ground, "counted-bench.json")
    counted["modelled"]["table"]["l2_ns"] *= 2
    write(ground, "other-table.json", counted)
    assert "off the program's" in refusal(ground, "bench.json", "other-table.json")
    negative = read(ground, "bench.json")
    negative["matrices"][0]["designs"][0]["time_us"] = -1
    write(ground, "negative.json", negative)
    assert "takes -1 us" in refusal(ground, "negative.json", "counted-bench.json")


def test_a_missing_package_is_named_in_one_line(ground):
    (ground / "bare").mkdir()
    (ground / "bare/numpy.py").write_text("raise ModuleNotFoundError('x', name='numpy')\n")
    ended = run([sys.executable, SCRIPT, "bench.json"], ground, PYTHONPATH=str(ground / "bare"))
    assert ended.returncode == 4
    assert ended.stderr.count("\n") == 1 and "the package numpy is missing" in ended.stderr
