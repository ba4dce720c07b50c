// lower_bound_test: no modelled time lies below its bound from before compiling, and how near it
// comes.
// ctest label: emulator
#include "runtime/emulated/lower_bound.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/emulated/device.h"
#include "runtime/emulated/emulator_program.h"
#include "runtime/emulated/kernel.h"
#include "search/trial/trial.h"
#include "tests/support/battery.h"
#include "tests/support/design_check.h"
#include "tests/support/emulated_fixture.h"
#include "tests/support/random_design.h"

namespace alphasparse {
namespace {

/// A kernel's bound and its time, with all blocks counted.
struct Pair {
  LowerBound bound;
  double time_us = 0;
};

/// Nothing where the design is refused.
std::optional<Pair> pair_of(const EmulatorToolchain& tools, const Matrix& matrix,
                            const std::string& design, Dtype dtype, CacheRegime regime) {
  Designer designer(matrix);
  const Result<Kernel> kernel =
      designer.build(design, {dtype, 1, find_dialect(tools.gpu().arch)}, no_build_limits);
  if (!kernel) return std::nullopt;
  const auto branches = designer.branches(*parse_design(design));
  EXPECT_TRUE(branches.ok()) << branches.reason();
  const LeastWork work = least_work(*kernel, *branches, touched_x_bytes(matrix, dtype));
  EmulatedKernel loaded(tools, *kernel);
  const auto unbuilt = loaded.build();
  EXPECT_FALSE(unbuilt) << unbuilt->reason;
  const auto counts = loaded.count(zero_case(*kernel), regime);
  EXPECT_TRUE(counts.ok()) << counts.reason();
  return Pair{modelled_bound(tools.gpu(), work, regime),
              modelled_time(tools.gpu(), *kernel, *counts).time_us};
}

/// A GPU with little to launch, slow memory and hardly any latency, of which a bound knows little.
/// So times of small matrices tell something.
GpuModel small_gpu(const std::string& name) {
  GpuModel gpu = *find_gpu_model(name);
  gpu.multiprocessors = 2;
  gpu.launch_us = 0.1;
  gpu.dram_gb_per_s = 40;
  gpu.l2_gb_per_s = gpu.l2_scattered_gb_per_s = 100;
  gpu.l1_ns = 2;
  gpu.l2_ns = 8;
  gpu.near_gb_per_s = 60;
  gpu.near_ns = 12;
  gpu.dram_ns = 16;
  return gpu;
}

class LowerBounds : public testing::TestWithParam<int> {
 protected:
  /// Holds a design's bound against its time: warm, cold, and by chance where L2 is too small.
  /// Every third one meets a GPU of AMD too.
  void hold(const NamedMatrix& entry, const std::string& design, int number) {
    if (const auto share = share_on("h200", entry, design, number)) shares_.push_back(*share);
    const char* const amds[] = {"mi100", "mi250x", "mi300x"};
    if (number % 3 == 0) share_on(amds[number / 3 % 3], entry, design, number);
  }

  /// The bound over the time; none where the design is refused.
  static std::optional<double> share_on(const char* gpu_name, const NamedMatrix& entry,
                                        const std::string& design, int number) {
    GpuModel gpu = small_gpu(gpu_name);
    if (number % 4 == 3) gpu.l2_bytes = 8 << 10;
    const EmulatorToolchain tools(gpu, find_host_compiler(), find_emulator());
    const CacheRegime regime = number % 2 == 0 ? CacheRegime::warm : CacheRegime::cold;
    const Dtype dtype = number % 3 == 0 ? Dtype::f64 : Dtype::f32;
    const auto pair = pair_of(tools, entry.matrix, design, dtype, regime);
    if (!pair) return std::nullopt;
    EXPECT_LE(pair->bound.time_us, pair->time_us * (1 + 1e-9))
        << gpu_name << ", " << entry.name << ", " << regime_name(regime) << ", number " << number
        << ": " << design << " needs " << pair->bound.cause;
    return pair->bound.time_us / pair->time_us;
  }

