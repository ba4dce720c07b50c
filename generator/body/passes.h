// passes: the parts of a kernel body, each written by a pass of its own; compose.cpp calls them in
// order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generator/code/composition.h"

namespace alphasparse {

/// Adds to the format the members that say which element of x an entry meets: `column`, or, where a
/// thread adds up steps, `column_step` and the first column of each thread. By diagonals it adds a
/// column a diagonal and `bits`, which say where entries are. Takes the columns out of the plan.
void add_columns(BranchPlan& plan, std::vector<std::uint32_t> bits, const Matrix& matrix,
                 FormatStruct& format);

/// Says how the steps of a branch become columns, once its body has been written.
void add_step_walk(const BranchPlan& plan, const Matrix& matrix, FormatStruct& format);

/// Puts `term`, from a stored position to its product, where bodies find it. Returns the expression
/// for the local `y_row` of the innermost slot, or nothing where there is none.
std::string bind_term(Composition& composition);

/// The facts on the outermost units that tasks need. Call it when the body has been written.
TaskText task_text(Composition& composition);

/// The first of a unit's children, as kernels find it once the levels are open.
Expression first_child(const Composition& composition, const LevelFacts& children);

/// Opens a slot for every level, outermost first, and sets the blocks of the grid.
void open_levels(Composition& composition);

/// Brings the block's slice of x into shared memory, in the slot of the block.
void stage_slice_of_x(Composition& composition);

/// The slot in which the block's table is added up, and the rows of the block there.
struct TableNames {
  std::size_t slot = 0;
  std::string first_row, end_row;
};

/// Sends the sums that the last statement of slots[at] computes to the block's table. The functors
/// `first_slot` and `emit` are there then.
TableNames fill_table(Composition& composition, std::size_t at);

/// The stored positions of a thread: first, first + step, ... below end. In a ragged tile: of the
/// diagonals first to end, the position `local` of each that is long enough. Of a band of dense
/// blocks: blocks in the place of positions, of which thread `local` of a tile has each `step`th.
struct Items {
  std::string first, end, step;
  std::string local = {};  ///< ragged tiles and bands only
};
Items items_of(Composition& composition);

/// The names under which the arrays of heads and tails reach the fragments.
struct SegmentNames {
  std::string open, seg_offset;
};
SegmentNames bind_segments(Composition& composition);

/// The blocks of a row's band, its first bit in a block, and the first column of a block that the
/// thread takes. The functors `bits_of`, `entry_of` and `column_of` are there then.
struct BitmapNames {
  std::string first, end, bit, lane;
};
BitmapNames bind_bitmap(Composition& composition);

/// Puts the functors for threads with bands of dense blocks where bodies find them: `column_of`,
/// `value_of`, `emit` and, where blocks have gaps, `term`.
void bind_blocks(Composition& composition);

/// The rows between which a thread walks a merge path, and the functor of its products.
struct PathNames {
  std::string row, end;
  std::string term = "term";
};
PathNames bind_path(Composition& composition);

}  // namespace alphasparse
