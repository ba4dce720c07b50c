// canonical_design: a design in its one spelling: its tree, its text and its structure, each made
// once. Functions pass this value. Its text appears at the command line, in the database and in
// logs. Copies share their content, so that a copy costs next to nothing.
//
// Example: the line "compress|thread_rows rows=01|thread_total|global_store|launch threads=256" has
// the text "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256" and
// the structure "compress | thread_rows | thread_total | global_store | launch".
#pragma once
#include <compare>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "operators/design.h"

namespace alphasparse {

class CanonicalDesign {
 public:
  /// The design of a line. Fails where the text is no design of the catalogue.
  static Result<CanonicalDesign> read(std::string_view line);

  /// The one spelling of a tree. Fails as canonical_design does.
  static Result<CanonicalDesign> of(const Design& tree);

  /// Of a tree that is in its one spelling already. Nothing is checked.
  static CanonicalDesign spelled(Design tree);

  const Design& tree() const { return content_->tree; }
  const std::string& text() const { return content_->text; }

  /// Its operators and branches, without parameters.
  const std::string& structure() const { return content_->structure; }

  bool operator==(const CanonicalDesign& other) const { return text() == other.text(); }
  auto operator<=>(const CanonicalDesign& other) const { return text() <=> other.text(); }

  // By its text, so that a design is found among texts, and a text among designs.
  bool operator==(std::string_view other) const { return text() == other; }
  auto operator<=>(std::string_view other) const { return std::string_view(text()) <=> other; }

 private:
  struct Content {
    Design tree;
    std::string text, structure;
  };

  explicit CanonicalDesign(Design tree);

  std::shared_ptr<const Content> content_;
};

using Designs = std::vector<CanonicalDesign>;

/// As its text.
std::ostream& operator<<(std::ostream& stream, const CanonicalDesign& design);

/// The texts of designs, in their order.
std::vector<std::string> list_texts(const Designs& designs);

}  // namespace alphasparse
