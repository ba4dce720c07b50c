#include "generator/layouts/layout_kind.h"

#include <array>

namespace alphasparse {

namespace {

constexpr std::array<const LayoutKind*, 6> layout_kinds = {
    &in_order_kind, &tiled_kind, &ragged_kind, &warp_diagonals_kind, &bit_blocks_kind, &bands_kind,
};
static_assert(layout_kinds.size() == std::variant_size_v<LayoutChoice>);

}  // namespace

const LayoutKind& kind_of(const Store& store) { return *layout_kinds[store.layout.index()]; }

std::optional<std::string> refusal(const Store& store, const Request& request) {
  const Result<LayoutChoice> after = kind_of(store).fits(store, request);
  return after ? std::nullopt : std::optional(after.reason());
}

void change_layout(Store& store, const Request& request) {
  Result<LayoutChoice> after = kind_of(store).fits(store, request);
  CHECK(after.ok());
  store.layout = std::move(*after);
}

}  // namespace alphasparse
