#include "operators/canonical_design.h"

#include <utility>

#include "operators/catalogue.h"

namespace alphasparse {

namespace {

/// The operators of a design, as print_design spells them.
void add_operators(const Design& design, std::string& text) {
  for (std::size_t i = 0; i < design.steps.size(); ++i) {
    if (i > 0) text += " | ";
    text += design.steps[i].op;
    for (const Design& branch : design.steps[i].branches) {
      text += " { ";
      add_operators(branch, text);
      text += " }";
    }
  }
}

}  // namespace

CanonicalDesign::CanonicalDesign(Design tree) {
  Content content{std::move(tree), {}, {}};
  content.text = print_design(content.tree);
  add_operators(content.tree, content.structure);
  content_ = std::make_shared<const Content>(std::move(content));
}

CanonicalDesign CanonicalDesign::spelled(Design tree) { return CanonicalDesign(std::move(tree)); }

Result<CanonicalDesign> CanonicalDesign::of(const Design& tree) {
  Result<Design> canonical = canonical_design(tree);
  if (!canonical) return canonical.failure();
  return spelled(std::move(*canonical));
}

Result<CanonicalDesign> CanonicalDesign::read(std::string_view line) {
  const Result<Design> parsed = parse_design(line);
  return parsed ? of(*parsed) : parsed.failure();
}

std::ostream& operator<<(std::ostream& stream, const CanonicalDesign& design) {
  return stream << design.text();
}

std::vector<std::string> list_texts(const Designs& designs) {
  std::vector<std::string> texts;
  for (const CanonicalDesign& design : designs) texts.push_back(design.text());
  return texts;
}

}  // namespace alphasparse
