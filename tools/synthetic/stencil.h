// stencil: rows of a grid, with columns at a few fixed distances from the diagonal.
//
// Two fields share the grid, as on staggered grids. A row of the one has other distances than a row
// of the other. Steering decides which field a row belongs to: rows of one field on end are alike.
// A short row, at the border of the grid, lacks the last of its field's distances.
//
// Example: the five points of a plane 100 wide are the distances 0 -1 1 -100 100.
#pragma once
#include <array>
#include <cstdint>

#include "tools/synthetic/steering.h"

namespace alphasparse::synthetic {

class StencilWalk {
 public:
  StencilWalk(const SyntheticOptions& options, std::int64_t longest, std::int64_t stretch);

  /// The next row, of `length` columns (at most `longest`). Valid until the next call.
  const Columns& next(std::int64_t length);

 private:
  static constexpr int fields = 2, kinds = 2;  // with fewer and with more neighbours

  /// Distances by priority; every prefix is a stencil.
  std::vector<std::int64_t> distances(const std::vector<std::int64_t>& runs, int field) const;

  std::int64_t rows_, cols_, stretch_, span_;
  Steering steering_;
  std::array<std::array<std::vector<std::int64_t>, kinds>, fields> distances_;
  std::int64_t low_ = 0, high_ = 0;  // the least and the largest distance of all
  std::int64_t row_number_ = -1;
  int field_ = 0, kind_ = 0;
  Columns row_, before_;
};

}  // namespace alphasparse::synthetic
