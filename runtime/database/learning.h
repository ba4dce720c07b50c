// learning: what the database keeps beside measurements, so that later searches begin better: what
// a matrix looks like. Only plain numbers: what they mean is the search's to say. A model of times
// is trained again by each search, for what reads one is not made for bytes of other people.
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

}  // namespace alphasparse
