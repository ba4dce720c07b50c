#include "generator/layouts/layout_contract.h"

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

std::string check_choice(const Store& store) { return layout_kind(store).misfit(store); }

std::string check_layout(const Store& store, const Layout& layout) {
  std::string misfit = check_choice(store);
  return misfit.empty() ? layout_kind(store).violation(store, layout) : misfit;
}

}  // namespace alphasparse
