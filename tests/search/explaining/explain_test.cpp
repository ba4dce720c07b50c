// explain: trials and known results, the winner, the runner-up, and classes of reasons.
#include "search/explaining/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "tests/support/outcomes.h"
#include "tests/support/search_fixture.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

const char* const ell_compact =
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "compact | launch threads=128";
const char* const ell_design =
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "launch threads=128";

bool is_ell(const Reversion& reversion) {
  return reversion.design && *reversion.design == ell_design;
}

Measurement pruned(const std::string& design, const std::string& reason) {
  Measurement outcome;
  outcome.design = design;
  outcome.status = Status::pruned;
  outcome.reason = reason;
  return outcome;
}

/// Explains the best of outcomes on a small matrix; `time_us` gives a design's time.
struct ExplainScript {
  Outcomes outcomes;
  std::vector<std::string> tried;
  std::function<double(const std::string&)> time_us = [](const std::string&) { return 20.0; };

  Explanation run(const Deadline& deadline = {}, std::size_t most = explained_designs_max) {
    SearchFixture fixture(uneven);
    const CanonicalDesign reference = make_canonical(named_designs().front());
    return explain(
        fixture.space, fixture.known, &reference, outcomes,
        [&](const Designs& designs) {
          for (const CanonicalDesign& design : designs) {
            tried.push_back(design.text());
            outcomes[design.text()] = timed(design.text(), time_us(design.text()));
          }
        },
        deadline, most);
  }
};

TEST(Explain, SortsStepsByWhatTheyAreWorth) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  script.time_us = [](const std::string& design) {
    return design.find("interleave") == std::string::npos ? 40.0 : 12.0;
  };
  const Explanation explanation = script.run();
  EXPECT_EQ(explanation.design, ell_compact);
  EXPECT_TRUE(explanation.beaten.empty());
  EXPECT_EQ(explanation.tried, static_cast<std::int64_t>(script.tried.size()));
  ASSERT_GT(explanation.steps.size(), 6u);
  EXPECT_EQ(explanation.steps.front().outcome->timing->time_us, 40);
  double last_us = 40;
  for (const Reverted& step : explanation.steps) {
    const double us = step.outcome ? step.outcome->timing->time_us : 0;
    EXPECT_LE(us, last_us);
    last_us = us;
    EXPECT_EQ(step.outcome.has_value(), step.reversion.design.has_value()) << step.reversion.what;
  }
  EXPECT_FALSE(explanation.steps.back().reversion.design) << "what is not legal comes last";
}

TEST(Explain, DoesNotTryWhatIsKnown) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  script.outcomes[ell_design] = timed(ell_design, 30);
  const Explanation explanation = script.run();
  EXPECT_GT(script.tried.size(), 2u);
  EXPECT_EQ(std::count(script.tried.begin(), script.tried.end(), ell_design), 0);
  const auto known = std::find_if(explanation.steps.begin(), explanation.steps.end(),
                                  [](const Reverted& step) { return is_ell(step.reversion); });
  ASSERT_NE(known, explanation.steps.end());
  EXPECT_EQ(known->outcome->timing->time_us, 30);
  script.tried.clear();
  EXPECT_EQ(script.run().tried, 0) << "the second time all is known";
  EXPECT_TRUE(script.tried.empty());
}

TEST(Explain, ABetterReversionTakesTheWin) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  script.time_us = [](const std::string& design) { return design == ell_design ? 8.0 : 20.0; };
  const Explanation explanation = script.run();
  EXPECT_EQ(find_best(script.outcomes)->design, ell_design);
  EXPECT_EQ(explanation.design, ell_design) << "and is explained in its turn";
  EXPECT_EQ(explanation.beaten, std::vector<std::string>{ell_compact});
  for (const Reverted& step : explanation.steps) EXPECT_FALSE(is_ell(step.reversion));
}

