// read_limits: the size of a matrix that may be read, and how long reading may take. A size is held
// against them before any memory is taken.
#pragma once
#include <cstdint>
#include <string>

#include "generator/arrays/matrix.h"
#include "runtime/matrices/containers/text_source.h"
#include "runtime/system/machine/memory.h"

namespace alphasparse {

/// The largest matrix that a size line may declare, and how long reading may take (require_time).
struct ReadLimits {
  std::int64_t expanded_count = index_limit;  ///< entries, mirror images included
  std::int64_t memory_bytes = available_memory_bytes();
  Deadline deadline = {};

  /// Looks at the time now and then: `entry` counts up.
  void check(std::int64_t entry, const std::string& name) const {
    constexpr std::int64_t entries_between = 1 << 16;
    if (entry % entries_between == 0) require_time(deadline, name);
  }
};

/// How large a matrix is said to be.
struct ClaimedSize {
  std::int64_t rows = 0, cols = 0;
  std::int64_t entries = 0;  ///< without mirror images
  bool is_complex = false;   ///< entries have imaginary parts
};

/// Memory that a matrix of this size takes: to read it, and for the data that commands make of its
/// rows besides.
std::int64_t count_memory(const ClaimedSize& size, bool mirrored = false);

/// Rejects more entries, or more memory, than the limits allow, before any is taken. Throws Error
/// (exit 2).
void check_memory(const ClaimedSize& size, const std::string& name, const ReadLimits& limits,
                  bool mirrored = false);

/// The reason why a matrix without rows or columns is rejected.
std::string nothing_text(std::int64_t rows, std::int64_t cols);

/// Rejects a matrix without rows or columns, and more of them than index_limit. Throws Error (exit
/// 2).
void check_sizes(std::int64_t rows, std::int64_t cols, const std::string& name);

}  // namespace alphasparse
