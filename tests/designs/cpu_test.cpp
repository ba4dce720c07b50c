// designs on the processor at hand: named designs, free ones and designs at random on the battery.
// The named designs run on an eighth of it, the free ones on a sixth, and all on the whole battery
// in the long run. They run by one thread, two and five, with registers of 16, 32 and 64 bytes
// where this processor has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/device/verify.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/cpu_devices.h"
#include "tests/support/design_check.h"

namespace alphasparse {

namespace {

constexpr int lane_triples = 24;
constexpr int lane_parts = 2;  ///< of the random run, so that they run side by side
constexpr int widths[] = {16, 32, 64};

std::string problem(Device& device, const Matrix& matrix, const std::string& design, Dtype dtype) {
  return design_problem(device, matrix, design, dtype, false);
}

class CpuDesigns : public testing::TestWithParam<NamedDesign> {};

TEST_P(CpuDesigns, AreRightOnTheBattery) {
  const std::string line(GetParam().cpu);
  for (const int threads : {1, 2, 5}) {  // of one shared object, which the cache keeps
    std::vector<std::unique_ptr<Device>> devices;
    for (const int width : widths) devices.push_back(cpu_device_of(threads, width));
    int number = 0;
    for (const NamedMatrix& entry : battery_for(line)) {
      const Dtype dtype = ++number % 2 == 0 ? Dtype::f32 : Dtype::f64;
      EXPECT_EQ(problem(*devices[number % 3], entry.matrix, line, dtype), "")
          << entry.name << ", " << dtype_name(dtype) << ", " << threads << " threads";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuDesigns, testing::ValuesIn(named_designs(Target::cpu)),
                         [](const auto& info) { return test_name_of(info.param); });

/// Every matrix with a sixth of the designs, and with all where ALPHASPARSE_LONG is set.
TEST(CpuDesigns, FreeOnesAreRightOnTheBattery) {
  const bool all_pairs = std::getenv("ALPHASPARSE_LONG") != nullptr;
  int built = 0, number = 0, sixth = 0;
  const std::unique_ptr<Device> alone = cpu_device_of(1, 64), team = cpu_device_of(3, 32);
  for (const char* const design : free_designs_of_cpus()) {
    int built_of_it = 0, place = ++sixth;
    for (const NamedMatrix& entry : battery()) {
      if (++place % 6 != 0 && !all_pairs) continue;
      const Dtype dtype = ++number % 2 == 0 ? Dtype::f32 : Dtype::f64;
      Device& device = number % 3 == 0 ? *alone : *team;
      const std::string why = problem(device, entry.matrix, design, dtype);
      if (why.starts_with("refused")) continue;  // this matrix's rows are too long for a gang
      ++built_of_it;
      EXPECT_EQ(why, "") << entry.name << ", " << dtype_name(dtype) << ": " << design;
    }
    EXPECT_GT(built_of_it, 0) << design;
    built += built_of_it;
  }
  EXPECT_GT(built, 30);
}

/// Those with mirror images, in all ways that images may have.
TEST(CpuDesigns, HalfOnesAreRightOnMatricesWithMirrorImages) {
  std::vector<NamedMatrix> matrices = battery();
  std::erase_if(matrices,
                [](const NamedMatrix& entry) { return find_mirror(entry.matrix) == Mirror::none; });
  const Matrix symmetric = battery_matrix("symmetric_97");
  matrices.push_back({"skew", skew_of(symmetric)});
  for (const Mirror mirror : {Mirror::same, Mirror::negated, Mirror::conjugate})
    matrices.push_back({mirror_kind(mirror).name, complex_of(symmetric, mirror)});
  std::vector<std::unique_ptr<Device>> devices;
  for (const int threads : {1, 2, 5})
    devices.push_back(cpu_device_of(threads, widths[threads % 3]));
  int number = 0;
  for (const char* const design : half_designs_of_cpus()) {
    for (const NamedMatrix& entry : matrices) {
      const bool is_complex = entry.matrix.is_complex();
      const bool has_blocks = std::string_view(design).find("thread_bands") != std::string::npos;
      if (is_complex && has_blocks) continue;
      const bool is_wide = ++number % 2 == 0;
      const Dtype dtype =
          is_complex ? (is_wide ? Dtype::c128 : Dtype::c64) : (is_wide ? Dtype::f64 : Dtype::f32);
      EXPECT_EQ(problem(*devices[number % 3], entry.matrix, design, dtype), "")
          << entry.name << ", " << dtype_name(dtype) << ": " << design;
    }
  }
}

int triples() {
  const char* const request = std::getenv("ALPHASPARSE_LONG");
  if (!request) return lane_triples;
  const int count = std::atoi(request);
  return count > 1 ? count : 10'000;
}

class CpuRandomDesigns : public testing::TestWithParam<int> {};

TEST_P(CpuRandomDesigns, AreRightOnTheBattery) {
  std::vector<std::unique_ptr<Device>> devices;
  for (const int threads : {1, 2, 5}) {
    for (const int width : widths) devices.push_back(cpu_device_of(threads, width));
  }
  const std::vector<NamedMatrix> all = battery();
  for (int seed = GetParam(); seed < triples(); seed += lane_parts) {
    if (!is_wanted(seed)) continue;
    const CpuTriple triple = cpu_triple(all, seed);
    Device& device = *devices[seed * 7 % static_cast<int>(devices.size())];
    EXPECT_EQ(problem(device, triple.entry.matrix, triple.design, triple.dtype), "")
        << "seed " << seed << ", " << dtype_name(triple.dtype) << ", matrix " << triple.entry.name
        << ", " << device.info().name << ": " << triple.design;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuRandomDesigns, testing::Range(0, lane_parts));

// Found at random: a block of a gang's next warp may begin behind any number of single entries.
TEST(CpuDesigns, GangsOfFewRowsHaveWholeBlocks) {
  const std::unique_ptr<Device> device = cpu_device_of(2, 32);
  for (const char* const rows : {"1", "3"}) {
    for (const NamedMatrix& entry : battery()) {
      const std::string design = fmt::format(
          "compress blocks=8 share=25 | warp_rows rows={} | thread_rows rows=1 | thread_pad | "
          "interleave | thread_total | global_store | launch tasks=bytes",
          rows);
      const std::string why = problem(*device, entry.matrix, design, Dtype::f32);
      EXPECT_TRUE(why.empty() || why.starts_with("refused"))
          << why << ", " << entry.name << ", " << rows;
    }
  }
}

TEST(CpuDesigns, ResultsAreTheSameBitsInEveryRun) {
  const Matrix matrix = battery_matrix("power_law");
  ASSERT_GT(matrix.nnz(), 0);
  const std::unique_ptr<Device> device = cpu_device_of(5, 64);
  const Result<Kernel> kernel =
      Designer(matrix).build(resolve_design("csr5", Target::cpu), Dtype::f32, no_build_limits);
  ASSERT_TRUE(kernel) << kernel.reason();
  EXPECT_FALSE(kernel->adds_in_any_order);
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded) << loaded.reason();
  const SpmvCase input = rounded_case(*kernel, 7);
  const std::vector<SpmvCase> twenty(20, input);
  const auto outcomes = (*loaded)->run(twenty);
  ASSERT_TRUE(outcomes) << outcomes.reason();
  for (const SpmvOutcome& outcome : *outcomes) EXPECT_EQ(outcome.y, outcomes->front().y);
}

/// All places of all blocks are stored, so that no bits are read.
TEST(CpuDesigns, BlocksWithoutGapsAreRightByEachOrder) {
  std::vector<std::vector<std::pair<int, double>>> rows(12);
  for (int row = 0; row < 12; ++row) {
    for (int col = 0; col < 8; ++col) rows[row].emplace_back(col, row - col + 0.5);
  }
  const Matrix matrix = from_rows(8, rows);
  const std::unique_ptr<Device> device = cpu_device_of(1, 32);
  for (const std::string order : {"", "run=2 ", "run=4 ", "run=cols "}) {
    const std::string design =
        "dense_block_peel rows=2 cols=4 share=0 { warp_bands bands=8 | thread_bands | thread_pad | "
        "interleave " +
        order +
        "| thread_total | global_store | launch tasks=bytes } { compress | thread_nnz nnz=1 | "
        "thread_total | global_atomic | launch tasks=bytes }";
    EXPECT_EQ(problem(*device, matrix, design, Dtype::f32), "") << design;
  }
}

/// A branch that gathers is slower in them.
TEST(CpuDesigns, RegistersAreWideWhereNearlyAllOfXIsReadInOrder) {
  const Matrix matrix = battery_matrix("stencil_23");
  Designer designer(matrix, Target::cpu);
  const auto is_wide = [&](const std::string& design) {
    const Result<Kernel> kernel = designer.build(design, Dtype::f32);
    EXPECT_TRUE(kernel.ok()) << design;
    return kernel.ok() && kernel->source.find("VECTOR_BYTES 64") != std::string::npos;
  };
  const std::string diagonals =
      "compress | warp_rows rows=32 | thread_rows rows=1 | warp_diagonals | interleave | "
      "thread_total | global_atomic | launch tasks=bytes";
  const std::string gathered = "compress | thread_nnz nnz=7 | thread_bitmap | global_atomic | ";
  EXPECT_TRUE(is_wide(diagonals));
  EXPECT_FALSE(is_wide(gathered + "launch tasks=bytes"));
  EXPECT_FALSE(
      is_wide("col_split parts=2 { " + diagonals + " } { " + gathered + "launch tasks=bytes }"));
}

TEST(CpuDesigns, ACsr5FormatIsThatOfTheGpu) {
  const Matrix matrix = battery_matrix("power_law");
  const auto arrays_on = [&](Target target) {
    const Result<Kernel> kernel =
        Designer(matrix).build(resolve_design("csr5", target), Dtype::f64, no_build_limits);
    EXPECT_TRUE(kernel) << kernel.reason();
    std::vector<std::pair<std::string, std::vector<std::byte>>> arrays;
    for (const Array& array : kernel->arrays) arrays.emplace_back(array.name, array.bytes);
    return arrays;
  };
  EXPECT_EQ(arrays_on(Target::cpu), arrays_on(Target::gpu));
}

TEST(CpuDesigns, WhatACpuLacksIsRefusedWithWhatToUse) {
  const Matrix matrix = battery_matrix("stencil_23");
  const auto why = [&](const std::string& design) {
    const Result<Kernel> kernel = Designer(matrix).build(design, Dtype::f32, no_build_limits);
    return kernel ? "" : kernel.reason();
  };
  EXPECT_EQ(why("compress | thread_nnz nnz=8 | thread_bitmap vector=4 | global_atomic | launch "
                "tasks=bytes"),
            "thread_bitmap: a gang loads entries side by side; use vector=1");
  EXPECT_EQ(why("compress | block_rows rows=8 | thread_rows rows=1 | thread_total | global_store | "
                "launch tasks=bytes"),
            "block_rows: a core has no blocks of threads; leave it out, or use its warp_ or "
            "thread_ form");
  EXPECT_EQ(why("compress | thread_rows rows=1 | thread_total | global_store | launch tasks=bytes "
                "grid=7"),
            "launch: grid= is a GPU's; a launch on a CPU takes tasks=bytes");
  EXPECT_EQ(why("compress | warp_rows rows=8 | thread_rows rows=1 | thread_total | global_store | "
                "launch tasks=bytes"),
            "thread_total: the lanes of a gang must read neighbours; put interleave before it, or "
            "leave the warp level out");
  EXPECT_EQ(why("compress | thread_cols lanes=8 | thread_pad multiple=2 | thread_total vector=2 | "
                "warp_total | global_store | launch tasks=bytes"),
            "thread_pad: lanes that share a row read neighbours already");
  EXPECT_EQ(why("compress | thread_cols lanes=8 | thread_total vector=2 | warp_total | "
                "global_store | launch tasks=bytes"),
            "thread_total: a gang loads entries side by side; use vector=1");
  EXPECT_THROW(resolve_design("csr-stream", Target::cpu), Error);
}

TEST(CpuDesigns, MirrorImagesThatNoTaskCanAddAreRefused) {
  const Matrix symmetric = battery_matrix("symmetric_97"),
               hermitian = complex_of(symmetric, Mirror::conjugate);
  const auto why = [](const Matrix& matrix, const std::string& rest, const Operands& operands) {
    const Result<Kernel> kernel =
        Designer(matrix).build("symmetric_half | " + rest, operands, no_build_limits);
    return kernel ? "" : kernel.reason();
  };
  const auto why_rows = [&](const std::string& levels) {
    return why(symmetric, levels + "thread_total | global_atomic | launch tasks=bytes", Dtype::f32);
  };
  const std::string one_row =
      "a CPU's thread that adds mirror images has one row, or a band; use thread_rows rows=1";
  EXPECT_EQ(why_rows("compress | thread_rows rows=1 | "), "");
  EXPECT_EQ(why_rows("compress | warp_rows rows=8 | thread_rows rows=1 | "),
            "warp_rows: " + one_row);
  EXPECT_EQ(why_rows("compress | thread_rows rows=2 | "), "thread_total: " + one_row);
  EXPECT_EQ(why_rows("compress | thread_rows rows=1 | thread_pad | "),
            "thread_pad: lanes may add mirror images to the same row, so that threads read their "
            "rows as they lie; leave it out");
  EXPECT_EQ(why_rows("sort_rows | compress | thread_rows rows=1 | "),
            "thread_total: tasks add mirror images to rows behind their own; leave the order of "
            "rows as it is");
  const std::string
      blocks =
          "dense_block_peel rows=2 cols=2 share=0 { thread_bands | thread_total | "
          "global_atomic | launch tasks=bytes } { compress | thread_rows rows=1 | "
          "thread_total | global_atomic | launch tasks=bytes }",
      real = "blocks of one triangle are for one vector of real numbers; use thread_rows rows=1";
  EXPECT_EQ(why(symmetric, blocks, Dtype::f64), "");
  EXPECT_EQ(why(symmetric, blocks, {Dtype::f64, 4}), real);
  EXPECT_EQ(why(hermitian, blocks, Dtype::c64), real);
}

}  // namespace
}  // namespace alphasparse
