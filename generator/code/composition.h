// composition: a kernel body in the making: the state that the passes of compose.cpp share
// (passes.h).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/format_struct.h"
#include "generator/code/body.h"
#include "generator/code/branch_plan.h"
#include "generator/code/slots.h"
#include "generator/code/target_writer.h"

namespace alphasparse {

struct Composition {
  Composition(BranchPlan& branch, FormatStruct& arrays, const TargetWriter& target)
      : plan(branch),
        slices(branch.staged),
        segments(branch.segments),
        store(*branch.store),
        format(arrays),
        writer(target),
        gang(branch.store->gang()) {}

  const BranchPlan& plan;
  // Of the plan. Their arrays move into the format.
  std::optional<StagedColumns>& slices;
  std::optional<SegmentArrays>& segments;
  const Store& store;
  FormatStruct& format;
  const TargetWriter& writer;
  int gang;  ///< on a CPU: lanes that a core works on at once; 0: none, and on a GPU
  Body body;
  Code block = "blockIdx.x";     ///< index of the block among the branch's
  std::vector<Slot> slots = {};  ///< outermost first; slots[0] is the body itself
  std::size_t block_slot = 0;    ///< the slot in which a block is open
  std::size_t table_slot = 0;    ///< the slot in which a block uses its table
  std::string table_first = {};  ///< the first thread with a sum in it
  Code row = "$row";             ///< the logical row in scope
  Code predicate = {};  ///< condition under which a group of lanes has a row; empty: always

  int threads() const { return store.launch.threads; }
  const LevelFacts& thread_level() const { return *store.level(Level::thread); }

  /// Opens a slot inside the innermost one. Threads of `uniform` run it together.
  Slot& add_scope(Worker uniform);
  Slot& add_guard(const Code& condition, Worker uniform);
  Slot& add_loop(const Loop& loop, Worker uniform);

  /// The type for all lanes of a gang of one thread's local: "const Value" -> "const Lanes<32>".
  std::string lanes_type(std::string_view type) const;
  std::string lanes_of_int() const { return "const Ints<" + std::to_string(gang) + ">"; }

  /// A number under a name that the whole body knows; as it is, where another one has the name.
  Code constant(const std::string& name, std::int64_t number);

  /// Notes that the body calls a fragment; returns its name.
  std::string use(std::string_view fragment);

  /// The block's table in shared memory, with room for so many values at least.
  Code table(std::int64_t values);

  /// A word a warp in shared memory.
  Code flags();

  /// The slot in which a tile is open; other tiles may share its ends.
  Slot& slot_of_tile() { return slots[writer.slot_of_tile(*this)]; }

  /// A functor of one integer, without a name for it where compilers would warn. Its result may
  /// stand on a line of its own where it `may_break`.
  Code functor(const std::string& argument, const Code& result, bool may_break = false) const;

  /// The functors `emit` and `edge`, for which `first_row` and `row_of` are there.
  void bind_ports(Slot& base);

  /// The call that takes `sum` of a row at a tile's end.
  Code edge_call(const Code& row, const Code& is_last);

  /// The lane in the warp, and in a group of lanes that share a row.
  Code lane() { return writer.lane(*this); }
  Code group_lane(int lanes) { return writer.group_lane(*this, lanes); }

  /// The element of x, or of its slice, for a stored column.
  Code x_at(const Code& column) const;

  /// The caller's row of a logical row; of each lane's, where `row` is a Run.
  Code origin(const Code& row, bool of_lanes = false);

  /// The caller's row in scope, or that of a unit: the part of a row, else the thread. With
  /// `of_lanes`, the row of each lane, where that is a Run.
  Code row_of_y(const LevelFacts* part, bool of_lanes = false);
};

/// The name of one unit of a level: a unit of one row, where rows are not cut again inside, is a
/// row.
std::string part_name(const Store& store, const LevelFacts& level);

/// The number of lanes that share a row, under its name.
Code lanes_text(Composition& composition, int lanes);

}  // namespace alphasparse
