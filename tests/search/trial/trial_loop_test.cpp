// trial_loop: budgets, stopping, the trials that count, the winner.
#include "search/trial/trial_loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

Measurement outcome(const std::string& design, Status status, double time_us = 0,
                    std::int64_t format_bytes = 100) {
  return timed(design, time_us, status, format_bytes);
}

/// A search over a fixed list; tried designs and written outcomes are kept.
struct LoopScript {
  explicit LoopScript(std::vector<std::string> all) : designs(std::move(all)) {}

  std::vector<std::string> designs;
  std::function<Measurement(const std::string&)> act = [](const std::string& design) {
    return outcome(design, Status::ok, 10);
  };
  std::vector<std::string> tried;
  std::vector<std::string> written;
  Deadline last_deadline;
  std::size_t next = 0;

  TrialLoop loop(double seconds = 60, std::optional<std::int64_t> trials = std::nullopt) {
    TrialLoop result;
    result.propose = [this](const Outcomes& outcomes, std::size_t count) {
      Designs batch;
      for (; next < designs.size() && batch.size() < count; ++next) {
        if (!outcomes.contains(designs[next])) batch.push_back(made_up(designs[next]));
      }
      return batch;
    };
    result.try_designs = [this](const Designs& batch, const Deadline& deadline,
                                const std::function<void(Measurement)>& found,
                                const std::function<bool(const CanonicalDesign&)>& wanted) {
      last_deadline = deadline;
      for (const CanonicalDesign& design : batch) {
        if (deadline.over()) return;
        if (!wanted(design)) continue;
        tried.push_back(design.text());
        found(act(design.text()));
      }
    };
    result.record = [this](const Measurement& measurement) {
      written.push_back(measurement.design);
    };
    result.seconds = seconds;
    result.trials = trials;
    return result;
  }
};

/// Runs a loop with designs that no other loop needs.
LoopEnd run_alone(const TrialLoop& loop, Outcomes& outcomes) {
  KnownDesigns known;
  return run_trials(loop, outcomes, known);
}

using Names = std::vector<std::string>;

TEST(TrialLoop, TriesAllOnceAndWritesEachDown) {
  LoopScript script{{"a", "b", "a", "c"}};
  Outcomes outcomes;
  const LoopEnd end = run_alone(script.loop(), outcomes);
  EXPECT_EQ(script.tried, (Names{"a", "b", "c"}));
  EXPECT_EQ(script.written, script.tried);
  EXPECT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(end.trials, 3);
  EXPECT_FALSE(end.interrupted);
}

TEST(TrialLoop, BatchesNeverTakeMoreTrialsThanThereAre) {
  LoopScript script{{"a", "b", "c", "d", "e", "f", "g"}};
  script.act = [](const std::string& design) {
    return outcome(design, design == "b" ? Status::pruned : Status::ok, 10);
  };
  TrialLoop loop = script.loop(60, 5);
  loop.batch = 3;
  Outcomes outcomes;
  EXPECT_EQ(run_alone(loop, outcomes).trials, 5);
  EXPECT_EQ(script.tried, (Names{"a", "b", "c", "d", "e", "f"}));
}

TEST(TrialLoop, ADesignIsInABatchOnce) {
  LoopScript script{{"a", "a", "b"}};
  TrialLoop loop = script.loop();
  loop.batch = 3;
  Outcomes outcomes;
  EXPECT_EQ(run_alone(loop, outcomes).trials, 2);
  EXPECT_EQ(script.tried, (Names{"a", "b"}));
}

TEST(TrialLoop, WhatIsKnownIsNotTriedAgain) {
  LoopScript script{{"a", "b"}};
  Outcomes outcomes;
  outcomes.emplace("a", outcome("a", Status::wrong_result));
  const LoopEnd end = run_alone(script.loop(), outcomes);
  EXPECT_EQ(script.tried, (Names{"b"}));
  EXPECT_EQ(end.trials, 1);
}

TEST(TrialLoop, TrialsAreLimitedAndPrunedOnesAreFree) {
  LoopScript script{{"a", "b", "c", "d", "e"}};
  script.act = [](const std::string& design) {
    if (design == "b") return outcome(design, Status::pruned);
    if (design == "c") return outcome(design, Status::duplicate, 10);
    return outcome(design, Status::ok, 10);
  };
  Outcomes outcomes;
  EXPECT_EQ(run_alone(script.loop(60, 2), outcomes).trials, 2);
  EXPECT_EQ(script.tried, (Names{"a", "b", "c", "d"}));
}

TEST(TrialLoop, AStructureThatCrashesTwiceIsBanned) {
  LoopScript script{{"compress | launch threads=32", "compress | launch threads=64",
                     "compress | launch threads=128", "sort_rows | launch threads=32"}};
  script.act = [](const std::string& design) {
    return outcome(design, design[0] == 'c' ? Status::crash : Status::ok, 10);
  };
  Outcomes outcomes;
  run_alone(script.loop(), outcomes);
  EXPECT_EQ(script.tried, (Names{"compress | launch threads=32", "compress | launch threads=64",
                                 "sort_rows | launch threads=32"}));
  const Measurement& banned = outcomes.at("compress | launch threads=128");
  EXPECT_EQ(banned.status, Status::pruned);
  EXPECT_EQ(banned.reason, "designs of its structure have crashed the device 2 times");
  EXPECT_EQ(script.written.size(), 4u) << "what is banned is written down too";
}

