"""sass: registers, loops and loads of short texts, as nvdisasm prints them; and bench_sass on real
kernels, where NVRTC and nvdisasm are."""

import json
import os
import shutil

import pytest

from laboratory_fixture import EXAMPLES, command, done, expect_refusal, run

import sass
from laboratory import KernelFacts, Refused


def kernel_of(*lines):
    """A kernel of these lines; a line that ends in a colon is a label, others are instructions."""
    text = ('\t.section\t.text.spmv,"ax",@progbits\n        .size           spmv,(.L_x_20 - spmv)\n'
            "spmv:\n.text.spmv:\n")
    address = 0
    for line in lines:
        if line.endswith(":"):
            text += line + "\n"
            continue
        text += f"        /*{address:04x}*/ {'':>12} {line} ;\n"
        address += 16
    kernel, = sass.parse(text)
    return kernel


def instruction_of(line):
    return kernel_of(line).instructions[0]


def whole(kernel):
    return sass.loads_of(kernel, sass.Range(0, len(kernel.instructions)))


@pytest.mark.parametrize("line, written, read", [
    ("LDG.E.CONSTANT R6, desc[UR4][R4.64+0x8]", [(6, 1, 0)], [(4, 2, 1)]),
    ("LDG.E.64.CONSTANT R6, desc[UR4][R4.64]", [(6, 2, 0)], [(4, 2, 1)]),
    ("LDG.E.128 R8, desc[UR4][R4.64]", [(8, 4, 0)], [(4, 2, 1)]),
    ("@!P1 LDG.E.U8 R8, desc[UR4][R4.64]", [(8, 1, 0)], [(4, 2, 1)]),
    ("FFMA R35, R36.reuse, -R26, |R29|", [(35, 1, 0)], [(36, 1, 1), (26, 1, 2), (29, 1, 3)]),
    ("FFMA R5, R5, UR6, R0", [(5, 1, 0)], [(5, 1, 1), (0, 1, 3)]),
    ("DFMA R4, R6, R8, R10", [(4, 2, 0)], [(6, 2, 1), (8, 2, 2), (10, 2, 3)]),
    ("F2F.F64.F32 R8, R3", [(8, 2, 0)], [(3, 1, 1)]),
    ("F2F.F32.F64 R8, R4", [(8, 1, 0)], [(4, 1, 1)]),
    ("IMAD.WIDE R24, R25, 0x4, R18", [(24, 2, 0)], [(25, 1, 1), (18, 2, 3)]),
    ("IMAD.MOV.U32 R17, RZ, RZ, R9", [(17, 1, 0)], [(9, 1, 3)]),
    ("ISETP.GT.AND P0, PT, R0, 0x210, PT", [], [(0, 1, 2)]),
    ("IADD3 R6, P2, R14, 0x80, RZ", [(6, 1, 0)], [(14, 1, 2)]),
    ("SHFL.DOWN PT, R5, R26, 0x10, 0x1f", [(5, 1, 1)], [(26, 1, 2)]),
    ("STG.E.64 desc[UR4][R2.64], R6", [], [(2, 2, 0), (6, 2, 1)]),
    ("RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", [], [(2, 2, 0), (5, 1, 1)]),
    ("ATOMG.E.ADD PT, R7, desc[UR4][R2.64], R5", [(7, 1, 1)], [(2, 2, 2), (5, 1, 3)]),
    ("ULDC.64 UR4, c[0x0][0x208]", [], []), ("EXIT", [], [])])
def test_registers_of_instructions(line, written, read):
    instruction = instruction_of(line)
    assert instruction.written == written
    assert instruction.read == read


def test_kernels_have_labels_of_their_own():
    one, two = sass.parse(
        ".text.one:\n.L_x_1:\n /*0000*/ NOP ;\n /*0010*/ BRA `(.L_x_1) ;\n"
        ".text.two:\n /*0000*/ NOP ;\n.L_x_1:\n.L_x_2:\n /*0010*/ @P0 BRA `(.L_x_1);\n"
        " /*0020*/ BRA `(.L_x_2);\n /*0030*/ BRA `(.L_x_9);\n")
    assert (one.name, two.name) == ("one", "two")
    assert one.instructions[1].target == 0
    assert [each.target for each in two.instructions] == [None, 16, 16, None], (
        "the last label is nowhere")
    assert sass.parse("no kernel at all\n") == []


