// operator_refusals: reasons why an operator does not apply, in its words; those that the walk over
// all sequences meets are in tests/golden/refusals.txt.
#include <gtest/gtest.h>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "tests/support/files.h"
#include "tests/support/rejected_cases.h"

namespace alphasparse {
namespace {

TEST(OperatorRefusals, RefuseWithTheReasonThatIsWrittenOut) {
  for (const RejectedCase& entry : rejected_cases()) {
    Designer designer(entry.matrix);
    const Result<Design> design = parse_design(entry.design);
    ASSERT_TRUE(design.ok()) << design.reason();
    const Result<Store> store = designer.apply(*design);
    ASSERT_FALSE(store.ok()) << entry.design;
    EXPECT_EQ(store.reason(), entry.reason) << entry.design;
    EXPECT_EQ(store.failure().status, Status::pruned);
  }
}

TEST(OperatorRefusals, EveryOperatorIsRefusedSomewhere) {
  std::string refused = "\n" + contents(ALPHASPARSE_SOURCE_DIR "/tests/golden/refusals.txt");
  for (const RejectedCase& entry : rejected_cases()) refused += std::string(entry.reason) + "\n";
  for (const Operator* op : catalogue()) {
    if (op->branches) continue;  // in branch_tables_test.cpp
    EXPECT_NE(refused.find("\n" + std::string(op->name) + ": "), std::string::npos) << op->name;
  }
}

}  // namespace
}  // namespace alphasparse