  /// How near the bounds come, of which half at least this near.
  void tell(const char* what, double median_least) {
    ASSERT_FALSE(shares_.empty());
    std::sort(shares_.begin(), shares_.end());
    const auto at = [&](double share) {
      return shares_[static_cast<std::size_t>(share * static_cast<double>(shares_.size() - 1))];
    };
    fmt::print("bound / time of {} {} designs: median {:.2f}, quartiles {:.2f} and {:.2f}\n",
               shares_.size(), what, at(0.5), at(0.25), at(0.75));
    EXPECT_GT(at(0.5), median_least) << "so low a bound rejects nothing";
  }

  std::vector<double> shares_;
};

TEST_P(LowerBounds, OfNamedDesignsAreBelowTheirTimes) {
  const std::vector<NamedMatrix> all = battery();
  const std::vector<NamedDesign> named = named_designs(Target::gpu);
  for (std::size_t i = 0; i < named.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      const int number = static_cast<int>(i * all.size() + j);
      if (number % 12 != GetParam()) continue;
      hold(all[j], std::string(named[i].line), number / 12);
    }
  }
  tell("named", 0.35);
}

// Rows that share loads of x, blocks that are wider than the matrix, and words that are not read.
TEST_P(LowerBounds, OfBandsOfDenseBlocksAreBelowTheirTimes) {
  const std::string rest =
      " | thread_total | global_store | launch threads=64 } { compress | thread_nnz nnz=1 | "
      "thread_total | global_atomic | launch threads=64 }";
  const std::vector<NamedMatrix> all = battery();
  for (std::size_t j = GetParam(); j < all.size(); j += 4) {
    const int number = static_cast<int>(j / 4);
    hold(all[j], "dense_block_peel rows=4 cols=4 share=0 { thread_bands" + rest, number);
    hold(all[j],
         "dense_block_peel rows=8 cols=2 share=0 { warp_bands bands=32 | thread_bands | thread_pad "
         "| interleave" +
             rest,
         number + 1);
    hold(all[j],
         "dense_block_peel rows=2 cols=4 share=0 { warp_bands bands=32 | thread_bands | thread_pad "
         "| interleave run=4 | thread_total vector=4 | global_store | launch threads=64 } { "
         "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=64 }",
         number);
  }
  ASSERT_FALSE(shares_.empty());
}

/// In the ordinary run, a quarter of them each part; ALPHASPARSE_LONG=N: N of them.
TEST_P(LowerBounds, OfRandomDesignsAreBelowTheirTimes) {
  const char* const asked = std::getenv("ALPHASPARSE_LONG");
  const int count = asked ? std::max(std::atoi(asked), 1000) : 24;
  const std::vector<NamedMatrix> all = battery();
  const int matrices = static_cast<int>(all.size());
  for (int seed = GetParam(); seed < count; seed += 4) {
    const NamedMatrix& entry = all[static_cast<std::size_t>(seed % matrices)];
    hold(entry, random_design(entry.matrix, static_cast<std::uint64_t>(seed) + 5000), seed / 4);
  }
  tell("random", 0.1);
}

INSTANTIATE_TEST_SUITE_P(All, LowerBounds, testing::Range(0, 4));

TEST(LowerBound, OfAMeasuredTimeIsWhatMemoryTakes) {
  LeastWork work;
  work.format_sectors = 3e6;  // 96 MB
  work.x_sectors = 1e6;
  work.y_sectors = 1e6;
  DeviceInfo device;
  device.kind = TimeKind::measured;
  EXPECT_EQ(measured_bound(device, work, CacheRegime::cold).time_us, 0) << "no peak is known";
  device.dram_gb_per_s = 1000;
  device.l2_bytes = 32 << 20;
  const LowerBound cold = measured_bound(device, work, CacheRegime::cold);
  EXPECT_DOUBLE_EQ(cold.time_us, 128);
  EXPECT_EQ(cold.cause, "its 128 MB from memory");
  EXPECT_DOUBLE_EQ(measured_bound(device, work, CacheRegime::warm).time_us, 128 - 33.554432);
  device.l2_bytes = 1 << 30;
  EXPECT_EQ(measured_bound(device, work, CacheRegime::warm).time_us, 0)
      << "all of it may lie in L2";
}

TEST(LowerBound, OfATimeOnACpuGoesByTheRateOfThoseWhoReadNoMore) {
  const std::vector<ReadRate> rates = {{16 << 10, 400}, {4 << 20, 80}, {64 << 20, 16}};
  LeastWork work;
  work.format_sectors = 3e5;  // 9.6 MB
  work.x_sectors = 1e5;
  const LowerBound bound = measured_bound(rates, work);
  EXPECT_DOUBLE_EQ(bound.time_us, 128) << "12.8 MB at 80 GB/s and a quarter";
  EXPECT_EQ(bound.cause, "its 12.8 MB at 100 GB/s");
  work.format_sectors = 3e6;
  EXPECT_DOUBLE_EQ(measured_bound(rates, work).time_us, 4960) << "99.2 MB at 20 GB/s";
  work.format_sectors = work.x_sectors = 100;
  EXPECT_EQ(measured_bound(rates, work).time_us, 0) << "less than was measured";
  EXPECT_EQ(measured_bound({}, work).time_us, 0);
}

TEST(LowerBound, RejectsWhatCannotBeTheBestAndSparesBaselines) {
  const Matrix matrix = battery_matrix("one_row");
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::string serial =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
  Trial trial(matrix, *device, {});
  const Measurement rejected = trial.run(serial, {}, 5);
  EXPECT_EQ(rejected.status, Status::pruned);
  EXPECT_NE(rejected.reason.find("us by a thread's"), std::string::npos) << rejected.reason;
  EXPECT_NE(rejected.reason.find("entries, the best takes 5.0 us"), std::string::npos)
      << rejected.reason;
  EXPECT_FALSE(rejected.timing);
  const Measurement first = trial.run(serial, {});
  ASSERT_TRUE(first.timing) << "without an incumbent it is tried: " << first.reason;
  EXPECT_GT(first.timing->time_us, 5 * 1.02);
  Trial other(matrix, *device, {});
  other.exempt({CanonicalDesign::read(serial).value()});
  const double best_us = first.timing->time_us / 2;
  EXPECT_EQ(other.run(serial, {}, best_us).status, Status::ok);
  EXPECT_EQ(Trial(matrix, *device, {}).run(serial, {}, best_us).status, Status::pruned);
}

TEST(LowerBound, WhatIsClearlySlowByItsCountsIsNotVerified) {
  const Matrix matrix = battery_matrix("one_row");
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  const std::string serial =
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";
  Trial first(matrix, *device, {});
  const Measurement timed = first.run(serial, {});
  ASSERT_TRUE(timed.timing);
  const double time_us = timed.timing->time_us;
  for (const auto& [best_us, is_worth_it] :
       {std::pair{time_us / 2.9, true}, {time_us / 3.1, false}}) {
    Trial trial(matrix, *device, {});
    trial.exempt({CanonicalDesign::read(serial).value()});
    const Measurement outcome = trial.run(serial, {}, best_us);
    EXPECT_EQ(outcome.verified, is_worth_it);
    EXPECT_EQ(outcome.status, is_worth_it ? Status::ok : Status::pruned);
    EXPECT_EQ(outcome.timing.has_value(), is_worth_it);
    if (is_worth_it) continue;
    EXPECT_DOUBLE_EQ(outcome.bound_us.value(), time_us);
    EXPECT_NE(outcome.reason.find("not worth verifying"), std::string::npos) << outcome.reason;
    EXPECT_EQ(trial.run(serial, {}).status, Status::ok) << "without an incumbent it is verified";
  }
  EXPECT_EQ(first.run(serial, {}).status, Status::ok) << "it is no duplicate of itself";
}

}  // namespace
}  // namespace alphasparse
