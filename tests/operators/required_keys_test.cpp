// required_keys_test: an operator is asked for the keys that it requires behind all its other
// reasons.
#include <gtest/gtest.h>

#include "operators/catalogue.h"
#include "operators/designer.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

/// An operator that passes its own test, but requires a key that no operator makes.
TEST(OperatorRefusals, ARequiredKeyIsAskedForLast) {
  Operator op;
  op.required = {{Level::thread, Name::first_nz}};
  op.applies = [](const Store&, const Arguments&) -> std::optional<std::string> {
    return std::nullopt;
  };
  EXPECT_EQ(cannot_apply(op, Store(uneven), {}),
            "it needs thread.first_nz, which no step has made");
  EXPECT_EQ(cannot_apply(op, *apply_steps(uneven, "compress | thread_rows rows=1"), {}),
            std::nullopt);
  op.applies = [](const Store&, const Arguments&) -> std::optional<std::string> { return "no"; };
  EXPECT_EQ(cannot_apply(op, Store(uneven), {}), "no");
}

}  // namespace
}  // namespace alphasparse
