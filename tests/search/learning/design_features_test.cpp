// design_features_test: the numbers of designs, worked by hand; every operator and every parameter
// of the catalogue shows in them.
#include "search/learning/design_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "operators/catalogue.h"
#include "operators/named_designs.h"
#include "operators/parameter_grid.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

using FeatureRow = std::vector<float>;

/// 3 x 3 with rows {0, 1}, {}, {1, 2}: the example of search/learning/features.h.
const Matrix& small_matrix() {
  static const Matrix matrix = from_rows(3, {{{0, 1.0}, {1, 2.0}}, {}, {{1, 3.0}, {2, 4.0}}});
  return matrix;
}

FeatureRow row_of(const std::string& design, std::int64_t format_bytes = -1) {
  const DesignFeatures features(compute_features(small_matrix()), 48);
  const Result<FeatureRow> row = features.of(parse_design(design).value(), format_bytes);
  EXPECT_TRUE(row.ok()) << design << ": " << (row ? "" : row.reason());
  return row ? *row : FeatureRow(design_feature_names().size());
}

struct Expected {
  const char* name;
  float value;
};

void expect_numbers(const FeatureRow& row, const std::vector<Expected>& numbers) {
  for (const Expected& expected : numbers) {
    const float value = row[design_feature_index(expected.name)];
    if (std::isnan(expected.value)) {
      EXPECT_TRUE(std::isnan(value)) << expected.name << " " << value;
    } else {
      EXPECT_FLOAT_EQ(value, expected.value) << expected.name;
    }
  }
}

constexpr float none = std::numeric_limits<float>::quiet_NaN();

bool same_number(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same_numbers(const FeatureRow& a, const FeatureRow& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_number);
}

TEST(DesignFeatures, TheGangIsWhatACoreWorksOnAtOnce) {
  const std::string rows = "thread_rows rows=1 | thread_pad | interleave | thread_total | ";
  const std::string end = "global_store | launch tasks=bytes";
  const auto expect_gang = [](const std::string& design, float lanes) {
    SCOPED_TRACE(design);
    expect_numbers(row_of(design), {{"main.gang", lanes}, {"rest.gang", none}});
  };
  expect_gang("compress | warp_rows rows=16 | " + rows + end, 4);
  expect_gang("compress | warp_rows rows=6 | " + rows + end, 3);
  expect_gang("compress | " + rows + end, 5);
  expect_gang("compress | thread_cols lanes=4 | thread_total | warp_total | " + end, 2);
  expect_gang("compress | thread_rows rows=1 | thread_total | " + end, 0);
  expect_gang(resolve_design("csr5", Target::cpu), 5);
  expect_gang("compress | warp_rows rows=16 | " + rows + "global_store | launch threads=64", none);
  expect_numbers(row_of("bin_rows at=9,17 { compress | thread_rows rows=1 | thread_total | " + end +
                        " } { compress | warp_rows rows=8 | " + rows + end +
                        " } { compress | warp_rows rows=32 | " + rows + end + " }"),
                 {{"main.gang", 0}, {"rest.gang", 4}});
}

TEST(DesignFeatures, ALineIsTheNumbersWorkedByHand) {
  const FeatureRow row = row_of(
      "compress | thread_rows rows=4 | thread_total | global_store | launch threads=256", 96);
  expect_numbers(row, {{"steps", 5},
                       {"branches", 1},
                       {"depth", 0},
                       {"format_bytes_over_csr", 1},
                       {"main.compress", 1},
                       {"rest.compress", 0},
                       {"main.sort_rows", 0},
                       {"main.thread_rows.rows", 2},
                       {"main.thread_rows.nnz", none},
                       {"main.thread_total.sums=1", 1},
                       {"main.thread_total.sums=2", 0},
                       {"main.warp_segment.by=ballot", none},
                       {"main.launch.threads", 8},
                       {"main.launch.grid", none},
                       {"main.launch.grid=exact", 1},
                       {"rest.launch.threads", none}});
}

TEST(DesignFeatures, AMatrixIsTheNumbersWorkedByHand) {
  const FeatureRow row = row_of(
      "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
      "threads=64");
  expect_numbers(row, {{"format_bytes_over_csr", none},
                       {"matrix.rows", 2},  // log2(1 + 3)
                       {"matrix.nnz", std::log2(5.0f)},
                       {"matrix.row_length_mean", std::log2(1 + 4.0f / 3)},
                       {"matrix.row_length_max", std::log2(3.0f)},
                       {"matrix.row_length_spread", std::sqrt(8.0f / 9) * 3 / 4},
                       {"matrix.empty_rows", 1.0f / 3},
                       {"matrix.bandwidth", 2.0f / 9},
                       {"matrix.neighbours", 1},
                       {"matrix.similarity", 0.5},
                       {"matrix.diagonals", 2}});
}