# A loop of one non-zero, its loads in a chain; behind a loop without loads, around it another.
NESTED_LOOPS = (
    ".outer:",
    "LDG.E R2, desc[UR4][R20.64]",  # 0
    ".idle:",
    "IADD3 R9, R9, 0x1, RZ",  # 1
    "@P0 BRA `(.idle)",  # 2
    ".inner:",
    "LDG.E.CONSTANT R4, desc[UR4][R10.64]",  # 3
    "LDG.E.CONSTANT R5, desc[UR4][R12.64]",  # 4
    "IMAD.WIDE R6, R4, 0x4, R14",  # 5
    "LDG.E.CONSTANT R8, desc[UR4][R6.64]",  # 6
    "FFMA R16, R5, R8, R16",  # 7
    "@P0 BRA `(.inner)",  # 8
    "STG.E desc[UR4][R18.64], R16",  # 9
    "@P0 BRA `(.outer)",  # 10
    "EXIT",  # 11
    ".end:",
    "BRA `(.end)")  # 12


def test_the_main_loop_is_the_innermost_that_loads_most():
    assert sass.main_loop(kernel_of(*NESTED_LOOPS)) == sass.Range(3, 9, True)
    assert sass.main_loop(kernel_of("NOP", ".end:", "BRA `(.end)")) == sass.Range(0, 2, False)


def test_loads_of_a_loop():
    kernel = kernel_of(*NESTED_LOOPS)
    assert vars(sass.loads_of(kernel, sass.main_loop(kernel))) == {
        "instructions": 6, "loads": 3, "constant_loads": 3, "local_accesses": 0, "nonzeros": 1,
        "in_flight": [2, 1], "ahead_of_the_product": 3}
    loads = whole(kernel)
    assert (loads.loads, loads.constant_loads, loads.in_flight) == (4, 3, [3, 1])


def test_loads_ahead_of_a_wait_arrive_with_it():
    """A wait brings them for later readers, whichever of it they read."""
    loads = whole(kernel_of(
        "LDG.E R2, desc[UR4][R20.64]", "LDG.E R3, desc[UR4][R22.64]", "FADD R9, R2, R9",
        "LDG.E R4, desc[UR4][R24.64]", "FADD R9, R3, R9", "LDG.E R5, desc[UR4][R24.64+0x4]",
        "FADD R9, R5, R9", "FADD R9, R4, R9"))
    assert (loads.in_flight, loads.nonzeros) == ([2, 2], 0)


@pytest.mark.parametrize("last, in_flight", [
    ("FADD R9, R3, R9", [1]), ("DADD R8, R2, R8", [1]), ("MOV R3, RZ", [1]),
    ("FADD R9, R4, R9", [])])
def test_every_register_of_a_load_is_waited_for(last, in_flight):
    """A second register of a wide load, and a register that is written again, too."""
    assert whole(kernel_of("LDG.E.64 R2, desc[UR4][R20.64]", last)).in_flight == in_flight


def test_a_loop_is_seen_in_its_steady_state():
    """Loads of the next round are issued at the end of this one."""
    kernel = kernel_of(".loop:", "FFMA R16, R5, R8, R16", "LDG.E R5, desc[UR4][R10.64]",
                       "LDG.E R8, desc[UR4][R12.64]", "@P0 BRA `(.loop)")
    loads = sass.loads_of(kernel, sass.main_loop(kernel))
    assert (loads.in_flight, loads.nonzeros, loads.loads) == ([2], 1, 2)


LOAD, WIDE = "LDG.E R2, desc[UR4][R20.64]", "LDG.E.64 R4, desc[UR4][R20.64]"


@pytest.mark.parametrize("nonzeros, lines", [
    (1, [LOAD, "FFMA R9, R2, UR4, R9"]),  # a value that is a constant
    (0, [LOAD, "FFMA R9, R8, UR4, R2"]),  # alpha * sum + y
    (0, [LOAD, "FMUL R9, R2, UR4"]),  # beta * y
    (1, [LOAD, "LDS R3, [R7]", "FMUL R9, R2, R3"]),  # x in shared memory
    (1, [LOAD, "F2F.F64.F32 R6, R2", "DFMA R8, R6, R10, R8"]),  # a widened value
    (1, [WIDE, "DFMA R8, R4, R10, R8", "DFMA R8, R12, R14, R8"]),
    (0, [LOAD, "FADD R2, R2, R3", "FFMA R9, R2, R8, R9"])])  # a sum, not a value
