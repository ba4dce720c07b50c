// composition: a kernel body in the making - what the passes of compose.cpp share, and those
// passes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generator/compose.h"
#include "generator/format_struct.h"
#include "generator/plan.h"
#include "generator/slots.h"

namespace alphasparse {

struct Composition {
  Composition(const BranchPlan& branch, FormatStruct& arrays)
      : plan(branch), store(*branch.store), format(arrays), gang(branch.store->gang()) {}

  const BranchPlan& plan;
  const Store& store;
  FormatStruct& format;
  int gang;  ///< on a CPU: lanes that a core works on at once; 0: none, and on a GPU
  Body body;
  std::string block = "blockIdx.x";  ///< index of the block among the branch's
  std::vector<Slot> slots = {};      ///< outermost first; slots[0] is the body itself
  std::size_t block_slot = 0;        ///< the slot in which a block is open
  std::size_t table_slot = 0;        ///< the slot in which a block uses its table
  std::string table_first = {};      ///< the first thread whose sum is in it
  std::string row = "row";           ///< the logical row in scope
  std::string predicate = {};  ///< condition under which a group of lanes has a row; empty: always

  int threads() const { return store.launch.threads; }
  const LevelFacts& thread_level() const { return *store.level(Level::thread); }
  Slot& add_slot(const std::string& header, Worker uniform);

  bool on_cpu() const { return store.on_cpu(); }

  /// What a local of one thread is for all lanes of a gang: "const Value" -> "const Lanes<32>".
  std::string lanes_type(std::string_view type) const;
  std::string lanes_of_int() const { return "const Ints<" + std::to_string(gang) + ">"; }

  /// Notes that the body calls a fragment; returns its name.
  std::string use(std::string_view fragment);

  /// The block's table in shared memory, with room for so many values at least.
  std::string table(std::int64_t values);

  /// A word a warp in shared memory.
  std::string flags();

  /// The slot in which a tile is open, whose ends other tiles may share.
  Slot& slot_of_tile();

  /// A functor of one integer; on a CPU, whose compilers warn of it, without a name that nothing
  /// reads. Its text stands on a line of its own where it is not `on_one_line`.
  std::string functor(const std::string& argument, const std::string& text,
                      bool on_one_line = true) const;

  /// The functors `emit` and `edge`, for which `first_row` and `row_of` are there.
  void let_ports(Slot& base);

  /// The call that takes `sum` of a row at a tile's end.
  std::string edge_call(const std::string& row, const std::string& is_last);

  /// The lane in the warp, and in a group of lanes that share a row.
  std::string lane();
  std::string group_lane(int lanes);

  /// The caller's row of a logical row; of each lane's, where `row` is a Run.
  std::string origin(const std::string& row, bool of_lanes = false);

  /// The caller's row in scope, or that of a unit: the part of a row, else the thread. Of each
  /// lane's row, where that is a Run.
  std::string row_of_y(const LevelFacts* part, bool of_lanes = false);
};

/// What one unit of a level is called: a unit of one row, where rows are not cut again inside, is
/// a row.
std::string unit_name(const Store& store, const LevelFacts& level);

/// Adds what says which element of x an entry meets to the format: `column`, or, where a thread
/// adds up steps, `column_step` and the first column of each thread; by diagonals a column a
/// diagonal and `bits`, which say where entries are. Takes the columns out of the plan.
void add_columns(BranchPlan& plan, std::vector<std::uint32_t> bits, const Matrix& matrix,
                 FormatStruct& format);

/// Says how the steps of a branch become columns, once its body has been written.
void add_step_walk(const BranchPlan& plan, const Matrix& matrix, FormatStruct& format);

/// Puts `term`, from a stored position to its product, where bodies find it. Returns what the local
/// `y_row` of the innermost slot stands for, or nothing where there is none.
std::string let_term(Composition& composition);

/// What tasks must know of the outermost units. When the body has been written.
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
SegmentNames let_segments(Composition& composition);

/// The blocks of a row's band, its first bit in a block, and the first column of a block that the
/// thread takes. The functors `bits_of`, `entry_of` and `column_of` are there then.
struct BitmapNames {
  std::string first, end, bit, lane;
};
BitmapNames let_bitmap(Composition& composition);

/// Puts what threads with bands of dense blocks read where bodies find it: the functors
/// `column_of`, `value_of`, `emit` and, where blocks have gaps, `term`.
void let_blocks(Composition& composition);

/// The rows between which a thread walks a merge path, and the functor of its products.
struct PathNames {
  std::string row, end;
  std::string term = "term";
};
PathNames let_path(Composition& composition);

}  // namespace alphasparse
