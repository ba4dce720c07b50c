// layout_kind_test: each choice of a layout has its own row, and the answers to requests lead from
// one to the next.
#include "generator/layouts/layout_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "generator/layouts/kinds/diagonals.h"
#include "generator/layouts/positions.h"
#include "tests/support/battery.h"
#include "tests/support/design_steps.h"

namespace alphasparse {
namespace {

const Matrix& kinds_matrix() {
  static const Matrix built = battery_matrix("stencil_23");
  return built;
}

TEST(LayoutKind, EachChoiceHasTheRowOfItsName) {
  const std::vector<std::pair<LayoutChoice, std::string>> rows = {
      {InOrder{}, "in_order"},
      {Tiled{}, "tiled"},
      {PaddedRows{}, "padded_rows"},
      {Ragged{}, "ragged"},
      {WarpDiagonals{}, "warp_diagonals"},
      {BitBlocks{}, "bit_blocks"},
      {Bands{}, "bands"},
      {Mix{}, "mix"},
  };
  ASSERT_EQ(rows.size(), std::variant_size_v<LayoutChoice>);
  Store store(kinds_matrix());
  for (const auto& [choice, name] : rows) {
    store.layout = choice;
    EXPECT_EQ(layout_kind(store).name, name);
  }
}

TEST(LayoutKind, AnswersLeadFromOneLayoutToTheNext) {
  Store store = *apply_steps(kinds_matrix(), "compress | thread_rows rows=1");
  EXPECT_EQ(store.layout, LayoutChoice(InOrder{}));
  EXPECT_EQ(rejection(store, request::Widen{Level::matrix}),
            "the threads are not padded; put thread_pad before it");
  change_layout(store, request::Pad{true, 2});
  EXPECT_EQ(store.layout, LayoutChoice((Tiled{Padding{true, 2, false}, 0})));
  EXPECT_EQ(rejection(store, request::Pad{}), "the threads are padded already");
  change_layout(store, request::Transpose{false, 2});
  EXPECT_EQ(store.layout, LayoutChoice((Tiled{Padding{true, 2, false}, 2})));
  EXPECT_EQ(rejection(store, request::Transpose{}), "the threads are interleaved already");
  Store lanes = *apply_steps(kinds_matrix(), "compress | thread_cols lanes=4");
  change_layout(lanes, request::Pad{false, 4});
  EXPECT_EQ(lanes.layout, LayoutChoice(PaddedRows{4}));
  EXPECT_EQ(rejection(lanes, request::Pad{false, 4}), "the threads are padded already");
  EXPECT_EQ(rejection(lanes, request::Total{.vector = 2}), std::nullopt);
  const Store by_nnz = *apply_steps(kinds_matrix(), "compress | thread_nnz nnz=4");
  EXPECT_EQ(by_nnz.layout, LayoutChoice(Tiled{}));
}

TEST(LayoutKind, DiagonalsAreWorkedOutOnceForAllCopies) {
  const Store rows =
      *apply_steps(kinds_matrix(), "compress | warp_rows rows=32 | thread_rows rows=1");
  Store lined = rows;
  ASSERT_EQ(rejection(lined, request::LineUp{}), std::nullopt);
  const auto first = get_diagonals(rows);
  change_layout(lined, request::LineUp{});
  change_layout(lined, request::Transpose{});
  ASSERT_GT(stored_entries(lined), 0);
  EXPECT_EQ(get_diagonals(lined), first);
  // Other columns have other diagonals.
  lined.set({Level::matrix, Name::nz_col}, lined.array({Level::matrix, Name::nz_col}));
  EXPECT_NE(get_diagonals(lined), first);
  EXPECT_EQ(get_diagonals(lined)->column, first->column);
}

TEST(LayoutKind, AFactOfALayoutIsKeptForEachLayout) {
  Store store = *apply_steps(kinds_matrix(), "compress | thread_rows rows=1 | thread_pad");
  int made = 0;
  const auto count = [&] { return ++made; };
  EXPECT_EQ(*store.fact_of_layout<int>(count), 1);
  EXPECT_EQ(*store.fact_of_layout<int>(count), 1);
  const LayoutChoice before = store.layout;
  change_layout(store, request::Transpose{});
  EXPECT_EQ(*store.fact_of_layout<int>(count), 2);
  store.layout = before;
  EXPECT_EQ(*store.fact_of_layout<int>(count), 1);
  EXPECT_EQ(*store.fact<int>(count), 3);
}

}  // namespace
}  // namespace alphasparse
