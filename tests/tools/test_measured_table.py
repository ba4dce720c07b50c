"""measured_table: ratios, their order and their means from results that are written out here; and
one small matrix, really measured. No time is asserted."""

import copy
import json
import os
import re
import sys
import types

import pytest

from laboratory_fixture import EXAMPLES, SOURCE, expect_refusal, run

import measured_table
from laboratory import Refused

SCRIPT = SOURCE / "tools/suite/measured_table.py"
MARKED = f"# Head\n\n{measured_table.BEGIN}\nold\n{measured_table.END}\n\nfoot\n"
OPTIONS = types.SimpleNamespace(devices=["cpu:1", "cpu"], time="60s", version="alphasparse 1",
                                command="tools/measured_table FOLDER")


def peer(name, library, least, median, **more):
    return {"name": name, "library": library, "version": f"{library} 1", "status": "ok",
            "verified": True, "time_us": median, "time_us_min": least, **more}


def result(least, *peers, **more):
    return {"time_us_min": least, "time_us": least * 1.25, "peers": list(peers),
            "baselines_missing": [], "spmvs_to_pay": 1000, "processor": {
                "name": "A processor", "isa": "some", "threads": 1}, **more}


def row(one_thread, all_threads=None):
    """The results of a matrix, the same in both types."""
    all_threads = {**(all_threads or one_thread)}
    all_threads["processor"] = {**all_threads["processor"], "threads": 2}
    columns = {"cpu:1": one_thread, "cpu": all_threads}
    return {(dtype, device): {"date": "2026-11-27", "result": each}
            for dtype in ("f32", "f64") for device, each in columns.items()}


def table_of(**rows):
    return measured_table.Table(rows, OPTIONS)


LOOP = peer("openmp-csr", "OpenMP", 16, 20)


def test_a_ratio_is_of_medians_and_spreads_to_the_least_times():
    found = measured_table.ratios(result(8, LOOP, peer("mkl-csr", "MKL", 10, 12),
                                         peer("mkl-bsr", "MKL", 9, 18),
                                         peer("eigen", "Eigen", 1, 1, verified=False)))
    assert set(found) == {"OpenMP", "MKL"}, "a wrong baseline has no ratio"
    assert (found["OpenMP"].value, found["OpenMP"].least, found["OpenMP"].most) == (2, 1.6, 2.5)
    assert found["MKL"].value == 12 / 10, "of its fastest algorithm"
    assert found["OpenMP"].text() == "2.00 (1.60-2.50) the loop"


def test_losses_come_first_and_are_marked():
    table = table_of(won=row(result(8, LOOP)), lost=row(result(8, LOOP), result(
        32, LOOP, peer("eigen", "Eigen", 64, 64))), even=row(result(16, LOOP)))
    head, _, *rows = table.rows()
    assert head == ["matrix", "f32, 1 thread", "f32, 2 threads", "f64, 1 thread",
                    "f64, 2 threads"]
    assert [cells[0] for cells in rows[:3]] == ["lost", "even", "won"]
    assert rows[0][1] == "2.00 (1.60-2.50) the loop"
    assert rows[0][2] == "**0.50 (0.40-0.62) the loop**", "the fastest baseline counts"
    assert table.losses() == (2, 12)
    assert "Losses come first: 2 of 12." in " ".join(table.text().split())


def test_means_are_geometric_and_say_how_many():
    table = table_of(a=row(result(8, LOOP)), b=row(result(2, LOOP, peer("mkl", "MKL", 6, 7.5))))
    rows = {cells[0]: cells[1] for cells in table.rows()}
    assert rows["geometric mean"] == f"{(2 * 3) ** 0.5:.2f}"
    assert rows["beside the loop"] == "4.00"
    assert rows["beside MKL"] == "3.00 of 1"
    assert rows["beside Eigen"] == "-"


