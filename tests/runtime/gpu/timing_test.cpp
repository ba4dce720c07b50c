// gpu_timing: how a GPU takes times, against a fake of the driver - graphs, races,
// doubtful samples, turns, cold caches, and memory throughput.
#include "runtime/gpu/timing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/roofline.h"
#include "runtime/device/samples.h"
#include "runtime/device/verify.h"
#include "tests/support/csr_kernels.h"
#include "tests/support/fake_driver.h"

namespace alphasparse {
namespace {

TEST_P(FakeGpu, WarmTimesAreGraphsOfAllLaunches) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->kernels["spmv_init"].time_us = [] { return 2.0; };
  fake_->kernels["spmv"].time_us = [] { return 3.0; };
  const Result<Timing> timing =
      (*loaded)->time(integer_case("", matrix, kernel.dtype, {1, 0}), CacheRegime::warm);
  ASSERT_TRUE(timing.ok()) << timing.reason();
  EXPECT_NEAR(timing->time_us, 5.0, 1e-3);
  EXPECT_NEAR(timing->time_us_p20, 5.0, 1e-3);
  EXPECT_NEAR(timing->time_us_p80, 5.0, 1e-3);
  EXPECT_EQ(timing->samples, 51);
  EXPECT_EQ(timing->registers, 32);
  EXPECT_EQ(timing->spill_bytes, 12);
  EXPECT_EQ(timing->sm_mhz, maker().has_monitor ? 1980 : Timing().sm_mhz);
  EXPECT_FALSE(timing->noisy);
  // A graph lasts a millisecond at least. Another one is queued ahead of each, so that the GPU
  // waits for no launch, and ahead of that the cache is emptied.
  int nodes = 0;
  ASSERT_EQ(std::sscanf((fake_->calls.end() - 2)->c_str(), "launch graph of %d", &nodes), 1);
  EXPECT_GE(nodes / 2 * 5.0, 1000.0);
  EXPECT_LE(nodes / 2 * 5.0, 2000.0);
  EXPECT_EQ(fake_->fill_bytes, 2U << 20);
  const std::string graph = "launch graph of " + std::to_string(nodes);
  const std::vector<std::string> last_sample(fake_->calls.end() - 5, fake_->calls.end());
  EXPECT_EQ(last_sample,
            (std::vector<std::string>{"discard_all 64x256", graph, "record", graph, "record"}));
  EXPECT_EQ(timing->note, "a sample is the mean of " + std::to_string(nodes / 2) +
                              " in a graph; launched in a row 5 us");
}

TEST_P(FakeGpu, WorkThatNoGraphTakesIsLaunchedInARow) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  for (const char* const call : {api().make_graph.name, api().end_capture.name}) {
    fake_->failures = {{call, 901}};
    const Result<Timing> timing =
        (*loaded)->time(integer_case("", matrix, kernel.dtype, {1, 0}), CacheRegime::warm);
    ASSERT_TRUE(timing.ok()) << timing.reason();
    EXPECT_NEAR(timing->time_us, 2, 1e-3);
    EXPECT_NE(timing->note.find("launched in a row, not in a graph ("), std::string::npos)
        << timing->note;
  }
  fake_->failures.clear();
}

