// placement: where the new columns of a row come from, for each archetype.
#pragma once
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse::synthetic {

/// The row that columns are placed in. Columns and rows are counted in blocks.
struct Spot {
  std::int64_t row = 0;
  std::int64_t diagonal = 0;       ///< the column that the row's number scales to
  std::int64_t clump = 0;          ///< the same of the middle of its stretch of similar rows
  std::int64_t length = 0;         ///< columns that the row will have
  std::int64_t low = 0, high = 0;  ///< the window: columns from low to high
};

class Placement {
 public:
  Placement(const SyntheticOptions& options, std::int64_t cols, Random& random);

  /// The first of `run` columns that all lie in the window (which is at least as wide).
  std::int64_t propose(const Spot& spot, std::int64_t run, Random& random) const;

  /// A column in place of `wanted`, the end of a row: the archetype's own one close by (a net, a
  /// hub), or itself.
  std::int64_t end_column(const Spot& spot, std::int64_t wanted, Random& random) const;

 private:
  std::int64_t graph_column(std::int64_t row, Random& random) const;

  ArchetypeKind kind_;
  std::int64_t cols_;
  int levels_ = 0;                  // of the R-MAT recursion: 2^levels >= cols
  std::vector<std::int64_t> nets_;  // columns that reach everywhere
};

}  // namespace alphasparse::synthetic
