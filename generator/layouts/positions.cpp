#include "generator/layouts/positions.h"

#include <fmt/format.h>

#include <algorithm>

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

std::int64_t stored_entries(const Store& store) { return kind_of(store).reads(store).stored; }

Result<Layout> assign_positions(const Store& store) {
  const Reads reads = kind_of(store).reads(store);
  Layout layout;
  layout.stored = reads.stored;
  if (layout.stored + std::max<std::int64_t>(reads.stride, 1024) > index_limit) {
    return Failure{Status::pruned,
                   fmt::format("{} stored entries, pads included, exceed the limit of 2^31 - 1",
                               layout.stored)};
  }
  kind_of(store).place(store, layout);
  const auto no_column = std::find(layout.column.begin(), layout.column.end(), -1);
  layout.predicated = no_column != layout.column.end();
  return layout;
}

}  // namespace alphasparse
