#include "generator/layouts/positions.h"

#include <fmt/format.h>

#include <algorithm>

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

constexpr std::int64_t threads_most = 1024;  // of a block, which may share a row

}  // namespace

std::int64_t stored_entries(const Store& store) { return layout_kind(store).reads(store).stored; }

std::optional<std::string> uncounted_reason(std::int64_t stored, std::int64_t stride, int sums) {
  const std::int64_t step = std::max(stride, threads_most);
  if (stored + step > index_limit) {
    return fmt::format("{} stored entries, pads included, exceed the limit of 2^31 - 1", stored);
  }
  if (stored + step * sums <= index_limit) return std::nullopt;
  return fmt::format(
      "{} sums of {} stored entries, {} apart, exceed the limit of 2^31 - 1; use sums=1", sums,
      stored, step);
}

Result<Layout> assign_positions(const Store& store) {
  const Reads reads = layout_kind(store).reads(store);
  Layout layout;
  layout.stored = reads.stored;
  const int sums = store.chain().empty() ? 1 : store.chain().front().sums;
  if (const auto reason = uncounted_reason(layout.stored, reads.stride, sums))
    return Failure{Status::pruned, *reason};
  layout_kind(store).write(store, layout);
  const auto no_column = std::find(layout.column.begin(), layout.column.end(), -1);
  layout.predicated = no_column != layout.column.end();
  return layout;
}

}  // namespace alphasparse
