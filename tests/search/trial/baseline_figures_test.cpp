// baseline_figures_test: which time stands for an algorithm of the vendor, and of how many the best
// is.
#include "search/trial/baseline_figures.h"

#include <gtest/gtest.h>

#include "runtime/device/baseline_kernels.h"
#include "runtime/device/baseline_library.h"
#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

Measurement in_turn(const std::string& name, double time_us) {
  Measurement outcome = timed(name, time_us);
  outcome.timing->rounds = 12;
  outcome.created_at = "2026-01-31T12:00:00.000Z";
  return outcome;
}

TEST(BaselineFigures, OnAGpuTheShorterTimeStands) {
  const Measurement alone = timed("cusparse-sell", 11.0);
  const Measurement kept =
      standing_of_baselines(Target::gpu, alone, in_turn("cusparse-sell", 15.8));
  EXPECT_EQ(kept.timing->time_us, 11.0);
  EXPECT_EQ(kept.timing->note, "in turn 15.8 us");
  EXPECT_EQ(kept.created_at, "2026-01-31T12:00:00.000Z") << "the newest of the database";
  const Measurement taken =
      standing_of_baselines(Target::gpu, alone, in_turn("cusparse-sell", 10.9));
  EXPECT_EQ(taken.timing->time_us, 10.9);
  EXPECT_EQ(taken.timing->rounds, 12);
}

TEST(BaselineFigures, OnACpuTheTimeInTurnStands) {
  const Measurement taken =
      standing_of_baselines(Target::cpu, timed("mkl-csr", 11.0), in_turn("mkl-csr", 15.8));
  EXPECT_EQ(taken.timing->time_us, 15.8);
}

TEST(BaselineFigures, WhatFailsInTurnHasFailed) {
  Measurement wrong = in_turn("cusparse-sell", 10);
  wrong.status = Status::wrong_result;
  wrong.verified = false;
  EXPECT_EQ(standing_of_baselines(Target::gpu, timed("cusparse-sell", 11), wrong).status,
            Status::wrong_result);
}

TEST(BaselineFigures, OnAGpuTheBestIsTheFastestWheneverItWasMeasured) {
  Outcomes known;
  known.emplace("cusparse-sell", in_turn("cusparse-sell", 15.8));
  known.emplace("cusparse-csr-1", timed("cusparse-csr-1", 11.2));
  known.find("cusparse-csr-1")->second.created_at = "2026-01-31T11:00:00.000Z";
  EXPECT_EQ(best_baseline(Target::gpu, known)->design, "cusparse-csr-1");
  EXPECT_EQ(best_baseline(Target::cpu, known)->design, "cusparse-sell");
  EXPECT_EQ(best_baseline(Target::gpu, {}), nullptr);
}

TEST(BaselineFigures, ThoseThatWereRefusedWereTried) {
  Measurement refused = timed("cusparse-bsr", 0, Status::pruned);
  Measurement faulty = timed("cusparse-coo-1", 0, Status::launch_error);
  const Measurement good = timed("cusparse-csr-1", 5), ours = timed("compress", 4);
  const BaselineCount count =
      count_baselines(baselines(Target::gpu), {&refused, &faulty, &good, &ours});
  EXPECT_EQ(count.all, static_cast<std::int64_t>(baselines(Target::gpu).size()));
  EXPECT_EQ(count.tried, 3);
  EXPECT_EQ(count.unreached(), count.all - 3);
  Measurement missing = timed("mkl-csr", 0, Status::launch_error);
  missing.reason = library_missing("MKL", "looked for it").reason;
  const BaselineCount peers = count_baselines(baselines(Target::cpu), {&missing});
  EXPECT_EQ(peers.tried, 0);
  EXPECT_EQ(peers.missing, 1);
  EXPECT_EQ(peers.unreached(), peers.all - 1);
}

}  // namespace
}  // namespace alphasparse
