// branch_plan: one branch made ready for composing: its layout, its segments, and the writers of
// each row. plan.h makes it.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "generator/facts/carries.h"
#include "generator/facts/layout.h"
#include "generator/facts/segments.h"
#include "generator/facts/shared_table.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// How sums reach y. Where a design asks for one, those before it will do.
enum class Epilogue {
  store,   ///< as alpha * sum + beta * y, by the row's first and only writer so far
  add,     ///< onto a row that an earlier launch has written, by its one writer at the time
  atomic,  ///< the same, by several writers at a time
};

const char* epilogue_fragment(
    Epilogue epilogue);  ///< "global_store", "global_add", "global_atomic"

/// The writers of sums, with the sums that each writes once. A level that is cut by columns makes
/// parts of a row. Tiles are cut by non-zeros, or along a merge path.
enum class Writers {
  // one sum of one row, of those that hold it
  row_by_holder,   ///< each row: the one thread, group, warp or block that has all of it
  row_by_lanes,    ///< each row: every lane that it is dealt to
  row_by_warps,    ///< each row: every warp of the block that shares it
  part_by_holder,  ///< each part of a row: the one warp or block that has all of it
  part_by_lanes,   ///< each part of a row: every lane that it is dealt to
  part_by_warps,   ///< each part of a row: every warp of the block that shares it
  tile_by_warp,    ///< each tile that is part of a row: its warp. Rows without non-zeros have none
  part_by_thread,  ///< each thread: the row that its non-zeros lie in
  // many rows; those at the ends leave through a port of their own
  table_by_block,    ///< each row of a block's table; cut by non-zeros, blocks share their ends
  path_by_tile,      ///< each row that ends on a tile's path, the first and the last as ends
  segments_by_tile,  ///< each segment of a tile, the first and the last as ends
};

using TakeRow = std::function<void(std::int32_t row)>;

/// Lists rows, one a write. They may be as many as the entries, so most lists are no arrays: they
/// read the store.
using EachRow = std::function<void(const TakeRow& take)>;

/// One place in a kernel from which sums reach y.
struct RowPort {
  EachRow rows;   ///< of the caller's y, until the epilogues are chosen; null: none
  int times = 1;  ///< every one of them is written so many times
  Epilogue epilogue = Epilogue::store;  ///< decided at the root
};

struct BranchPlan {
  const Store* store = nullptr;  ///< must outlive the plan
  Layout layout;
  Writers writers = Writers::row_by_holder;
  const LevelFacts* parts = nullptr;  ///< of the store: parts of rows or tiles with a sum each
  /// Where a chain works on heads and tails. The arrays are empty once the format has them.
  std::optional<SegmentArrays> segments;
  std::optional<SharedTable> table;  ///< where a chain adds up slices of shared memory
  /// Where blocks bring their slice of x. Its arrays are empty once the format has them.
  std::optional<StagedColumns> staged;
  /// Where edges leave by a launch of their own; its rows are the caller's.
  std::optional<Carries> carries;
  Level tile_level = Level::thread;  ///< level at which segments are numbered
  RowPort whole;                     ///< sums of `one`, or segments inside a tile
  RowPort edge;      ///< segments at a tile's ends; empty without them, or where they are carried
  RowPort mirrored;  ///< products of mirror images, which are added one by one as they are read
  RowPort carried;   ///< sums of the launch that adds up carries, behind the branch's own
};

}  // namespace alphasparse
