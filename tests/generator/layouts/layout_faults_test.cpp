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
const char* const own = "compress | thread_rows rows=1 | thread_pad length=own | interleave";
const char* const runs = "compress | thread_rows rows=1 | thread_pad multiple=2 | interleave run=2";
const char* const lanes = "compress | thread_cols lanes=2 | thread_pad multiple=2";
const char* const wide =
    "compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | warp_pad | interleave";
const char* const gang =
    "compress | warp_rows rows=2 | thread_rows rows=1 | thread_pad | interleave | thread_total | "
    "global_store | launch tasks=bytes";
const char* const gang_diagonals =
    "compress | warp_rows rows=2 | thread_rows rows=1 | warp_diagonals | interleave | thread_total "
    "| global_store | launch tasks=bytes";
const char* const tile = "compress | warp_nnz nnz=64 | thread_nnz nnz=2 | interleave";

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
    {plain, [](Layout& layout) { layout.in_order = false; },
     "in_order is false, the store says otherwise"},
    {plain, [](Layout& layout) { layout.column[1] = 4; }, "column[1] is 4, not in [0, 4)"},
    {plain, [](Layout& layout) { layout.column[1] = -1; }, "column[1] is -1, not in [0, 4)"},
    {plain, [](Layout& layout) { layout.predicated = true; },
     "the product is predicated, but no column is -1"},
    {plain, [](Layout& layout) { layout.value_source[1] = 6; },
     "value_source[1] is 6, not in [-1, 6)"},
    {plain, [](Layout& layout) { layout.value_source[1] = 0; },
     "value_source[1] is 0, stored before"},
    {plain, [](Layout& layout) { layout.value_source[1] = -1; }, "value 1 is not stored"},
    {plain, [](Layout& layout) { std::swap(layout.value_source[1], layout.value_source[2]); },
     "value_source[1] is 2, not 1, of non-zero 1"},
    {plain, [](Layout& layout) { layout.column[1] = 2; }, "column[1] is 2, not 3, of non-zero 1"},

    {padded, [](Layout& layout) { layout.predicated = false; }, "column[3] is -1, not in [0, 4)"},
    {padded, [](Layout& layout) { layout.column[2] = 0; },
     "column[2] is 0, which the pad's row 0 does not have"},
    {padded, [](Layout& layout) { layout.column[4] = 0; },
     "column[4] is 0, but the pad's row is empty"},
    {padded, [](Layout& layout) { layout.first_entry.pop_back(); },
     "first_entry has 4 entries, not 5"},
    {padded, [](Layout& layout) { layout.first_entry[0] = 1; }, "first_entry[0] is 1, not 0"},
    {padded, [](Layout& layout) { layout.first_entry[1] = 7; },
     "first_entry[2] is 6, less than the 7 before it"},
    {padded, [](Layout& layout) { layout.first_entry[4] = 11; },
     "first_entry[4] is 11, not 12, the end"},
    {padded, [](Layout& layout) { layout.first_entry[1] = 1; },
     "thread 0 does not reach its non-zero 1"},
    {padded, [](Layout& layout) { layout.stride = 2; },
     "stride is 2: threads of one parent would overlap"},
    {padded, [](Layout& layout) { std::swap(layout.value_source[8], layout.value_source[9]); },
     "value_source[8] is 3, but a pad stands there"},

    {ell, [](Layout& layout) { layout.stride = 3; },
     "stride is 3: threads of one parent would overlap"},
    {ell, [](Layout& layout) { layout.stride = 16; },
     "value_source[16] is -1, not 1, of non-zero 1"},
    {tile, [](Layout& layout) { layout.stride = 64; }, "warp 0 has 64 entries, not 64 lanes of 2"},
    {tile, [](Layout& layout) { layout.column[40] = 2; },
     "column[40] is 2, which the pad's row 3 does not have"},
    {own, [](Layout& layout) { layout.stride = 128; },
     "thread 0 reads beyond the last stored entry"},
    {own, [](Layout& layout) { std::swap(layout.value_source[0], layout.value_source[1]); },
     "value_source[0] is -1, not 0, of non-zero 0"},
    {wide, [](Layout& layout) { layout.first_entry[1] = 64; },
     "first_entry[2] is 192, no multiple of 64: tiles differ in width"},
    {runs, [](Layout& layout) { std::swap(layout.value_source[1], layout.value_source[2]); },
     "value_source[1] is -1, not 1, of non-zero 1"},
    {runs, [](Layout& layout) { layout.stride = 32; },
     "column[32] is 0, which the pad's row 0 does not have"},
    // lanes: first_entry 0 2 2 4 8, a pad at 3 and at 7
    {lanes, [](Layout& layout) { layout.first_entry.pop_back(); },
     "first_entry has 4 entries, not 5"},
    {lanes, [](Layout& layout) { layout.first_entry[1] = 1; },
     "first_entry[1] is 1, not 2 behind the one before it"},
    {lanes, [](Layout& layout) { layout.first_entry[2] = 4; },
     "first_entry[2] is 4, not 0 behind the one before it"},
    {lanes, [](Layout& layout) { layout.column[3] = 1; },
     "column[3] is 1, which the pad's row 2 does not have"},
    {lanes, [](Layout& layout) { std::swap(layout.value_source[2], layout.value_source[3]); },
     "value_source[2] is -1, not 2, of non-zero 2"},
    {lanes, [](Layout& layout) { layout.in_order = true; },
     "in_order is true, the store says otherwise"},
    // gang: lane 1 of the first gang, of 8, has no entry
    {gang, [](Layout& layout) { layout.empty_lanes.clear(); },
     "lane 1 of gang 0 has no entries, but its sum is not cleared"},
    {gang, [](Layout& layout) { layout.empty_lanes[1] = 2; },
     "lane 1 of gang 1 has entries, but its sum is cleared"},
    {gang, [](Layout& layout) { layout.column[1] = 1; },
     "column[1] is 1, but the pad's row is empty"},
    // gang_diagonals: no lane is cleared, for bits leave out missing entries
    {gang_diagonals, [](Layout& layout) { layout.value_source[1] = 0; },
     "value_source[1] is 0, stored before"},
    {gang_diagonals, [](Layout& layout) { layout.column[1] = 0; },
     "column[1] is 0, but the pad's row is empty"},
    // jds: first_entry 0 3 5 6, first_diagonal 0 3
    {jds, [](Layout& layout) { layout.first_diagonal[1] = 2; },
     "first_diagonal[1] is 2, not 3, the end"},
    {jds, [](Layout& layout) { layout.first_entry[3] = 5; }, "first_entry[3] is 5, not 6, the end"},
    {jds, [](Layout& layout) { layout.first_entry[1] = 2; },
     "value_source[2] is 2, not 4, of non-zero 1"},
    {jds, [](Layout& layout) { layout.first_entry[2] = 4; },
     "value_source[4] is 1, not 5, of non-zero 2"},
    {jds,
     [](Layout& layout) {
       layout.first_entry = {0, 4, 5, 6};
     },
     "value_source[4] is 1, not 4, of non-zero 1"},
    {"compress | thread_nnz nnz=4", [](Layout& layout) { layout.first_entry[1] = 5; },
     "thread 1 reads beyond the last stored entry"},
    {"compress | warp_rows rows=2 | thread_nnz nnz=2 | interleave",
     [](Layout& layout) { layout.first_entry[1] = 96; },
     "warp 0 has 96 entries, not 32 lanes of 2"},
    {"compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment",
     [](Layout& layout) {
       layout.value_source[6] = 0;
       layout.value_source[0] = -1;
     },
     "value_source[6] is 0, but a pad stands there"},
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

