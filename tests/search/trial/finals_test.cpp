// finals_test: the designs in the finals, and the differences that rounds in turn show and single
// times do not.
#include "search/trial/finals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "operators/named_designs.h"
#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

Outcomes outcomes_of(const std::vector<Measurement>& measurements) {
  Outcomes outcomes;
  for (const Measurement& measurement : measurements)
    outcomes.emplace(measurement.design, measurement);
  return outcomes;
}

/// A GPU with a clock that drifts from sample to sample, up to a third and back.
struct DriftingGpu {
  std::mt19937 random{1};
  std::string order;
  int samples = 0;

  double slowdown() { return 1 + 0.33 * std::abs(((samples++ % 200) - 100) / 100.0); }
};

class Runner : public LoadedKernel {
 public:
  Runner(DriftingGpu& gpu, char name, double us, double noise)
      : gpu_(gpu), name_(name), us_(us), noise_(noise) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase>) override {
    return std::vector<SpmvOutcome>{};
  }
  Result<Timing> time(const SpmvCase&, const TimingRequest&) override { return Timing{}; }
  Result<std::vector<double>> sample(int count) override {
    gpu_.order += name_;
    if (us_ < 0) return Failure{Status::crash, "gone"};
    if (disturbed_every > 0 && ++asked_ % disturbed_every == 0) return std::vector<double>{};
    std::vector<double> samples;
    std::normal_distribution<double> noise(1, noise_);
    for (int i = 0; i < count; ++i) samples.push_back(us_ * gpu_.slowdown() * noise(gpu_.random));
    return samples;
  }

  int disturbed_every = 0;  ///< sample; 0: none

 private:
  int asked_ = 0;
  DriftingGpu& gpu_;
  char name_;
  double us_;
  double noise_;
};

const std::atomic<bool> go_on = false;
constexpr double ample = 600;  // seconds

TEST(Finals, InTurnTellsTwoPerCentUnderADriftOfAThird) {
  DriftingGpu gpu;
  Runner a(gpu, 'a', 10, 0.002), b(gpu, 'b', 9.8, 0.002), c(gpu, 'c', 12, 0.002);
  const auto standings = measure_in_turn({&a, &b, &c}, {}, ample, go_on);
  ASSERT_TRUE(standings.ok());
  EXPECT_EQ(standings->at(0).ratio, 1);
  EXPECT_NEAR(standings->at(1).ratio, 0.98, 0.005);
  EXPECT_NEAR(standings->at(2).ratio, 1.2, 0.006);
  EXPECT_LE(standings->at(1).half_width, 0.005);
  EXPECT_EQ(gpu.order.substr(0, 9), "abcbcacab");
}

TEST(Finals, MoreNoiseTakesMoreRoundsUpToTheMost) {
  const auto rounds = [](double noise) {
    DriftingGpu gpu;
    Runner a(gpu, 'a', 10, noise), b(gpu, 'b', 10, noise);
    return measure_in_turn({&a, &b}, {}, ample, go_on)->front().us.size();
  };
  EXPECT_EQ(rounds(0), 10U);
  EXPECT_GT(rounds(0.01), 10U);
  EXPECT_LE(rounds(0.01), 50U);
  EXPECT_EQ(rounds(0.2), 50U);
}

// Few samples tell less of their own spread than a normal distribution's interval admits.
TEST(Finals, IntervalsAreStudents) {
  for (const auto& [rounds, deviations] :
       {std::pair{2, 12.706}, {4, 3.1824}, {6, 2.5706}, {10, 2.2622}, {20, 2.0930}, {50, 2.0096}}) {
    DriftingGpu gpu;
    Runner a(gpu, 'a', 10, 0.01), b(gpu, 'b', 11, 0.01);
    FinalPlan plan;
    plan.rounds_min = plan.rounds_max = rounds;
    const auto standings = measure_in_turn({&a, &b}, plan, ample, go_on);
    ASSERT_TRUE(standings.ok());
    std::vector<double> logs;
    for (int round = 0; round < rounds; ++round) {
      logs.push_back(std::log(standings->at(1).us[round] / standings->at(0).us[round]));
    }
    const double mean = std::accumulate(logs.begin(), logs.end(), 0.) / rounds;
    double squares = 0;
    for (const double log : logs) squares += (log - mean) * (log - mean);
    const double error = std::sqrt(squares / (rounds - 1) / rounds);
    EXPECT_NEAR(standings->at(1).half_width, deviations * error, 1e-3 * deviations * error)
        << rounds;
  }
}

TEST(Finals, EndEarlyWithTheLeastRounds) {
  DriftingGpu gpu;
  Runner a(gpu, 'a', 10, 0.2), b(gpu, 'b', 10, 0.2);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(measure_in_turn({&a, &b}, {}, ample, stop)->front().us.size(), 10U);
  FinalPlan late;
  EXPECT_EQ(measure_in_turn({&a, &b}, late, 0, go_on)->front().us.size(), 10U);
  late.seconds_over = 0;
  EXPECT_EQ(measure_in_turn({&a, &b}, late, 0, go_on)->front().us.size(), 3U);
}

