// composition: a kernel body in the making - what the passes of compose.cpp share, and those
// passes.
#pragma once
#include <string>
#include <string_view>

#include "generator/compose.h"
#include "generator/format_struct.h"
#include "generator/plan.h"
#include "generator/slots.h"

namespace alphasparse {

struct Composition {
  const BranchPlan& plan;
  const Store& store;
  FormatStruct& format;
  Body body = {};
  std::string block = "blockIdx.x";  ///< index of the block among the branch's
  std::vector<Slot> slots = {};      ///< outermost first; slots[0] is the body itself
  std::string row = "row";           ///< the logical row in scope
  std::string predicate = {};  ///< condition under which a group of lanes has a row; empty: always

  int threads() const { return store.launch.threads; }
  const LevelFacts& thread_level() const { return *store.level(Level::thread); }
  Slot& add_slot(const std::string& header, Worker uniform);

  /// Notes that the body calls a fragment; returns its name.
  std::string use(std::string_view fragment);

  /// The lane in the warp, and in a group of lanes that share a row.
  std::string lane();
  std::string group_lane(int lanes);

  /// The caller's row of a logical row.
  std::string origin(const std::string& row);
};

/// What one unit of a level is called: a unit of one row, where rows are not cut again inside, is
/// a row.
std::string unit_name(const Store& store, const LevelFacts& level);

/// Opens a slot for every level, outermost first, and sets the blocks of the grid.
void open_levels(Composition& composition);

/// The stored positions of a thread: first, first + step, ... below end. In a ragged tile: of the
/// diagonals first to end, the position `local` of each that is long enough.
struct Items {
  std::string first, end, step;
  std::string local = {};  ///< ragged only
};
Items items_of(Composition& composition);

/// The names under which the arrays of heads and tails reach the fragments.
struct SegmentNames {
  std::string open, seg_offset;
};
SegmentNames let_segments(Composition& composition);

}  // namespace alphasparse
