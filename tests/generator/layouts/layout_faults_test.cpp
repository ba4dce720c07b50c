// layout_faults: each invariant of layouts, broken once, is the fault that the checker names.
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "generator/layouts/layout_contract.h"
#include "generator/layouts/positions.h"
#include "tests/support/design_steps.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

const char* const jds = "sort_rows | compress | thread_rows rows=1 | interleave by=ragged";
const char* const plain = "compress | thread_rows rows=1";
const char* const padded = "compress | thread_rows rows=1 | thread_pad";
const char* const ell = "compress | thread_rows rows=1 | thread_pad | interleave";
const char* const lanes = "compress | thread_cols lanes=2 | thread_pad multiple=2";

struct ChoiceCase {
  const char* design;
  std::function<void(Store&)> edit;
  const char* violation;
};

const char* const not_enumerated = "padded or interleaved, but no threads are enumerated";
const char* const warps = "compress | warp_rows rows=2 | thread_rows rows=1";

const std::vector<ChoiceCase> choice_cases = {
    {"compress | thread_cols lanes=4",
     [](Store& store) {
       store.layout = Tiled{Padding{}, 1};
     },
     not_enumerated},
    {"compress", [](Store& store) { store.layout = Ragged{}; }, not_enumerated},
    {"compress", [](Store& store) { store.layout = WarpDiagonals{}; }, not_enumerated},
    {ell, [](Store& store) { store.vector = 4; },
     "4 entries are loaded at once, but runs are of 1"},
    {lanes, [](Store& store) { store.vector = 4; },
     "4 entries are loaded at once, but rows begin at multiples of 2"},
    {warps, [](Store& store) { store.layout = PaddedRows{2}; },
     "rows are padded, but no lanes share them"},
    {warps, [](Store& store) { store.layout = Ragged{}; },
     "ragged, but a thread is longer than one before it"},
};

TEST(LayoutFaults, ALayoutNeedsItsLevels) {
  ASSERT_EQ(check_choice(*apply_steps(uneven, jds)), "");
  for (const ChoiceCase& entry : choice_cases) {
    Store store = *apply_steps(uneven, entry.design);
    ASSERT_EQ(check_choice(store), "") << entry.design;
    entry.edit(store);
    EXPECT_EQ(check_choice(store), entry.violation) << entry.design;
  }
}

struct LayoutCase {
  const char* design;
  std::function<void(Layout&)> edit;
  const char* violation;
};

// `padded` stores, a thread a line (column:value, value -1 a pad):
//   1:0 3:1 3:-1   |   -1:-1 -1:-1 -1:-1   |   2:2 2:-1 2:-1   |   0:3 1:4 3:5
const std::vector<LayoutCase> layout_cases = {
    {plain, [](Layout& layout) { layout.stored = 7; }, "stored is 7, stored_entries says 6"},
    {plain, [](Layout& layout) { layout.column.pop_back(); }, "column has 5 entries, not 6"},
    {plain, [](Layout& layout) { layout.value_source.pop_back(); },
     "value_source has 5 entries, not 6"},
    {plain, [](Layout& layout) { layout.value_source[1] = 6; },
     "value_source[1] is 6, which the branch lacks or has before"},
    {plain, [](Layout& layout) { layout.value_source[1] = -2; },
     "value_source[1] is -2, which the branch lacks or has before"},
    {plain,
     [](Layout& layout) {
       layout.value_source[1] = 0;
       layout.column[1] = layout.column[0];
     },
     "value_source[1] is 0, which the branch lacks or has before"},
    {plain, [](Layout& layout) { layout.value_source[1] = -1; }, "value 1 is not stored"},
    {plain, [](Layout& layout) { std::swap(layout.value_source[1], layout.value_source[2]); },
     "column[1] is 3, but value 2 has column 2"},
    {ell, [](Layout& layout) { layout.column[0] = 2; }, "column[0] is 2, but value 0 has column 1"},
    {padded, [](Layout& layout) { layout.predicated = false; }, "column[3] is -1, not in [0, 4)"},
    {padded, [](Layout& layout) { layout.column[2] = 4; }, "column[2] is 4, not in [-1, 4)"},
};

TEST(LayoutFaults, EachBrokenLayoutIsNamed) {
  for (const LayoutCase& entry : layout_cases) {
    const Store store = *apply_steps(uneven, entry.design);
    Layout layout = *assign_positions(store);
    ASSERT_EQ(check_layout(store, layout), "") << entry.design;
    entry.edit(layout);
    EXPECT_EQ(check_layout(store, layout), entry.violation);
  }
}

}  // namespace
}  // namespace alphasparse