// A wait in a capture would spoil it: the fault is that of the library alone.
TEST_P(FakeGpu, AFaultOfTheVendorInACaptureIsNotWaitedFor) {
  const Matrix matrix = small_matrix();
  const auto kernel = baseline_kernel(*find_baseline(maker().algorithm), matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const auto loaded = device->load(*kernel);
  ASSERT_TRUE(loaded.ok()) << loaded.reason();
  fake_->failures = {{maker().product + std::string(" in a capture"), 7}};
  const Result<Timing> timing =
      (*loaded)->time(integer_case("", matrix, kernel->dtype, {1, 0}), CacheRegime::warm);
  ASSERT_TRUE(timing.ok()) << timing.reason();
  EXPECT_NE(timing->note.find(fmt::format("not in a graph (the product: {})", maker().refused)),
            std::string::npos)
      << timing->note;
}

TEST_P(FakeGpu, WhatIsClearlySlowerIsNotMeasuredToTheEnd) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->kernels["spmv"].time_us = [] { return 149.0; };
  const SpmvCase input = integer_case("", matrix, kernel.dtype, {1, 0});
  for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
    EXPECT_EQ((*loaded)->time(input, {regime, 14.9})->samples, 1) << "of three runs the shortest";
    EXPECT_EQ((*loaded)->time(input, {regime, 15.1})->samples, 3);
    EXPECT_EQ((*loaded)->time(input, {regime, 119})->samples, 3);
    EXPECT_EQ((*loaded)->time(input, {regime, 121})->samples, 51);
    EXPECT_EQ((*loaded)->time(input, regime)->samples, 51);
  }
  const std::string once = (*loaded)->time(input, {CacheRegime::warm, 1})->note;
  EXPECT_EQ(once, "given up after 3 runs: over 10 times the best by then");
  int runs = 0;  // something else has the GPU while the first of them run
  fake_->kernels["spmv"].time_us = [&] { return runs++ < 2 ? 4000.0 : 20.0; };
  EXPECT_EQ((*loaded)->time(input, {CacheRegime::warm, 22})->samples, 51);
  fake_->kernels["spmv"].time_us = [] { return 60e3; };
  EXPECT_EQ((*loaded)->time(input, {CacheRegime::warm, 1})->note,
            "given up after 1 run: over 10 times the best by then");
  // One launch takes some time by itself, so a short kernel gets its samples.
  fake_->kernels["spmv"].time_us = [] { return 90.0; };
  EXPECT_EQ((*loaded)->time(input, {CacheRegime::warm, 1})->samples, 3);
}

TEST_P(FakeGpu, DoubtfulTimesAreTakenAgainAndMarked) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  const SpmvCase input = integer_case("", matrix, kernel.dtype, {1, 0});
  int runs = 0;
  const auto one_in_three = [&](int until) {
    return [&runs, until] { return runs++ < until && runs % 3 == 0 ? 5000.0 : 2000.0; };
  };
  fake_->kernels["spmv"].time_us = one_in_three(1 << 30);
  EXPECT_TRUE((*loaded)->time(input, CacheRegime::warm)->noisy);
  runs = 0;
  fake_->kernels["spmv"].time_us = one_in_three(50);  // calm the second time
  EXPECT_FALSE((*loaded)->time(input, CacheRegime::warm)->noisy);
  if (!maker().has_monitor) return;

  fake_->kernels["spmv"].time_us = [] { return 20.0; };
  unsigned clock = 2000;
  fake_->sm_mhz = [&] { return clock -= 5; };
  EXPECT_FALSE((*loaded)->time(input, CacheRegime::warm)->noisy);
  // Samples that lie together are not doubted: a user may have locked the clock.
  fake_->sm_mhz = [] { return 1200U; };
  for (const auto& [slowed, text] :
       {std::pair{0x2ULL, ""}, {0x4ULL | 0x1, "power cap"}, {0x20ULL, "heat"}}) {
    fake_->slowed = slowed;
    const Result<Timing> timing = (*loaded)->time(input, CacheRegime::warm);
    EXPECT_FALSE(timing->noisy) << text;
    EXPECT_EQ(timing->sm_mhz, 1200);
    EXPECT_EQ(timing->slowed, text);
  }
}

// As where another process has the GPU for most of the time.
TEST_P(FakeGpu, ATimeOfWhichMostSamplesAreDisturbedIsNone) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  const SpmvCase input = integer_case("", matrix, kernel.dtype, {1, 0});
  int runs = 0;
  const auto most = [&](double us, int of) {
    return [&runs, us, of] { return runs++ % of == 0 ? 2000.0 : us; };
  };
  for (const auto& [others, us, of, disturbed] :
       {std::tuple{0U, 5000.0, 3, true}, std::tuple{0U, 2600.0, 3, false},
        std::tuple{40U, 2600.0, 3, true}, std::tuple{40U, 2100.0, 3, false},
        std::tuple{0U, 5000.0, 1, false}}) {
    SCOPED_TRACE(us);
    if (others > 0 && !maker().has_monitor) continue;  // nobody tells of others
    fake_->use = {{1000, 50}, {1001, others}};
    fake_->kernels["spmv"].time_us = most(us, of);
    const Result<Timing> timing = (*loaded)->time(input, CacheRegime::warm);
    EXPECT_EQ(timing->disturbed, disturbed);
    EXPECT_TRUE(!disturbed || timing->noisy);
  }
  // Disturbed samples in turn are taken again, and left out where that does not help. But all may
  // be longer than they are alone.
  fake_->use.clear();
  fake_->kernels["spmv"].time_us = [] { return 2000.0; };
  ASSERT_FALSE((*loaded)->time(input, CacheRegime::warm)->disturbed);
  runs = 0;
  fake_->kernels["spmv"].time_us = most(5000, 3);
  const auto first = (*loaded)->sample(4), some = (*loaded)->sample(4);
  ASSERT_TRUE(first.ok() && some.ok());
  EXPECT_LT(first->size(), 4U) << "nobody knew at first";
  ASSERT_EQ(some->size(), 4U);
  for (const double us : *first) EXPECT_NEAR(us, 2001, 1);
  for (const double us : *some) EXPECT_NEAR(us, 2001, 1);
  fake_->kernels["spmv"].time_us = [] { return 5000.0; };
  EXPECT_TRUE((*loaded)->sample(4)->empty());
  ASSERT_TRUE((*loaded)->time(input, CacheRegime::warm).ok());
  fake_->kernels["spmv"].time_us = [] { return 9000.0; };
  EXPECT_EQ((*loaded)->sample(4)->size(), 4U);
}