def test_non_zeros_are_products_of_loaded_values(nonzeros, lines):
    assert whole(kernel_of(*lines)).nonzeros == nonzeros


def test_local_memory_is_counted():
    kernel = kernel_of("LDL R2, [R1]", "STL.64 [R1+0x8], R4", "LDC R1, c[0x0][0x28]")
    assert whole(kernel).local_accesses == 2


# --- the command

@pytest.fixture(scope="session")
def nvrtc():
    """Whether this machine compiles for a GPU; says aloud that it does not."""
    with KernelFacts(os.environ["KERNEL_FACTS"]) as facts:
        facts.ask("matrix", path=str(EXAMPLES / "karate.mtx.gz"), dtype="f32")
        try:
            facts.ask("compile", design="csr-scalar", dtype="f32", arch="sm_90")
        except Refused as refused:
            assert refused.code == 4
            pytest.skip(str(refused))


@pytest.fixture(scope="session")
def nvdisasm(nvrtc):
    program = os.environ.get("ALPHASPARSE_NVDISASM") or "nvdisasm"
    if not shutil.which(program):
        pytest.skip(f"{program} does not run; tools/setup --all installs nvdisasm")


def kernels_of(folder, *words):
    matrix, = json.loads(done([*command("bench_sass"), "--json", *words], folder))
    assert matrix["arch"] == "sm_90"
    return matrix["kernels"]


def test_rows_of_real_kernels(tmp_path, nvdisasm):
    rows = [row for row in kernels_of(tmp_path, "--design", "csr-vector", "--design", "csr5",
                                      EXAMPLES / "rajat19.mtx.gz") if row["kernel"] == "spmv"]
    assert len(rows) == 4
    for row in rows:
        loop = row["main_loop"]
        assert row["registers"] >= 16
        assert row["spill_bytes"] == 0
        assert row["whole"]["local_accesses"] == 0
        # csr5 has 16 items, on each path
        assert loop["nonzeros"] >= (16 if row["design"] == "csr5" else 4)
        assert row["has_loop"] == (row["design"] == "csr-vector")
        assert loop["loads"] >= 3 * loop["nonzeros"]
        assert row["whole"]["constant_loads"] >= 3 * loop["nonzeros"]
        assert sum(loop["in_flight"]) == loop["loads"], "every load is waited for"
        assert loop["ahead_of_the_product"] >= 3


def long_rows():
    """64 rows of 257 to 320 entries: more than eight for each of 32 lanes."""
    entries = [(row, (5 * entry + row) % 2000, 1 + entry % 7)
               for row in range(64) for entry in range(257 + row)]
    return f"%%MatrixMarket matrix coordinate real general\n64 2000 {len(entries)}\n" + "".join(
        f"{row + 1} {column + 1} {value}\n" for row, column, value in entries)


def test_named_designs_have_their_gathers_in_flight(tmp_path, nvdisasm):
    """A batch takes two rounds: its columns, then all its elements of x."""
    matrix = tmp_path / "long_rows.mtx"
    matrix.write_text(long_rows())
    names = ["csr-scalar", "csr-vector", "ell", "ellpack-r", "row-grouped-csr", "sell-c-sigma"]
    gathers = {**dict.fromkeys(names, 8), "merge-csr": 7}
    words = [word for name in gathers for word in ("--design", name)]
    rows = [row for row in kernels_of(tmp_path, *words, matrix) if row["kernel"] == "spmv"]
    assert len(rows) == 2 * len(gathers)
    for row in rows:
        loop = row["main_loop"]
        at_once = gathers[row["design"]]
        assert (row["spill_bytes"], loop["nonzeros"]) == (0, at_once), row["design"]
        assert loop["rounds"] <= 2, row["design"]
        assert loop["ahead_of_the_product"] == 3 * at_once, "no product waits between loads"
        assert row["registers"] <= 64