TEST(DesignFeatures, BranchesBeyondTheFirstAreTheRest) {
  const FeatureRow row = row_of(
      "bin_rows at=3,17 { compress | thread_rows rows=1 | thread_total | global_store | launch "
      "threads=64 } { compress | thread_cols lanes=8 | thread_total | warp_total | global_store | "
      "launch threads=128 } { compress | thread_cols lanes=32 | thread_total | warp_total | "
      "global_store | launch threads=512 }");
  expect_numbers(row, {{"branches", 3},
                       {"depth", 1},
                       {"main.bin_rows", 1},
                       {"main.bin_rows.at", (std::log2(3.0f) + std::log2(17.0f)) / 2},
                       {"main.bin_rows.at.items", 2},
                       {"main.launch.threads", 6},
                       {"main.thread_cols", 0},
                       {"rest.thread_cols", 2},
                       {"rest.thread_cols.lanes", 4},
                       {"rest.launch", 2},
                       {"rest.launch.threads", 8}});
  const FeatureRow hyb = row_of(resolve_design("hyb"));
  expect_numbers(hyb, {{"main.ell_peel.width", none}, {"main.ell_peel.width=third", 1}});
}

TEST(DesignFeatures, NamesAreUniqueAndPlain) {
  const std::vector<std::string>& names = design_feature_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) {
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.=-"), std::string::npos)
        << name;
  }
}

/// The step with one parameter that must be there, so that the catalogue takes it.
std::vector<std::string> values_to_try(const ParameterSpec& spec) {
  std::vector<std::string> values(spec.choices.begin(), spec.choices.end());
  if (spec.is_list) return {"2,9", "4,9", "2,4,9"};
  if (spec.most == 0) return values;
  const std::int64_t least = std::max<std::int64_t>(spec.least, 1);
  for (const std::int64_t times : {1, 2, 3}) {
    if (times * least <= spec.most) values.push_back(std::to_string(times * least));
  }
  return values;
}

/// One step of the operator with this parameter alone given where the others may be left out.
Result<Step> step_with(const Operator& op, const ParameterSpec& varied, const std::string& value) {
  Step step{std::string(op.name), {}, {}};
  bool has_alternative = varied.one_of;
  for (const ParameterSpec& spec : op.parameters) {
    const bool is_needed = spec.one_of ? !has_alternative : spec.fallback.empty();
    if (spec.name == varied.name) {
      step.parameters.push_back({std::string(spec.name), value});
    } else if (is_needed) {
      has_alternative = has_alternative || spec.one_of;
      step.parameters.push_back({std::string(spec.name), values_to_try(spec).back()});
    }
  }
  for (int branches = 0; branches <= 64; ++branches) {
    if (check_arguments(step)) return step;
    step.branches.push_back(*parse_design("launch threads=32"));
  }
  return Failure{Status::pruned, "no number of branches fits"};
}

TEST(DesignFeatures, EveryOperatorAndEveryValueOfAParameterShows) {
  const FeatureRow nothing = row_of("launch threads=32");
  for (const Operator* op : catalogue()) {
    std::vector<FeatureRow> seen;
    const auto see = [&](const Step& step) {
      const FeatureRow row = row_of(print_design({{step}}));
      EXPECT_FALSE(same_numbers(row, nothing) && op->name != "launch") << op->name;
      for (const FeatureRow& other : seen) {
        EXPECT_FALSE(same_numbers(row, other)) << print_design({{step}}) << " looks like another";
      }
      seen.push_back(row);
    };
    if (op->parameters.empty()) see({std::string(op->name), {}, {}});
    for (const ParameterSpec& spec : op->parameters) {
      seen.clear();
      for (const std::string& value : values_to_try(spec)) {
        const Result<Step> step = step_with(*op, spec, value);
        ASSERT_TRUE(step.ok()) << op->name << " " << spec.name << "=" << value;
        see(*step);
      }
    }
  }
}

TEST(DesignFeatures, DefaultsCountAsGiven) {
  EXPECT_TRUE(same_numbers(row_of("compress | thread_total sums=1 | launch threads=32 cache=all"),
                           row_of("compress | thread_total | launch threads=32")));
}

TEST(DesignFeatures, WhatIsNoDesignIsRefused) {
  const DesignFeatures features(compute_features(small_matrix()), 48);
  const Result<FeatureRow> unknown = features.of(parse_design("compress | fly").value());
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.reason().find("fly"), std::string::npos);
}

TEST(DesignFeatures, AreFiniteOrMissingOnTheBattery) {
  for (const NamedMatrix& entry : battery()) {
    const DesignFeatures features(compute_features(entry.matrix), 4 * (entry.matrix.rows + 1));
    for (const NamedDesign& named : named_designs(Target::gpu)) {
      const Result<FeatureRow> row = features.of(parse_design(named.line).value(), 4);
      ASSERT_TRUE(row.ok()) << row.reason();
      for (const float number : *row) {
        EXPECT_FALSE(std::isinf(number)) << entry.name << " " << named.name;
      }
    }
  }
}

}  // namespace
}  // namespace alphasparse
