// learning: the features of matrices, which the database keeps beside measurements so that later
// searches begin better. They are only plain numbers, and the search defines their meaning. Each
// search trains a model of times again, for the code that reads a model is not made for bytes of
// other people.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace alphasparse {

/// The features of a matrix.
struct StoredFeatures {
  int version = 0;                                      ///< of the numbers' meaning
  std::vector<std::pair<std::string, double>> numbers;  ///< by name
};

}  // namespace alphasparse
