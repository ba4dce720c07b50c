// public_times: times of SpMV kernels that others have published, as a table.
//
// Tab-separated, a time a line, after a first line with the columns' names:
//
//   source  gpu  dtype  matrix  rows  cols  nnz  format  time_us
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

struct PublicTime {
  std::string source;  ///< who measured it: "gunrock/loops"
  std::string gpu;     ///< as the source calls it: "V100"
  Dtype dtype = Dtype::f32;
  std::string matrix;  ///< the stem of its file, or "twin:NAME": of like statistics alone
  std::int64_t rows = 0, cols = 0, nnz = 0;
  std::string format;  ///< as the source calls it
  double time_us = 0;
};

/// Throws Error (exit 2), one line that names file and line and says what is wanted, where the file
/// cannot be read, holds no time, or a line is none.
std::vector<PublicTime> read_public_times(const std::string& file);

}  // namespace alphasparse