TEST_F(FakeCudaGpu, AnotherProcessOnTheGpuCountsByItsUse) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  const SpmvCase input = integer_case("", matrix, kernel.dtype, {1, 0});
  const auto own = static_cast<unsigned>(getpid());
  const std::string other = "another process on the GPU";
  for (const auto& [use, text] : {std::pair{std::map<unsigned, unsigned>{}, std::string()},
                                  {{{own, 90}, {1001, 0}}, ""},  // it is idle
                                  {{{own, 90}, {1001, 5}}, other},
                                  {{{own, 0}, {1001, 5}}, other},
                                  {{{1000, 90}}, ""},  // it is ours by a number of the host
                                  {{{1000, 90}, {1001, 5}}, other}}) {
    fake_->use = use;
    const Result<Timing> timing = (*loaded)->time(input, CacheRegime::warm);
    EXPECT_FALSE(timing->noisy) << "the samples lie together";
    EXPECT_EQ(timing->slowed, text);
  }
}

TEST_P(FakeGpu, TheRooflineIsBytesAndSectorsOverTimes) {
  const std::unique_ptr<Device> device = open();  // its L2 cache has a MiB
  unsigned copied_threads = 0;
  fake_->kernels["copy"] = {{8, 8, 4, 4}, {}, [] { return 2.0; }};
  fake_->kernels["copy"].execute = [&](unsigned blocks, unsigned threads, const auto&) {
    copied_threads = blocks * threads;
  };
  fake_->kernels["read"] = {{8, 8, 4, 4}, {}, [] { return 1.0; }};
  fake_->kernels["read"].execute = [](unsigned blocks, unsigned, const auto&) {
    EXPECT_EQ(blocks * 256 * 64, 4U << 20);
  };
  fake_->kernels["gather"] = {{8, 8, 4, 4}, {}, {}};
  fake_->kernels["gather"].execute = [](unsigned blocks, unsigned, const auto&) {
    EXPECT_EQ(blocks, 32U);
  };
  // It takes longer with an x beyond the cache. Such bytes are resident, and are x too.
  fake_->kernels["gather"].time_us = [this] {
    int large = 0;
    for (const auto& [address, bytes] : fake_->allocations) large += bytes == std::size_t{4} << 20;
    return large == 2 ? 1000.0 : 100.0;
  };
  fake_->kernels["empty"] = {{8, 8, 4, 4}, {}, [] { return 3.0; }};
  const auto roofline = measure_roofline(*device);
  ASSERT_TRUE(roofline.ok()) << roofline.reason();
  EXPECT_EQ(copied_threads, (4U << 20) / 64) << "of the last kernel, with four loads in flight";
  EXPECT_NEAR(roofline->copy_gb_per_s, 2 * 4.194304e6 / 2e3, 1e-2);
  EXPECT_NEAR(roofline->read_gb_per_s, 4.194304e6 / 1e3, 1e-2);
  EXPECT_NEAR(attainable_us(*roofline, 3'000'000, 1'000'000),
              2e3 / roofline->copy_gb_per_s + 2e3 / roofline->read_gb_per_s, 1e-6);
  EXPECT_NEAR(attainable_us(*roofline, 0, 1'000'000), 1e3 / roofline->copy_gb_per_s, 1e-6);
  EXPECT_NEAR(roofline->gather_l2_per_ns, 16 * 8192 / 100e3, 1e-2);
  EXPECT_NEAR(roofline->gather_dram_per_ns, 16 * 8192 / 1000e3, 1e-3);
  EXPECT_NEAR(roofline->empty_warm_us, 3, 1e-3);
  EXPECT_NEAR(roofline->empty_cold_us, 3, 1e-3);
}

