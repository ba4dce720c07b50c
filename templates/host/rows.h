// rows: the memory of X and Y of a kernel for several vectors.
#pragma once
#include <cstdint>

namespace alphasparse::host {

/// A matrix in memory: its rows have `vectors` numbers and lie `distance` numbers apart.
struct Rows {
  const void* first;
  std::int64_t distance, count;
};

/// Whether two of them share a number. Columns of one matrix in memory do not, although their rows
/// alternate.
inline bool overlap(const Rows& a, const Rows& b) {
  const auto begin = [](const Rows& rows) {
    return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(rows.first));
  };
  const auto bytes = [](std::int64_t numbers) {
    return numbers * static_cast<std::int64_t>(sizeof(Real));
  };
  const auto end = [&](const Rows& rows) {
    return begin(rows) + bytes((rows.count - 1) * rows.distance + vectors);
  };
  if (a.count == 0 || b.count == 0 || end(a) <= begin(b) || end(b) <= begin(a)) return false;
  const std::int64_t row = bytes(a.distance);
  const std::int64_t apart = ((begin(b) - begin(a)) % row + row) % row;
  return a.distance != b.distance || apart < bytes(vectors) || row - apart < bytes(vectors);
}

/// Why X and Y are refused; null: they are right.
inline const char* why_no_rows(const Rows& x, const Rows& y) {
  if (x.distance < vectors) return "ldx is less than the columns of X";
  if (y.distance < vectors) return "ldy is less than the columns of Y";
  return overlap(x, y) ? "X and Y overlap" : nullptr;
}

/// Why the distances of column-major X and Y are refused; null: they are right.
inline const char* why_no_columns(std::int64_t ldx, std::int64_t ldy) {
  if (ldx < facts.cols) return "ldx is less than the rows of X";
  return ldy < facts.rows ? "ldy is less than the rows of Y" : nullptr;
}

}  // namespace alphasparse::host
