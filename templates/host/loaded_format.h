// loaded_format: the arrays of a format file, as its loader hands them out.
#pragma once
#include <cstdint>
#include <vector>

namespace alphasparse::host {

struct LoadedArray {
  std::vector<unsigned char> bytes;
  std::vector<std::int32_t> source;  ///< value arrays only
  std::vector<std::int32_t> code;    ///< dictionaries only: [nnz] the entry of each value, or -1
};

struct LoadedFormat {
  std::vector<LoadedArray> arrays;      ///< in the order of the facts
  std::vector<std::int32_t> row_first;  ///< the pattern, where it was asked for
  std::vector<std::int32_t> col;
};

}  // namespace alphasparse::host
