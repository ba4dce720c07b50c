#include "generator/layouts/layout_kind.h"

#include <utility>

#include "generator/layouts/thread_requests.h"

namespace alphasparse {

const LayoutKind& kind_of(const Store& store) {
  return std::visit([](const auto& choice) -> const LayoutKind& { return choice.kind; },
                    store.layout);
}

Result<LayoutChoice> UsualAnswers::operator()(const asked::CodeColumns&) const {
  if (store.vector == 1) return store.layout;
  return refused(
      "several columns are loaded at once, which compact ones are not; use columns=full");
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
