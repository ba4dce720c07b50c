// modelled_time_test: what the emulator counts is exact where it can be told beforehand, and the
// modelled times follow from it.
// ctest label: emulator
#include "runtime/emulated/modelled_time.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "operators/designer.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/emulated/count_check.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/kernel.h"
#include "runtime/system/temporary_folder.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"

namespace alphasparse {
namespace {

/// Verdicts of these tests are kept apart from the user's.
const TemporaryFolder& cache() {
  static const TemporaryFolder folder;
  setenv("ALPHASPARSE_CACHE", folder.path().c_str(), 1);
  return folder;
}

const EmulatorToolchain& tools() {
  cache();
  static const EmulatorToolchain made(*find_gpu_model("h200"), find_host_compiler(),
                                      find_emulator());
  return made;
}

SpmvCase zeros(const Kernel& kernel) {
  SpmvCase input;
  input.name = "timed";
  input.x =
      std::vector<std::byte>(static_cast<std::size_t>(kernel.cols) * dtype_bytes(kernel.dtype));
  input.y =
      std::vector<std::byte>(static_cast<std::size_t>(kernel.rows) * dtype_bytes(kernel.dtype));
  return input;
}

emulator::LaunchCounts count_last_launch(const Kernel& kernel, const SpmvCase& input,
                                         CacheRegime regime = CacheRegime::cold) {
  EmulatedKernel loaded(tools(), kernel);
  const auto unbuilt = loaded.build();
  EXPECT_FALSE(unbuilt) << unbuilt->reason;
  const auto counts = loaded.count(input, regime);
  EXPECT_TRUE(counts) << counts.reason();
  return counts ? counts->back() : emulator::LaunchCounts();
}

TEST(Counts, AreExactOnNestedLoops) {
  const CountCheck check = make_count_check();
  SpmvCase input = zeros(check.kernel);
  emulator::LaunchCounts counts = count_last_launch(check.kernel, input);
  EXPECT_EQ(judge_counts(check, counts), "");
  for (emulator::ArrayCounts& array : counts.arrays) array.instructions += array.name == "x";
  EXPECT_NE(judge_counts(check, counts), "");
  EXPECT_EQ(tools().counts_verdict(), "");
}

TEST(Counts, AreThoseOfTheGather) {
  for (const int stride : {1, 2, 8, 32}) {
    SCOPED_TRACE(stride);
    const Kernel kernel = gather_kernel(1024, stride);
    const emulator::LaunchCounts counts = count_last_launch(kernel, zeros(kernel));
    const std::int64_t x_sectors = 1024 * std::min(stride, 8) / 8;
    EXPECT_EQ(counts.blocks, 8);
    EXPECT_EQ(counts.warps, 32);
    EXPECT_EQ(counts.memory_instructions, 64);
    EXPECT_EQ(counts.longest_warp, 2);
    EXPECT_EQ(counts.longest_block * counts.blocks, counts.basic_blocks) << "all do the same";
    EXPECT_EQ(counts.sectors, x_sectors + 128);
    EXPECT_EQ(counts.lines, 32 * std::min(stride, 32) + 32);
    EXPECT_EQ(counts.dram_sectors, x_sectors + 128);
    EXPECT_EQ(count_last_launch(kernel, zeros(kernel), CacheRegime::warm).dram_sectors, 0);
  }
}

TEST(Counts, OfAMatrixAreReadOnce) {
  const Matrix matrix = large_stencil(64);
  const Kernel kernel = csr_kernel("csr_vector.cu", matrix, Dtype::f32, 256, 32);
  const emulator::LaunchCounts counts =
      count_last_launch(kernel, integer_case("timed", matrix, Dtype::f32, 1, 0));
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
      count_last_launch(kernel, integer_case("timed", matrix, Dtype::f32, 1, 0));
  EXPECT_EQ(counts.blocks, 8);
  EXPECT_GT(counts.longest_block, matrix.cols);
  EXPECT_GT(counts.longest_block * 4, counts.basic_blocks * 3);
}

TEST(Counts, OfTheLongestWarpAreOfTheLastBlockThatHasOne) {
  const Kernel kernel = gather_kernel(1024, 1);
  const emulator::LaunchCounts counts = count_last_launch(kernel, zeros(kernel));
  EXPECT_EQ(counts.longest_begins, 7) << "all are alike";
  EXPECT_EQ(counts.longest_basic_blocks * counts.warps, counts.basic_blocks);
}

TEST(Counts, SmallerL1MissesMore) {
  const Matrix matrix = large_stencil(200);
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel loaded(tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const SpmvCase input = integer_case("timed", matrix, Dtype::f32, 1, 0);
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
    SpmvCase input = integer_case("timed", matrix, Dtype::f32, 1, 0);
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

TEST(ModelledTime, IsTheSameEveryTimeAndNeverBelowTheFloor) {
  const Matrix matrix = large_stencil(40);
  const Kernel kernel = csr5_kernel(matrix, Dtype::f32);
  EmulatedKernel loaded(tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const SpmvCase input = integer_case("timed", matrix, Dtype::f32, 2, -1);
  const auto once = loaded.time(input, CacheRegime::cold);
  const auto twice = loaded.time(input, CacheRegime::cold);
  ASSERT_TRUE(once) << once.reason();
  EXPECT_EQ(once->time_us, twice->time_us);
  EXPECT_EQ(once->time_us_p20, once->time_us);
  EXPECT_EQ(once->samples, 0);
  EXPECT_EQ(once->note, "");
  EXPECT_GE(once->time_us, 2 * tools().gpu().launch_us);
  EXPECT_GE(once->dram_bytes, kernel.format_bytes());
  const auto warm = loaded.time(input, CacheRegime::warm);
  EXPECT_EQ(warm->dram_bytes, 0);
  EXPECT_LE(warm->time_us, once->time_us);
}

TEST(ModelledTime, RegistersAreAskedForWhereTheKernelMayWin) {
  if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  const Matrix matrix = battery_matrix("power_law");
  const Kernel kernel = csr5_kernel(matrix, Dtype::f32);
  EmulatedKernel loaded(tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const SpmvCase input = zeros(kernel);
  const auto alone = loaded.time(input, {CacheRegime::warm});
  ASSERT_TRUE(alone) << alone.reason();
  EXPECT_GT(alone->registers, 0);
  EXPECT_GT(loaded.time(input, {CacheRegime::warm, alone->time_us / 1.2})->registers, 0);
  const auto lost = loaded.time(input, {CacheRegime::warm, alone->time_us / 1.3});
  EXPECT_EQ(lost->registers, -1);
  EXPECT_EQ(lost->time_us, alone->time_us);
}

TEST(ModelledTime, GrowsWithEveryCount) {
  const Kernel kernel = gather_kernel(1024, 1);
  emulator::LaunchCounts idle;
  idle.blocks = 8;
  idle.resident_warps = 4;
  const GpuModel& gpu = tools().gpu();
  EXPECT_EQ(modelled_time(gpu, kernel, {idle}).time_us, gpu.launch_us);
  using Counts = emulator::LaunchCounts;
  for (const auto member :
       {&Counts::dram_sectors, &Counts::l2_sectors, &Counts::sectors, &Counts::lines,
        &Counts::shared_passes, &Counts::collectives, &Counts::basic_blocks, &Counts::atomic_lanes,
        &Counts::atomic_hottest, &Counts::longest_on_chip, &Counts::shared_instructions}) {
    Counts busy = idle;
    busy.*member = 1'000'000'000;
    EXPECT_GT(modelled_time(gpu, kernel, {busy}).time_us, 100);
  }
  Counts sampled = idle;
  sampled.sectors = 100;
  sampled.blocks = 2;
  EXPECT_EQ(modelled_time(gpu, kernel, {sampled}).sectors, 100) << "sums are of all blocks";
  EXPECT_EQ(modelled_time(gpu, kernel, {sampled}).note, "counts from 2 of 8 blocks");
}

TEST(ModelledTime, TellsWhatEachLimitAloneWouldTake) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = tools().gpu();
  using Counts = emulator::LaunchCounts;
  struct Pair {
    std::int64_t Counts::*count;
    double ModelledLimits::*limit;
  };
  const Pair pairs[] = {{&Counts::dram_sectors, &ModelledLimits::dram_us},
                        {&Counts::l2_sectors, &ModelledLimits::l2_us},
                        {&Counts::lines, &ModelledLimits::lsu_us},
                        {&Counts::atomic_hottest, &ModelledLimits::atomics_us},
                        {&Counts::longest_on_chip, &ModelledLimits::longest_warp_us},
                        {&Counts::shared_instructions, &ModelledLimits::queue_us}};
  for (const Pair& pair : pairs) {
    Counts counts;
    counts.blocks = 8;
    counts.resident_warps = 4;
    counts.*pair.count = 1'000'000'000;
    const Timing timing = modelled_time(gpu, kernel, {counts});
    ASSERT_TRUE(timing.limits);
    ModelledLimits only;
    only.launch_us = gpu.launch_us;
    only.*pair.limit = timing.time_us - gpu.launch_us;
    EXPECT_NEAR(timing.limits.value().*pair.limit, only.*pair.limit, 1e-9 * timing.time_us);
    only.*pair.limit = timing.limits.value().*pair.limit;
    EXPECT_EQ(*timing.limits, only) << "what nothing asks for takes no time";
  }
}

TEST(ModelledTime, AWarpTakesTimeForItsInstructions) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = tools().gpu();
  emulator::LaunchCounts counts;
  counts.blocks = 8;
  counts.resident_warps = 1;
  counts.longest_basic_blocks = 1000;
  const ModelConstants constants;
  const double block_us =
      constants.instructions_a_block * constants.instruction_cycles / gpu.clock_ghz * 1e-3;
  const auto limits = [&] { return *modelled_time(gpu, kernel, {counts}).limits; };
  EXPECT_NEAR(limits().longest_warp_us, 1000 * block_us, 1e-9);
  EXPECT_EQ(limits().queue_us, 0);
  // Few warps cannot fill the issue slots: what they take by themselves is longer.
  counts.warps = 4;
  counts.basic_blocks = 4000;
  EXPECT_NEAR(limits().queue_us, 1000 * block_us, 1e-9);
  EXPECT_GT(limits().queue_us, limits().issue_us);
  // Many wait for each other's turn.
  counts.warps = 40 * gpu.multiprocessors;
  counts.basic_blocks = 1000 * counts.warps;
  EXPECT_NEAR(limits().queue_us, 40 * 1000 * block_us, 1e-6);
}

TEST(ModelledTime, BlocksAreLaunchedOneAfterTheOther) {
  Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = tools().gpu();
  emulator::LaunchCounts counts;
  counts.warps = 100'000;
  counts.resident_warps = 64;
  const auto time_us = [&](std::int64_t blocks, std::int64_t longest_begins) {
    counts.blocks = kernel.launches[0].blocks = blocks;
    counts.longest_begins = longest_begins;
    return modelled_time(gpu, kernel, {counts}).time_us - gpu.launch_us;
  };
  EXPECT_EQ(time_us(17, 16), 0) << "the launch floor has as many";
  EXPECT_NEAR(time_us(100'017, 0), 100 * gpu.block_ns, 1e-9);
  // The longest warp waits for its block; no longer than until the GPU is full.
  counts.longest_on_chip = 1'000'000;
  const double alone_us = 1e3 * gpu.l1_ns;
  EXPECT_NEAR(time_us(1000, 0), alone_us, 1e-9);
  EXPECT_NEAR(time_us(1000, 517), alone_us + 0.5 * gpu.block_ns, 1e-9);
  const double full = 64.0 * gpu.multiprocessors * 32 / kernel.launches[0].threads;
  EXPECT_NEAR(time_us(100'000, 99'999), alone_us + (full - 17) * gpu.block_ns * 1e-3, 1e-9);
}

TEST(ModelledTime, WaitsForTheBusiestMultiprocessorAsMuchAsTheTailSays) {
  Kernel kernel = gather_kernel(1024, 1);
  GpuModel gpu = tools().gpu();
  gpu.multiprocessors = 4;
  emulator::LaunchCounts counts;  // of 8 blocks on 4 multiprocessors, a million basic blocks each
  counts.blocks = 8;
  counts.resident_warps = 4;
  counts.basic_blocks = 8'000'000;
  counts.longest_block = 1'000'000;
  const auto imbalance = [&] { return launch_works(gpu, kernel, {counts}).front().imbalance; };
  const auto busy_us = [&](double tail) {
    ModelConstants constants;
    constants.tail = tail;
    return modelled_time(gpu, kernel, {counts}, constants).time_us - gpu.launch_us;
  };
  EXPECT_EQ(imbalance(), 1) << "two blocks each";
  EXPECT_EQ(busy_us(1), busy_us(0));
  counts.longest_block = 5'000'000;  // one multiprocessor has 5 of 8, the mean is 2
  EXPECT_EQ(imbalance(), 2.5);
  EXPECT_NEAR(busy_us(1), 2.5 * busy_us(0), 1e-9 * busy_us(0));
  EXPECT_NEAR(busy_us(0.5), 1.75 * busy_us(0), 1e-9 * busy_us(0));
  EXPECT_EQ(modelled_time(gpu, kernel, {counts}).time_us - gpu.launch_us, busy_us(0))
      << "nothing, as long as nobody says otherwise";
  counts.longest_block = 1'000'000;
  counts.blocks = kernel.launches[0].blocks = 9;  // one multiprocessor has three, the mean is 9 / 4
  counts.basic_blocks = 9'000'000;
  EXPECT_NEAR(imbalance(), 4. / 3, 1e-12);
}

TEST(ModelledTime, EveryConstantCounts) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = tools().gpu();
  using Counts = emulator::LaunchCounts;
  struct Pair {
    double ModelConstants::*constant;
    std::int64_t Counts::*count;
    bool slower;  ///< where the constant is greater
  };
  const Pair pairs[] = {{&ModelConstants::launch_scale, &Counts::warps, true},
                        {&ModelConstants::dram_efficiency, &Counts::dram_sectors, false},
                        {&ModelConstants::l2_efficiency, &Counts::l2_sectors, false},
                        {&ModelConstants::l2_efficiency, &Counts::atomic_lanes, false},
                        {&ModelConstants::instructions_a_block, &Counts::basic_blocks, true},
                        {&ModelConstants::atomic_same_address_ns, &Counts::atomic_hottest, true},
                        {&ModelConstants::instruction_cycles, &Counts::longest_basic_blocks, true},
                        {&ModelConstants::longest_scale, &Counts::longest_on_chip, true},
                        {&ModelConstants::queued_scale, &Counts::shared_instructions, true}};
  for (const Pair& pair : pairs) {
    Counts counts;
    counts.blocks = 8;
    counts.resident_warps = 4;
    counts.*pair.count = 1'000'000'000;
    ModelConstants more;
    more.*pair.constant *= 2;
    const double assumed = modelled_time(gpu, kernel, {counts}).time_us;
    const double changed = modelled_time(gpu, kernel, {counts}, more).time_us;
    EXPECT_GT(pair.slower ? changed / assumed : assumed / changed, 1.9);
  }
  Counts crowded;  // so many warps that issue slots are full
  crowded.blocks = 8;
  crowded.resident_warps = 64;
  crowded.warps = 1'000'000;
  crowded.basic_blocks = 1'000'000'000;
  ModelConstants more;
  more.issue_efficiency *= 2;
  const Timing assumed = modelled_time(gpu, kernel, {crowded});
  EXPECT_GT(assumed.time_us, 1.9 * modelled_time(gpu, kernel, {crowded}, more).time_us);
  EXPECT_EQ(assumed.time_us, assumed.limits->launch_us + assumed.limits->issue_us);
}

TEST(ModelledTime, WaitsForWhereLoadsHit) {
  Kernel kernel = gather_kernel(1024, 1);
  GpuModel gpu = tools().gpu();
  gpu.l1_ns = 10;
  gpu.l2_ns = 100;
  gpu.dram_ns = 1000;
  Array column, value;
  column.name = "column";
  value.name = "value";
  value.type = ElementType::f32;
  kernel.arrays = {column, value};
  emulator::LaunchCounts counts;
  counts.blocks = counts.warps = 8;
  counts.resident_warps = 1;
  counts.arrays.resize(4);  // and y
  emulator::ArrayCounts& columns = counts.arrays[0];
  emulator::ArrayCounts& values = counts.arrays[1];
  emulator::ArrayCounts& x = counts.arrays[2];
  const auto longest_ns = [&] {
    return 1e3 * modelled_time(gpu, kernel, {counts}).limits->longest_warp_us;
  };
  columns.longest_reads = columns.longest_missed = columns.missed = 6;
  x.longest_reads = 6;
  EXPECT_NEAR(longest_ns(), 6 * 100 + 6 * 10, 1e-6) << "x behind its column";
  values.longest_reads = values.longest_missed = values.missed = 6;
  EXPECT_NEAR(longest_ns(), 6 * 100 + 6 * 10, 1e-6) << "values beside the columns";
  values.dram_sectors = 3;
  EXPECT_NEAR(longest_ns(), 3 * 1000 + 3 * 100 + 6 * 10, 1e-6) << "the longer of the two";
  values.dram_sectors = 24;
  EXPECT_NEAR(longest_ns(), 6 * 1000 + 6 * 10, 1e-6);
  kernel.launches[0].in_flight = {4};  // one batch, two terms one by one
  EXPECT_NEAR(longest_ns(), 3 * 1000 + 3 * 10, 1e-6);
  kernel.launches[0].in_flight = {4, true};  // one batch, two terms together
  EXPECT_NEAR(longest_ns(), 2 * 1000 + 2 * 10, 1e-6);
  kernel.launches[0].in_flight = {16, true};
  EXPECT_NEAR(longest_ns(), 1000 + 10, 1e-6);
  kernel.launches[0].in_flight = {1};
  kernel.launches[0].values_wait = true;
  EXPECT_NEAR(longest_ns(), 6 * 100 + 6 * 1000, 1e-6) << "behind the columns, beside x";
  kernel.launches[0].values_wait = false;
  columns.longest_reads = columns.longest_missed = 2;
  EXPECT_NEAR(longest_ns(), 100 + 6 * 1000 + 6 * 10, 1e-6) << "neighbours ahead of the terms";
  columns.longest_reads = columns.longest_missed = 6;
  kernel.launches[0].in_flight = {4};
  columns.reads = columns.missed = values.reads = values.missed = x.reads = 48;
  gpu.multiprocessors = 2;  // 8 warps of 6 terms, two at a time
  EXPECT_NEAR(1e3 * modelled_time(gpu, kernel, {counts}).limits->queue_us, 4 * (3 * 550 + 3 * 10),
              1e-6)
      << "half of the values come from DRAM";
}

TEST(ModelledTime, IdleMultiprocessorsDoNoWork) {
  Kernel kernel = gather_kernel(1024, 1);
  emulator::LaunchCounts counts;
  counts.blocks = kernel.launches[0].blocks = 1000;
  counts.basic_blocks = 1'000'000;
  const double all_us = modelled_time(tools().gpu(), kernel, {counts}).limits->issue_us;
  counts.blocks = kernel.launches[0].blocks = 1;
  EXPECT_NEAR(modelled_time(tools().gpu(), kernel, {counts}).limits->issue_us,
              all_us * tools().gpu().multiprocessors, 1e-9 * all_us);
}

TEST(ModelledTime, IsNotGivenWhereCountsAreWrong) {
  ASSERT_EQ(tools().counts_verdict(), "");
  int verdicts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(cache().path())) {
    std::ofstream(entry.path()) << "7 loads were counted where there are 8.";
    ++verdicts;
  }
  ASSERT_EQ(verdicts, 1);
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Kernel kernel = gather_kernel(128, 1);
  auto loaded = device->load(kernel);
  ASSERT_TRUE(loaded);
  const std::vector<SpmvCase> cases = {zeros(kernel)};
  EXPECT_TRUE((*loaded)->run(cases));
  const auto timing = (*loaded)->time(cases[0], CacheRegime::warm);
  ASSERT_FALSE(timing);
  EXPECT_NE(timing.reason().find("cannot be trusted (7 loads"), std::string::npos)
      << timing.reason();
}

TEST(Launches, AreRefusedBeyondTheGpusLimits) {
  Kernel kernel = gather_kernel(1024, 1);
  for (const Launch& launch : {Launch{"spmv", 8, 2048}, Launch{"spmv", 0, 128}}) {
    kernel.launches = {launch};
    const auto refused = EmulatedKernel(tools(), kernel).build();
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->status, Status::launch_error);
  }
}

TEST(LargeMatrices, AreSampledAndStillWholeInTheirResults) {
  const Matrix matrix = large_stencil(650);
  ASSERT_GT(matrix.nnz(), observed_entries_max);
  const Kernel kernel = csr_kernel("csr_scalar.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel loaded(tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const std::vector<SpmvCase> cases = {integer_case("exact", matrix, Dtype::f32, 2, -1)};
  const auto outcomes = loaded.run(cases);
  ASSERT_TRUE(outcomes) << outcomes.reason();
  EXPECT_EQ(to_numbers((*outcomes)[0].y, Dtype::f32),
            reference_spmv(matrix, to_numbers(cases[0].x, Dtype::f32),
                           to_numbers(cases[0].y, Dtype::f32), 2, -1));
  const auto timing = loaded.time(cases[0], CacheRegime::cold);
  ASSERT_TRUE(timing) << timing.reason();
  EXPECT_NE(timing->note.find("counts from"), std::string::npos) << timing->note;
  EXPECT_NEAR(static_cast<double>(timing->dram_bytes),
              static_cast<double>(csr_bytes(matrix, Dtype::f32) + 8 * std::int64_t{matrix.rows}),
              0.05 * static_cast<double>(timing->dram_bytes));

  const Kernel racy = csr_kernel("faulty/late_race.cu", matrix, Dtype::f32, 256, 1);
  EmulatedKernel faulty(tools(), racy);
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
  EmulatedKernel loaded(tools(), *kernel);
  ASSERT_FALSE(loaded.build());
  const auto counts = loaded.count(zeros(*kernel), CacheRegime::warm);
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
  const Timing timing = modelled_time(tools().gpu(), *kernel, *counts);
  const double rate = tools().gpu().dram_gb_per_s * 1e3;
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
  EmulatedKernel loaded(tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const auto counts = loaded.count(zeros(kernel), CacheRegime::warm);
  ASSERT_TRUE(counts) << counts.reason();
  const double least = static_cast<double>(csr_bytes(matrix, Dtype::f32)) + 8. * matrix.rows;
  const double read = 32. * static_cast<double>(counts->front().dram_sectors);
  EXPECT_GT(read, 0.98 * least);
  EXPECT_LT(read, 1.15 * least) << "a part of x is read again, not all of it for each block";
}

}  // namespace
}  // namespace alphasparse
