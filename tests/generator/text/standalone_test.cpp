// standalone: NAME.cu names its command, compiles without a warning, works, and takes no file but
// its own.
#include "generator/text/standalone.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <regex>

#include "base/result.h"
#include "base/version.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/formats/format_file.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"
#include "tests/support/sample_kernel.h"
#include "tests/support/standalone_sample.h"

namespace alphasparse {
namespace {

/// The text from one mark up to another.
std::string between(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t begin = text.find(first);
  const std::size_t end = text.find(last, begin);
  CHECK(begin != std::string::npos && end != std::string::npos);
  return text.substr(begin, end - begin);
}

TEST(Standalone, OpensWithWhatMadeIt) {
  const Matrix matrix = small();
  const Fingerprints prints = fingerprints(matrix);
  const std::string text = standalone_source(sample_kernel(matrix, Dtype::f64),
                                             {"a b", "it's/a b.mtx", prints, "", "9.8.7", "sm_80"});
  EXPECT_TRUE(text.starts_with("// a b.cu: y = alpha * A * x + beta * y for one sparse matrix.\n"));
  const std::string head = between(text, "// a b.cu", "#include");
  const std::string design =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=128";
  EXPECT_TRUE(contains(head, "  design   " + design + "\n"));
  EXPECT_TRUE(contains(head, "it's/a b.mtx: 2 rows, 3 columns, 3 non-zeros, f64\n"));
  EXPECT_TRUE(contains(head, prints.pattern) && contains(head, prints.values));
  EXPECT_TRUE(
      contains(head, "alphasparse 9.8.7, generator " + std::string(generator_version) + "\n"));
  EXPECT_TRUE(contains(
      head, "alphasparse emit 'it'\\''s/a b.mtx' --design '" + design + "' --dtype f64\n"));
  EXPECT_TRUE(
      contains(head, "nvcc -std=c++17 -O3 -arch=sm_80 -DALPHASPARSE_MAIN 'a b.cu' -o 'a b'\n"));
}

TEST(Standalone, NamesThatBeginLikeOptionsAreFilesInItsCommands) {
  const Matrix matrix = small();
  const std::string head =
      between(standalone_source(sample_kernel(matrix, Dtype::f64),
                                {"-a", "-m.mtx", fingerprints(matrix), "", "9.8.7", "sm_80"}),
              "// -a.cu", "#include");
  EXPECT_TRUE(contains(head, "alphasparse emit ./-m.mtx --design "));
  EXPECT_TRUE(contains(head, "-DALPHASPARSE_MAIN ./-a.cu -o ./-a\n"));
}

/// The lines of NAME.cu's first comment that begin with one of these words.
std::string lines_of(StandaloneInfo info, const std::string& words) {
  const std::string text = standalone_source(sample_kernel(small(), Dtype::f32), info);
  const std::string head = between(text, "// a.cu", "#include");
  const std::regex line("//   (?:" + words + ") .*\n");
  std::string found;
  for (std::sregex_iterator match(head.begin(), head.end(), line), none; match != none; ++match) {
    found += match->str();
  }
  return found;
}

// A measured time stands for code of NVRTC; a modelled time, for no GPU's code.
TEST(Standalone, SaysWhatCompiledItsKernelOrCheckedIt) {
  StandaloneInfo info;
  info.name = info.matrix = "a";
  EXPECT_EQ(lines_of(info, "compiled|checked"), "") << "nobody has";
  info.compiled_by = "NVRTC 13.0 for sm_90";
  EXPECT_EQ(lines_of(info, "compiled|checked"), "//   compiled by NVRTC 13.0 for sm_90\n");
  info.compiled_by = "";
  info.checked_by = "g++ 12.2.0 on the emulator";
  EXPECT_EQ(lines_of(info, "compiled|checked"), "//   checked  by g++ 12.2.0 on the emulator\n");
  info.checked_by = "g++\n#warning\\";
  EXPECT_EQ(lines_of(info, "compiled|checked"), "//   checked  by g++?#warning?\n");
}

TEST(Standalone, ANameCannotLeaveItsComment) {
  const Matrix matrix = small();
  const std::string text = standalone_source(
      sample_kernel(matrix, Dtype::f32), {"a\nint x;\\", "b\n#warning\\", fingerprints(matrix)});
  EXPECT_TRUE(contains(text, "// a?int x;\\.cu: y"));
  EXPECT_FALSE(contains(text, "\nint x;"));
  EXPECT_FALSE(contains(text, "\n#warning"));
  EXPECT_FALSE(contains(text, "\\\n"));
}

TEST(Standalone, HasNoIncludeButTheSystems) {
  const TestFolder folder;
  const std::string text = sample(folder, small(), Dtype::f32);
  EXPECT_FALSE(contains(text, "#include \""));
  EXPECT_FALSE(contains(text, "#pragma once"));
  EXPECT_FALSE(contains(text, "\n\n\n"));
}

std::string nvcc() {
  const char* home = std::getenv("CUDA_HOME");
  for (const std::string& found :
       {std::string("nvcc"), std::string(home ? home : "/usr/local/cuda") + "/bin/nvcc"}) {
    if (run_command(found + " --version").status == 0) return found;
  }
  return "";
}

TEST(Standalone, HasNoCodeThatItsKernelDoesNotNeed) {
  const TestFolder folder;
  const Matrix matrix = battery_matrix("stencil_23");
  const auto text_of = [&](const std::string& design, Dtype dtype) {
    return write_sample(folder, matrix, *Designer(matrix).build(design, dtype));
  };
  const std::string scalar = "compress | thread_rows rows=1 | thread_total | global_store | ";
  const std::string plain = text_of(scalar + "launch threads=32", Dtype::f64);
  const Matrix symmetric = from_rows(3, {{{0, 1.}, {1, 2.}}, {{0, 2.}, {2, 3.}}, {{1, 3.}}});
  const std::string half = write_sample(
      folder, symmetric,
      *Designer(symmetric).build("symmetric_half | compress | thread_rows rows=1 | thread_total | "
                                 "global_atomic | launch threads=32",
                                 Dtype::f64));
  const std::string coded =
      text_of(scalar + "compact values=coded | launch threads=32", Dtype::f64);
  const std::string mirror = "for_each_mirror_image", codes = "holds_codes";
  for (const char* const part : {"for_each_mirror_image", "holds_codes", "MemoryFormat", "#else",
                                 "ALPHASPARSE_STANDALONE", "ALPHASPARSE_RUNTIME"}) {
    EXPECT_FALSE(contains(plain, part)) << part;
  }
  EXPECT_TRUE(contains(half, mirror));
  EXPECT_TRUE(contains(coded, codes));
  EXPECT_LE(std::count(plain.begin(), plain.end(), '\n'), 1860);
}

TEST(Standalone, CompilesWithoutAWarning) {
  const std::string compiler = nvcc();
  if (compiler.empty()) GTEST_SKIP() << "no nvcc on PATH, in CUDA_HOME or in /usr/local/cuda";
  const TestFolder folder;
  // One program and one object, of both types, each with code that plain kernels do not have.
  const Matrix many = battery_matrix("power_law");
  const std::string rows = "compress | thread_rows rows=1 | thread_total | global_store | ";
  const auto write = [&](const char* name, const Matrix& matrix, const char* last, Dtype dtype) {
    set_contents(folder / name,
                 write_sample(folder, matrix, *Designer(matrix).build(rows + last, dtype)));
  };
  write("f32.cu", many, "compact columns=runs | launch threads=32", Dtype::f32);
  write("f64.cu", from_rows(3, {{{0, 0.1}, {2, 2.0}}, {{2, 3.0}}}),
        "compact values=rounded | launch threads=32 cache=streamed", Dtype::f64);
  const std::string command = compiler + " -std=c++17 -O3 -arch=sm_90 -Xcompiler=-Wall,-Wextra ";
  const CommandOutcome compiled = run_command(
      fmt::format("cd {0} && {1} -DALPHASPARSE_MAIN f32.cu -o f32 && {1} -c f64.cu -o f64.o && "
                  "test -x f32 && test -f f64.o",
                  folder.path().string(), command));
  EXPECT_EQ(compiled.status, 0);
  EXPECT_EQ(compiled.output, "");
  const CommandOutcome others = run_command(fmt::format(
      "readelf -sW {}/f64.o | awk '$5 != \"LOCAL\" && $6 == \"DEFAULT\" && $7 != \"UND\"' | "
      "grep -vE ' (a_[a-z_]+|_ZN?K?S[^ ]*|_ZN4dim3[^ ]*|DW.ref[^ ]*)$' | grep -i 'alphasparse\\| "
      "GLOBAL '",
      folder.path().string()));
  EXPECT_EQ(others.output, "") << "names that other objects see";
  const CommandOutcome called = run_command(
      fmt::format("readelf -rW {}/f64.o | grep -E ' a_[a-z_]+( |$)'", folder.path().string()));
  EXPECT_EQ(called.output, "") << "C functions that those of another library may stand for";
}

TEST(Standalone, ItsInterfaceKeepsItsPromises) {
  const TestFolder folder;
  const std::string text = sample(folder, small(), Dtype::f32);
  const CommandOutcome compiled = compile(folder, text + driver("interface_driver.cpp"), "");
  ASSERT_EQ(compiled.status, 0) << compiled.output;
  const CommandOutcome outcome = run_sample(folder, "a.safetensors 0");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

/// The pads of its rows keep the value 0 whichever values are loaded. Its threads do not meet.
TEST(Standalone, ItsInterfaceKeepsItsPromisesForPaddedRows) {
  const TestFolder folder;
  const Kernel kernel = *Designer(small()).build(
      "compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_total vector=2 | "
      "global_atomic | launch threads=32",
      Dtype::f32);
  const std::string text = write_sample(folder, small(), kernel);
  EXPECT_TRUE(contains(text, "const float2 value = f.value2(entry);"));
  const CommandOutcome compiled = compile(folder, text + driver("interface_driver.cpp"), "");
  ASSERT_EQ(compiled.status, 0) << compiled.output;
  const CommandOutcome outcome = run_sample(folder, "a.safetensors 0");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

/// Two launches: sums go to scratch memory, then to y. The pointer to scratch memory stands between
/// those of arrays.
Kernel kernel_with_workspace(const Matrix& matrix) {
  Kernel kernel = sample_kernel(matrix, Dtype::f32);
  kernel.workspaces.push_back({"scratch", ElementType::f32, matrix.rows, "sum of each row", 2});
  std::string& text = kernel.source;
  const std::string value = "  const float* value_;\n", store = "  out.y[row] = out.alpha * sum";
  text.insert(text.find(value), "  float* scratch_;\n");
  const std::string pointer = "const float* __restrict__ value_,", argument = "column_, value_}";
  text.insert(text.find(pointer), "float* __restrict__ scratch_, ");
  text.replace(text.find(argument), argument.size(), "column_, scratch_, value_}");
  const std::size_t at = text.find(store);
  const std::string stores = text.substr(at);
  text.replace(at, std::string::npos, "  if (out.y) f.scratch_[row] = sum;\n}\n");
  text += fmt::format(
      "extern \"C\" __global__ void __launch_bounds__(128)\n"
      "    spmv_end(const int*, const int*, float* __restrict__ scratch_, const float*,\n"
      "             const Value* __restrict__ x, Value* __restrict__ y, Value alpha, Value beta) "
      "{{\n"
      "  const Output out{{y, alpha, beta}};\n"
      "  const int row = blockIdx.x * 128 + threadIdx.x;\n"
      "  if (row >= {} || !x) return;\n"
      "  const Value sum = scratch_[row];\n{}",
      matrix.rows, stores);
  find_places(kernel);
  kernel.launches.push_back({"spmv_end", kernel.launches[0].blocks, kernel.launches[0].threads});
  return kernel;
}

TEST(Standalone, AllocatesWorkspacesWhenItLoads) {
  const TestFolder folder;
  const std::string text = write_sample(folder, small(), kernel_with_workspace(small()));
  const CommandOutcome compiled = compile(folder, text + driver("interface_driver.cpp"), "");
  ASSERT_EQ(compiled.status, 0) << compiled.output;
  const CommandOutcome outcome = run_sample(folder, "a.safetensors 256");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

TEST(Standalone, ItsProgramTellsRightFromWrong) {
  const TestFolder folder;
  const Matrix matrix = battery().back().matrix;
  const Kernel kernel = sample_kernel(matrix, Dtype::f64);
  const std::string text = write_sample(folder, matrix, kernel);
  const std::string options = "-DALPHASPARSE_MAIN";
  ASSERT_EQ(compile(folder, text, options).output, "");
  const CommandOutcome right = run_sample(folder, "--repeat 5");
  EXPECT_EQ(right.status, 0) << right.output;
  EXPECT_TRUE(contains(right.output, "median of 5 batches of ")) << right.output;
  EXPECT_EQ(run_sample(folder, "missing.safetensors").status, 2);
  EXPECT_EQ(run_sample(folder, "--help").status, 0);
  EXPECT_EQ(run_sample(folder, "--repeat 0").status, 2);
  EXPECT_EQ(run_sample(folder, "--repeat").status, 2);

  Matrix other = matrix;
  other.value.front() += 1;
  write_format_file(folder / "b.safetensors", kernel, other, fingerprints(other));
  const CommandOutcome refused = run_sample(folder, "b.safetensors");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(contains(refused.output, "b.safetensors: kernel and format differ: values is "));
  write_sample(folder, small(), sample_kernel(small(), Dtype::f64));
  EXPECT_TRUE(contains(run_sample(folder, "").output,
                       "a.safetensors: not the file that this kernel was made with: its structure "
                       "has digest "));
  write_sample(folder, matrix, kernel);

  const std::string last = "row >= " + std::to_string(matrix.rows);
  ASSERT_TRUE(contains(text, last));
  std::string wrong = text;
  wrong.replace(wrong.find(last), last.size(), "row >= 700");
  ASSERT_EQ(compile(folder, wrong, options).output, "");
  const CommandOutcome outcome = run_sample(folder, "a.safetensors");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(contains(outcome.output, "WRONG")) << outcome.output;
}

/// A launch takes 50 us, so that 24 are the first batch that lasts a millisecond: 1, 16, 24.
TEST(Standalone, ItsProgramTimesAsTuneDoes) {
  const TestFolder folder;
  const Matrix matrix = battery().back().matrix;
  const Kernel kernel = sample_kernel(matrix, Dtype::f64);
  ASSERT_EQ(compile(folder, write_sample(folder, matrix, kernel), "-DALPHASPARSE_MAIN").output, "");
  const CommandOutcome outcome = run_sample(folder, "");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output,
                       "time    50.000 us (median of 51 batches of 24, warm; p20 50.000, p80 "
                       "50.000)\n"))
      << outcome.output;
}

TEST(Standalone, ItsProgramRunsOnTheCurrentDevice) {
  const TestFolder folder;
  const std::string text = sample(folder, small(), Dtype::f32);
  for (const auto& [device, name] : {std::pair{"0", "the host"}, {"1", "the host again"}}) {
    ASSERT_EQ(
        compile(folder, text, fmt::format("-DALPHASPARSE_MAIN -DHOST_DEVICE={}", device)).output,
        "");
    const CommandOutcome outcome = run_sample(folder, "");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_TRUE(contains(outcome.output, fmt::format("device  {}\n", name))) << outcome.output;
  }
}

TEST(Standalone, AMatrixWithoutEntriesIsOrdinary) {
  const TestFolder folder;
  const Matrix matrix = from_rows(3, {{}, {}});
  const std::string text = sample(folder, matrix, Dtype::f32);
  ASSERT_EQ(compile(folder, text, "-DALPHASPARSE_MAIN").output, "");
  const CommandOutcome outcome = run_sample(folder, "");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

/// Loads the kernel's format with each kind of damage.
void expect_no_damaged_file_taken(const Matrix& matrix, const Kernel& kernel) {
  const TestFolder folder;
  write_sample(folder, matrix, kernel);
  const std::string text = loader_source(
      kernel, {"a", "some/a.mtx", fingerprints(matrix), structure_digest(kernel, matrix)});
  EXPECT_FALSE(contains(text, "conjugate")) << "what only complex kernels need is left out";
  const CommandOutcome compiled = compile(folder, text + driver("loader_driver.cpp"),
                                          "-fsanitize=address,undefined -fno-sanitize-recover=all");
  ASSERT_EQ(compiled.status, 0) << compiled.output;
  const CommandOutcome outcome = run_sample(folder, "a.safetensors scratch 20261121");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, " refused, ")) << outcome.output;
}

TEST(Standalone, ItsLoaderTakesNoDamagedFile) {
  expect_no_damaged_file_taken(small(), sample_kernel(small(), Dtype::f32));
}

TEST(Standalone, ItsLoaderTakesNoDamagedFileOfOneTriangle) {
  const Matrix matrix = from_rows(3, {{{0, 1.}, {1, 2.}}, {{0, 2.}, {2, 3.}}, {{1, 3.}}});
  Kernel kernel = sample_kernel(matrix, Dtype::f32);
  kernel.mirror = Mirror::same;  // the loader asks for the pattern alone
  expect_no_damaged_file_taken(matrix, kernel);
}

}  // namespace
}  // namespace alphasparse