TEST(Explain, WithoutTimeTheOneBeforeTheWinnerStaysExplained) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  std::atomic<bool> stop = false;
  script.time_us = [&](const std::string& design) {
    stop = true;
    return design == ell_design ? 8.0 : 20.0;
  };
  const Explanation explanation = script.run({{}, &stop});
  EXPECT_EQ(find_best(script.outcomes)->design, ell_design);
  EXPECT_EQ(explanation.design, ell_compact);
  EXPECT_TRUE(explanation.beaten.empty());
  EXPECT_EQ(std::count_if(explanation.steps.begin(), explanation.steps.end(),
                          [](const Reverted& step) { return is_ell(step.reversion); }),
            1);
}

TEST(Explain, KeepsToItsPlan) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  EXPECT_EQ(script.run({}, 2).tried, 2);
  EXPECT_EQ(script.tried.size(), 2u);
  const std::atomic<bool> stop = true;
  script.tried.clear();
  EXPECT_EQ(script.run({{}, &stop}).tried, 0);
  EXPECT_TRUE(script.tried.empty());
}

TEST(Explain, NothingWithoutAWinner) {
  ExplainScript script;
  script.outcomes["x"] = pruned("x", "y");
  const Explanation explanation = script.run();
  EXPECT_EQ(explanation.design, "");
  EXPECT_TRUE(explanation.steps.empty());
}

TEST(RunnerUp, HasAnotherStructure) {
  const auto scalar = [](int threads) {
    return "compress | thread_rows rows=1 | thread_total | global_store | launch threads=" +
           std::to_string(threads);
  };
  const std::string coo =
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch threads=256";
  Outcomes outcomes;
  for (const auto& [design, us] : {std::pair{scalar(64), 10.0},
                                   {scalar(128), 11.0},
                                   {coo, 12.0},
                                   {std::string(ell_design), 13.0}})
    outcomes[design] = timed(design, us);
  EXPECT_EQ(best_of_other_structure(outcomes, scalar(64))->design, coo);
  EXPECT_EQ(best_of_other_structure(outcomes, coo)->design, scalar(64));
  outcomes.erase(coo);
  outcomes.erase(ell_design);
  EXPECT_EQ(best_of_other_structure(outcomes, scalar(64)), nullptr);
}

TEST(ReasonClass, LeavesOutFiguresAndAdvice) {
  EXPECT_EQ(reason_class("33 lanes share rows of 7; use lanes=8"), "N lanes share rows of N");
  EXPECT_EQ(reason_class("its format of 1.4 kB is 12.5 times csr5's 2."),
            "its format of N kB is N times csr5's N.");
  EXPECT_EQ(reason_class("adds in any order"), "adds in any order");
  EXPECT_EQ(reason_class(""), "");
}

TEST(PrunedClasses, CountDesignsTheMostFirst) {
  Outcomes outcomes;
  outcomes["a"] = pruned("a", "too large by 3 bytes");
  outcomes["b"] = pruned("b", "no rows");
  outcomes["c"] = pruned("c", "too large by 40 bytes; use less");
  outcomes["d"] = timed("d", 10);
  const auto classes = pruned_classes(outcomes);
  ASSERT_EQ(classes.size(), 2u);
  EXPECT_EQ(classes[0].reason, "too large by N bytes");
  EXPECT_EQ(classes[0].designs, 2);
  EXPECT_EQ(classes[0].example, "too large by 3 bytes");
  EXPECT_EQ(classes[1].reason, "no rows");
}

TEST(Limits, TheLongestComeFirst) {
  ModelledLimits limits;
  limits.launch_us = 2.5;
  EXPECT_EQ(longest_limits(limits).front().first, "launch floor");
  limits.queue_us = 3;
  const auto longest = longest_limits(limits);
  EXPECT_EQ(longest[0], (std::pair<std::string_view, double>("queue", 3)));
  EXPECT_EQ(longest[1], (std::pair<std::string_view, double>("launch floor", 2.5)));
  EXPECT_EQ(longest.size(), sizeof(ModelledLimits) / sizeof(double));
}

}  // namespace
}  // namespace alphasparse
