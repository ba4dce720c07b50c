// large_matrix: matrices so large that each array of a design is felt.
#pragma once
#include <cstdint>

namespace alphasparse {

/// Beyond so many non-zeros a step of a design takes seconds, and its arrays as much memory as the
/// matrix.
inline constexpr std::int64_t large_nnz = 16'000'000;

}  // namespace alphasparse
