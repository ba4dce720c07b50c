// sass: registers, loops and loads of short texts, as nvdisasm prints them; and of real kernels,
// where NVRTC and nvdisasm are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/compilers/nvrtc.h"
#include "runtime/system/processes/child_process.h"
#include "tests/support/files.h"
#include "tools/benchmarks/sass_loads.h"

namespace alphasparse {
namespace {

using Json = nlohmann::json;

/// A kernel of these lines; a line that ends in a colon is a label, the others are instructions.
SassKernel kernel_of(const std::vector<std::string>& lines) {
  std::string text =
      "\t.section\t.text.spmv,\"ax\",@progbits\n"
      "        .size           spmv,(.L_x_20 - spmv)\n"
      "spmv:\n.text.spmv:\n";
  int address = 0;
  for (const std::string& line : lines) {
    if (line.ends_with(":")) {
      text += line + "\n";
      continue;
    }
    text += fmt::format("        /*{:04x}*/ {:>12} {} ;\n", address, "", line);
    address += 16;
  }
  const std::vector<SassKernel> kernels = parse_sass(text);
  EXPECT_EQ(kernels.size(), 1U);
  return kernels.front();
}

SassInstruction instruction_of(const std::string& line) {
  return kernel_of({line}).instructions.at(0);
}

struct RegistersCase {
  const char* line;
  std::vector<SassRegisters> written, read;
};

TEST(Sass, RegistersOfInstructions) {
  const RegistersCase cases[] = {
      {"LDG.E.CONSTANT R6, desc[UR4][R4.64+0x8]", {{6, 1, 0}}, {{4, 2, 1}}},
      {"LDG.E.64.CONSTANT R6, desc[UR4][R4.64]", {{6, 2, 0}}, {{4, 2, 1}}},
      {"LDG.E.128 R8, desc[UR4][R4.64]", {{8, 4, 0}}, {{4, 2, 1}}},
      {"@!P1 LDG.E.U8 R8, desc[UR4][R4.64]", {{8, 1, 0}}, {{4, 2, 1}}},
      {"FFMA R35, R36.reuse, -R26, |R29|", {{35, 1, 0}}, {{36, 1, 1}, {26, 1, 2}, {29, 1, 3}}},
      {"FFMA R5, R5, UR6, R0", {{5, 1, 0}}, {{5, 1, 1}, {0, 1, 3}}},
      {"DFMA R4, R6, R8, R10", {{4, 2, 0}}, {{6, 2, 1}, {8, 2, 2}, {10, 2, 3}}},
      {"F2F.F64.F32 R8, R3", {{8, 2, 0}}, {{3, 1, 1}}},
      {"F2F.F32.F64 R8, R4", {{8, 1, 0}}, {{4, 1, 1}}},
      {"IMAD.WIDE R24, R25, 0x4, R18", {{24, 2, 0}}, {{25, 1, 1}, {18, 2, 3}}},
      {"IMAD.MOV.U32 R17, RZ, RZ, R9", {{17, 1, 0}}, {{9, 1, 3}}},
      {"ISETP.GT.AND P0, PT, R0, 0x210, PT", {}, {{0, 1, 2}}},
      {"IADD3 R6, P2, R14, 0x80, RZ", {{6, 1, 0}}, {{14, 1, 2}}},
      {"SHFL.DOWN PT, R5, R26, 0x10, 0x1f", {{5, 1, 1}}, {{26, 1, 2}}},
      {"STG.E.64 desc[UR4][R2.64], R6", {}, {{2, 2, 0}, {6, 2, 1}}},
      {"RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5", {}, {{2, 2, 0}, {5, 1, 1}}},
      {"ATOMG.E.ADD PT, R7, desc[UR4][R2.64], R5", {{7, 1, 1}}, {{2, 2, 2}, {5, 1, 3}}},
      {"ULDC.64 UR4, c[0x0][0x208]", {}, {}},
      {"EXIT", {}, {}},
  };
  for (const RegistersCase& expected : cases) {
    SCOPED_TRACE(expected.line);
    const SassInstruction instruction = instruction_of(expected.line);
    EXPECT_EQ(instruction.written, expected.written);
    EXPECT_EQ(instruction.read, expected.read);
  }
}

TEST(Sass, OpcodesAreWholeWords) {
  const SassInstruction load = instruction_of("@P0 LDG.E.64.CONSTANT R6, desc[UR4][R4.64]");
  EXPECT_EQ(load.opcode, "LDG.E.64.CONSTANT");
  EXPECT_TRUE(load.is("LDG") && load.is("LDG.E") && load.loads_globally());
  EXPECT_FALSE(load.is("LD") || load.is("LDG.E.6"));
  EXPECT_TRUE(load.has_suffix("64") && load.has_suffix("CONSTANT"));
  EXPECT_FALSE(load.has_suffix("LDG") || load.has_suffix("CONST"));
  EXPECT_TRUE(instruction_of("LD.E R6, [R4.64]").loads_globally());
  EXPECT_FALSE(instruction_of("LDS R6, [R4]").loads_globally());
}

TEST(Sass, KernelsHaveLabelsOfTheirOwn) {
  const std::vector<SassKernel> kernels = parse_sass(
      ".text.one:\n.L_x_1:\n /*0000*/ NOP ;\n /*0010*/ BRA `(.L_x_1) ;\n"
      ".text.two:\n /*0000*/ NOP ;\n.L_x_1:\n.L_x_2:\n /*0010*/ @P0 BRA `(.L_x_1);\n"
      " /*0020*/ BRA `(.L_x_2);\n /*0030*/ BRA `(.L_x_9);\n");
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].name, "one");
  EXPECT_EQ(kernels[0].instructions.at(1).target, 0);
  EXPECT_EQ(kernels[1].name, "two");
  EXPECT_EQ(kernels[1].instructions.at(1).target, 16);
  EXPECT_EQ(kernels[1].instructions.at(2).target, 16);
  EXPECT_EQ(kernels[1].instructions.at(3).target, -1) << "a label that is nowhere";
  EXPECT_TRUE(parse_sass("no kernel at all\n").empty());
}

