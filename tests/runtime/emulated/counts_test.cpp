// counts_test: the emulator's counts are exact where they can be told beforehand; a sample gives
// those of large matrices. ctest label: emulator
#include <gtest/gtest.h>

#include <functional>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/emulated/count_check.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/modelled_time.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/emulated_fixture.h"

namespace alphasparse {
namespace {

emulator::LaunchCounts count_last_launch(const Kernel& kernel, const SpmvCase& input,
                                         CacheRegime regime = CacheRegime::cold,
                                         const EmulatorToolchain& tools = h200_tools()) {
  EmulatedKernel loaded(tools, kernel);
  const auto unbuilt = loaded.build();
  EXPECT_FALSE(unbuilt) << unbuilt->reason;
  const auto counts = loaded.count(input, regime);
  EXPECT_TRUE(counts) << counts.reason();
  return counts ? counts->back() : emulator::LaunchCounts();
}

TEST(Counts, AreExactOnNestedLoops) {
  const CountCheck check = make_count_check();
  SpmvCase input = zero_case(check.kernel);
  emulator::LaunchCounts counts = count_last_launch(check.kernel, input);
  EXPECT_EQ(judge_counts(check, counts), "");
  for (emulator::ArrayCounts& array : counts.arrays) array.instructions += array.name == "x";
  EXPECT_NE(judge_counts(check, counts), "");
  EXPECT_EQ(h200_tools().counts_verdict(), "");
}

TEST(Counts, AreThoseOfTheGather) {
  for (const int stride : {1, 2, 8, 32}) {
    SCOPED_TRACE(stride);
    const Kernel kernel = gather_kernel(1024, stride);
    const emulator::LaunchCounts counts = count_last_launch(kernel, zero_case(kernel));
    const std::int64_t x_sectors = 1024 * std::min(stride, 8) / 8;
    EXPECT_EQ(counts.blocks, 8);
    EXPECT_EQ(counts.warps, 32);
    EXPECT_EQ(counts.memory_instructions, 64);
    EXPECT_EQ(counts.longest_warp, 2);
    EXPECT_EQ(counts.longest_block * counts.blocks, counts.basic_blocks) << "all do the same";
    EXPECT_EQ(counts.sectors, x_sectors + 128);
    EXPECT_EQ(counts.lines, 32 * std::min(stride, 32) + 32);
    EXPECT_EQ(counts.dram_sectors, x_sectors + 128);
    EXPECT_EQ(count_last_launch(kernel, zero_case(kernel), CacheRegime::warm).dram_sectors, 0);
  }
}

/// The counts of a warm gather on an H200 that was changed.
emulator::LaunchCounts gathered(int stride, const std::function<void(GpuModel&)>& change,
                                CacheRegime regime = CacheRegime::warm) {
  GpuModel gpu = *find_gpu_model("h200");
  change(gpu);
  const EmulatorToolchain tools(gpu, find_host_compiler(), find_emulator());
  const Kernel kernel = gather_kernel(1024, stride);
  return count_last_launch(kernel, zero_case(kernel), regime, tools);
}

TEST(Counts, LargerSectorsAreFewerInARowAndAsManyApart) {
  for (const int bytes : {32, 64, 128}) {
    SCOPED_TRACE(bytes);
    const auto of = [&](int stride) {
      return gathered(
          stride, [&](GpuModel& gpu) { gpu.sector_bytes = bytes; }, CacheRegime::cold);
    };
    const std::int64_t in_a_row = 1024 * 4 / bytes;  // y and, without a stride, x
    EXPECT_EQ(of(1).sectors, 2 * in_a_row);
    EXPECT_EQ(of(1).dram_sectors, 2 * in_a_row);
    EXPECT_EQ(of(1).l2_scattered, 0) << "lines are whole";
    EXPECT_EQ(of(32).sectors, 1024 + in_a_row);
    EXPECT_EQ(of(32).dram_sectors, 1024 + in_a_row);
    EXPECT_EQ(of(32).l2_scattered, bytes == 128 ? 0 : 1024) << "one of a line, or all of it";
    EXPECT_EQ(of(32).lines, of(1).lines + 31 * 32);
  }
}

TEST(Counts, OfAGpuWhoseL2ForgetsAreCold) {
  EXPECT_EQ(gathered(32, [](GpuModel&) {}).dram_sectors, 0);
  EXPECT_EQ(gathered(32, [](GpuModel& gpu) { gpu.l2_forgets = true; }).dram_sectors,
            gathered(
                32, [](GpuModel&) {}, CacheRegime::cold)
                .dram_sectors);
}

TEST(Counts, EverySliceOfL2MeetsItsOwnX) {
  // All warps read the same elements of x.
  Kernel kernel = gather_kernel(1024, 1);
  Matrix matrix = battery_matrix("one_column");
  kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 64, 1);
  ASSERT_GE(kernel.launches.front().blocks, 2);
  const auto x_of = [&](int slices) {
    GpuModel gpu = *find_gpu_model("h200");
    gpu.l2_slices = slices;
    const EmulatorToolchain tools(gpu, find_host_compiler(), find_emulator());
    const emulator::LaunchCounts counts =
        count_last_launch(kernel, zero_case(kernel), CacheRegime::cold, tools);
    for (const emulator::ArrayCounts& array : counts.arrays)
      if (array.name == "x") return array.dram_sectors;
    return std::int64_t{0};
  };
  EXPECT_EQ(x_of(1), 1);
  EXPECT_EQ(x_of(2), 2);
}

TEST(Counts, SharedMemoryApartLeavesL1Whole) {
  const Matrix matrix = large_stencil(64);
  Designer designer(matrix);
  const Result<Kernel> kernel = designer.build(resolve_design("merge-csr"), Dtype::f32);
  ASSERT_TRUE(kernel) << kernel.reason();
  const auto missed = [&](std::int64_t shared_bytes) {
    GpuModel gpu = *find_gpu_model("h200");
    gpu.l1_bytes = 64 << 10;
    gpu.shared_bytes = shared_bytes;
    const EmulatorToolchain tools(gpu, find_host_compiler(), find_emulator());
    EmulatedKernel loaded(tools, *kernel);
    EXPECT_FALSE(loaded.build());
    const auto counts = loaded.count(zero_case(*kernel), CacheRegime::warm);
    return counts ? counts->front().l2_sectors : 0;
  };
  EXPECT_LE(missed(64 << 10), missed(0));
}

TEST(Counts, OfAMatrixAreReadOnce) {
  const Matrix matrix = large_stencil(64);
  const Kernel kernel = csr_kernel("csr_vector.cu", matrix, Dtype::f32, 256, 32);
  const emulator::LaunchCounts counts =
      count_last_launch(kernel, integer_case("timed", matrix, Dtype::f32, {1, 0}));
  // Rows of at most 5 entries: one load of each array a row, and one more for the loop's end.
  EXPECT_EQ(counts.arrays[1].instructions, matrix.rows);
  EXPECT_EQ(counts.arrays[2].instructions, matrix.rows);
  EXPECT_EQ(counts.collectives, 5 * matrix.rows);
  EXPECT_EQ(counts.arrays[4].instructions, matrix.rows);
  EXPECT_EQ(counts.arrays[1].dram_sectors, (matrix.nnz() * 4 + 31) / 32);
}

TEST(Counts, OfTheLongestBlockAreThoseOfTheLongRow) {
  Matrix matrix;
  matrix.rows = 2048;  // one row of all columns, then rows of one entry
  matrix.cols = 4096;
  matrix.row_first = {0};
  for (int row = 0; row < matrix.rows; ++row) {
    for (int col = 0; col < (row == 0 ? matrix.cols : 1); ++col) matrix.col.push_back(col);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  const emulator::LaunchCounts counts =
      count_last_launch(kernel, integer_case("timed", matrix, Dtype::f32, {1, 0}));
  EXPECT_EQ(counts.blocks, 8);
  EXPECT_GT(counts.longest_block, matrix.cols);
  EXPECT_GT(counts.longest_block * 4, counts.basic_blocks * 3);
}

TEST(Counts, OfTheLongestWarpAreOfTheLastBlockThatHasOne) {
  const Kernel kernel = gather_kernel(1024, 1);
  const emulator::LaunchCounts counts = count_last_launch(kernel, zero_case(kernel));
  EXPECT_EQ(counts.longest_begins, 7) << "all are alike";
  EXPECT_EQ(counts.longest_basic_blocks * counts.warps, counts.basic_blocks);
}

TEST(Counts, SmallerL1MissesMore) {
  const Matrix matrix = large_stencil(200);
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel loaded(h200_tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const SpmvCase input = integer_case("timed", matrix, Dtype::f32, {1, 0});
  const auto all = loaded.count(input, CacheRegime::warm);
  const auto whole = loaded.count(input, CacheRegime::warm, 1);
  const auto part = loaded.count(input, CacheRegime::warm, 1. / 32);  // 512 bytes a warp
  ASSERT_TRUE(all && whole && part);
  EXPECT_EQ(all->back().l2_sectors, whole->back().l2_sectors);
  EXPECT_GT(part->back().l2_sectors, 1.1 * static_cast<double>(whole->back().l2_sectors));
  EXPECT_EQ(part->back().sectors, whole->back().sectors);
  EXPECT_EQ(part->back().resident_warps, whole->back().resident_warps);
}

TEST(Counts, DoNotDependOnTheOrderOfLanes) {
  const Matrix matrix = large_stencil(40);
  for (const Kernel& kernel :
       {csr5_kernel(matrix, Dtype::f32), csr_kernel("csr_stream.cu", matrix, Dtype::f32, 64, 1)}) {
    SpmvCase input = integer_case("timed", matrix, Dtype::f32, {1, 0});
    const emulator::LaunchCounts forward = count_last_launch(kernel, input);
    input.lanes_reversed = true;
    const emulator::LaunchCounts reversed = count_last_launch(kernel, input);
    EXPECT_EQ(forward.memory_instructions, reversed.memory_instructions);
    EXPECT_EQ(forward.sectors, reversed.sectors);
    EXPECT_EQ(forward.basic_blocks, reversed.basic_blocks);
    EXPECT_EQ(forward.longest_warp, reversed.longest_warp);
    EXPECT_GT(forward.shared_passes + forward.atomic_lanes, 0);
  }
}

TEST(Counts, AtomicsOnOneAddressPassOneByOne) {
  Matrix matrix;  // two rows of 32 entries, then 64 rows of one: coo has two warps of either
  matrix.rows = 66;
  matrix.cols = 32;
  matrix.row_first = {0};
  for (int row = 0; row < matrix.rows; ++row) {
    for (int col = 0; col < (row < 2 ? matrix.cols : 1); ++col) matrix.col.push_back(col);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  const Result<Kernel> kernel = Designer(matrix).build(resolve_design("coo"), Dtype::f32);
  ASSERT_TRUE(kernel);
  const emulator::LaunchCounts counts =
      count_last_launch(*kernel, integer_case("timed", matrix, Dtype::f32, {1, 0}));
  EXPECT_EQ(counts.atomic_lanes, 128);
  // Rows 2 to 33 lie on two lines, rows 34 to 65 on two.
  EXPECT_EQ(counts.atomic_passes, 32 + 32 + 2 + 2);
  EXPECT_EQ(counts.atomic_hottest, 32 + 32 + 1) << "the line of the two long rows";
}

TEST(Launches, AreRefusedBeyondTheGpusLimits) {
  Kernel kernel = gather_kernel(1024, 1);
  for (const Launch& launch : {Launch{"spmv", 8, 2048}, Launch{"spmv", 0, 128}}) {
    kernel.launches = {launch};
    const auto refused = EmulatedKernel(h200_tools(), kernel).build();
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->status, Status::launch_error);
  }
}

TEST(LargeMatrices, AreSampledAndStillWholeInTheirResults) {
  const Matrix matrix = large_stencil(650);
  ASSERT_GT(matrix.nnz(), observed_entries_max);
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel loaded(h200_tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const std::vector<SpmvCase> cases = {integer_case("exact", matrix, Dtype::f32, {2, -1})};
  const auto outcomes = loaded.run(cases);
  ASSERT_TRUE(outcomes) << outcomes.reason();
  EXPECT_EQ(to_numbers((*outcomes)[0].y, Dtype::f32),
            reference_spmv(matrix, to_numbers(cases[0].x, Dtype::f32),
                           to_numbers(cases[0].y, Dtype::f32), {2, -1}));
  const auto timing = loaded.time(cases[0], CacheRegime::cold);
  ASSERT_TRUE(timing) << timing.reason();
  EXPECT_NE(timing->note.find("counts from"), std::string::npos) << timing->note;
  const auto dram_bytes = static_cast<double>(timing->dram_bytes.value());
  EXPECT_NEAR(dram_bytes,
              static_cast<double>(csr_bytes(matrix, Dtype::f32) + 8 * std::int64_t{matrix.rows}),
              0.05 * dram_bytes);

  const Kernel racy = csr_kernel("faulty/late_race.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel faulty(h200_tools(), racy);
  ASSERT_FALSE(faulty.build());
  const auto raced = faulty.run(cases);
  ASSERT_FALSE(raced);
  EXPECT_NE(raced.reason().find("race: "), std::string::npos) << raced.reason();
}

/// Rows of 8 entries, and one of 20000 in each of three slices of 64.
Matrix with_giant_rows() {
  Matrix matrix;
  matrix.rows = matrix.cols = 250'000;
  matrix.row_first = {0};
  for (int row = 0; row < matrix.rows; ++row) {
    const bool is_giant = row == 100'001 || row == 150'002 || row == 200'003;
    const int entries = is_giant ? 20'000 : 8;
    for (int k = 0; k < entries; ++k)
      matrix.col.push_back(is_giant ? k * 12 : std::min(row, matrix.cols - 8) + k);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

TEST(LargeMatrices, AreSampledWhereTheyCost) {
  const Matrix matrix = with_giant_rows();
  Designer designer(matrix);
  const Result<Kernel> kernel = designer.build(
      "compress | block_rows rows=64 | thread_rows rows=1 | thread_pad | interleave | thread_total "
      "| global_store | launch threads=64",
      Dtype::f32);
  ASSERT_TRUE(kernel) << kernel.reason();
  ASSERT_GT(kernel->format_bytes(), 45'000'000) << "most of it pads of three slices";
  EmulatedKernel loaded(h200_tools(), *kernel);
  ASSERT_FALSE(loaded.build());
  const auto counts = loaded.count(zero_case(*kernel), CacheRegime::warm);
  ASSERT_TRUE(counts) << counts.reason();
  const emulator::LaunchCounts& launch = counts->front();
  EXPECT_LT(launch.blocks, kernel->launches[0].blocks / 2);
  // Every entry is loaded once: 64 a block and diagonal, in instructions of 32.
  std::int64_t entries = 0, loads = 0;
  for (const Array& array : kernel->arrays) entries = std::max(entries, array.count);
  for (const emulator::ArrayCounts& array : launch.arrays) {
    if (array.name == "value") loads = array.instructions;
  }
  EXPECT_NEAR(static_cast<double>(loads) * 32, static_cast<double>(entries),
              0.03 * static_cast<double>(entries));
  EXPECT_GT(launch.longest_warp, 3 * 19'000) << "the giant row's warp is among them";
  const double bytes = static_cast<double>(kernel->format_bytes() + 8 * std::int64_t{matrix.rows});
  EXPECT_NEAR(static_cast<double>(launch.dram_sectors) * 32, bytes, 0.02 * bytes);
  const Timing timing = modelled_time(h200_tools().gpu(), *kernel, *counts);
  const double rate = h200_tools().gpu().dram_gb_per_s * 1e3;
  EXPECT_GE(timing.time_us, 0.98 * bytes / rate) << "no time is below what all blocks read";
}

TEST(LargeMatrices, FindWhatIsLeftOfXInL2) {
  // Each row reads 8 columns anywhere: x of 4 MB stays in L2, the columns and values of 64 MB pass.
  Matrix matrix;
  matrix.rows = matrix.cols = 1'000'000;
  matrix.row_first = {0};
  std::uint64_t random = 1;
  for (int row = 0; row < matrix.rows; ++row) {
    for (int k = 0; k < 8; ++k) {
      random = random * 6364136223846793005ull + 1442695040888963407ull;
      const int part = matrix.cols / 8;
      matrix.col.push_back(part * k + static_cast<int>((random >> 33) % part));
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel loaded(h200_tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const auto counts = loaded.count(zero_case(kernel), CacheRegime::warm);
  ASSERT_TRUE(counts) << counts.reason();
  const double least = static_cast<double>(csr_bytes(matrix, Dtype::f32)) + 8. * matrix.rows;
  const double read = 32. * static_cast<double>(counts->front().dram_sectors);
  EXPECT_GT(read, 0.98 * least);
  EXPECT_LT(read, 1.15 * least) << "a part of x is read again, not all of it for each block";
}

}  // namespace
}  // namespace alphasparse
