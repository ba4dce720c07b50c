// grid_moves: the neighbours of known designs, and those that are left out as a plateau.
#include "search/strategies/grid_moves.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/outcomes.h"

namespace alphasparse {
namespace {

constexpr RowFacts row_lengths = {1, 20, 8, 4, 0};

std::string scalar_of(int threads) {
  return fmt::format(
      "compress | thread_rows rows=1 | thread_total | global_store | launch threads={}", threads);
}

Outcomes known(const std::vector<std::pair<std::string, double>>& times) {
  Outcomes outcomes;
  for (const auto& [design, time_us] : times) outcomes.emplace(design, timed(design, time_us));
  return outcomes;
}

/// The parameters of the fastest that may be changed.
std::set<std::string> axes_of_best(const Outcomes& outcomes) {
  KnownDesigns designs;
  const GridBases bases = grid_bases(outcomes, designs, row_lengths, 1, 4);
  std::set<std::string> parameters;
  for (const FineAxis& axis : bases.best.front().axes) parameters.insert(axis.parameter);
  return parameters;
}

TEST(GridMoves, AnAxisIsLeftOutWhereTwoOthersTakeAsLong) {
  const auto two = axes_of_best(known({{scalar_of(64), 5}, {scalar_of(128), 5.04}}));
  EXPECT_TRUE(two.contains("threads"));
  const auto three =
      axes_of_best(known({{scalar_of(64), 5}, {scalar_of(128), 5.04}, {scalar_of(256), 5.01}}));
  EXPECT_FALSE(three.contains("threads"));
  EXPECT_TRUE(three.contains("rows"));
  EXPECT_EQ(three.size() + 1, two.size());
}

TEST(GridMoves, AnAxisStaysWhereTimesDiffer) {
  EXPECT_TRUE(axes_of_best(known({{scalar_of(64), 5}, {scalar_of(128), 5.04}, {scalar_of(256), 6}}))
                  .contains("threads"));
}

TEST(GridMoves, DesignsThatDifferInMoreTellNothingOfAnAxis) {
  const std::string other =
      "compress | thread_rows rows=2 | thread_total | global_store | launch threads=512";
  EXPECT_TRUE(axes_of_best(known({{scalar_of(64), 5}, {scalar_of(128), 5.04}, {other, 5.02}}))
                  .contains("threads"));
}

TEST(GridMoves, WhatFollowsFromAnAxisBelongsToIt) {
  const auto csr5 = [](int nnz) {
    return fmt::format(
        "compress | warp_nnz nnz={} | thread_nnz nnz={} | interleave | thread_bitmap | "
        "warp_segment | global_atomic | launch threads=128",
        32 * nnz, nnz);
  };
  const auto axes = axes_of_best(known({{csr5(8), 5}, {csr5(12), 5.01}, {csr5(16), 5.02}}));
  EXPECT_FALSE(axes.contains("nnz"));
  EXPECT_TRUE(axes.contains("threads"));
}

TEST(GridMoves, OneChangedChangesEveryAxisOnce) {
  KnownDesigns designs_known;
  const GridBase base =
      grid_bases(known({{scalar_of(64), 5}}), designs_known, row_lengths, 1, 1).best.front();
  std::size_t values = 0;
  for (const FineAxis& axis : base.axes) values += axis.values.size() - 1;
  const std::vector<std::string> designs = list_texts(change_one(base));
  EXPECT_EQ(designs.size(), values);
  EXPECT_EQ(std::count(designs.begin(), designs.end(), scalar_of(64)), 0);
  EXPECT_EQ(std::count(designs.begin(), designs.end(), scalar_of(96)), 1);
}

}  // namespace
}  // namespace alphasparse