/// A loop of one non-zero, its loads in a chain; behind a loop without loads, around it another.
const std::vector<std::string> nested_loops = {
    ".outer:",                               //
    "LDG.E R2, desc[UR4][R20.64]",           // 0
    ".idle:",                                //
    "IADD3 R9, R9, 0x1, RZ",                 // 1
    "@P0 BRA `(.idle)",                      // 2
    ".inner:",                               //
    "LDG.E.CONSTANT R4, desc[UR4][R10.64]",  // 3
    "LDG.E.CONSTANT R5, desc[UR4][R12.64]",  // 4
    "IMAD.WIDE R6, R4, 0x4, R14",            // 5
    "LDG.E.CONSTANT R8, desc[UR4][R6.64]",   // 6
    "FFMA R16, R5, R8, R16",                 // 7
    "@P0 BRA `(.inner)",                     // 8
    "STG.E desc[UR4][R18.64], R16",          // 9
    "@P0 BRA `(.outer)",                     // 10
    "EXIT",                                  // 11
    ".end:",                                 //
    "BRA `(.end)",                           // 12
};

TEST(Sass, TheMainLoopIsTheInnermostThatLoadsMost) {
  const SassKernel kernel = kernel_of(nested_loops);
  EXPECT_EQ(main_loop(kernel), (SassRange{3, 9, true}));
  EXPECT_EQ(main_loop(kernel_of({"NOP", ".end:", "BRA `(.end)"})), (SassRange{0, 2, false}));
}

TEST(Sass, LoadsOfALoop) {
  const SassKernel kernel = kernel_of(nested_loops);
  const SassLoads loads = loads_of(kernel, main_loop(kernel));
  EXPECT_EQ(loads.instructions, 6);
  EXPECT_EQ(loads.loads, 3);
  EXPECT_EQ(loads.constant_loads, 3);
  EXPECT_EQ(loads.nonzeros, 1);
  EXPECT_EQ(loads.in_flight, (std::vector<int>{2, 1}));
  EXPECT_EQ(loads.ahead_of_the_product, 3);
  const SassLoads whole = loads_of(kernel, {0, kernel.instructions.size()});
  EXPECT_EQ(whole.loads, 4);
  EXPECT_EQ(whole.constant_loads, 3);
  EXPECT_EQ(whole.in_flight, (std::vector<int>{3, 1}));
}

