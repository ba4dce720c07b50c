// carries: the slots of a row's parts on a worked example, and the facts that a kernel with carries
// states.
#include "generator/facts/carries.h"

#include <gtest/gtest.h>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

using Entries = std::vector<std::int32_t>;

TEST(Carries, TheWorkedExample) {
  const Carries carries = find_carries({{0, 1, 1}, {1, 1, 3}});
  EXPECT_EQ(carries.rows, (Entries{0, 1, 3}));
  EXPECT_EQ(carries.first_slot, (Entries{0, 1, 5, 6}));
  EXPECT_EQ(carries.parts_max, 2);
}

TEST(Carries, NoTilesNoRows) {
  const Carries carries = find_carries({});
  EXPECT_TRUE(carries.rows.empty());
  EXPECT_EQ(carries.first_slot, Entries{0});
}

TEST(Carries, EdgesAreTheRowsOfATilesFirstAndLastItem) {
  // Rows of lengths 1 3 0 1 2 5.
  const Matrix matrix = from_rows(8, {{{4, 1}},
                                      {{0, 1}, {1, 1}, {2, 1}},
                                      {},
                                      {{7, 1}},
                                      {{3, 1}, {5, 1}},
                                      {{0, 1}, {2, 1}, {4, 1}, {6, 1}, {7, 1}}});
  const Store nnz = *apply_steps(matrix, "compress | thread_nnz nnz=4");
  EXPECT_EQ(tile_edges(nnz, Level::thread).first, (Entries{0, 3, 5}));
  EXPECT_EQ(tile_edges(nnz, Level::thread).last, (Entries{1, 5, 5}));
  // On the path a tile's last row is the one that is open; the last row of all never ends.
  const Store path = *apply_steps(matrix, "compress | thread_merge_path items=4");
  EXPECT_EQ(tile_edges(path, Level::thread).first, (Entries{0, 1, 3, 5, 5}));
  EXPECT_EQ(tile_edges(path, Level::thread).last, (Entries{1, 3, 5, 5, 5}));
}

TEST(Carries, KernelsWithCarriesHaveAWorkspaceAndOneOrder) {
  const Matrix matrix = battery().back().matrix;
  Designer designer(matrix);
  const Result<Kernel> atomic = designer.build(resolve_design("csr5"), Dtype::f64);
  ASSERT_TRUE(atomic.ok()) << atomic.reason();
  EXPECT_TRUE(atomic->adds_in_any_order);
  EXPECT_TRUE(atomic->workspaces.empty());
  const Result<Kernel> ordered = designer.build(resolve_design("merge-csr"), Dtype::f64);
  ASSERT_TRUE(ordered.ok()) << ordered.reason();
  EXPECT_FALSE(ordered->adds_in_any_order);
  ASSERT_EQ(ordered->workspaces.size(), 1u);
  const std::int64_t tiles = (matrix.rows + matrix.nnz() + 895) / 896;
  EXPECT_EQ(ordered->workspaces[0].count, 2 * tiles);
  EXPECT_EQ(ordered->workspaces[0].bytes(), 16 * tiles);
  EXPECT_EQ(ordered->launches.back().kernel, "spmv_carry");
  EXPECT_EQ(ordered->source.find("atomicAdd"), std::string::npos);
}

/// The design of merge-csr with so many items a thread, as a kernel's text.
std::string merge_source(int items, Dtype dtype, const std::string& launch) {
  const Matrix matrix = battery().back().matrix;
  Designer designer(matrix);
  const Result<Kernel> kernel = designer.build(
      "row_split parts=2 { compress | thread_rows rows=1 | thread_total | global_store | launch "
      "threads=64" +
          launch + " } { compress | block_merge_path items=" + std::to_string(64 * items) +
          " | thread_merge_path items=" + std::to_string(items) +
          " | thread_merge | shared_offset | global_atomic | launch threads=64" + launch + " }",
      dtype);
  EXPECT_TRUE(kernel.ok()) << kernel.reason();
  return kernel.ok() ? kernel->source : "";
}

TEST(SharedProducts, AreStagedWhereABlockHasRoomForThem) {
  const auto stages = [](const std::string& source) {
    return source.find("stage_path<") != std::string::npos;
  };
  EXPECT_TRUE(stages(merge_source(7, Dtype::f64, "")));
  EXPECT_TRUE(stages(merge_source(90, Dtype::f32, "")));   // 46,080 bytes, ends of rows included
  EXPECT_FALSE(stages(merge_source(90, Dtype::f64, "")));  // 69,120 bytes
  EXPECT_FALSE(stages(merge_source(7, Dtype::f64, " fused=yes"))) << "other branches need room too";
}

TEST(SharedTables, AreRefusedWhereABlockHasNoRoomForThem) {
  const Matrix matrix = battery().back().matrix;  // 5316 non-zeros
  Designer designer(matrix);
  const std::string line =
      "compress | block_rows rows=1001 | thread_nnz nnz=1 | thread_total | shared_offset | "
      "global_store | launch threads=128";
  EXPECT_TRUE(designer.build(line, Dtype::f32).ok());
  EXPECT_TRUE(designer.build(line, Dtype::f64).ok());
  Matrix tall = matrix;  // twice the rows
  for (std::size_t row = 0; row < matrix.row_first.size() - 1; ++row) {
    tall.row_first.push_back(matrix.row_first[row + 1] + matrix.row_first.back());
  }
  tall.rows *= 2;
  tall.col.insert(tall.col.end(), matrix.col.begin(), matrix.col.end());
  tall.value.insert(tall.value.end(), matrix.value.begin(), matrix.value.end());
  Designer large(tall);
  const std::string all =
      "compress | block_rows rows=2002 | thread_nnz nnz=1 | thread_total | shared_offset | "
      "global_store | launch threads=128";
  EXPECT_TRUE(large.build(all, Dtype::f32).ok());
  const Result<Kernel> refused = large.build(all, Dtype::f64);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.reason(), "a block needs 85056 bytes of shared memory, it may have 49152");
}

}  // namespace
}  // namespace alphasparse
