#include "tests/support/search_fixture.h"

#include <algorithm>

#include "search/space/prune_rules.h"
#include "search/structure/growth.h"

namespace alphasparse {

namespace {

bool is_size_limit(const std::string& reason) {
  const auto says = [&](const char* words) { return reason.find(words) != std::string::npos; };
  return says("bytes of shared memory") || says("2^31 - 1") || says("exceed a grid");
}

}  // namespace

std::string SearchFixture::problem_of(const CanonicalDesign& design) {
  const Result<CanonicalDesign> canonical = CanonicalDesign::read(design.text());
  if (!canonical) return canonical.reason();
  if (*canonical != design || canonical->tree() != design.tree()) return "not canonical";
  if (const auto why = prune_reason(space, design.tree())) return "banned: " + *why;
  const Result<Kernel> kernel = Designer(designer.matrix(), designer.root().store.target())
                                    .build(design.text(), Dtype::f32, space.limits.size);
  return kernel || is_size_limit(kernel.reason()) ? "" : kernel.reason();
}

std::string SearchFixture::normalised(const std::string& text) {
  const auto design = normalise(space, *parse_design(text));
  return design ? design->text() : "";
}

}  // namespace alphasparse
