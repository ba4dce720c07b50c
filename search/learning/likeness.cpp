#include "search/learning/likeness.h"

#include <algorithm>
#include <cmath>

#include "search/learning/design_features.h"

namespace alphasparse {

namespace {

constexpr double deviations_max = 3;  // that one feature may add to a distance

}  // namespace

Likeness::Likeness(const Features& query, const std::vector<const Features*>& known)
    : query_(matrix_feature_numbers(query)) {
  std::vector<std::vector<float>> all = {query_};
  for (const Features* const features : known) all.push_back(matrix_feature_numbers(*features));
  for (std::size_t i = 0; i < query_.size(); ++i) {
    double sum = 0, squares = 0;
    for (const auto& numbers : all) {
      sum += numbers[i];
      squares += double{numbers[i]} * numbers[i];
    }
    const double mean = sum / static_cast<double>(all.size());
    const double variance = squares / static_cast<double>(all.size()) - mean * mean;
    deviations_.push_back(std::sqrt(std::max(0.0, variance)));
  }
}

double Likeness::distance(const Features& other) const {
  const std::vector<float> numbers = matrix_feature_numbers(other);
  double squares = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double difference = std::abs(double{numbers[i]} - query_[i]);
    if (difference == 0) continue;
    const double deviations = std::min(deviations_max, difference / deviations_[i]);
    squares += std::isfinite(deviations) ? deviations * deviations : 0;
  }
  return std::sqrt(squares / static_cast<double>(numbers.size()));
}

}  // namespace alphasparse