/// What a wait brings is there for later readers, whichever of it they read.
TEST(Sass, LoadsAheadOfAWaitArriveWithIt) {
  const SassKernel kernel = kernel_of({
      "LDG.E R2, desc[UR4][R20.64]",
      "LDG.E R3, desc[UR4][R22.64]",
      "FADD R9, R2, R9",
      "LDG.E R4, desc[UR4][R24.64]",
      "FADD R9, R3, R9",
      "LDG.E R5, desc[UR4][R24.64+0x4]",
      "FADD R9, R5, R9",
      "FADD R9, R4, R9",
  });
  const SassLoads loads = loads_of(kernel, {0, kernel.instructions.size()});
  EXPECT_EQ(loads.in_flight, (std::vector<int>{2, 2}));
  EXPECT_EQ(loads.nonzeros, 0);
}

/// A second register of a wide load, and a register that is written again, are waited for as well.
TEST(Sass, WaitsForEveryRegisterOfALoad) {
  const auto in_flight = [](const std::string& last) {
    const SassKernel kernel = kernel_of({"LDG.E.64 R2, desc[UR4][R20.64]", last});
    return loads_of(kernel, {0, 2}).in_flight;
  };
  EXPECT_EQ(in_flight("FADD R9, R3, R9"), (std::vector<int>{1}));
  EXPECT_EQ(in_flight("DADD R8, R2, R8"), (std::vector<int>{1}));
  EXPECT_EQ(in_flight("MOV R3, RZ"), (std::vector<int>{1}));
  EXPECT_EQ(in_flight("FADD R9, R4, R9"), std::vector<int>{});
}

/// Loads of the next round are issued at the end of this one.
TEST(Sass, ALoopIsSeenInItsSteadyState) {
  const SassKernel kernel = kernel_of({
      ".loop:",
      "FFMA R16, R5, R8, R16",
      "LDG.E R5, desc[UR4][R10.64]",
      "LDG.E R8, desc[UR4][R12.64]",
      "@P0 BRA `(.loop)",
  });
  const SassLoads loads = loads_of(kernel, main_loop(kernel));
  EXPECT_EQ(loads.in_flight, (std::vector<int>{2}));
  EXPECT_EQ(loads.nonzeros, 1);
  EXPECT_EQ(loads.loads, 2);
}

TEST(Sass, NonZerosAreProductsOfWhatWasLoaded) {
  const auto nonzeros = [](const std::vector<std::string>& lines) {
    const SassKernel kernel = kernel_of(lines);
    return loads_of(kernel, {0, kernel.instructions.size()}).nonzeros;
  };
  const std::string load = "LDG.E R2, desc[UR4][R20.64]", wide = "LDG.E.64 R4, desc[UR4][R20.64]";
  EXPECT_EQ(nonzeros({load, "FFMA R9, R2, UR4, R9"}), 1) << "a value that is a constant";
  EXPECT_EQ(nonzeros({load, "FFMA R9, R8, UR4, R2"}), 0) << "alpha * sum + y";
  EXPECT_EQ(nonzeros({load, "FMUL R9, R2, UR4"}), 0) << "beta * y";
  EXPECT_EQ(nonzeros({load, "LDS R3, [R7]", "FMUL R9, R2, R3"}), 1) << "x in shared memory";
  EXPECT_EQ(nonzeros({load, "F2F.F64.F32 R6, R2", "DFMA R8, R6, R10, R8"}), 1) << "a widened value";
  EXPECT_EQ(nonzeros({wide, "DFMA R8, R4, R10, R8", "DFMA R8, R12, R14, R8"}), 1);
  EXPECT_EQ(nonzeros({load, "FADD R2, R2, R3", "FFMA R9, R2, R8, R9"}), 0) << "a sum, not a value";
}

TEST(Sass, LocalMemoryIsCounted) {
  const SassKernel kernel =
      kernel_of({"LDL R2, [R1]", "STL.64 [R1+0x8], R4", "LDC R1, c[0x0][0x28]"});
  EXPECT_EQ(loads_of(kernel, {0, 3}).local_accesses, 2);
}

/// Whether the machine has what bench_sass calls; says aloud what is missing.
bool can_disassemble() {
  if (!nvrtc()) {
    std::cout << "skipped: " << nvrtc().reason() << '\n';
    return false;
  }
  const char* const named = std::getenv("ALPHASPARSE_NVDISASM");
  const std::string program = named != nullptr && *named != '\0' ? named : "nvdisasm";
  if (run_child({program, "--version"}, {}).succeeded()) return true;
  std::cout << "skipped: " << program << " does not run; tools/setup --all installs nvdisasm\n";
  return false;
}

