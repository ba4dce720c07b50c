// known_designs: the designs of one search by their texts, each read once.
//
// Outcomes are rows of the database, which name their designs by texts. A search asks here for the
// design of an outcome. The designs that it proposes are added as they are.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "operators/canonical_design.h"

namespace alphasparse {

class KnownDesigns {
 public:
  void add(const CanonicalDesign& design);

  /// The design of a text, valid as long as this; null: the catalogue knows none such.
  const CanonicalDesign* find(const std::string& text);

  /// Its structure; the text itself where it is no design.
  const std::string& find_structure(const std::string& text);

 private:
  std::map<std::string, std::optional<CanonicalDesign>, std::less<>> designs_;
};

}  // namespace alphasparse
