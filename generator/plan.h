// plan: one branch made ready for composing - its layout, its segments, and who writes which row.
//
// Sinks are chosen in two passes over all branches: first every port says which rows it writes,
// then a port whose rows all have exactly one writer stores them whole; any other port adds
// atomically to rows that an earlier launch has initialised. Rows without a writer are initialised
// by the same launch.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "generator/carries.h"
#include "generator/layout.h"
#include "generator/segments.h"
#include "generator/shared_table.h"
#include "generator/store.h"

namespace alphasparse {

/// One place in a kernel from which sums reach y.
struct RowPort {
  std::vector<std::int32_t> rows;  ///< of the caller's y, once a write
  int times = 1;                   ///< every one of them is written so many times
  bool ordered = false;            ///< nobody else writes them in the same launch
  bool adds = false;  ///< decided at the root: added (atomically unless ordered), else stored whole

  bool adds_in_any_order() const { return adds && !ordered; }
};

struct BranchPlan {
  const Store* store = nullptr;  ///< must outlive the plan
  Layout layout;
  std::optional<SegmentArrays> segments;  ///< where a chain works on heads and tails
  std::optional<SharedTable> table;       ///< where a chain adds up slices of shared memory
  std::optional<Carries> carries;         ///< where edges leave by a launch of their own
  Level tile_level = Level::thread;       ///< level at which segments are numbered
  RowPort whole;                          ///< sums of `one`, or segments inside a tile
  RowPort edge;  ///< segments at a tile's ends, or the carries; empty where no row is shared
};

Result<BranchPlan> plan_branch(const Store& store);

/// Decides `adds` of every port; returns the rows to initialise, ascending. Fails where a design
/// stores rows that have another writer.
Result<std::vector<std::int32_t>> choose_sinks(std::vector<BranchPlan*> branches,
                                               std::int32_t rows);

}  // namespace alphasparse
