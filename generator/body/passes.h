// passes: the parts of a kernel body, each written by a pass of its own; compose.cpp calls them in
// order.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "generator/code/composition.h"

namespace alphasparse {

/// The facts on the outermost parts that tasks need. Call it when the body has been written.
TaskText task_text(Composition& composition);

/// One row for each target (generator/code/target_writer.h), in a file of its own.
extern const TargetWriter cuda_writer, cpu_writer;
const TargetWriter& find_writer(Target target);

/// Every parent but the last has exactly one child for each of `many` workers.
bool children_fill_parents(const Store& store, const LevelFacts& level, const LevelFacts& parent,
                           int many);

/// Opens the loop of a thread over its rows.
void open_row_loop(Composition& composition);

/// Brings the block's slice of x into shared memory, in the slot of the block.
void stage_slice_of_x(Composition& composition);

/// The slot in which the block's table is added up, and the rows of the block there.
struct TableNames {
  std::size_t slot = 0;
  Code first_row, end_row;
};

/// Sends the sums that the last statement of slots[at] computes to the block's table. The functors
/// `first_slot` and `emit` are there then.
TableNames fill_table(Composition& composition, std::size_t at);

/// The names under which the arrays of heads and tails reach the fragments.
struct SegmentNames {
  Code open, seg_offset;
};
SegmentNames bind_segments(Composition& composition);

/// The rows between which a thread walks a merge path, and the functor of its products.
struct PathNames {
  Code row, end;
  Code term = "$term";
  Code row_end = "$row_end";
};
PathNames bind_path(Composition& composition);

}  // namespace alphasparse
