// shipped_start: the shipped matrices that correct expected times, and their weight beside the
// user's own.
#include "search/strategies/shipped_start.h"

#include <gtest/gtest.h>

#include "operators/named_designs.h"

namespace alphasparse {
namespace {

Features features_of_rows(std::int64_t rows) {
  Features features;
  features.rows = features.cols = features.nnz = rows;
  return features;
}

class ShippedStart : public testing::Test {
 protected:
  const Designs named = canonical_named_designs(Target::gpu);
  const std::string &a = named[0].text(), &b = named[1].text(), &c = named[2].text();
  const ShippedExperience experience{
      {{"near", "one", "p1", features_of_rows(1000), {{a, 1}, {b, 1.05}}},
       {"far", "two", "p2", features_of_rows(100'000), {{c, 1}, {a, 2}}},
       {"kin", "one", "p3", features_of_rows(1010), {{b, 1}}}},
      0,
      ""};

  WarmStart start(const ShippedStartOptions& options = {}) const {
    WarmStart warm;
    add_shipped(warm, experience, features_of_rows(1001), options);
    return warm;
  }
};

TEST_F(ShippedStart, HasTheNearestFirstAndTheirFastDesigns) {
  const WarmStart warm = start();
  EXPECT_EQ(warm.shipped_matrices, (std::vector<std::string>{"near", "kin", "far"}));
  ASSERT_EQ(warm.shipped.size(), 3u);
  EXPECT_GT(warm.shipped[0].weight, warm.shipped[1].weight);
  EXPECT_GT(warm.shipped[1].weight, warm.shipped[2].weight);
  EXPECT_EQ(warm.shipped[0].us.at(b), 1.05);
  EXPECT_EQ(warm.listed, (Designs{named[0], named[1], named[2]}));
  EXPECT_EQ(start({.nearest = 2}).listed, (Designs{named[0], named[1]}));
  EXPECT_TRUE(warm.designs.empty()) << "they are none of the user's database";
}

TEST_F(ShippedStart, LeavesOutAMatrixWithItsOrigin) {
  EXPECT_EQ(start({.pattern_left_out = "p1"}).shipped_matrices, (std::vector<std::string>{"far"}));
  EXPECT_EQ(start({.pattern_left_out = "p2"}).shipped_matrices,
            (std::vector<std::string>{"near", "kin"}));
}

}  // namespace
}  // namespace alphasparse
