// vectors_order: the order of x and y of a kernel that has an order of its own. It multiplies the
// matrix with permuted rows and columns: y and x stay permuted from one product to the next.
#pragma once
#include <cstdint>
#include <vector>

namespace alphasparse {

struct VectorsOrder {
  std::vector<std::int32_t> rows;     ///< [rows] the caller's row of each element of y
  std::vector<std::int32_t> columns;  ///< [cols] the caller's column of each element of x
};

}  // namespace alphasparse
