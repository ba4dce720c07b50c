// assemble: the entries of a file, in its order, and the canonical matrix made of them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// The stored entries of a file, not expanded, in the file's order. The result of
/// parse_matrix_market is checked: indices inside, values finite, one triangle where symmetric, at
/// most index_limit entries once expanded.
struct Entries {
  std::string name;  ///< the file's, for messages
  std::int32_t rows = 0;
  std::int32_t cols = 0;
  Mirror mirror = Mirror::none;   ///< unless none, an entry stands for its mirror image too
  std::vector<std::int32_t> row;  ///< [count], from 0
  std::vector<std::int32_t> col;  ///< [count], from 0
  std::vector<double> value;      ///< [count]
  std::vector<double> imag;       ///< [count], or empty: all values are real

  /// Where the lines of entries do not follow each other: `entry` stands on `line`, later ones
  /// below it, up to the next jump. The first is that of entry 0; ascending.
  struct LineJump {
    std::int64_t entry;
    std::int64_t line;
  };
  std::vector<LineJump> line_jumps;

  std::int64_t count() const { return static_cast<std::int64_t>(row.size()); }
  std::int64_t line(std::int64_t entry) const;  ///< the line of the file, from 1

  /// Appends a value of so many parts: of a real one (1) its real part alone.
  void add_value(const Number& number, int parts) {
    value.push_back(number.re);
    if (parts == 2) imag.push_back(number.im);
  }
};

/// None yet, with room for `count` of so many parts, of a file with entries that have no lines of
/// their own: messages name its first. Sizes were looked at before (check_sizes, check_memory).
Entries entries_without_lines(const std::string& name, std::int64_t rows, std::int64_t cols,
                              std::int64_t count, int parts = 1);

/// Expands, orders and sums: rows in order, columns ascending, duplicates added in the file's order
/// (so that the sum is the same on every machine), stored zeros kept, sums that are zero too.
/// Consumes the entries. Needs up to 12 bytes an expanded entry beside the 16 of each entry, and 8
/// more for both where values are complex.
/// Throws Error (exit 2), naming file and line, where duplicates add up beyond double's range.
Matrix canonical(Entries&& entries);

}  // namespace alphasparse
