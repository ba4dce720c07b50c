// explain: trials and known results, the winner, the runner-up, and classes of reasons.
#include "search/explaining/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "tests/support/outcomes.h"
#include "tests/support/search_ground.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

const char* const ell_compact =
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "compact | launch threads=128";
const char* const ell_design =
    "compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store | "
    "launch threads=128";

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

  Explanation run(const ExplainPlan& plan = {}, const Deadline& deadline = {}) {
    SearchGround ground(uneven);
    const std::string reference = print_design(*parse_design(resolve_design("csr-scalar")));
    return explain(
        ground.space, reference, outcomes, plan,
        [&](const std::vector<std::string>& designs) {
          for (const std::string& design : designs) {
            tried.push_back(design);
            outcomes[design] = timed(design, time_us(design));
          }
        },
        deadline);
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
    EXPECT_EQ(step.outcome.has_value(), !step.reversion.design.empty()) << step.reversion.what;
  }
  EXPECT_TRUE(explanation.steps.back().reversion.design.empty()) << "what is not legal comes last";
}

TEST(Explain, DoesNotTryWhatIsKnown) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  script.outcomes[ell_design] = timed(ell_design, 30);
  const Explanation explanation = script.run();
  EXPECT_GT(script.tried.size(), 2u);
  EXPECT_EQ(std::count(script.tried.begin(), script.tried.end(), ell_design), 0);
  const auto known =
      std::find_if(explanation.steps.begin(), explanation.steps.end(),
                   [](const Reverted& step) { return step.reversion.design == ell_design; });
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
  EXPECT_EQ(best_of(script.outcomes)->design, ell_design);
  EXPECT_EQ(explanation.design, ell_design) << "and is explained in its turn";
  EXPECT_EQ(explanation.beaten, std::vector<std::string>{ell_compact});
  for (const Reverted& step : explanation.steps) EXPECT_NE(step.reversion.design, ell_design);
}

TEST(Explain, WithoutTimeTheOneBeforeTheWinnerStaysExplained) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  std::atomic<bool> stop = false;
  script.time_us = [&](const std::string& design) {
    stop = true;
    return design == ell_design ? 8.0 : 20.0;
  };
  const Explanation explanation = script.run({}, {{}, &stop});
  EXPECT_EQ(best_of(script.outcomes)->design, ell_design);
  EXPECT_EQ(explanation.design, ell_compact);
  EXPECT_TRUE(explanation.beaten.empty());
  EXPECT_EQ(std::count_if(explanation.steps.begin(), explanation.steps.end(),
                          [](const Reverted& step) { return step.reversion.design == ell_design; }),
            1);
}

TEST(Explain, KeepsToItsPlan) {
  ExplainScript script;
  script.outcomes[ell_compact] = timed(ell_compact, 10);
  ExplainPlan plan;
  plan.designs_max = 2;
  EXPECT_EQ(script.run(plan).tried, 2);
  EXPECT_EQ(script.tried.size(), 2u);
  const std::atomic<bool> stop = true;
  script.tried.clear();
  EXPECT_EQ(script.run({}, {{}, &stop}).tried, 0);
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
  Outcomes outcomes;
  for (const auto& [design, us] :
       {std::pair{"a x=1", 10.0}, {"a x=2", 11.0}, {"b", 12.0}, {"c", 13.0}})
    outcomes[design] = timed(design, us);
  EXPECT_EQ(best_of_other_structure(outcomes, "a x=1")->design, "b");
  EXPECT_EQ(best_of_other_structure(outcomes, "b")->design, "a x=1");
  outcomes.erase("b");
  outcomes.erase("c");
  EXPECT_EQ(best_of_other_structure(outcomes, "a x=1"), nullptr);
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
