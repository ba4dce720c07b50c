// designs for several vectors: named designs and designs at random on the battery, by a CPU and the
// emulator, with 2 to 64 columns. Planted faults of columns are found.
// ctest label: emulator
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/design_check.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

constexpr std::array column_counts = {2, 4, 8, 16, 32, 64};
constexpr std::array all_passes = {"", " columns=4", " columns=8", " columns=16"};
constexpr int vector_parts = 4;  ///< of the run, so that they run side by side

int vector_triples() {
  constexpr int triples_default = 8;
  const char* const request = std::getenv("ALPHASPARSE_LONG");
  if (!request) return triples_default;
  const int count = std::atoi(request);
  return count > 1 ? count : 5'000;
}

Operands operands_of(std::size_t number) {
  return {number % 2 == 0 ? Dtype::f32 : Dtype::f64,
          column_counts[number / 2 % column_counts.size()]};
}

/// The design with as many columns in a pass for each of its launches.
std::string with_passes(std::string design, std::size_t number) {
  const std::string_view launch = "launch";
  const std::string more = all_passes[number % all_passes.size()];
  for (std::size_t at = design.find(launch); at != std::string::npos;
       at = design.find(launch, at + launch.size()))
    design.insert(at + launch.size(), more);
  return design;
}

/// Empty where a kernel of several vectors is right, or takes more than a block may have.
std::string vectors_problem(Device& device, const Matrix& matrix, const std::string& line,
                            std::size_t number) {
  const std::string why =
      design_problem(device, matrix, with_passes(line, number), operands_of(number), false);
  const bool too_large = why.find("bytes of shared memory") != std::string::npos,
             own_order = why.find("is for one vector") != std::string::npos;
  return why.starts_with("refused: ") && (too_large || own_order) ? "" : why;
}

class DesignsOfVectors : public testing::TestWithParam<NamedDesign> {};

TEST_P(DesignsOfVectors, AreRightOnACpu) {
  const std::string line(GetParam().cpu);
  if (line.empty()) GTEST_SKIP() << "it does not exist on CPUs";
  std::size_t number = line.size();
  for (const int threads : {1, 3}) {
    const std::unique_ptr<Device> device = cpu_device_of(threads, 32);
    for (const NamedMatrix& entry : battery_for(line)) {
      EXPECT_EQ(vectors_problem(*device, entry.matrix, line, ++number), "")
          << entry.name << ", " << operands_of(number).vectors << " vectors, "
          << dtype_name(operands_of(number).dtype);
    }
  }
}

TEST_P(DesignsOfVectors, AreRightOnAGpu) {
  const std::string line(GetParam().line);
  if (line.empty()) GTEST_SKIP() << "it does not exist on GPUs";
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  std::size_t number = line.size();
  for (const NamedMatrix& entry : battery_for(line)) {
    EXPECT_EQ(vectors_problem(*device, entry.matrix, line, ++number), "")
        << entry.name << ", " << operands_of(number).vectors << " vectors, "
        << dtype_name(operands_of(number).dtype);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DesignsOfVectors, testing::ValuesIn(named_designs()),
                         [](const auto& info) { return test_name_of(info.param); });

class RandomDesignsOfVectors : public testing::TestWithParam<int> {};

TEST_P(RandomDesignsOfVectors, AreRightOnTheBattery) {
  const std::unique_ptr<Device> cpu = cpu_device_of(2, 32), gpu = open_emulated_device("h200");
  const std::vector<NamedMatrix> all = battery();
  const char* const only = std::getenv("ALPHASPARSE_SEED");
  for (int seed = GetParam(); seed < vector_triples(); seed += vector_parts) {
    if (only && seed != std::atoi(only)) continue;
    const NamedMatrix& entry = all[seed % all.size()];
    const CpuTriple triple = cpu_triple(all, seed);
    const std::string design = random_design(entry.matrix, seed);
    EXPECT_EQ(vectors_problem(*gpu, entry.matrix, design, seed), "")
        << "seed " << seed << ", matrix " << entry.name << ": " << with_passes(design, seed);
    EXPECT_EQ(vectors_problem(*cpu, triple.entry.matrix, triple.design, seed), "")
        << "seed " << seed << ", matrix " << triple.entry.name << ": "
        << with_passes(triple.design, seed);
  }
}

INSTANTIATE_TEST_SUITE_P(All, RandomDesignsOfVectors, testing::Range(0, vector_parts));

TEST(PassesOfVectors, HaveTheColumnsThatAGpusRegistersHold) {
  const Matrix matrix = battery_matrix("stencil_23");
  const auto columns = [&](const std::string& end, Dtype dtype) {
    const Result<Kernel> kernel = Designer(matrix).build(
        "compress | thread_rows rows=1 | thread_total | global_store | launch " + end, {dtype, 64},
        no_build_limits);
    return kernel ? kernel->pass_columns : 0;
  };
  EXPECT_EQ(columns("threads=64", Dtype::f64), 16);
  EXPECT_EQ(columns("threads=64", Dtype::f32), 32);
  EXPECT_EQ(columns("threads=64 columns=8", Dtype::f64), 8);
  EXPECT_EQ(columns("tasks=bytes", Dtype::f64), 64);
}

/// A kernel with a text in the place of another one.
std::string problem_with(Device& device, const std::string& design, const std::string& text,
                         const std::string& other) {
  const Matrix matrix = battery_matrix("stencil_23");
  const Result<Kernel> built = Designer(matrix).build(design, {Dtype::f64, 8}, no_build_limits);
  if (!built) return built.reason();
  Kernel kernel = *built;
  const std::size_t at = kernel.source.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  if (at != std::string::npos) kernel.source.replace(at, text.size(), other);
  return kernel_problem(device, kernel, matrix);
}

TEST(VectorsVerification, FindsASwappedColumnAReadAndAWriteBesideTheColumns) {
  const std::unique_ptr<Device> cpu = cpu_device_of(1, 32), gpu = open_emulated_device("h200");
  const std::string rows = "compress | thread_rows rows=1 | thread_total | global_store | launch ";
  const std::string on_cpu = rows + "tasks=bytes", on_gpu = rows + "threads=64";
  const auto is_found = [](const std::string& problem) {
    return problem.find("wrong result in case") != std::string::npos;
  };
  EXPECT_EQ(problem_with(*cpu, on_cpu, "x[ld * column]", "x[ld * column]"), "");
  EXPECT_EQ(problem_with(*gpu, on_gpu, "x[ld * col]", "x[ld * col]"), "");
  EXPECT_TRUE(is_found(problem_with(*cpu, on_cpu, "factor * value.part[p]",
                                    "factor * value.part[Value::count - 1 - p]")));
  EXPECT_TRUE(is_found(problem_with(*cpu, on_cpu, "x[ld * column]", "x[ld * column + 1]")));
  EXPECT_TRUE(is_found(problem_with(*cpu, on_cpu, "y[ld * row]", "y[ld * row + 1]")));
  EXPECT_TRUE(is_found(problem_with(*gpu, on_gpu, "value.part[k] *= factor",
                                    "value.part[k] = factor * value.part[k ^ 1]")));
  EXPECT_NE(problem_with(*gpu, on_gpu, "x[ld * col]", "x[ld * col + 2]"), "");
  EXPECT_NE(problem_with(*gpu, on_gpu, "y[ld * row]", "y[ld * row + 2]"), "");
}

}  // namespace
}  // namespace alphasparse