TEST_P(FakeGpu, TheFastestCopyCounts) {
  const std::unique_ptr<Device> device = open();
  fake_->kernels["copy"] = {{8, 8, 4, 4}, {}, [] { return 10.0; }};
  fake_->kernels["read"] = {{8, 8, 4, 4}, {}, [] { return 1.0; }};
  const auto rates = measure_memory(*device);
  ASSERT_TRUE(rates.ok()) << rates.reason();
  EXPECT_NEAR(rates->copy_gb_per_s, 2000, 1) << "of the driver, at a byte in 1e-6 us";
}

TEST(Roofline, VectorsAreRandomFloatsThatAreNotNegative) {
  const SharedBytes bytes = random_floats(1 << 12);
  std::vector<float> values(1 << 12);
  ASSERT_EQ(bytes.size(), values.size() * sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  std::sort(values.begin(), values.end());
  EXPECT_GE(values.front(), 1);
  EXPECT_LT(values.back(), 2);
  const auto repeated = std::unique(values.begin(), values.end());
  EXPECT_LT(values.end() - repeated, 10) << "of 4096 among 2^23";
}

TEST_P(FakeGpu, AnEmptyKernelIsMeasuredAlone) {
  const std::unique_ptr<Device> device = open();
  fake_->kernels["empty"] = {{8, 8, 4, 4}, {}, [] { return 3.0; }};
  for (const CacheRegime regime : {CacheRegime::warm, CacheRegime::cold}) {
    const Result<double> us = measure_empty(*device, regime);
    ASSERT_TRUE(us.ok()) << us.reason();
    EXPECT_NEAR(*us, 3, 1e-3);
    const auto flushed = std::count(fake_->calls.begin(), fake_->calls.end(), "read_all 64x256");
    EXPECT_EQ(flushed > 0, regime == CacheRegime::cold);
  }
  for (const auto& call : fake_->calls) {
    EXPECT_TRUE(call.find("copy") == std::string::npos && call.find("gather") == std::string::npos)
        << call << ": the rest of the roofline takes a second";
  }
}

/// A device that loads no kernel.
class OtherDevice : public Device {
 public:
  OtherDevice(TimeKind kind, Target target) {
    info_.kind = kind;
    info_.target = target;
  }
  const DeviceInfo& info() const override { return info_; }
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel&) override {
    ADD_FAILURE() << "it is given a kernel for GPUs";
    return Failure{Status::compile_error, ""};
  }

 private:
  DeviceInfo info_;
};

TEST(Roofline, IsOfGpusWithMeasuredTimes) {
  OtherDevice modelled(TimeKind::modelled, Target::gpu), cpu(TimeKind::measured, Target::cpu);
  EXPECT_FALSE(measure_roofline(modelled).ok());
  EXPECT_FALSE(measure_empty(modelled, CacheRegime::warm).ok());
  EXPECT_FALSE(measure_empty(cpu, CacheRegime::warm).ok());
}

TEST_P(FakeGpu, KernelsAreSampledInTurn) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> ours = load(*device, kernel);
  const auto vendor = baseline_kernel(*find_baseline(maker().algorithm), matrix, Dtype::f32);
  const Result<std::unique_ptr<LoadedKernel>> theirs = device->load(*vendor);
  ASSERT_TRUE(ours.ok() && theirs.ok());
  EXPECT_FALSE((*ours)->sample(1).ok()) << "nothing says how";
  const SpmvCase input = integer_case("", matrix, kernel.dtype, {1, 0});
  ASSERT_TRUE((*ours)->time(input, CacheRegime::warm).ok());
  ASSERT_TRUE((*theirs)->time(input, CacheRegime::warm).ok());
  for (int round = 0; round < 3; ++round) {
    const auto first = (*ours)->sample(2);
    const auto second = (*theirs)->sample(1);
    ASSERT_TRUE(first.ok() && second.ok());
    ASSERT_EQ(first->size(), 2U);
    EXPECT_NEAR(first->at(1), 2, 1e-3);
    EXPECT_NEAR(second->at(0), 50, 1e-3);
  }
  // Format, x and y, and the input's: the second kernel has brought its arrays and buffer alone.
  // One buffer empties the cache for both.
  EXPECT_EQ(fake_->allocations.size(), kernel.arrays.size() + 4 + vendor->arrays.size() + 2);
}

