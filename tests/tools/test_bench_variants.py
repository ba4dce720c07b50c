"""bench_variants: its ratios from programs that print known times, and its kernels compiled by nvcc,
where nvcc is."""

import shutil

import pytest

from laboratory_fixture import EXAMPLES, command, done, expect_refusal, run

WORDS = ["--group", "merge-csr", "--device", "emulated:h200", EXAMPLES / "karate.mtx.gz"]


def nvcc_of(folder, program):
    """A compiler that makes this shell program of any source."""
    file = folder / "nvcc"
    file.write_text("#!/bin/bash\n"
                    "while [ $# -gt 1 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n"
                    f"cat > \"$out\" <<'END'\n#!/bin/bash\n{program}\nEND\nchmod +x \"$out\"\n")
    file.chmod(0o755)
    return str(file)


def test_ratios_are_those_of_one_round(tmp_path):
    """Every run takes 1 us longer than the one before, whatever its variant."""
    count = tmp_path / "count"
    program = (f"n=$(( $(cat {count} 2>/dev/null || echo 0) + 1 )); echo $n > {count}\n"
               "echo \"time    $n.000 us (median of 9 batches)\"")
    text = done([*command("bench_variants"), "--rounds", "3", *WORDS], tmp_path,
                ALPHASPARSE_NVCC=nvcc_of(tmp_path, program))
    head, first, second = text.splitlines()
    assert head.endswith("karate.mtx.gz:")
    assert first.endswith("3.000 us  1.000 (1.000 to 1.000)")
    assert second.endswith("4.000 us  1.333 (1.200 to 2.000)"), "1 3 5 and 2 4 6"


@pytest.mark.parametrize("program, text", [
    ("echo no time", "prints no time"), ("echo wrong >&2; exit 1", "exit status 1: wrong")])
def test_a_program_that_fails_ends_it(tmp_path, program, text):
    ended = run([*command("bench_variants"), *WORDS], tmp_path,
                ALPHASPARSE_NVCC=nvcc_of(tmp_path, program))
    assert ended.returncode == 4
    assert text in ended.stderr and ended.stderr.count("\n") == 1


def test_a_compiler_that_fails_is_no_bad_input(tmp_path):
    """nvcc ends with 2 for sources that it refuses."""
    nvcc = tmp_path / "nvcc"
    nvcc.write_text("#!/bin/sh\necho refused >&2; exit 2\n")
    nvcc.chmod(0o755)
    ended = run([*command("bench_variants"), *WORDS], tmp_path, ALPHASPARSE_NVCC=str(nvcc))
    assert ended.returncode == 4 and "exit status 2: refused" in ended.stderr


@pytest.mark.parametrize("words, text", [
    (["--bogus", "a"], "--bogus"), (["--rounds", "0", "a"], "0 is no number from 1 to 999")])
def test_bad_inputs_are_refused(tmp_path, words, text):
    expect_refusal("bench_variants", run([*command("bench_variants"), *words], tmp_path), text)


def test_variants_compile(tmp_path):
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if not nvcc:
        pytest.skip("nvcc is not installed")
    text = done([*command("bench_variants"), "--compile", "--arch", "sm_90", *WORDS], tmp_path,
                ALPHASPARSE_NVCC=nvcc)
    assert "2 variants compiled" in text
