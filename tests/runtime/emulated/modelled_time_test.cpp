// modelled_time_test: modelled times follow from counts. ctest label: emulator
#include "runtime/emulated/modelled_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "generator/arrays/fragment.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/emulated_fixture.h"

namespace alphasparse {
namespace {

TEST(ModelledTime, IsTheSameEveryTimeAndNeverBelowTheFloor) {
  const Matrix matrix = large_stencil(40);
  const Kernel kernel = csr5_kernel(matrix, Dtype::f32);
  EmulatedKernel loaded(h200_tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const SpmvCase input = integer_case("timed", matrix, Dtype::f32, {2, -1});
  const auto once = loaded.time(input, CacheRegime::cold);
  const auto twice = loaded.time(input, CacheRegime::cold);
  ASSERT_TRUE(once) << once.reason();
  EXPECT_EQ(once->time_us, twice->time_us);
  EXPECT_EQ(once->time_us_p20, once->time_us);
  EXPECT_EQ(once->samples, 0);
  EXPECT_EQ(once->note, "");
  EXPECT_GE(once->time_us, 2 * h200_tools().gpu().launch_us);
  EXPECT_GE(once->dram_bytes, kernel.format_bytes());
  const auto warm = loaded.time(input, CacheRegime::warm);
  EXPECT_EQ(warm->dram_bytes, 0);
  EXPECT_LE(warm->time_us, once->time_us);
}

TEST(ModelledTime, RegistersAreAskedForWhereTheKernelMayWin) {
  if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  const Matrix matrix = battery_matrix("power_law");
  const Kernel kernel = csr5_kernel(matrix, Dtype::f32);
  EmulatedKernel loaded(h200_tools(), kernel);
  ASSERT_FALSE(loaded.build());
  const SpmvCase input = zero_case(kernel);
  const auto alone = loaded.time(input, {CacheRegime::warm});
  ASSERT_TRUE(alone) << alone.reason();
  EXPECT_GT(alone->registers, 0);
  EXPECT_GT(loaded.time(input, {CacheRegime::warm, alone->time_us / 1.2})->registers, 0);
  const auto lost = loaded.time(input, {CacheRegime::warm, alone->time_us / 1.3});
  EXPECT_FALSE(lost->registers);
  EXPECT_EQ(lost->time_us, alone->time_us);
}

TEST(ModelledTime, GrowsWithEveryCount) {
  const Kernel kernel = gather_kernel(1024, 1);
  emulator::LaunchCounts idle;
  idle.blocks = 8;
  idle.resident_warps = 4;
  const GpuModel& gpu = h200_tools().gpu();
  EXPECT_EQ(modelled_time(gpu, kernel, {idle}).time_us, gpu.launch_us);
  using Counts = emulator::LaunchCounts;
  for (const auto member :
       {&Counts::dram_sectors, &Counts::l2_sectors, &Counts::sectors, &Counts::lines,
        &Counts::shared_passes, &Counts::collectives, &Counts::basic_blocks, &Counts::atomic_passes,
        &Counts::atomic_hottest, &Counts::longest_collectives, &Counts::longest_shared_reads,
        &Counts::shared_reads}) {
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
  const GpuModel& gpu = h200_tools().gpu();
  using Counts = emulator::LaunchCounts;
  struct Pair {
    std::int64_t Counts::*count;
    double ModelledLimits::*limit;
  };
  const Pair pairs[] = {{&Counts::dram_sectors, &ModelledLimits::dram_us},
                        {&Counts::l2_sectors, &ModelledLimits::l2_us},
                        {&Counts::lines, &ModelledLimits::lsu_us},
                        {&Counts::atomic_hottest, &ModelledLimits::atomics_us},
                        {&Counts::longest_collectives, &ModelledLimits::longest_warp_us},
                        {&Counts::shared_reads, &ModelledLimits::queue_us}};
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

TEST(ModelledTime, SectorsCountByTheirBytes) {
  const Kernel kernel = gather_kernel(1024, 1);
  GpuModel gpu = h200_tools().gpu();
  emulator::LaunchCounts counts;
  counts.blocks = 8;
  counts.resident_warps = 4;
  counts.dram_sectors = counts.l2_sectors = counts.sectors = 1'000'000;
  const Timing small = modelled_time(gpu, kernel, {counts});
  gpu.sector_bytes = 64;
  const Timing large = modelled_time(gpu, kernel, {counts});
  EXPECT_DOUBLE_EQ(large.limits->dram_us, 2 * small.limits->dram_us);
  EXPECT_DOUBLE_EQ(large.limits->l2_us, 2 * small.limits->l2_us);
  EXPECT_DOUBLE_EQ(large.limits->lsu_us, 2 * small.limits->lsu_us);
  EXPECT_EQ(large.dram_bytes, 64'000'000);
  EXPECT_EQ(large.sectors, 2'000'000) << "reports count 32 bytes";
}

TEST(ModelledTime, ACacheBehindL2TakesThePlaceOfDram) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = *find_gpu_model("mi300x");
  emulator::LaunchCounts counts;
  counts.blocks = 8;
  counts.resident_warps = 4;
  counts.dram_sectors = 1'000'000;
  const double dram_us = modelled_time(gpu, kernel, {counts}).limits->dram_us;
  counts.is_near = true;
  EXPECT_NEAR(modelled_time(gpu, kernel, {counts}).limits->dram_us,
              dram_us * gpu.dram_gb_per_s / gpu.near_gb_per_s, 1e-9 * dram_us);
  EXPECT_TRUE(is_near(gpu, 200 << 20, CacheRegime::warm));
  EXPECT_FALSE(is_near(gpu, 250 << 20, CacheRegime::warm)) << "not all of it lies there";
  EXPECT_FALSE(is_near(gpu, 1, CacheRegime::cold));
  EXPECT_FALSE(is_near(*find_gpu_model("mi250x"), 1, CacheRegime::warm)) << "it has none";
  EXPECT_TRUE(holds_all(gpu, 16 << 20));
  EXPECT_FALSE(holds_all(gpu, 16 << 20, 2 << 20)) << "each slice has its own x";
}

TEST(ModelledTime, AWarpTakesTimeForItsInstructions) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = h200_tools().gpu();
  emulator::LaunchCounts counts;
  counts.blocks = 8;
  counts.resident_warps = 1;
  counts.longest_basic_blocks = 1000;
  const ModelConstants constants;
  const double block_us =
      instructions_a_block(gpu) * constants.instruction_cycles / gpu.clock_ghz * 1e-3;
  const auto limits = [&] { return *modelled_time(gpu, kernel, {counts}).limits; };
  EXPECT_NEAR(limits().longest_warp_us, 1000 * block_us, 1e-9);
  EXPECT_EQ(limits().queue_us, 0);
  // Few warps cannot fill the issue slots: their own time is longer.
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
  const GpuModel& gpu = h200_tools().gpu();
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
  counts.longest_collectives = 1'000'000;
  const double alone_us = 1e3 * gpu.l1_ns;
  EXPECT_NEAR(time_us(1000, 0), alone_us, 1e-9);
  EXPECT_NEAR(time_us(1000, 517), alone_us + 0.5 * gpu.block_ns, 1e-9);
  const double full = 64.0 * gpu.multiprocessors * 32 / kernel.launches[0].threads;
  EXPECT_NEAR(time_us(100'000, 99'999), alone_us + (full - 17) * gpu.block_ns * 1e-3, 1e-5)
      << "that all blocks are launched hides behind it";
}

TEST(ModelledTime, WaitsForTheBusiestMultiprocessorAsMuchAsTheTailSays) {
  Kernel kernel = gather_kernel(1024, 1);
  GpuModel gpu = h200_tools().gpu();
  gpu.multiprocessors = 4;
  emulator::LaunchCounts counts;  // of 8 blocks on 4 multiprocessors, a million basic blocks each
  counts.blocks = 8;
  counts.resident_warps = 4;
  counts.basic_blocks = 8'000'000;
  counts.longest_block = 1'000'000;
  const auto imbalance = [&] { return launch_works(gpu, kernel, {counts}).front().imbalance; };
  const auto busy_us = [&](double tail) {
    gpu.constants.tail = tail;
    return modelled_time(gpu, kernel, {counts}).time_us - gpu.launch_us;
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

TEST(ModelledTime, ReadsOfSharedMemoryWaitFourAtATime) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = h200_tools().gpu();
  emulator::LaunchCounts counts;
  counts.blocks = 8;
  const auto longest_us = [&] {
    return modelled_time(gpu, kernel, {counts}).time_us - gpu.launch_us;
  };
  counts.longest_shared_reads = 4000;
  EXPECT_NEAR(longest_us(), 1000 * gpu.l1_ns * 1e-3, 1e-9);
  counts.longest_collectives = 1000;
  EXPECT_NEAR(longest_us(), 2000 * gpu.l1_ns * 1e-3, 1e-9) << "each of these waits for all lanes";
  counts = {};
  counts.blocks = 8;
  counts.shared_instructions = counts.shared_passes = 4;
  EXPECT_LT(longest_us(), 1e-3) << "writes are not waited for";
}

TEST(ModelledTime, EveryConstantCounts) {
  const Kernel kernel = gather_kernel(1024, 1);
  const GpuModel& gpu = h200_tools().gpu();
  using Counts = emulator::LaunchCounts;
  struct Pair {
    double ModelConstants::*constant;
    std::int64_t Counts::*count;
    bool slower;  ///< where the constant is greater
  };
  const Pair pairs[] = {{&ModelConstants::launch_scale, &Counts::warps, true},
                        {&ModelConstants::dram_efficiency, &Counts::dram_sectors, false},
                        {&ModelConstants::l2_efficiency, &Counts::l2_sectors, false},
                        {&ModelConstants::atomic_pass_ns, &Counts::atomic_passes, true},
                        {&ModelConstants::instructions_scale, &Counts::basic_blocks, true},
                        {&ModelConstants::atomic_line_ns, &Counts::atomic_hottest, true},
                        {&ModelConstants::instruction_cycles, &Counts::longest_basic_blocks, true},
                        {&ModelConstants::longest_scale, &Counts::longest_collectives, true},
                        {&ModelConstants::queued_scale, &Counts::shared_reads, true}};
  for (const Pair& pair : pairs) {
    Counts counts;
    counts.blocks = 8;
    counts.resident_warps = 4;
    counts.*pair.count = 1'000'000'000;
    GpuModel more = gpu;
    more.constants.*pair.constant *= 2;
    const double assumed = modelled_time(gpu, kernel, {counts}).time_us;
    const double changed = modelled_time(more, kernel, {counts}).time_us;
    EXPECT_GT(pair.slower ? changed / assumed : assumed / changed, 1.9);
  }
  Counts crowded;  // so many warps that issue slots are full
  crowded.blocks = 8;
  crowded.resident_warps = 64;
  crowded.warps = 1'000'000;
  crowded.basic_blocks = 1'000'000'000;
  GpuModel more = gpu;
  more.constants.issue_efficiency *= 2;
  const Timing assumed = modelled_time(gpu, kernel, {crowded});
  EXPECT_GT(assumed.time_us, 1.9 * modelled_time(more, kernel, {crowded}).time_us);
  EXPECT_GE(assumed.time_us, assumed.limits->launch_us + assumed.limits->issue_us);
}

TEST(ModelledTime, LimitsThatAreNearEachOtherDoNotOverlapWhole) {
  const GpuModel& gpu = h200_tools().gpu();
  LaunchWork work;
  work.busy = 1;
  work.dram_sectors = 1e9;
  ModelConstants constants;
  const double one_us = launch_time_us(gpu, work, constants) - gpu.launch_us;
  EXPECT_NEAR(one_us, launch_limits(gpu, work, constants).dram_us, 1e-9 * one_us);
  const double dram_gb_per_s = gpu.dram_gb_per_s * constants.dram_efficiency;
  const auto with_l2_us = [&](double of_dram) {
    work.l2_whole = of_dram * work.dram_sectors * gpu.l2_gb_per_s / dram_gb_per_s;
    return launch_time_us(gpu, work, constants) - gpu.launch_us;
  };
  EXPECT_NEAR(with_l2_us(1), std::pow(2, 0.25) * one_us, 1e-9 * one_us);
  EXPECT_NEAR(with_l2_us(0.1), one_us, 1e-4 * one_us) << "what is far from it hides";
  constants.limits_order = 1;
  EXPECT_NEAR(with_l2_us(1), 2 * one_us, 1e-9 * one_us);
  constants.limits_order = std::numeric_limits<double>::infinity();
  EXPECT_NEAR(with_l2_us(1), one_us, 1e-9 * one_us);
}

TEST(ModelledTime, WaitsForWhereLoadsHit) {
  Kernel kernel = gather_kernel(1024, 1);
  GpuModel gpu = h200_tools().gpu();
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
  kernel.launches[0].in_flight = {1};
  values.dram_sectors = 0;
  values.longest_reads = values.longest_missed = values.missed = 9 * 6;
  EXPECT_NEAR(longest_ns(), 6 * 100 + 6 * 10, 1e-6) << "nine rows of a block share its x";
}

TEST(ModelledTime, TermsInFlightAreThoseOfTheDesign) {
  const Matrix matrix = battery_matrix("stencil_23");
  Designer designer(matrix);
  const auto terms = [&](const char* name) {
    const Result<Kernel> kernel = designer.build(resolve_design(name), Dtype::f32);
    EXPECT_TRUE(kernel) << kernel.reason();
    return kernel ? kernel->launches.front().in_flight.terms : 0;
  };
  EXPECT_EQ(
      terms("compress | thread_rows rows=1 | thread_total | global_store | launch threads=256"),
      unrolled_terms(Dialect::cuda));
  EXPECT_EQ(terms("csr-scalar"), 8) << "its batch";
  EXPECT_EQ(terms("bsell"), 3) << "the elements of x that a block of 3 x 3 has";
  EXPECT_EQ(terms("jds"), 1) << "each tells whether there is another";
}

TEST(ModelledTime, IdleMultiprocessorsDoNoWork) {
  Kernel kernel = gather_kernel(1024, 1);
  emulator::LaunchCounts counts;
  counts.blocks = kernel.launches[0].blocks = 1000;
  counts.basic_blocks = 1'000'000;
  const double all_us = modelled_time(h200_tools().gpu(), kernel, {counts}).limits->issue_us;
  counts.blocks = kernel.launches[0].blocks = 1;
  EXPECT_NEAR(modelled_time(h200_tools().gpu(), kernel, {counts}).limits->issue_us,
              all_us * h200_tools().gpu().multiprocessors, 1e-9 * all_us);
}

TEST(ModelledTime, IsNotGivenWhereCountsAreWrong) {
  ASSERT_EQ(h200_tools().counts_verdict(), "");
  int verdicts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(emulator_cache().path())) {
    std::ofstream(entry.path()) << "7 loads were counted where there are 8.";
    ++verdicts;
  }
  ASSERT_EQ(verdicts, 1);
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const Kernel kernel = gather_kernel(128, 1);
  auto loaded = device->load(kernel);
  ASSERT_TRUE(loaded);
  const std::vector<SpmvCase> cases = {zero_case(kernel)};
  EXPECT_TRUE((*loaded)->run(cases));
  const auto timing = (*loaded)->time(cases[0], CacheRegime::warm);
  ASSERT_FALSE(timing);
  EXPECT_NE(timing.reason().find("cannot be trusted (7 loads"), std::string::npos)
      << timing.reason();
}

}  // namespace
}  // namespace alphasparse