@pytest.mark.parametrize("vector", [1, 2, 4])
def test_a_tile_of_csr5_takes_two_rounds_of_loads(tmp_path, nvdisasm, vector):
    """Columns come first, then all sixteen elements of x. A load has 16 bytes at most."""
    design = ("compress | warp_nnz nnz=512 | thread_nnz nnz=16 | "
              f"interleave run={vector} | thread_bitmap vector={vector} | warp_segment | "
              "global_atomic | launch threads=128")
    rows = [row for row in kernels_of(tmp_path, "--design", design, EXAMPLES / "rajat19.mtx.gz")
            if row["kernel"] == "spmv"]
    assert [row["dtype"] for row in rows] == ["f32", "f64"]
    for row in rows:
        values_at_once = vector if row["dtype"] == "f32" else min(vector, 2)
        of_tile = 2  # its first row, and the thread's flags
        loads = of_tile + 16 // vector + 16 // values_at_once + 16
        columns, x = row["main_loop"]["in_flight"][:2]
        assert x >= 16
        assert columns + x == row["main_loop"]["ahead_of_the_product"] == loads
        assert row["spill_bytes"] == 0


def test_the_ends_of_rows_of_a_merge_path_load_in_one_round(tmp_path, nvdisasm):
    """Seven ends of rows arrive together; the products behind them take 21 loads."""
    for row in kernels_of(tmp_path, "--design", "merge-csr", EXAMPLES / "rajat19.mtx.gz"):
        if row["kernel"] != "spmv":
            continue
        assert row["spill_bytes"] == 0
        assert row["whole"]["nonzeros"] == 7
        assert 7 in row["whole"]["in_flight"][:2]
        assert row["main_loop"]["loads"] == 21, "of columns, values and x"
        assert row["main_loop"]["instructions"] <= 12 * 7


def test_the_table_has_a_line_a_kernel(tmp_path, nvdisasm):
    text = done([*command("bench_sass"), "--design", "csr-vector", "--design", "dia",
                 EXAMPLES / "rajat19.mtx.gz"], tmp_path)
    head, columns, *lines = text.splitlines()
    assert head.endswith(": 1157 x 1157, 5399 non-zeros, sm_90")
    assert columns.split() == ["design", "kernel", "regs", "spills", "loads", "constant", "nz",
                               "instr/nz", "load/nz", "first", "rounds", "in", "flight"]
    assert [line.split()[:3] for line in lines] == [
        [design, dtype, third] for dtype in ("f32", "f64")
        for design, third in (("csr-vector", "spmv"), ("dia", "refused:"))]


def runs_matrix():
    """Runs of columns with numbers that are packed again."""
    entries = [(row, (row // 2 + k // (3 + row % 5) * (60 + row * 7 % 90) + k) % 2000, 1 + k)
               for row in range(2000) for k in range(16)]
    return "%%MatrixMarket matrix coordinate real general\n2000 2000 32000\n" + "".join(
        f"{row + 1} {column + 1} {value}\n" for row, column, value in entries)


@pytest.mark.parametrize("instructions, loads, columns", [(21, 5, "packed"), (29, 6, "runs")])
def test_decoding_takes_few_instructions_and_loads(tmp_path, nvdisasm, instructions, loads,
                                                   columns):
    """The cost of an entry of the main loop; bounds are of NVRTC 13.0, and one instruction more."""
    matrix = EXAMPLES / "rajat19.mtx.gz"  # a width and a base a chunk
    if columns == "runs":
        matrix = tmp_path / "runs.mtx"
        matrix.write_text(runs_matrix())
    design = ("compress | thread_cols lanes=8 | thread_total | warp_total | global_store | compact "
              f"columns={columns} structure=full values=full | launch threads=256")
    for row in kernels_of(tmp_path, "--design", design, matrix):
        loop = row["main_loop"]
        assert loop["nonzeros"] >= 1
        assert loop["instructions"] <= instructions * loop["nonzeros"]
        assert loop["loads"] <= loads * loop["nonzeros"]
        assert row["spill_bytes"] == 0


def test_the_command_says_what_is_missing(tmp_path, nvrtc):
    words = [*command("bench_sass"), "--design", "csr-scalar", "--json"]
    missing = run(words, tmp_path, ALPHASPARSE_NVDISASM="/nowhere/nvdisasm")
    expect_refusal("bench_sass", missing, "error: /nowhere/nvdisasm: cannot be started", 4)
    failing = run(words, tmp_path, ALPHASPARSE_NVDISASM="/bin/false")
    expect_refusal("bench_sass", failing, "tools/setup --all", 4)


def test_bad_inputs_are_refused(tmp_path):
    expect_refusal("bench_sass", run([*command("bench_sass"), "--json", "nowhere.mtx"], tmp_path),
                   "nowhere.mtx: cannot be read")
    expect_refusal("bench_sass", run([*command("bench_sass"), "--bogus"], tmp_path), "--bogus")
