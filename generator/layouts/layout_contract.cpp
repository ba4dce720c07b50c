#include "generator/layouts/layout_contract.h"

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

std::string check_choice(const Store& store) { return kind_of(store).misfit(store); }

std::string check_layout(const Store& store, const Layout& layout) {
  std::string misfit = check_choice(store);
  return misfit.empty() ? kind_of(store).fault(store, layout) : misfit;
}

}  // namespace alphasparse