TEST(Finals, RoundsThatAreDisturbedAreDropped) {
  DriftingGpu gpu;
  Runner a(gpu, 'a', 10, 0.002), b(gpu, 'b', 9.8, 0.002);
  b.disturbed_every = 3;
  const auto standings = measure_in_turn({&a, &b}, {}, ample, go_on);
  ASSERT_TRUE(standings.ok());
  EXPECT_GE(standings->at(0).us.size(), 10U);
  EXPECT_EQ(standings->at(0).us.size(), standings->at(1).us.size());
  EXPECT_NEAR(standings->at(1).ratio, 0.98, 0.006);
}

TEST(Finals, WhereAllRoundsAreDisturbedThereAreNone) {
  DriftingGpu gpu;
  Runner a(gpu, 'a', 10, 0), b(gpu, 'b', 10, 0);
  b.disturbed_every = 1;
  FinalPlan late;
  late.seconds_over = 0;
  const auto standings = measure_in_turn({&a, &b}, late, 0, go_on);
  ASSERT_FALSE(standings.ok());
  EXPECT_EQ(standings.reason(), rounds_disturbed);
}

TEST(Finals, AKernelThatFailsEndsThem) {
  DriftingGpu gpu;
  Runner a(gpu, 'a', 10, 0), b(gpu, 'b', -1, 0);
  const auto standings = measure_in_turn({&a, &b}, {}, ample, go_on);
  ASSERT_FALSE(standings.ok());
  EXPECT_EQ(standings.reason(), "gone");
}

TEST(Finals, TheFastestMeet) {
  Measurement copy = timed("copy", 10);
  copy.status = Status::duplicate;
  Measurement wrong = timed("wrong", 1);
  wrong.status = Status::wrong_result;
  wrong.verified = false;
  EXPECT_EQ(
      finalists(outcomes_of({timed("b", 11), timed("a", 10), timed("slow", 12.6), copy, wrong})),
      (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(finalists({}).empty());
  Outcomes many;
  for (int i = 0; i < 20; ++i)
    many.emplace(std::to_string(i), timed(std::to_string(i), 10 + 0.01 * i));
  const auto eight = finalists(many);
  ASSERT_EQ(eight.size(), 8U);
  EXPECT_EQ(eight.back(), "7");
}

/// When a trial or the finals that it was in were over.
Measurement at(const std::string& minute, Measurement outcome, int rounds = 0) {
  outcome.created_at = "2026-01-31T12:" + minute + ":00.000Z";
  outcome.timing->rounds = rounds;
  return outcome;
}

// Finals are hotter than trials: those that were left out of them must not look faster by that.
TEST(Finals, HeldAgainTheyAreForThoseOfTheLastOnesAndWhatWasTriedSince) {
  std::vector<Measurement> all = {at("05", timed("a", 12), 10), at("05", timed("b", 12.2), 10),
                                  at("06", timed("new", 11.9))};
  for (int i = 0; i < 8; ++i)
    all.push_back(at("00", timed("left out " + std::to_string(i), 10 + 0.1 * i)));
  EXPECT_EQ(finalists(outcomes_of(all)), (std::vector<std::string>{"new", "a", "b"}));
}

// The GPU may have become faster since: then all that is tried looks better than the winner.
TEST(Finals, HeldAgainTheirLastWinnerIsAmongTheEight) {
  std::vector<Measurement> all = {at("00", timed("older winner", 1), 10),
                                  at("05", timed("winner", 20), 10),
                                  at("05", timed("second", 21), 10)};
  for (int i = 0; i < 10; ++i)
    all.push_back(at("06", timed("new " + std::to_string(i), 10 + 0.1 * i)));
  const std::vector<std::string> designs = finalists(outcomes_of(all));
  ASSERT_EQ(designs.size(), 8U);
  EXPECT_EQ(designs[0], "new 0");
  EXPECT_EQ(designs[1], "winner") << "where the time goes no further, it has met the one before it";
  EXPECT_EQ(designs[7], "new 6");
}

TEST(Finals, HaveAsManyAsThereIsRoomForAndOneInAnyCase) {
  Matrix matrix;
  matrix.rows = matrix.cols = 2000;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    matrix.col.push_back(row);
    matrix.value.push_back(1 + row % 7);
    matrix.row_first.push_back(row + 1);
  }
  const auto device = open_device("cpu:1");
  Trial trial(matrix, *device, {});
  Subjects designs;
  for (const char* const name : {"csr-scalar", "ell", "sell-c-sigma"})
    designs.push_back(Subject::read(resolve_design(name, Target::cpu)).value());
  Measurement facts;
  ASSERT_TRUE(trial.load(designs.front(), facts).ok());
  FinalPlan plan;
  plan.rounds_max = plan.rounds_min;
  const auto count_within = [&](double bytes) {
    plan.bytes_max = bytes;
    const auto finals = run_finals(trial, designs, plan, ample, go_on);
    return finals ? finals->size() : 0;
  };
  const auto one = static_cast<double>(facts.format_bytes.value());
  EXPECT_EQ(count_within(1), 1U);
  EXPECT_EQ(count_within(2 * one), 2U);
  EXPECT_EQ(count_within(FinalPlan().bytes_max), 3U);
}

}  // namespace
}  // namespace alphasparse
