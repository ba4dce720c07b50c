// fragment: the typed interface of a device fragment: its arguments, its result, and the workers
// that must arrive.
//
// A fragment is one `__device__ __forceinline__` function template in templates/fragments/NAME.cuh.
// The kernel builder writes a call to it from its declaration alone. Each argument is a role that
// the builder knows how to fill. The value that flows from call to call is a Partial.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "generator/arrays/partial.h"

namespace alphasparse {

/// The numbers that the builder can pass as template arguments.
enum class TemplateRole {
  part_size,   ///< terms a thread
  vector,      ///< entries, or values of a block, that a thread loads at once
  lanes,       ///< lanes that share a row, or a sum
  sums,        ///< sums that a thread keeps apart
  batch,       ///< terms that a thread asks for before it adds them
  count,       ///< terms of a thread, where all have as many
  threads,     ///< threads of a block
  block_cols,  ///< columns of a bitmap block, or of a dense one
  band_rows,   ///< rows of a band of dense blocks
  block_run,   ///< columns of a dense block's row that lie side by side
};

/// The roles that the builder can pass as arguments of the call.
enum class Role {
  first,        ///< first stored position of the thread
  end,          ///< end of its stored positions
  step,         ///< distance between two of them
  local,        ///< index of the thread in its ragged tile, or in its tile of bands; first and end
                ///< then count diagonals, or blocks
  entry_of,     ///< functor: diagonal or block -> its first stored position
  first_block,  ///< first block of the thread, or of the row's band
  end_block,    ///< end of its blocks
  first_bit,    ///< bit of the row's first column in a block
  block_lane,   ///< first column of a block that the thread takes
  bits_of,      ///< functor: block -> its bits
  column_of,    ///< functor: block -> its first column; stored position -> column
  value_of,     ///< functor: stored position -> value
  values_of,    ///< functor: stored position -> the values there that are loaded at once
  image_of,     ///< functor: value -> that of its mirror image
  image_x,      ///< functor: which row of a band -> alpha times the x that multiplies its images
  has_cell,     ///< functor: block, cell -> whether the row has it
  row,          ///< the caller's row of the thread, the first of a band
  x,            ///< the elements of x
  out,          ///< y and its factors
  starts,       ///< bit k: term k starts a row
  lane_starts,  ///< bit l: lane l of the warp starts a row
  open,         ///< segment that is open where the thread begins
  seg_offset,   ///< threads to the right that start no row
  term,         ///< functor: stored position -> product
  terms,        ///< functor: writes the products of neighbours, from a stored position on, to an
                ///< array
  row_of,       ///< functor: segment -> row of y
  emit,         ///< functor: row, or which one of a band, and a sum to which no other thread adds
  edge,         ///< functor: row, sum that a neighbour may add to
  partial,      ///< the value that the fragment before gave
  table,        ///< the block's table of values in shared memory
  first_row,    ///< first row of the block
  end_row,      ///< end of its rows
  path_row,     ///< row of the merge path that is open where the thread begins
  path_end,     ///< row that is open where it ends
  row_end,      ///< functor: row -> end of its non-zeros
  flags,        ///< a word a warp in shared memory
  first_slot,   ///< functor: row -> the first of its slots in the table
};

/// Terms of a thread that load at the same time; a model of times uses them.
struct InFlight {
  int terms = 1;
  bool rest = false;     ///< those behind the last full batch too; else they wait one by one
  bool is_loop = false;  ///< of a fragment: its compiler may unroll, so that there are more
};

/// A loop over terms without a batch of its own.
inline constexpr InFlight plain_loop = {1, false, true};

/// Rounds of a plain loop whose loads go out together. NVIDIA's compiler unrolls by four. Clang for
/// GPUs of AMD does not unroll: bcsstk15 for gfx90a by clang 19, csr-vector, ell and sell-c-sigma
/// without a batch.
constexpr int unrolled_terms(Dialect dialect) { return dialect == Dialect::hip ? 1 : 4; }

/// Loads in flight of terms in straight code: as many as there are registers for.
inline constexpr int loads_with_registers = 16;

/// The time that a total costs one thread of a CPU, without the time of memory
/// (generator/layouts/cpu_costs.h).
struct TotalCost {
  double entry_ns = 0;  ///< for each entry that its lanes go through
  double part_ns = 0;   ///< for each gang, or each thread or row where none work together
};

struct Fragment {
  std::string_view name;  ///< of the function and of its file
  Shape takes = Shape::none;
  Shape gives = Shape::none;
  Worker scope = Worker::thread;  ///< workers that must arrive together
  std::vector<TemplateRole> template_arguments;
  std::vector<Role> arguments;
  std::string_view result_type;  ///< of the local that keeps the result; empty: nothing is returned
  std::string_view result_name;
  InFlight in_flight = {};
  /// Its replacement on a GPU where all threads have the same, small number of terms; null: none.
  const Fragment* counted = nullptr;
  /// The same where no thread has more than one term.
  const Fragment* once = nullptr;
  bool full_parts = false;  ///< reads `items` terms unconditionally
  bool full_tiles = false;  ///< takes a partial of every lane of a tile: pads complete the last one
  bool spreads_rounding =
      false;  ///< sums cross rows and are subtracted again: digits, Inf and NaN spread
  /// Of a total that costs the same in any layout and with any lanes; none on GPUs alone.
  std::optional<TotalCost> cpu_cost = {};
};

/// One call in a reduction chain.
struct FragmentStep {
  const Fragment* fragment = nullptr;  ///< lives as long as the program
  int lanes = 0;                       ///< for TemplateRole::lanes
  int sums = 1;                        ///< for TemplateRole::sums
  int batch = 1;                       ///< for TemplateRole::batch
};

/// Whether some step of the chain is called with it.
bool passes(const std::vector<FragmentStep>& chain, Role role);

}  // namespace alphasparse
