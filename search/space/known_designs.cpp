#include "search/space/known_designs.h"

#include <utility>

namespace alphasparse {

void KnownDesigns::add(const CanonicalDesign& design) {
  std::optional<CanonicalDesign>& entry = designs_[design.text()];
  if (!entry) entry = design;
}

const CanonicalDesign* KnownDesigns::find(const std::string& text) {
  const auto [entry, is_new] = designs_.try_emplace(text);
  if (is_new) {
    if (Result<CanonicalDesign> design = CanonicalDesign::read(text)) {
      entry->second = std::move(*design);
    }
  }
  return entry->second ? &*entry->second : nullptr;
}

const std::string& KnownDesigns::find_structure(const std::string& text) {
  const CanonicalDesign* const design = find(text);
  return design ? design->structure() : text;
}

}  // namespace alphasparse
