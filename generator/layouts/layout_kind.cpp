#include "generator/layouts/layout_kind.h"

#include <utility>

namespace alphasparse {

const LayoutKind& kind_of(const Store& store) {
  return std::visit([](const auto& choice) -> const LayoutKind& { return choice.kind; },
                    store.layout);
}

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
