// open_level: the code that the mapping operators share: whether a level may open here, and the
// spans that it is cut from.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "generator/facts/store.h"

namespace alphasparse {

/// Why `level` cannot open inside the innermost open level by this kind of cut, or nothing.
std::optional<std::string> cannot_open(const Store& store, Level level, Tiling tiling);

/// A part of the parent: rows [row, end_row) and non-zeros [nz, end_nz).
struct Span {
  std::int32_t row, end_row, nz, end_nz;
};

/// One part of the level that opens: its first row and first non-zero.
struct LevelPart {
  std::int32_t row, nz;
};

/// Opens `level`: asks `part_span` for the parts of each span of the parent, in order, and stores
/// first_nz, first_row and the parent's first_child with the facts that follow from them.
void open_level(Store& store, Level level, Tiling tiling,
                const std::function<void(const Span&, std::vector<LevelPart>&)>& part_span);

/// Row lengths around which a number of rows or non-zeros is worth trying: powers of two.
std::vector<std::int64_t> powers_of_two(std::int64_t least, std::int64_t most);

}  // namespace alphasparse