TEST(TrialLoop, ABanHoldsWithinItsBatch) {
  LoopScript script{{"compress | launch threads=32", "compress | launch threads=64",
                     "compress | launch threads=128", "sort_rows | launch threads=32"}};
  script.act = [](const std::string& design) {
    return outcome(design, design[0] == 'c' ? Status::crash : Status::ok, 10);
  };
  TrialLoop loop = script.loop();
  loop.batch = 4;
  Outcomes outcomes;
  run_alone(loop, outcomes);
  EXPECT_EQ(script.tried.size(), 3u);
  EXPECT_EQ(outcomes.at("compress | launch threads=128").status, Status::pruned);
  EXPECT_EQ(script.written.size(), 4u);
}

TEST(TrialLoop, TimeEndsIt) {
  LoopScript script{Names(1000, "")};
  for (std::size_t i = 0; i < script.designs.size(); ++i) script.designs[i] = std::to_string(i);
  script.act = [](const std::string& design) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return outcome(design, Status::ok, 10);
  };
  Outcomes outcomes;
  const LoopEnd end = run_alone(script.loop(0.05), outcomes);
  EXPECT_GE(end.trials, 1);
  EXPECT_LE(end.trials, 11);
  EXPECT_FALSE(end.interrupted) << "the budget's end is a proper end";
}

TEST(TrialLoop, ATrialThatOverrunsTheBudgetIsForgottenOnceThereIsAResult) {
  LoopScript script{{"a", "b", "c"}};
  bool bounded_before_result = true;
  script.act = [&](const std::string& design) {
    if (design == "a") {
      bounded_before_result = script.last_deadline.time.has_value();
      return outcome(design, Status::ok, 10);
    }
    std::this_thread::sleep_until(script.last_deadline.time.value());
    return outcome(design, Status::timeout);
  };
  Outcomes outcomes;
  const LoopEnd end = run_alone(script.loop(0.5), outcomes);
  EXPECT_EQ(script.written, (Names{"a"}));
  EXPECT_FALSE(bounded_before_result);
  EXPECT_FALSE(end.interrupted);
}

TEST(TrialLoop, WithoutBudgetOneIsTriedWhereNothingIsVerified) {
  LoopScript script{{"a", "b"}};
  Outcomes outcomes;
  EXPECT_EQ(run_alone(script.loop(-5, -3), outcomes).trials, 1);
  EXPECT_EQ(script.tried, (Names{"a"}));
  EXPECT_EQ(run_alone(script.loop(-5), outcomes).trials, 0) << "now there is a result";
}

TEST(TrialLoop, StopEndsItAndForgetsWhatItBroke) {
  for (const Status status : {Status::ok, Status::crash}) {
    std::atomic<bool> stop = false;
    LoopScript script{{"a", "b", "c"}};
    script.act = [&](const std::string& design) {
      stop = design == "b";
      return outcome(design, design == "b" ? status : Status::ok, 10);
    };
    TrialLoop loop = script.loop();
    loop.stop = &stop;
    Outcomes outcomes;
    EXPECT_TRUE(run_alone(loop, outcomes).interrupted);
    EXPECT_EQ(script.tried, (Names{"a", "b"}));
    EXPECT_EQ(script.written, status == Status::ok ? (Names{"a", "b"}) : (Names{"a"}));
    EXPECT_EQ(outcomes.size(), script.written.size());
  }
}

TEST(TrialLoop, ProgressTellsBestAndFailures) {
  LoopScript script{{"a", "b", "c"}};
  script.act = [](const std::string& design) {
    if (design == "a") return outcome(design, Status::compile_error);
    return outcome(design, Status::ok, design == "b" ? 7 : 9);
  };
  std::vector<Progress> seen;
  TrialLoop loop = script.loop();
  loop.progress = [&](const Progress& progress) { seen.push_back(progress); };
  Outcomes outcomes;
  run_alone(loop, outcomes);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen[0].trying, "a");
  EXPECT_FALSE(seen[1].best);
  EXPECT_EQ(seen[1].failures, 1);
  EXPECT_EQ(seen[3].trials, 3);
  EXPECT_EQ(seen[3].trying, "");
  ASSERT_TRUE(seen[3].best);
  EXPECT_EQ(seen[3].best->design, "b");
}