// One kernel's data settles in a free place of the cache alone, and the other one's takes all
// places: the first is measured alike alone, after the other and before it.
TEST_P(FakeGpu, WarmTimesDoNotDependOnTheKernelsBefore) {
  const Matrix matrix = small_matrix();
  Kernel settling = two_launches(matrix, Dtype::f32), filling = settling;
  settling.launches.erase(settling.launches.begin());
  filling.launches.pop_back();
  const std::unique_ptr<Device> device = open();
  const auto first = load(*device, settling);
  const auto second = device->load(filling);
  ASSERT_TRUE(first.ok() && second.ok());
  bool is_full = false;
  fake_->kernels["spmv"].time_us = [&] { return is_full ? 14.4 : 10.0; };
  fake_->kernels["spmv_init"].time_us = [&] {
    is_full = true;
    return 12.0;
  };
  fake_->kernels["discard_all"].time_us = [&] {
    is_full = false;
    return 10.0;
  };
  const SpmvCase input = integer_case("", matrix, settling.dtype, {1, 0});
  const auto alone = (*first)->time(input, CacheRegime::warm);
  ASSERT_TRUE(alone.ok() && (*second)->time(input, CacheRegime::warm).ok());
  EXPECT_NEAR(alone->time_us, 10, 1e-3);
  EXPECT_NEAR((*first)->time(input, CacheRegime::warm)->time_us, 10, 1e-3) << "after the other";
  for (int round = 0; round < 2; ++round) {
    EXPECT_NEAR((*first)->sample(1)->at(0), 10, 1e-3) << "in turn";
    EXPECT_NEAR((*second)->sample(1)->at(0), 12, 1e-3);
  }
}

TEST_P(FakeGpu, ColdTimesFlushTwiceTheCacheBeforeEverySample) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  const double series[] = {10, 11, 12, 13, 100};
  int next = 0;
  fake_->kernels["spmv"].time_us = [&] { return series[next++ % 5]; };
  fake_->kernels["spmv_init"].time_us = [] { return 0.0; };
  const Result<Timing> timing =
      (*loaded)->time(integer_case("", matrix, kernel.dtype, {1, 0}), CacheRegime::cold);
  ASSERT_TRUE(timing.ok()) << timing.reason();
  EXPECT_NEAR(timing->time_us, 12.0, 1e-3);  // the flush itself, 1000 us, is outside
  EXPECT_NEAR(timing->time_us_p20, 10.0, 1.0 + 1e-3);
  EXPECT_NEAR(timing->time_us_p80, 13.0, 1e-3);
  EXPECT_EQ(timing->samples, 51);
  EXPECT_EQ(fake_->fill_bytes, 2U << 20);
  // Cache lines that the fill leaves dirty are written back by reading as much once more, outside
  // the sample.
  const std::vector<std::string> first_samples(fake_->calls.begin() + 3, fake_->calls.begin() + 15);
  const std::vector<std::string> expected = {
      "fill 1", "read_all 64x256", "record", "spmv_init 1x32", "spmv 1x64", "record",
      "fill 2", "read_all 64x256", "record", "spmv_init 1x32", "spmv 1x64", "record"};
  EXPECT_EQ(first_samples, expected);
}

TEST_P(FakeGpu, LongKernelsTakeFewSamplesAndNoBatch) {
  const Matrix matrix = small_matrix();
  const Kernel kernel = two_launches(matrix, Dtype::f32);
  const std::unique_ptr<Device> device = open();
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(*device, kernel);
  ASSERT_TRUE(loaded.ok());
  fake_->kernels["spmv"].time_us = [] { return 1e6; };
  const Result<Timing> timing =
      (*loaded)->time(integer_case("", matrix, kernel.dtype, {1, 0}), CacheRegime::warm);
  ASSERT_TRUE(timing.ok()) << timing.reason();
  EXPECT_EQ(timing->samples, 7);
  EXPECT_NEAR(timing->time_us, 1e6, 10);
}

TEST(Quantile, InterpolatesBetweenNeighbours) {
  EXPECT_EQ(quantile({7}, 0.2), 7);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5, 6}, 0.2), 2);
  EXPECT_EQ(quantile({1, 2, 4}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2}, 0.5), 1.5);
  EXPECT_EQ(quantile({1, 2}, 1), 2);
}

}  // namespace
}  // namespace alphasparse
