#include "generator/layouts/layout_kind.h"

#include <utility>

namespace alphasparse {

const LayoutKind& layout_kind(const Store& store) {
  return std::visit([](const auto& choice) -> const LayoutKind& { return choice.kind; },
                    store.layout);
}

std::optional<std::string> rejection(const Store& store, const Request& request) {
  const Result<LayoutChoice> after = layout_kind(store).reply(store, request);
  return after ? std::nullopt : std::optional(after.reason());
}

void change_layout(Store& store, const Request& request) {
  Result<LayoutChoice> after = layout_kind(store).reply(store, request);
  CHECK(after.ok());
  store.layout = std::move(*after);
}

}  // namespace alphasparse
