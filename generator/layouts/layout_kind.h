// layout_kind: the contract between a layout and the passes, operators and models that use it.
//
// A layout says where the entries of a branch lie, and how a kernel finds and multiplies them. It
// is a struct of parameters (generator/facts/layout_choice.h) and a row of functions, its `kind`.
// All others ask `layout_kind(store)`: they neither name a layout nor read its parameters.
//
// Units: an entry is a non-zero, a pad or fill. A position counts stored entries from 0. A row is a
// logical row of the store. All columns are the store's.
//
// Every function may assume that the store passes check_store, and that its choice is this kind.
// `total` may assume that `reply` accepted the same request. `write` may assume that a thread level
// is open if the layout needs one. `reads` is asked of each store whose `misfit` is empty. A layout
// that is chosen before the threads are cut has no pads yet. `range`, `term` and `columns` are
// called once a branch: first `columns`, then `term`, then `range`. The plan has the layout that
// `write` made. Costs: `reply` may look at each entry; facts that it works out are kept in the
// store (Store::fact). Functions are called for a branch, never for an entry.
//
// layout_contract.h proves that every value is stored once, beside its column. Verification proves
// the rest: that each thread reads its own entries (tests/mutants).
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/code.h"
#include "base/result.h"
#include "generator/arrays/fragment.h"
#include "generator/arrays/kernel.h"
#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

struct BranchPlan;   // generator/code/branch_plan.h
struct Composition;  // generator/code/composition.h
class FormatStruct;  // generator/arrays/format_struct.h

/// The changes and readings that operators ask a layout for.
namespace request {
struct MoveRows {};  ///< put the rows into another order
struct Split {};     ///< give entries to other branches
struct OpenLevel {   ///< open a level
  Tiling tiling = Tiling::rows;
};
struct OpenThreads {  ///< open the thread level by rows: one row each, or several
  bool single_rows = true;
};
struct ShareRows {  ///< deal each row to so many lanes
  std::int64_t lanes = 2;
};
struct Pad {  ///< threads as long as the longest of their parent
  bool own_length = false;
  int multiple = 1;
};
struct LineUp {};  ///< the rows of each warp by their diagonals
struct Widen {     ///< padded threads as long as the longest of all parts of a level
  Level level = Level::block;
};
struct Transpose {  ///< threads of one parent side by side
  bool ragged = false;
  int run = 1;  ///< neighbours that stay together; 0: all columns of a block's row
};
struct StageX {};  ///< read x from a slice of the block
struct Total {     ///< add up the products of a thread
  int sums = 1;
  int vector = 1;
  int batch = 1;
  bool by_hardware = false;  ///< lanes read x by one instruction
};
struct Batch {};        ///< ask for the loads of several products at once
struct StepColumns {};  ///< store steps between columns
struct CodeColumns {};  ///< store columns by a coding
struct PackColumns {};  ///< code the columns, and nothing else
struct ReadByGang {};   ///< lanes of a CPU read together
}  // namespace request

using Request = std::variant<request::MoveRows, request::Split, request::OpenLevel,
                             request::OpenThreads, request::ShareRows, request::Pad,
                             request::LineUp, request::Widen, request::Transpose, request::StageX,
                             request::Total, request::Batch, request::StepColumns,
                             request::CodeColumns, request::PackColumns, request::ReadByGang>;

/// An array by which kernels count: the entries before a part are `entries` for each of its
/// element, which the array UNIT + suffix has.
struct Counter {
  const char* suffix;
  int entries = 1;
};

/// How a thread reads, as models of times and the writer of bodies need it.
struct Reads {
  std::int64_t stored = 0;   ///< positions that `write` uses, pads included
  std::int64_t least = 0;    ///< of those, how many some thread reads at least
  std::int64_t worked = 0;   ///< of those, how many lanes of a CPU go through
  std::int64_t longest = 0;  ///< entries of the longest thread
  int rows = 1;              ///< of y that a thread adds up side by side, by the same loads of x
  int cols = 0;              ///< of a block; 0: there are no blocks
  std::int64_t stride = 1;   ///< between the runs of a thread, at most
  int in_flight = 0;         ///< loads of x that are in flight together; 0: as the fragment says
  bool x_in_order = false;   ///< lanes read neighbours of x
  std::vector<std::string_view> arrays;  ///< beginnings of names: a kernel reads all of these
  std::vector<Counter> before;    ///< these together count entries; empty: one array, as is usual
  std::optional<TotalCost> cost;  ///< of the total on a CPU, where it has one of its own
  std::string_view cost_rows;     ///< else the rows of CPU costs for the work of so many lanes
};

/// The stored positions of a thread: first, first + step, ... below end. In a ragged tile: of the
/// diagonals first to end, the position `local` of each that is long enough. In a band of dense
/// blocks: blocks in the place of positions, of which thread `local` of a tile has each `step`th.
/// In blocks of bits: the blocks of the row's band, its first bit in a block, and the first column
/// of a block that the thread takes. Each is the text of the role of its name (`Role`).
struct Range {
  Code first, end, step;
  Code local = {};                        ///< ragged tiles and bands only
  Code first_block = {}, end_block = {};  ///< blocks, where positions are not meant
  Code bit = {}, lane = {};               ///< blocks of bits only
};

/// Told of a pad that some thread adds up; true: no further ones.
using PadVisit = std::function<bool(const PadRead&)>;

struct LayoutKind {
  const char* name;

  /// The layout after the request, often the same; or the reason why the layout rules it out, as
  /// operators report it.
  Result<LayoutChoice> (*reply)(const Store&, const Request&);

  /// The call that adds up a thread's products.
  FragmentStep (*total)(const Store&, const request::Total&);

  /// Fills `column`, `value_source` and the layout's own arrays. `stored` is set before.
  void (*write)(const Store&, Layout&);

  /// The positions of a thread. Adds the arrays that say where they begin.
  Range (*range)(Composition&);

  /// Puts the functors of a product where the body finds them. Returns the expression for the local
  /// `y_row` of the innermost slot, or nothing where there is none.
  Code (*term)(Composition&);

  /// Adds the arrays that say which x an entry meets. Takes the columns out of the plan.
  void (*columns)(BranchPlan&, const Matrix&, FormatStruct&);

  Reads (*reads)(const Store&);

  /// Tells the pads that threads add up, one a thread, until `visit` is true; then true.
  bool (*pads)(const Store&, const PadVisit& visit);

  /// Why the open levels are not such as the layout needs; empty: they are.
  std::string (*misfit)(const Store&);

  /// The parameters for people: "padded".
  std::vector<const char*> (*labels)(const Store&);

  /// The size of each row, by which sorting puts the largest first; null: the number of its
  /// entries. No level is open.
  std::vector<std::int64_t> (*sizes)(const Store&) = nullptr;
};

/// The row of the store's layout.
const LayoutKind& layout_kind(const Store& store);

/// Why the store's layout rules the request out, or nothing.
std::optional<std::string> rejection(const Store& store, const Request& request);

/// Makes the change that the request asks for. It must fit.
void change_layout(Store& store, const Request& request);

}  // namespace alphasparse
