// model: which arrays are arithmetic progressions, which are so but for their end, and which only
// look like it.
#include "generator/model.h"

#include <gtest/gtest.h>

#include <climits>

namespace alphasparse {
namespace {

struct ModelCase {
  Integers entries;
  const char* text;  ///< of the model over "i"; empty: there is none
};

const std::vector<ModelCase> cases = {
    // lengths 0, 1, 2
    {{}, "0"},
    {{0}, "0"},
    {{7}, "7"},
    {{-1}, "-1"},
    {{0, 1}, "i"},
    {{4, 4}, "4"},
    {{9, 2}, "-7 * i + 9"},
    {{-1, 1}, "2 * i - 1"},
    // constants, and near misses by one at either end
    {{5, 5, 5, 5}, "5"},
    {{4, 5, 5, 5}, "min(i + 4, 5)"},
    {{6, 5, 5, 5}, ""},
    {{5, 5, 5, 6}, ""},
    {{5, 5, 5, 4}, ""},
    // the identity
    {{0, 1, 2, 3}, "i"},
    {{1, 1, 2, 3}, ""},
    {{-1, 1, 2, 3}, ""},
    {{0, 1, 2, 4}, ""},
    {{0, 1, 2, 2}, "min(i, 2)"},
    // progressions with a short last step, and with one too long
    {{0, 128, 256, 300}, "min(128 * i, 300)"},
    {{0, 128, 256, 384}, "128 * i"},
    {{0, 128, 256, 385}, ""},
    {{0, 128, 256, 257}, "min(128 * i, 257)"},
    {{0, 128, 256, 256}, "min(128 * i, 256)"},
    {{0, 128, 256, 255}, ""},
    {{0, 128, 255, 300}, ""},
    {{3, 35, 67, 80, 80}, "min(32 * i + 3, 80)"},
    {{-3, 2, 7, 8}, "min(5 * i - 3, 8)"},
    // only a rising progression has a short end
    {{9, 6, 3, 2}, ""},
    {{9, 6, 3, 0}, "-3 * i + 9"},
    // at the edge of 32 bits
    {{INT_MAX}, "2147483647"},
    {{0, INT_MAX}, "2147483647 * i"},
    {{0, 1 << 30, INT_MAX}, ""},  // 2 * 2^30 overflows before min() could cut it
    {{1, 1 << 30, INT_MAX}, "1073741823 * i + 1"},
    {{0, (1 << 30) - 1, INT_MAX - 1}, "1073741823 * i"},
    {{-INT_MAX, INT_MAX}, ""},           // the step itself is no int
    {{INT_MAX, 0, -INT_MAX}, ""},        // nor is twice this one, though every entry is
    {{-2, 1073741822, 2147483646}, ""},  // 2^31 - 2, but by way of 2^31
};

TEST(Model, FitsExactlyTheArraysThatItGivesBack) {
  for (const ModelCase& entry : cases) {
    SCOPED_TRACE(testing::PrintToString(entry.entries));
    const std::optional<Fit> fit = fit_linear(entry.entries);
    EXPECT_EQ(fit ? text_of(fit->entry) : "", entry.text);
  }
}

}  // namespace
}  // namespace alphasparse