struct BitmapCase {
  std::function<void(Layout&)> edit;
  const char* violation;
};

// One block of 8 x 4: bits 1 and 3 of row 0, 10 of row 2, and 12, 13 and 15 of row 3.
const std::vector<BitmapCase> bitmap_cases = {
    {[](Layout& layout) { layout.bitmap.reset(); },
     "there are bitmap blocks or threads in places, the store says otherwise"},
    {[](Layout& layout) { layout.in_order = true; }, "in_order is true, the store says otherwise"},
    {[](Layout& layout) { layout.bitmap->band_first[1] = 2; },
     "band_first[1] is 2, not 1, the end"},
    {[](Layout& layout) { layout.bitmap->bits.pop_back(); },
     "1 blocks have 0 words of bits and 1 first entries"},
    {[](Layout& layout) { layout.bitmap->bits[0] |= 1u << 2; },
     "block 0 has a bit for column 2 of row 0"},
    {[](Layout& layout) { layout.bitmap->bits[0] &= ~(1u << 15); },
     "row 3 has no bit for its non-zero 5"},
    {[](Layout& layout) { layout.bitmap->first_entry[0] = 1; },
     "value_source[1] is 1, not 0, of non-zero 0"},
};

TEST(LayoutFaults, EachBrokenBitIsNamed) {
  Store store = *apply_steps(uneven, "compress");
  store.layout = BitBlocks{4};
  for (const BitmapCase& entry : bitmap_cases) {
    Layout layout = *assign_positions(store);
    ASSERT_EQ(check_layout(store, layout), "");
    entry.edit(layout);
    EXPECT_EQ(check_layout(store, layout), entry.violation);
  }
}

}  // namespace
}  // namespace alphasparse
