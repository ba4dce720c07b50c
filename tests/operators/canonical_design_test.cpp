// canonical_design: one spelling, its structure, and comparisons by text.
#include "operators/canonical_design.h"

#include <gtest/gtest.h>

#include <map>

#include "operators/catalogue.h"
#include "operators/named_designs.h"

namespace alphasparse {
namespace {

TEST(CanonicalDesign, EverySpellingOfALineIsOneDesign) {
  const auto design = CanonicalDesign::read(
      "compress|thread_rows   rows=01|thread_total  batch=8|global_store|launch threads=0256");
  ASSERT_TRUE(design.ok()) << design.reason();
  EXPECT_EQ(design->text(), make_canonical(named_designs().front()).text());
  EXPECT_EQ(design->tree(), parse_design(design->text()).value());
  EXPECT_EQ(*design, make_canonical(named_designs().front()));
}

TEST(CanonicalDesign, OfNamedDesignsTheTreeAndTheTextAreCanonical) {
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const CanonicalDesign& design : canonical_named_designs(target)) {
      EXPECT_EQ(canonical_design(design.tree()).value(), design.tree()) << design;
      EXPECT_EQ(print_design(design.tree()), design.text());
    }
  }
}

TEST(CanonicalDesign, AStructureIsADesignWithoutParameters) {
  const CanonicalDesign design = CanonicalDesign::spelled(
      parse_design("bin_rows at=3 { compress | launch threads=64 } { sort_rows | launch }")
          .value());
  EXPECT_EQ(design.structure(), "bin_rows { compress | launch } { sort_rows | launch }");
}

TEST(CanonicalDesign, RefusesALineThatIsNoDesign) {
  EXPECT_FALSE(CanonicalDesign::read("compress |").ok());
  const auto unknown = CanonicalDesign::read("compress | fly");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.reason().find("fly"), std::string::npos);
}

TEST(CanonicalDesign, IsOrderedByItsText) {
  std::map<CanonicalDesign, int> by_design;
  std::map<std::string, int> by_text;
  for (const CanonicalDesign& design : canonical_named_designs()) {
    by_design.emplace(design, 0);
    by_text.emplace(design.text(), 0);
  }
  auto text = by_text.begin();
  for (const auto& [design, number] : by_design) EXPECT_EQ(design.text(), (text++)->first);
}

}  // namespace
}  // namespace alphasparse
