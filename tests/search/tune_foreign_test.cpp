// ctest label: emulator
// tune_foreign_test: rows of other people are proposals. Designs that they call right or fast are
// verified and timed here, under the rules of the call, before they are an answer.
#include <gtest/gtest.h>

#include <memory>

#include "base/version.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/system/sqlite.h"
#include "search/problem.h"
#include "search/tune.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

constexpr const char* rounded =
    "compress | thread_rows rows=1 | thread_total | global_store | compact values=rounded | launch "
    "threads=64";
constexpr const char* atomic =
    "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=128";
constexpr const char* sound =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=64";

/// Ten rows of three values, none of them a float.
Matrix tenths() {
  std::vector<std::vector<std::pair<int, double>>> rows(10);
  for (int row = 0; row < 10; ++row) {
    for (int k = 0; k < 3; ++k) rows[row].emplace_back((row + 3 * k) % 11, 0.1 * (row + k + 1));
  }
  return from_rows(11, rows);
}

std::string spelt(const std::string& line) {
  return print_design(*canonical_design(*parse_design(line)));
}

struct TuneForeign : ::testing::Test {
  TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Database database = Database::open(path);
  const std::unique_ptr<Device> device = open_device("emulated:h200");
  const Matrix matrix = tenths();
  TuneOptions options;

  TuneForeign() {
    options.effort = {600, 2, 0};
    options.dtype = Dtype::f64;
    options.matrix_name = "tenths";
  }

  Problem problem() const {
    return make_problem(matrix, fingerprints(matrix), device->info(), options);
  }

  /// A database of somebody else, in which these designs take next to no time.
  std::string forged(const std::vector<std::string>& designs, bool complete) {
    const std::string other = (folder / "forged.db").string();
    Database made = Database::open(other);
    const std::string run = made.begin_run(problem(), options.effort);
    double time_us = 0.001;
    for (const std::string& design : designs) {
      Measurement measurement;
      measurement.design = design;
      measurement.verified = true;
      measurement.format_bytes = 8;
      measurement.timing.emplace();
      measurement.timing->time_us = measurement.timing->time_us_p20 = time_us;
      measurement.timing->time_us_p80 = time_us;
      time_us *= 2;
      made.record(run, measurement);
    }
    if (complete) made.finish(run, RunState::complete, 1, 2);
    return other;
  }

  TuneResult run() {
    const std::atomic<bool> stop = false;
    return tune(matrix, *device, &database, options, {}, stop);
  }

  /// Nothing that the winner's row says was taken over.
  void expect_measured_here(const TuneResult& result) {
    ASSERT_TRUE(result.winner);
    EXPECT_GT(result.winner->timing->time_us, 0.1);
    const Outcomes own = database.outcomes(problem(), Origin::here);
    ASSERT_TRUE(own.contains(result.winner->design));
    EXPECT_EQ(own.find(result.winner->design)->second.timing->time_us,
              result.winner->timing->time_us);
  }
};

TEST_F(TuneForeign, AnAnswerFromElsewhereIsVerifiedAndTimedHere) {
  database.merge(forged({spelt(sound)}, true));
  const TuneResult first = run();
  EXPECT_EQ(first.tier, Tier::proposed);
  EXPECT_EQ(first.winner->design, spelt(sound));
  expect_measured_here(first);
  EXPECT_EQ(first.trials_now, 1);
  const TuneResult again = run();
  EXPECT_EQ(again.tier, Tier::exact) << "now it is ours";
  EXPECT_EQ(again.winner->timing->time_us, first.winner->timing->time_us);
}

TEST_F(TuneForeign, RulesOfTheCallHoldForProposals) {
  struct Case {
    const char* design;
    bool deterministic, varying;
  };
  for (const Case& one :
       {Case{rounded, false, false}, Case{atomic, true, false}, Case{rounded, false, true}}) {
    for (const bool complete : {true, false}) {
      options.deterministic = one.deterministic;
      options.values_vary = one.varying;
      std::filesystem::remove(folder / "forged.db");
      database.merge(forged({spelt(one.design)}, complete));
      const TuneResult result = run();
      ASSERT_TRUE(result.winner) << one.design;
      EXPECT_NE(result.winner->design, spelt(one.design));
      EXPECT_EQ(result.outcomes.find(spelt(one.design))->second.status, Status::pruned);
      expect_measured_here(result);
    }
  }
}

TEST_F(TuneForeign, TextsThatAreNoDesignsForThisTargetAreDropped) {
  const std::string cpu = resolve_design("csr-scalar", Target::cpu);
  database.merge(forged({"garbage", std::string(60'000, '{'), cpu, spelt(sound)}, true));
  const TuneResult result = run();
  EXPECT_EQ(result.winner->design, spelt(sound));
  EXPECT_FALSE(result.outcomes.contains(cpu));
  expect_measured_here(result);
}

TEST_F(TuneForeign, OnesOwnRowsObeyTheRulesToo) {
  run();
  const std::string run_key = database.begin_run(problem(), options.effort);
  Measurement measurement;
  measurement.design = spelt(rounded);
  measurement.verified = true;
  measurement.timing.emplace();
  measurement.timing->time_us = 0.001;
  database.record(run_key, measurement);
  measurement.design = "garbage";
  database.record(run_key, measurement);
  database.finish(run_key, RunState::complete, 1, 1);
  const TuneResult result = run();
  EXPECT_NE(result.winner->design, spelt(rounded));
  EXPECT_GT(result.winner->timing->time_us, 0.1);
}

}  // namespace
}  // namespace alphasparse
