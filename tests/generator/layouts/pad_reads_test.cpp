// pad_reads: of each padded thread the row and the column that its pads meet, by the matrix' own
// numbers.
#include "generator/layouts/pad_reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

using Pads = std::set<std::pair<int, int>>;

Pads pads_of(const Matrix& matrix, const std::string& design, Target target = Target::gpu) {
  const Result<Kernel> kernel = Designer(matrix).build(resolve_design(design, target), Dtype::f32);
  EXPECT_TRUE(kernel.ok()) << kernel.reason();
  Pads pads;
  if (!kernel) return pads;
  EXPECT_EQ(kernel->adds_pads, kernel->list_pads != nullptr);
  if (kernel->adds_pads) {
    for (const PadRead& pad : kernel->list_pads()) pads.emplace(pad.row, pad.column);
  }
  EXPECT_EQ(kernel->nonfinite(), pads.empty() ? NonFinite::exact : NonFinite::pads);
  return pads;
}

// Rows of 1, 3, 0 and 2 entries.
Matrix uneven() {
  return from_rows(4, {{{1, 1.}}, {{0, 1.}, {2, 1.}, {3, 1.}}, {}, {{0, 1.}, {2, 1.}}});
}

TEST(PadReads, AreTheLastColumnOfShortRows) {
  const Pads shorter = {{0, 1}, {3, 2}};
  for (const Target target : {Target::gpu, Target::cpu}) {
    EXPECT_EQ(pads_of(uneven(), "ell", target), shorter);
    EXPECT_EQ(pads_of(uneven(), "sell-c-sigma", target), shorter) << "whatever the rows' order";
    EXPECT_EQ(pads_of(uneven(), "row-grouped-csr", target), shorter);
    for (const char* const exact : {"csr-scalar", "csr-vector", "jds", "coo", "merge-csr", "bsell"})
      EXPECT_EQ(pads_of(uneven(), exact, target), Pads()) << exact;
  }
  EXPECT_EQ(pads_of(uneven(), "ellpack-r"), Pads()) << "its pads are not read";
}

TEST(PadReads, OfLanesAreTheLastColumnOfEachRowOrPart) {
  const std::string rows =
      "compress | thread_cols lanes=2 | thread_pad multiple=2 | thread_total vector=2 | warp_total "
      "| global_store | launch threads=32";
  EXPECT_EQ(pads_of(uneven(), rows), (Pads{{0, 1}, {1, 3}}));
  const std::string parts =
      "compress | warp_cols width=2 | thread_cols lanes=32 | thread_pad multiple=4 | thread_total "
      "vector=4 | warp_total | global_atomic | launch threads=32";
  EXPECT_EQ(pads_of(uneven(), parts), (Pads{{0, 1}, {1, 2}, {1, 3}, {3, 2}}));
}

TEST(PadReads, OfEqualRowsAreNone) {
  const Matrix even = from_rows(3, {{{0, 1.}, {1, 1.}}, {{1, 1.}, {2, 1.}}, {{0, 1.}, {2, 1.}}});
  EXPECT_EQ(pads_of(even, "ell"), Pads());
}

TEST(PadReads, OfFillAreColumnsOfTheRow) {
  const Matrix matrix = from_rows(2, {{{0, 1.}}, {{0, 1.}, {1, 1.}}});
  const Pads entries = {{0, 0}, {1, 0}, {1, 1}};
  for (const Target target : {Target::gpu, Target::cpu}) {
    EXPECT_EQ(pads_of(matrix, "dia", target), (Pads{{0, 0}}));
    const Pads of_blocks = pads_of(matrix, "bsr", target);
    EXPECT_TRUE(of_blocks.contains({0, 0}));
    EXPECT_TRUE(std::includes(entries.begin(), entries.end(), of_blocks.begin(), of_blocks.end()));
  }
}

TEST(PadReads, OfOneTriangleMeetTheImageToo) {
  const Matrix matrix = from_rows(3, {{{1, 1.}, {2, 1.}}, {{0, 1.}, {1, 1.}}, {{0, 1.}}});
  const Pads pads =
      pads_of(matrix,
              "symmetric_half | compress | block_rows rows=32 | thread_rows rows=1 | thread_pad | "
              "thread_total | global_atomic | launch threads=32");
  for (const auto& [row, column] : pads) EXPECT_TRUE(pads.contains({column, row}));
}

}  // namespace
}  // namespace alphasparse
