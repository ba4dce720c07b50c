"""make_experience: the origins of matrices, and the file of one small matrix, which a second call does
not bench again."""

import importlib.machinery
import json
import shutil
import sys

import pytest

from laboratory_fixture import EXAMPLES, SOURCE, TOOLS, expect_refusal, run

SCRIPT = SOURCE / "tools/make_experience"
DRIVER = ("import importlib.machinery, sys\n"
          f"script = importlib.machinery.SourceFileLoader('script', {str(SCRIPT)!r}).load_module()\n"
          f"script.GENERATED.clear(); sys.argv[0] = {str(TOOLS / 'make_experience')!r}\n"
          "sys.exit(script.command_main('make_experience', script.run))\n")


def make(folder, *words):
    return run([sys.executable, "-B", "-c", DRIVER, "gpu", "--matrices", folder, "--work",
                folder / "work", "--output", folder, *words], folder)


@pytest.mark.parametrize("name, repository, kind, origin", [
    ("epb0", "a.jl", "SuiteSparse Averous", "Averous"),
    ("rajat19", "some/SuiteSparse", "circuit simulation", "circuit simulation"),
    ("bcsstk16", "some", "structural (dam)", "structural"),
    ("cavity14_skew", "a.jl", "CFD, skew part (convection)", "DRIVCAV"),
    ("email-Enron", "x/SNAPDatasets.jl", "email graph", "SNAP")])
def test_matrices_of_one_group_have_one_origin(name, repository, kind, origin):
    script = importlib.machinery.SourceFileLoader("script", str(SCRIPT)).load_module()
    assert script.origin_of({"name": name, "source_repo": repository, "kind": kind}) == origin


def test_a_file_has_ratios_by_design_and_goes_on_where_it_ended(tmp_path):
    shutil.copy(EXAMPLES / "rajat19.mtx.gz", tmp_path)
    (tmp_path / "INDEX.tsv").write_text(
        "name\tfile\texpanded_nnz\tfield\tkind\tsource_repo\n"
        "rajat19\trajat19.mtx.gz\t5399\treal\tcircuit simulation\tsome\n")
    ended = make(tmp_path)
    assert ended.returncode == 0, ended.stderr
    made = (tmp_path / "gpu.tsv").read_text()
    first, names, row = made.splitlines()
    shipped = (SOURCE / "search/experience/gpu.tsv").read_text().splitlines()
    # Of another generator whose designs take the same times it would be as good.
    assert [first.split(", ")[1:], names] == [shipped[0].split(", ")[1:], shipped[1]]
    designs = (SOURCE / "search/experience/gpu.txt").read_text().splitlines()
    ratios = row.split("\t")[-len(designs):]
    assert row.startswith("rajat19\tcircuit simulation\t")
    assert min(float(ratio) for ratio in ratios if ratio != "-") == 1
    kept = tmp_path / "work/rajat19.gpu.json"
    known = json.loads(kept.read_text())
    known["times"] = dict.fromkeys(known["times"], 5.0)
    kept.write_text(json.dumps(known))
    assert make(tmp_path).returncode == 0
    ratios = (tmp_path / "gpu.tsv").read_text().splitlines()[2].split("\t")[-len(designs):]
    assert set(ratios) <= {"1", "-"}, "no design was benched again"


def test_a_folder_without_an_index_is_refused(tmp_path):
    expect_refusal("make_experience", make(tmp_path), "INDEX.tsv: No such file")