TEST(Sass, RowsOfRealKernels) {
  if (!can_disassemble()) GTEST_SKIP() << "no NVRTC, or no nvdisasm";
  const ChildResult result =
      run_child({ALPHASPARSE_BINARY_DIR "/tools/bench_sass", "--json", "--design", "csr-vector",
                 "--design", "csr5", ALPHASPARSE_SOURCE_DIR "/examples/rajat19.mtx.gz"},
                {});
  ASSERT_TRUE(result.succeeded()) << result.how_it_ended() << result.errors;
  const Json json = Json::parse(result.output);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["arch"], "sm_90");
  int kernels = 0;
  for (const Json& row : json[0]["kernels"]) {
    SCOPED_TRACE(row.dump());
    if (row["kernel"] != "spmv") continue;
    ++kernels;
    const Json& loop = row["main_loop"];
    EXPECT_GE(row["registers"], 16);
    EXPECT_EQ(row["spill_bytes"], 0);
    EXPECT_EQ(row["whole"]["local_accesses"], 0);
    const int nonzeros = loop["nonzeros"];
    EXPECT_GE(nonzeros, row["design"] == "csr5" ? 16 : 4);  // csr5 has 16 items, on each path
    EXPECT_EQ(row["has_loop"], row["design"] == "csr-vector");
    EXPECT_GE(loop["loads"], 3 * nonzeros);
    EXPECT_GE(row["whole"]["constant_loads"], 3 * nonzeros);
    int in_flight = 0;
    for (const int loads : loop["in_flight"]) in_flight += loads;
    EXPECT_EQ(in_flight, loop["loads"]) << "every load is waited for";
    EXPECT_GE(loop["ahead_of_the_product"], 3);
  }
  EXPECT_EQ(kernels, 4);
}

/// What an entry of the main loop costs; the bounds are of NVRTC 13.0, and one instruction more.
TEST(Sass, DecodingTakesFewInstructionsAndLoads) {
  if (!can_disassemble()) GTEST_SKIP() << "no NVRTC, or no nvdisasm";
  const auto expect_at_most = [](int instructions, int loads, const std::string& columns,
                                 const std::string& matrix) {
    const std::string design =
        "compress | thread_cols lanes=8 | thread_total | warp_total | global_store | compact "
        "columns=" +
        columns + " structure=full values=full | launch threads=256";
    const ChildResult result = run_child(
        {ALPHASPARSE_BINARY_DIR "/tools/bench_sass", "--json", "--design", design, matrix}, {});
    ASSERT_TRUE(result.succeeded()) << result.how_it_ended() << result.errors;
    const Json results = Json::parse(result.output);
    for (const Json& row : results[0]["kernels"]) {
      SCOPED_TRACE(row.dump());
      const Json& loop = row["main_loop"];
      const int nonzeros = loop["nonzeros"];
      ASSERT_GE(nonzeros, 1);
      EXPECT_LE(loop["instructions"], instructions * nonzeros);
      EXPECT_LE(loop["loads"], loads * nonzeros);
      EXPECT_EQ(row["spill_bytes"], 0);
    }
  };
  // A width and a base a chunk; and runs whose numbers are packed again.
  expect_at_most(21, 5, "packed", ALPHASPARSE_SOURCE_DIR "/examples/rajat19.mtx.gz");
  const TestFolder folder;
  std::string text = "%%MatrixMarket matrix coordinate real general\n2000 2000 32000\n";
  for (int row = 0; row < 2000; ++row) {
    for (int k = 0; k < 16; ++k) {
      const int column = (row / 2 + k / (3 + row % 5) * (60 + row * 7 % 90) + k) % 2000;
      text += fmt::format("{} {} {}\n", row + 1, column + 1, 1 + k);
    }
  }
  set_contents(folder / "runs.mtx", text);
  expect_at_most(29, 6, "runs", (folder / "runs.mtx").string());
}

TEST(Sass, TheProgramSaysWhatIsMissing) {
  if (!nvrtc()) GTEST_SKIP() << nvrtc().reason();
  const ChildResult result =
      run_child({"env", "ALPHASPARSE_NVDISASM=/nowhere/nvdisasm",
                 ALPHASPARSE_BINARY_DIR "/tools/bench_sass", "--design", "csr-scalar"},
                {});
  EXPECT_EQ(result.code, 4);
  EXPECT_NE(result.errors.find("bench_sass: error: /nowhere/nvdisasm"), std::string::npos)
      << result.errors;
  EXPECT_NE(result.errors.find("tools/setup --all"), std::string::npos) << result.errors;
}

}  // namespace
}  // namespace alphasparse