TEST(TrialLoop, BehindADisturbedDesignTheBudgetHolds) {
  LoopScript script{{"a", "b"}};
  script.act = [](const std::string& design) {
    Measurement one = outcome(design, Status::ok, 10);
    one.unsettled = true;
    return one;
  };
  Outcomes outcomes;
  run_alone(script.loop(60, 1), outcomes);
  EXPECT_FALSE(script.last_deadline.time.has_value()) << "the first may take as long as it takes";
  LoopScript both{{"a", "b"}};
  both.act = script.act;
  run_alone(both.loop(60, 2), outcomes);
  ASSERT_TRUE(both.last_deadline.time.has_value());
  EXPECT_LT(both.last_deadline.seconds_left(), 67);
}

TEST(TrialLoop, ABudgetOfLittleTimeIsOverrunByAFifth) {
  LoopScript script{{"a", "b"}};
  Outcomes outcomes;
  run_alone(script.loop(2), outcomes);
  EXPECT_LT(script.last_deadline.seconds_left(), 2.41);
}

TEST(TrialLoop, WhatIsUnsettledIsCountedAndLeftBehind) {
  LoopScript script{{"a", "b", "c"}};
  script.act = [](const std::string& design) {
    Measurement one = outcome(design, Status::ok, 10);
    one.unsettled = design != "b";
    return one;
  };
  Outcomes outcomes;
  const LoopEnd end = run_alone(script.loop(60, 2), outcomes);
  EXPECT_EQ(script.tried, (Names{"a", "b"}));
  EXPECT_EQ(script.written, Names{"b"});
  ASSERT_EQ(end.set_aside.size(), 1U);
  EXPECT_EQ(end.set_aside[0].design, "a");
  EXPECT_EQ(outcomes.size(), 1U);
}

TEST(BestOf, FastestVerifiedWins) {
  Outcomes outcomes;
  EXPECT_EQ(find_best(outcomes), nullptr);
  outcomes.emplace("wrong", outcome("wrong", Status::wrong_result));
  EXPECT_EQ(find_best(outcomes), nullptr);
  outcomes.emplace("slow", outcome("slow", Status::ok, 20));
  outcomes.emplace("fast", outcome("fast", Status::ok, 10));
  outcomes.emplace("a twin", outcome("a twin", Status::duplicate, 10));
  EXPECT_EQ(find_best(outcomes)->design, "fast");
}

/// One with samples that spread so far around its time, in turn with others where there are rounds.
Measurement measured(const std::string& design, double time_us, std::int64_t format_bytes,
                     double spread, int rounds) {
  Measurement one = outcome(design, Status::ok, time_us, format_bytes);
  one.timing->samples = 20;
  one.timing->rounds = rounds;
  one.timing->time_us_p20 = time_us * (1 - spread);
  one.timing->time_us_p80 = time_us * (1 + spread);
  return one;
}

std::string best_among(const std::vector<Measurement>& all) {
  Outcomes outcomes;
  for (const Measurement& one : all) outcomes.emplace(one.design, one);
  return find_best(outcomes)->design;
}

TEST(BestOf, ModelledTimesWithinTwoPerCentGoByBytesThenByTheText) {
  const auto modelled = [](const std::string& design, double time_us, std::int64_t bytes) {
    return outcome(design, Status::ok, time_us, bytes);
  };
  EXPECT_EQ(best_among({modelled("fast", 10, 200), modelled("small", 10.19, 100),
                        modelled("smaller", 10.21, 10)}),
            "small");
  EXPECT_EQ(best_among({modelled("a longer text", 10, 100), modelled("text", 10.1, 100)}), "text");
}

TEST(BestOf, TimesInTurnTieWhereTheirIntervalsOverlap) {
  const auto all = [](double spread, int rounds) {
    return std::vector{measured("fast", 10, 200, spread, rounds),
                       measured("small", 10.05, 100, spread, rounds),
                       measured("slow", 11, 10, spread, rounds)};
  };
  EXPECT_EQ(best_among(all(0.01, 20)), "small");
  EXPECT_EQ(best_among(all(0.0001, 20)), "fast");
  EXPECT_EQ(best_among(all(0.5, 20)), "small") << "not the slow one, however noisy";
  EXPECT_EQ(best_among(all(0.01, 0)), "fast") << "trials are of different conditions";
}

TEST(BestOf, WhatIsUnsettledDecidesNothing) {
  Measurement disturbed = outcome("disturbed", Status::ok, 1);
  disturbed.unsettled = true;
  EXPECT_EQ(best_among({disturbed, outcome("slow", Status::ok, 10)}), "slow");
}

TEST(BestOf, WithoutTimesBytesDecide) {
  Outcomes outcomes;
  for (const auto& [design, format_bytes] : {std::pair{"large", 300}, {"small", 100}}) {
    Measurement untimed = outcome(design, Status::ok, 0, format_bytes);
    untimed.timing.reset();
    outcomes.emplace(design, untimed);
  }
  EXPECT_EQ(find_best(outcomes)->design, "small");
  outcomes.emplace("timed", outcome("timed", Status::ok, 1e6, 9000));
  EXPECT_EQ(find_best(outcomes)->design, "timed");
}

}  // namespace
}  // namespace alphasparse
