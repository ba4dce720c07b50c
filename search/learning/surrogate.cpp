#include "search/learning/surrogate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "runtime/system/files/content_key.h"
#include "search/learning/booster.h"
#include "search/learning/rank.h"

namespace alphasparse {

namespace {

constexpr double log2_slowdown_max = 6;
constexpr double top_share = 0.1;
constexpr float start_min = 0.01f, start_max = 0.99f;  // a logistic start is neither 0 nor 1

/// The times with which a problem's rows are compared.
struct Yardstick {
  double fastest_us = 0;
  double top_us = 0;  ///< the slowest of the fastest tenth, at least one
};

std::map<int, Yardstick> yardsticks(std::span<const TrainingRow> rows) {
  std::map<int, std::vector<double>> times;
  for (const TrainingRow& row : rows) {
    if (row.time_us) times[row.problem].push_back(*row.time_us);
  }
  std::map<int, Yardstick> all;
  for (auto& [problem, us] : times) {
    std::sort(us.begin(), us.end());
    const auto top =
        static_cast<std::size_t>(std::ceil(top_share * static_cast<double>(us.size())));
    all[problem] = {us.front(), us[top - 1]};
  }
  return all;
}

/// Rows with the numbers to learn from them.
struct Lesson {
  std::vector<std::vector<float>> rows;
  std::vector<float> labels, weights;

  void add(const TrainingRow& row, double label) {
    rows.push_back(row.features);
    labels.push_back(static_cast<float>(label));
    weights.push_back(static_cast<float>(row.weight));
  }

  float mean_label() const {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      sum += double{labels[i]} * weights[i];
      weight += weights[i];
    }
    return static_cast<float>(sum / weight);
  }
};

BoosterSettings make_settings(const SurrogateOptions& options, const char* objective, float start) {
  return {{"objective", objective},
          {"tree_method", "hist"},
          {"max_bin", "64"},
          {"max_depth", fmt::format("{}", options.depth_max)},
          {"eta", fmt::format("{}", options.eta)},
          {"min_child_weight", "0.1"},
          {"base_score", fmt::format("{}", start)},
          {"seed", fmt::format("{}", options.seed)}};
}

Result<Booster> train_one(const Lesson& lesson, const SurrogateOptions& options,
                          const char* objective, float start) {
  return Booster::train(number_table(lesson.rows), lesson.labels, lesson.weights,
                        make_settings(options, objective, start), options.rounds);
}

}  // namespace

struct Surrogate::State {
  Booster regression;
  Booster classifier;
  std::size_t features;
};

Surrogate::Surrogate(std::unique_ptr<State> state) : state_(std::move(state)) {}
Surrogate::Surrogate(Surrogate&&) noexcept = default;
Surrogate& Surrogate::operator=(Surrogate&&) noexcept = default;
Surrogate::~Surrogate() = default;

Result<Surrogate> Surrogate::train(const FeatureSet& features, std::span<const TrainingRow> rows,
                                   const SurrogateOptions& options) {
  const std::map<int, Yardstick> problems = yardsticks(rows);
  Lesson slowdowns, top;
  for (const TrainingRow& row : rows) {
    CHECK(row.features.size() == features.names.size());
    if (!row.time_us) {
      top.add(row, 0);
      continue;
    }
    const Yardstick& yardstick = problems.at(row.problem);
    const double slowdown = std::log2(*row.time_us / yardstick.fastest_us);
    slowdowns.add(row, std::min(slowdown, log2_slowdown_max));
    top.add(row, *row.time_us <= yardstick.top_us);
  }
  if (slowdowns.rows.size() < 2) {
    return Failure{Status::pruned, "a model of times needs two of them at least"};
  }
  Result<Booster> regression =
      train_one(slowdowns, options, "reg:squarederror", slowdowns.mean_label());
  if (!regression) return regression.failure();
  const float start = std::clamp(top.mean_label(), start_min, start_max);
  Result<Booster> classifier = train_one(top, options, "binary:logistic", start);
  if (!classifier) return classifier.failure();
  return Surrogate(std::make_unique<State>(
      State{std::move(*regression), std::move(*classifier), features.names.size()}));
}

Result<std::vector<Prediction>> Surrogate::predict(std::span<const std::vector<float>> rows) const {
  if (rows.empty()) return std::vector<Prediction>();
  const NumberTable table = number_table(rows);
  CHECK(table.columns == state_->features);
  const Result<std::vector<float>> slowdowns = state_->regression.predict(table);
  if (!slowdowns) return slowdowns.failure();
  const Result<std::vector<float>> chances = state_->classifier.predict(table);
  if (!chances) return chances.failure();
  std::vector<Prediction> predictions(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) predictions[i] = {(*slowdowns)[i], (*chances)[i]};
  return predictions;
}

Result<std::string> Surrogate::key() const {
  const Result<std::string> regression = state_->regression.bytes();
  if (!regression) return regression.failure();
  const Result<std::string> classifier = state_->classifier.bytes();
  if (!classifier) return classifier.failure();
  return content_key({*regression, *classifier});
}

std::optional<double> rank_agreement(std::span<const Prediction> predicted,
                                     std::span<const double> measured_us) {
  std::vector<double> slowdowns;
  for (const Prediction& prediction : predicted) slowdowns.push_back(prediction.log2_slowdown);
  return spearman(slowdowns, measured_us);
}

}  // namespace alphasparse
