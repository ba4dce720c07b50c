#include "search/space/known_designs.h"

#include <utility>

namespace alphasparse {

void KnownDesigns::add(const CanonicalDesign& design) {
  std::optional<CanonicalDesign>& place = designs_[design.text()];
  if (!place) place = design;
}

const CanonicalDesign* KnownDesigns::find(const std::string& text) {
  const auto [place, is_new] = designs_.try_emplace(text);
  if (is_new) {
    if (Result<CanonicalDesign> design = CanonicalDesign::read(text)) {
      place->second = std::move(*design);
    }
  }
  return place->second ? &*place->second : nullptr;
}

const std::string& KnownDesigns::structure_of(const std::string& text) {
  const CanonicalDesign* const design = find(text);
  return design ? design->structure() : text;
}

}  // namespace alphasparse
