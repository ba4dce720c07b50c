// nearest_test: misspelt names, and the known names that are suggested for them.
#include "base/nearest.h"

#include <gtest/gtest.h>

namespace alphasparse {
namespace {

TEST(EditDistance, CountsLettersAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("abc", "abd"), 1u);
  EXPECT_EQ(edit_distance("abc", "ac"), 1u);
  EXPECT_EQ(edit_distance("abc", "xabc"), 1u);
  EXPECT_EQ(edit_distance("tune", "tnue"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(NearestName, IsNearOrNone) {
  const std::vector<std::string> names = {"tune", "emit", "bench"};
  EXPECT_EQ(nearest_name("tnue", names), "tune");
  EXPECT_EQ(nearest_name("bnech", names), "bench");
  EXPECT_EQ(nearest_name("xyz", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'a'), names), "");
  EXPECT_EQ(nearest_name("tune", {}), "");
}

TEST(NearestName, OfEquallyNearNamesIsTheFirst) {
  EXPECT_EQ(nearest_name("ell2", {"ell1", "ell3"}), "ell1");
}

TEST(UnknownName, ListsThemAll) {
  EXPECT_EQ(unknown_name("design", "cs5", {"csr5", "ell"}),
            "no design is called 'cs5' (did you mean csr5?); there are csr5, ell");
  EXPECT_EQ(did_you_mean("csr5", {"csr5", "ell"}), "");
  EXPECT_EQ(unknown_name("design", "banana", {"csr5"}),
            "no design is called 'banana'; there are csr5");
}

}  // namespace
}  // namespace alphasparse