def test_the_text_names_machine_date_command_and_baselines():
    missing = [{"library": "MKL", "install": "pip install mkl"}]
    content = row(result(8, LOOP, baselines_missing=missing))
    text = " ".join(table_of(a=content).text().split())
    for words in ("A processor, some, 2026-11-27, alphasparse 1",
                  "by `tools/measured_table FOLDER`", "Baselines: the loop (OpenMP 1).",
                  "**Missing: MKL (pip install mkl).** **Not tried: Eigen.**",
                  "after 1e+03 products (median of 4)"):
        assert words in text
    later = copy.deepcopy(content)
    for each in later.values():
        each["date"] = "2026-12-01"
        each["result"]["peers"] = []
    table = measured_table.Table({"a": content, "b": later}, OPTIONS, ["gone"], ["ill"])
    text = " ".join(table.text().split())
    for words in ("2026-11-27 to 2026-12-01", "Matrices without a file: gone.",
                  "Matrices with a failure: ill.",
                  "In 4 of 8 searches an installed baseline has no time."):
        assert words in text
    assert "| b | - | - | - | - |" in table.text()


def test_the_table_goes_between_the_marks():
    written = measured_table.with_table(MARKED, "new\n", "x")
    assert written == MARKED.replace("old", "new")
    assert measured_table.with_table(written, "old\n", "x") == MARKED
    for text in ("", measured_table.BEGIN, f"{measured_table.END}{measured_table.BEGIN}"):
        with pytest.raises(Refused):
            measured_table.with_table(text, "new", "x")


@pytest.fixture
def ground(tmp_path):
    (tmp_path / "list.txt").write_text("# two\nkarate example.org/a b.mtx\nnowhere\n")
    (tmp_path / "page.md").write_text(MARKED)

    def measure(*more):
        return run([sys.executable, "-B", SCRIPT, EXAMPLES, "--list", "list.txt", "--time", "1s",
                    "--results", "kept", "--document", "page.md", "--program",
                    os.environ["PROGRAM"], *more], tmp_path, ALPHASPARSE_LIBMKL="/nowhere/mkl.so")

    measure.folder = tmp_path
    return measure


def test_a_matrix_is_measured_and_written(ground):
    ended = ground()
    assert ended.returncode == 0, ended.stderr
    page = (ground.folder / "page.md").read_text()
    assert page.startswith("# Head") and page.endswith("\n\nfoot\n") and "old" not in page
    assert page.count("\n| karate | ") == 1
    # A search that is over before it comes to MKL does not know that it is missing.
    words = " ".join(page.split())
    assert re.search(r"(Missing|Not tried): [^.]*MKL", words)
    assert "Matrices without a file: nowhere." in words
    assert "`tools/measured_table FOLDER --time 1s --devices cpu:1,cpu`" in words
    assert str(EXAMPLES) not in page, "no place of this machine"
    kept = sorted(file.name for file in (ground.folder / "kept").iterdir())
    assert kept == [f"karate.{dtype}.{device}.json" for dtype in ("f32", "f64")
                    for device in ("cpu-1", "cpu")]
    # A stored result is taken again; one of another call is not.
    file = ground.folder / "kept/karate.f32.cpu.json"
    content = json.loads(file.read_text())
    content["result"]["time_us_min"] = 1e-9
    file.write_text(json.dumps(content))
    assert ground().returncode == 0
    assert json.loads(file.read_text())["result"]["time_us_min"] == 1e-9
    content["kind"]["time"] = "9s"
    file.write_text(json.dumps(content))
    assert ground().returncode == 0
    assert json.loads(file.read_text())["result"]["time_us_min"] > 1e-9


def test_bad_inputs_end_before_any_work(ground):
    expect_refusal("measured_table", ground("--program", "/nowhere"), "/nowhere: cannot be started", 4)
    (ground.folder / "list.txt").write_text("nowhere\n")
    expect_refusal("measured_table", ground(), "holds none of the 1 matrices of list.txt")
    (ground.folder / "page.md").write_text("no marks\n")
    expect_refusal("measured_table", ground(), "page.md: has no lines")
    (ground.folder / "page.md").unlink()
    expect_refusal("measured_table", ground(), "page.md")
