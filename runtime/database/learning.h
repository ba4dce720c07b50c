// learning: what the database keeps beside measurements, so that later searches begin better - what
// a matrix looks like, and a model of a problem's times. Only plain numbers and bytes: what they
// mean is the search's to say.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace alphasparse {

/// What a matrix looks like.
struct StoredFeatures {
  int version = 0;                                      ///< of what the numbers mean
  std::vector<std::pair<std::string, double>> numbers;  ///< by name
};

/// A model of one problem's times.
struct StoredModel {
  int features_version = 0;
  std::vector<std::string> feature_names;
  std::int64_t rows = 0;   ///< that it was trained on
  std::string regression;  ///< bytes
  std::string classifier;  ///< likewise
  std::string created_at;  ///< UTC, as a measurement's; empty: it is new
};

}  // namespace alphasparse
