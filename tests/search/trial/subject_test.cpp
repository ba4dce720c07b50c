// subject: the subject of a text, and the name that is its key among outcomes.
#include "search/trial/subject.h"

#include <gtest/gtest.h>

#include "operators/named_designs.h"

namespace alphasparse {
namespace {

TEST(Subject, OfTheNameOfABaselineIsTheBaseline) {
  for (const Target target : {Target::gpu, Target::cpu}) {
    for (const Baseline& baseline : baselines(target)) {
      const Subject subject = Subject::read(std::string(baseline.name)).value();
      EXPECT_EQ(subject.baseline(), &baseline);
      EXPECT_EQ(subject.name(), baseline.name);
      EXPECT_FALSE(subject.design());
    }
  }
}

TEST(Subject, OfALineIsItsDesign) {
  const CanonicalDesign design = canonical_named_designs().front();
  const Subject subject = Subject::read("  " + design.text()).value();
  EXPECT_EQ(subject.design(), design);
  EXPECT_EQ(subject.name(), design.text());
  EXPECT_EQ(subject.baseline(), nullptr);
}

TEST(Subject, OfAnyOtherTextThereIsNone) {
  EXPECT_FALSE(Subject::read("cusparse").ok());
  EXPECT_FALSE(Subject::read("compress |").ok());
}

}  // namespace
}  // namespace alphasparse
