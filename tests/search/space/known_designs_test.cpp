// known_designs: the design of a text is read once, and designs that are added are as they are.
#include "search/space/known_designs.h"

#include <gtest/gtest.h>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

const std::string scalar =
    "compress | thread_rows rows=1 | thread_total | global_store | launch threads=256";

TEST(KnownDesigns, TheDesignOfATextIsReadOnce) {
  KnownDesigns known;
  const CanonicalDesign* const design = known.find(scalar);
  ASSERT_NE(design, nullptr);
  EXPECT_EQ(*design, scalar);
  EXPECT_EQ(known.find(scalar), design);
  EXPECT_EQ(known.find_structure(scalar), design->structure());
}

TEST(KnownDesigns, ATextThatIsNoDesignHasNoneAndIsItsOwnStructure) {
  KnownDesigns known;
  EXPECT_EQ(known.find("cusparse-csr-1"), nullptr);
  EXPECT_EQ(known.find("no design ("), nullptr);
  EXPECT_EQ(known.find_structure("no design ("), "no design (");
}

TEST(KnownDesigns, WhatIsAddedIsFoundByItsText) {
  KnownDesigns known;
  known.add(made_up("words of=nobody"));
  ASSERT_NE(known.find("words of=nobody"), nullptr);
  EXPECT_EQ(known.find_structure("words of=nobody"), "words");
}

TEST(KnownDesigns, WhatIsAddedTakesThePlaceOfATextThatWasNoDesign) {
  KnownDesigns known;
  EXPECT_EQ(known.find("words"), nullptr);
  known.add(made_up("words"));
  EXPECT_NE(known.find("words"), nullptr);
}

}  // namespace
}  // namespace alphasparse
