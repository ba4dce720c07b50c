// combinations: every sequence that the typed interfaces allow is reached and compiles for a GPU.
// Every other one is refused with a reason that a person understands.
//
// Compiled is every sixth of the combinations that cover every two neighbours (covering_pairs);
// with ALPHASPARSE_LONG=N all of these and N others. UPDATE_GOLDEN=1 rewrites
// tests/golden/refusals.txt; the diff is the review.
#include "tests/support/combinations.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "generator/text/kernel_order.h"
#include "operators/catalogue.h"
#include "operators/designer.h"
#include "operators/targets.h"
#include "runtime/compilers/nvrtc.h"
#include "templates/templates.h"
#include "tests/support/files.h"
#include "tests/support/rejected_cases.h"

namespace alphasparse {
namespace {

/// Every spelling of everything that the walk begins with or steps on, as steps.
std::vector<Step> spelled_steps() {
  std::vector<Step> steps;
  const auto add = [&](const std::string& text) {
    const Design design = *parse_design(text);
    for (const Step& step : design.steps) {
      steps.push_back(step);
      for (const Design& branch : step.branches) {
        steps.insert(steps.end(), branch.steps.begin(), branch.steps.end());
      }
    }
  };
  for (const StepKind& kind : step_kinds()) {
    for (const std::string& spelling : kind) add(spelling);
  }
  for (const Start& start : combination_starts()) {
    for (const std::string& before : start.before) add(before + "launch threads=32" + start.after);
  }
  return steps;
}

TEST(Combinations, TryEveryWordOfEveryMappingAndImplementingOperator) {
  std::set<std::string> spelled;
  for (const Step& step : spelled_steps()) {
    const Result<Arguments> arguments = check_arguments(step);
    ASSERT_TRUE(arguments.ok()) << arguments.reason();
    for (const ParameterSpec& spec : find_operator(step.op)->parameters) {
      if (!arguments->has(spec.name)) continue;
      spelled.insert(step.op + " " + std::string(spec.name) + "=" + arguments->text(spec.name));
      spelled.insert(step.op + " " + std::string(spec.name));
    }
    spelled.insert(step.op);
  }
  for (const Operator* op : catalogue()) {
    if (op->stage == Stage::converting) continue;
    const std::string name(op->name);
    EXPECT_TRUE(spelled.count(name)) << name << " is no step of tests/support/step_kinds.cpp";
    for (const ParameterSpec& spec : op->parameters) {
      if (!is_for(spec, Target::gpu)) continue;  // the combinations are kernels for GPUs
      const std::string parameter = name + " " + std::string(spec.name);
      EXPECT_TRUE(spelled.count(parameter)) << parameter;
      if (parameter == "launch columns") continue;  // of several vectors (vectors_test)
      for (const std::string_view word : list_choices(spec, Target::gpu)) {
        EXPECT_TRUE(spelled.count(parameter + "=" + std::string(word))) << parameter << "=" << word;
      }
    }
  }
}

TEST(Combinations, UseEveryKindOfStep) {
  std::set<std::size_t> used;
  for (const Combination& made : all_combinations()) {
    used.insert(made.kinds.begin(), made.kinds.end());
  }
  for (std::size_t kind = 0; kind < step_kinds().size(); ++kind) {
    EXPECT_TRUE(used.count(kind)) << "no combination has " << step_kinds()[kind].front();
  }
}

// The steps that the walk leaves out at this start.
TEST(Combinations, OfRowsThatAreWrittenBeforeMustAdd) {
  const std::string before = combination_starts().back().before.front();
  const std::string line = before +
                           "thread_rows rows=1 | thread_total | global_store | launch threads=64" +
                           combination_starts().back().after;
  const Result<Kernel> kernel = Designer(combination_matrix("hard")).build(line, Dtype::f32);
  ASSERT_FALSE(kernel.ok());
  EXPECT_EQ(kernel.reason(),
            "global_store: an earlier launch has written to its rows; use global_add");
}

/// Whether the text has the function, as a definition or a call: "warp_total(" or "warp_total<".
bool calls(const std::string& source, const std::string& fragment) {
  return source.find(" " + fragment + "(") != std::string::npos ||
         source.find(" " + fragment + "<") != std::string::npos;
}

TEST(Combinations, CallEveryFragmentThatIsAFunction) {
  std::set<std::string> missing;
  for (const Template& file : embedded_templates()) {
    if (!file.path.starts_with("fragments/")) continue;
    const std::string name(file.path.substr(10, file.path.size() - 14));
    if (calls(std::string(file.text), name)) missing.insert(name);
  }
  EXPECT_GE(missing.size(), 15U);
  const std::vector<Combination> all = all_combinations();
  for (const std::size_t i : covering_pairs(all)) {
    if (missing.empty()) break;
    const Result<Kernel> kernel = combination_kernel(all[i], i);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    std::erase_if(missing, [&](const std::string& name) { return calls(kernel->source, name); });
  }
  EXPECT_EQ(missing, std::set<std::string>{});
}

/// The values that a kernel declares as const and then does not name again.
std::vector<std::string> unread_values(const std::string& kernel) {
  static const std::regex declaration("const (?:int|unsigned|bool|auto|Value) (\\w+) ="),
      comment("//[^\n]*");
  const std::string code = std::regex_replace(kernel, comment, "");
  std::vector<std::string> unread;
  for (std::sregex_iterator found(code.begin(), code.end(), declaration), end; found != end;
       ++found) {
    const std::regex word("\\b" + found->str(1) + "\\b");
    const auto named = std::distance(std::sregex_iterator(code.begin(), code.end(), word), end);
    if (named < 2) unread.push_back(found->str(1));
  }
  return unread;
}

TEST(Combinations, DeclareNothingThatIsNotRead) {
  const std::string kernel = "extern \"C\" __global__";
  EXPECT_EQ(unread_values("const int a = 1; // b\n const auto b = a;"),
            std::vector<std::string>{"b"});
  const std::vector<Combination> all = all_combinations();
  const std::vector<std::size_t> chosen = covering_pairs(all);
  for (std::size_t at = 0; at < chosen.size(); at += std::getenv("ALPHASPARSE_LONG") ? 1 : 3) {
    const std::size_t i = chosen[at];
    const Result<Kernel> made = combination_kernel(all[i], i);
    ASSERT_TRUE(made.ok()) << made.reason();
    const std::string kernels = made->source.substr(0, end_of_kernels(made->source));
    for (std::size_t begin = kernels.find(kernel); begin != std::string::npos;) {
      const std::size_t next = kernels.find(kernel, begin + 1);
      EXPECT_EQ(unread_values(kernels.substr(begin, next - begin)), std::vector<std::string>{})
          << made->design;
      begin = next;
    }
  }
}

// The obstacle is a fact; an operator's name belongs behind the semicolon, in the remedy.
void expect_fact(const Refusal& rejection, const std::string& line) {
  EXPECT_FALSE(rejection.reason.empty()) << line;
  const std::string fact = rejection.reason.substr(0, rejection.reason.find(';'));
  for (const Operator* op : catalogue()) {
    if (op->name.find('_') == std::string_view::npos) continue;  // words of the language, too
    EXPECT_EQ(fact.find(op->name), std::string::npos) << rejection.op << ": " << rejection.reason;
  }
}

// One test, for the walk takes most of its time. Each refusal is reviewed once: rejected_cases has
// those that the walk does not meet.
TEST(CombinationWalk, MeetsThousandsNoDeadEndAndTheReviewedRefusals) {
  const CombinationWalk walk = walk_combinations();
  EXPECT_GT(walk.combinations.size(), 10'000U);
  EXPECT_EQ(all_combinations().size(), walk.combinations.size());
  EXPECT_EQ(walk.dead_ends, std::vector<std::string>{});
  std::set<std::string> elsewhere;
  for (const RejectedCase& entry : rejected_cases()) elsewhere.insert(entry.reason);
  std::string text;
  for (const auto& [rejection, line] : walk.refusals) {
    expect_fact(rejection, line);
    const std::string sentence = rejection.op + ": " + rejection.reason;
    EXPECT_FALSE(elsewhere.contains(sentence)) << sentence;
    text += sentence + "\n";
  }
  const std::string path = ALPHASPARSE_SOURCE_DIR "/tests/golden/refusals.txt";
  if (std::getenv("UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(contents(path), text) << "UPDATE_GOLDEN=1 writes it, then read it";
}

class CombinationsOnNvrtc : public testing::TestWithParam<int> {};

constexpr int parts = 2;  ///< so that they run side by side

TEST_P(CombinationsOnNvrtc, CompileWithoutAWarning) {
  const Result<Nvrtc>& compiler = nvrtc();
  if (!compiler) GTEST_SKIP() << "no combination was compiled for a GPU: " << compiler.reason();
  const std::vector<Combination> all = all_combinations();
  const bool is_long = std::getenv("ALPHASPARSE_LONG") != nullptr;
  const std::vector<std::size_t> chosen = is_long ? chosen_combinations(all) : covering_pairs(all);
  const std::size_t step = is_long ? parts : 6 * parts;
  for (std::size_t i = GetParam(); i < chosen.size(); i += step) {
    const Result<Kernel> kernel = combination_kernel(all[chosen[i]], chosen[i]);
    ASSERT_TRUE(kernel.ok()) << all[chosen[i]].text() << ": " << kernel.reason();
    const Result<CompiledKernel> compiled = compiler->compile(kernel->source, "sm_90");
    ASSERT_TRUE(compiled.ok()) << kernel->design << ": " << compiled.reason();
    EXPECT_EQ(compiled->log.find("warning"), std::string::npos)
        << kernel->design << ": " << compiled->log.substr(0, 200);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CombinationsOnNvrtc, testing::Range(0, parts));

}  // namespace
}  // namespace alphasparse
