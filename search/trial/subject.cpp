#include "search/trial/subject.h"

namespace alphasparse {

Result<Subject> Subject::read(const std::string& text) {
  if (const Baseline* const baseline = find_baseline(text)) return Subject(*baseline);
  Result<CanonicalDesign> design = CanonicalDesign::read(text);
  if (!design) return design.failure();
  return Subject(std::move(*design));
}

}  // namespace alphasparse
