#include "runtime/matrices/read_limits.h"

#include <fmt/format.h>

#include "base/result.h"

namespace alphasparse {

std::string nothing_text(std::int64_t rows, std::int64_t cols) {
  return fmt::format(
      "the matrix has {} rows and {} columns: there is nothing to multiply, and no kernel for it",
      rows, cols);
}

std::int64_t count_memory(const ClaimedSize& size, bool mirrored) {
  // Offsets, elements of y while a kernel is verified, and the bytes that formats keep of a row. Of
  // columns nothing is kept; code that makes an x checks the memory then.
  constexpr std::int64_t row_bytes = 60;
  const std::int64_t position_bytes =
      sizeof(std::int32_t) + (size.is_complex ? 2 : 1) * sizeof(double);
  const std::int64_t entry_bytes = 4 + position_bytes + (mirrored ? 2 : 1) * position_bytes;
  return row_bytes * size.rows + entry_bytes * size.entries;
}

void check_sizes(std::int64_t rows, std::int64_t cols, const std::string& name) {
  if (rows == 0 || cols == 0) throw Error(fmt::format("{}: {}", name, nothing_text(rows, cols)));
  for (const std::int64_t size : {rows, cols}) {
    if (size < 0 || size > index_limit)
      throw Error(fmt::format("{}: {} rows or columns are outside 1..{}", name, size, index_limit));
  }
}

void check_memory(const ClaimedSize& size, const std::string& name, const ReadLimits& limits,
                  bool mirrored) {
  if (size.entries > limits.expanded_count) {
    throw Error(fmt::format("{}: {} entries are more than the limit {}", name, size.entries,
                            limits.expanded_count));
  }
  const std::int64_t bytes = count_memory(size, mirrored);
  if (bytes > limits.memory_bytes) {
    throw Error(
        fmt::format("{}: a matrix of {} x {} with {} entries takes {} of memory, {} are "
                    "available; use a machine with more, or raise its limit",
                    name, size.rows, size.cols, size.entries, byte_count_text(bytes),
                    byte_count_text(limits.memory_bytes)));
  }
}

}  // namespace alphasparse
