// store: the metadata store of one branch - typed arrays under (level, name) keys, and facts cached
// from them.
//
// Converting operators rewrite the matrix level, mapping operators open levels by cutting the
// logical sequence of non-zeros, implementing operators append the reduction chain. Nothing here
// moves a non-zero: pads and interleave are recorded, and one final step (layout.h) assigns stored
// positions. Arrays are shared copy-on-write, so that a store is cheap to copy and to keep for a
// design's prefix.
//
// Example, rows of lengths 2, 0, 1 cut by `thread_rows rows=2`:
//   (matrix, row_first_nz) 0 2 2 3      (thread, first_row) 0 2 3     (thread, first_nz) 0 2 3
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/target.h"
#include "generator/arrays/compact_facts.h"
#include "generator/arrays/matrix.h"
#include "generator/arrays/partial.h"
#include "generator/arrays/vectors_order.h"
#include "generator/facts/derived_facts.h"
#include "generator/facts/layout_choice.h"

namespace alphasparse {

struct FragmentStep;  // generator/arrays/fragment.h

enum class Level { matrix, block, warp, thread };

const char* level_name(Level level);

enum class Name {
  nz_col,
  value_source,
  row_first_nz,
  row_origin,
  col_origin,
  first_nz,
  first_row,
  first_child
};

struct Key {
  Level level;
  Name name;
  auto operator<=>(const Key&) const = default;
};

/// The description of a key: shape, unit and invariant, one line; the text of `show --stage store`.
struct KeyDoc {
  Name name;
  const char* text_name;
  const char* doc;
};

const std::vector<KeyDoc>& key_docs();
std::string key_text(Key key);  ///< "thread.first_nz"

using Ints = std::shared_ptr<const std::vector<std::int32_t>>;

/// The canonical index of each non-zero's value, in logical order; -1 for fill.
class Sources {
 public:
  /// Null: the logical order is the canonical one.
  explicit Sources(const std::vector<std::int32_t>* listed)
      : listed_(listed == nullptr ? nullptr : listed->data()) {}

  std::int32_t operator[](std::int64_t nz) const {
    return listed_ == nullptr ? static_cast<std::int32_t>(nz) : listed_[nz];
  }

 private:
  const std::int32_t* listed_;
};

/// How a level is cut out of its parent.
enum class Tiling {
  rows,   ///< whole rows
  cols,   ///< runs of at most `width` non-zeros of one row
  lanes,  ///< each row dealt cyclically to `lanes` threads; parts are not enumerated
  nnz,    ///< `items` non-zeros, the last part of a parent completed by pads
  merge,  ///< `items` row ends and non-zeros of the merge path
};

/// Cached facts of one open level, which `applies` reads in O(1).
struct LevelFacts {
  Level level = Level::thread;
  Level parent = Level::matrix;
  Tiling tiling = Tiling::rows;
  std::int64_t parts = 0;         ///< 0 for lanes
  std::int32_t part_size = 0;     ///< nnz, merge: items of a full part, else 0
  std::int32_t lanes = 0;         ///< lanes: threads a row, else 0
  std::int32_t rows_max = 0;      ///< most rows of one part; 0 (not counted) for nnz, merge
  std::int32_t nz_max = 0;        ///< most non-zeros of one part
  std::int32_t nz_min = 0;        ///< fewest non-zeros of one part
  std::int32_t children_max = 0;  ///< most parts of this level under one part of its parent
  bool descending = false;  ///< under one parent, no part has more non-zeros than the one before
  std::int32_t row_multiple = 0;  ///< rows: every part begins at a multiple of it; 0: at row 0
};

/// Row lengths of the matrix level, logical order.
struct RowFacts {
  std::int32_t length_min = 0;
  std::int32_t length_max = 0;
  double length_mean = 0;
  double length_variance = 0;
  std::int32_t empty_rows = 0;
};

RowFacts row_facts(const std::vector<std::int32_t>& row_first_nz);

/// Resources of the launch.
struct LaunchFacts {
  int threads = 0;        ///< of a block; 0: no launch operator yet, or tasks of a CPU
  bool tasks = false;     ///< a CPU's: cut when the arrays are there
  bool one_task = false;  ///< ...or left whole, for one thread
  int columns = 0;        ///< of several vectors that one pass over A takes; 0: all
  int tile_threads = 0;   ///< not 0: a block reduces a tile together, so it must have so many
  std::int64_t grid = 0;  ///< 0: as many blocks as parts need
  int blocks_least = 0;   ///< that a multiprocessor holds at once; 0: as the compiler likes
  bool streamed = false;  ///< values and columns are marked as read once, so that caches keep x
  bool fused = false;     ///< in one launch with the other branches that say so
  bool is_set() const { return threads != 0 || tasks; }
};

/// The entries that a branching operator gives to a branch: some rows, and for each the positions
/// that are the branch's own, in logical order.
struct BranchEntries {
  std::vector<std::int32_t> rows;      ///< [rows of the branch] logical rows of the parent
  std::vector<std::int32_t> first{0};  ///< [rows of the branch + 1] offsets into the next two
  std::vector<std::int32_t> col;       ///< column of each position
  std::vector<std::int32_t> source;    ///< canonical index of its value; -1: fill, value 0
  bool listed = false;                 ///< its positions are those of a regular part
  std::string description;             ///< the rows of the branch: "rows of at least 32 non-zeros"

  void end_row(std::int32_t row) {
    rows.push_back(row);
    first.push_back(static_cast<std::int32_t>(col.size()));
  }
};

/// The part of x that a block reads into shared memory before its products.
enum class StagedX {
  none,
  range,   ///< from its least column to its greatest
  listed,  ///< the columns that it has, from a list
};

class Store {
 public:
  /// The root store: every row, canonical order. Copies the data that it needs from the matrix.
  explicit Store(const Matrix& matrix, Target target = Target::gpu);

  /// The same by the matrix' own arrays: it must outlive the store and those that are made from it.
  static Store refer_to(const Matrix& matrix, Target target = Target::gpu);

  /// The same for another target; no level may be open.
  Store retarget(Target target) const;

  Target target() const { return target_; }
  bool on_cpu() const { return target_ == Target::cpu; }

  /// The lanes that a CPU's core works on at once; 0: threads run one after the other. On a GPU
  /// always 0.
  int gang() const;

  /// The store of one branch of this one; no level may be open.
  Store branch(BranchEntries entries) const;

  /// Logical rows: in a branch only its own.
  std::int32_t rows() const { return rows_; }
  std::int32_t callers_rows() const { return callers_rows_; }  ///< of the whole matrix
  std::int32_t cols() const { return cols_; }
  std::int64_t nnz() const { return nnz_; }
  std::int64_t callers_nnz() const { return callers_nnz_; }  ///< of the whole matrix
  Mirror callers_mirror() const { return callers_mirror_; }  ///< of the whole matrix
  const RowFacts& row_facts() const { return row_facts_; }

  bool has(Key key) const;
  const Ints& array(Key key) const;
  const std::vector<std::int32_t>& ints(Key key) const { return *array(key); }
  std::map<Key, Ints> arrays() const;

  /// The same as the array of value_source. Of a store in canonical order that array is made when
  /// somebody asks for it, and stays: a large matrix is laid out without it.
  Sources sources() const;

  /// Gives up the array of sources where there is no fill. Only a layout needs it, and not once it
  /// is there. Facts stay as they are.
  void forget_sources();
  void set(Key key, Ints data);
  void set(Key key, std::vector<std::int32_t> data);

  /// Takes an array out of the store, where no other store and no matrix has it; else nothing.
  /// Until put_back() nobody may ask for it.
  std::optional<std::vector<std::int32_t>> take(Key key);
  /// The same entries again, so that all facts stay.
  void put_back(Key key, std::vector<std::int32_t> data);

  /// The parameters of the layout if it is of this kind, else null.
  template <class Kind>
  const Kind* layout_as() const {
    return std::get_if<Kind>(&layout);
  }

  /// A fact that make() works out from the arrays, or from them and the layout: once for all copies
  /// of the store that have the same arrays.
  template <class Fact, class Make>
  std::shared_ptr<const Fact> fact(const Make& make) const {
    return derived_->get<Fact>(std::nullopt, make);
  }
  template <class Fact, class Make>
  std::shared_ptr<const Fact> fact_of_layout(const Make& make) const {
    return derived_->get<Fact>(layout, make);
  }

  /// Open levels, outermost first.
  const std::vector<LevelFacts>& levels() const { return levels_; }
  const LevelFacts* level(Level level) const;  ///< null where it is not open
  const LevelFacts* innermost() const { return levels_.empty() ? nullptr : &levels_.back(); }
  /// The innermost level around a holder's threads that is not cut by non-zeros, where it is a part
  /// of one row; else null.
  const LevelFacts* part_of_row(Worker holder = Worker::thread) const;
  /// Opens a level. Threads of equal non-zeros lie in tiles from then on.
  void open(LevelFacts facts);
  void set_part_size(std::int32_t part_size);  ///< of the innermost level

  /// Puts the rows into the order `order` [rows], a permutation of the present logical rows, and
  /// moves every matrix-level array along. Where levels are open, only inside parts of whole rows.
  void permute_rows(const std::vector<std::int32_t>& order);

  /// Renumbers the columns in the order in which the rows first touch them; col_origin then says
  /// which they were. Only before a level is open.
  void gather_columns();

  /// Makes the present order that of the vectors: y has the order of the rows. x has that of the
  /// columns where the matrix is square, else that in which the rows first touch them. Only of a
  /// store of all rows, once, before a level is open.
  void take_own_order();
  /// The order of the vectors; null: the caller's.
  const std::shared_ptr<const VectorsOrder>& own_order() const { return own_order_; }

  bool mirrored() const { return mirror != Mirror::none; }
  bool gathers_x() const { return has({Level::matrix, Name::col_origin}); }
  bool rows_in_callers_order() const { return !permuted_; }

  /// Drops the positions that are not stored. Only before a level is open.
  void drop_fill();

  /// Drops the entries below the diagonal of the caller's matrix, which those above must give.
  void keep_upper_triangle();

  /// The reduction: calls of device functions, one after the other. `partial` is the result.
  const std::vector<FragmentStep>& chain() const { return *chain_; }
  void call(const FragmentStep& step);  ///< appends it
  bool is_reducing() const;             ///< the chain has a step
  bool warps_work_together() const;     ///< some step of the chain needs every lane of a warp
  bool tiles_are_full() const;          ///< some step takes a partial of every lane of a tile

  bool compressed = false;       ///< positions that are not stored are gone
  bool listed = false;           ///< or those of a regular part are listed, some of them as fill
  bool filled = false;           ///< there is fill: positions that are not stored, source -1
  Mirror mirror = Mirror::none;  ///< unless none, a non-zero stands for its mirror image too
  std::string description;       ///< the part of the matrix; empty for the whole
  LayoutChoice layout;           ///< how the entries lie
  BlockSize blocks;              ///< so many rows at a time are a band of dense blocks of that size
  StagedX staged = StagedX::none;    ///< the part of x that a block first brings into shared memory
  int vector = 1;                    ///< entries that a thread loads at once
  bool gathers_by_hardware = false;  ///< lanes read x by one instruction of the CPU
  Partial partial;                   ///< the result of the reduction chain
  std::string_view epilogue;         ///< name of the epilogue operator, or empty
  CompactFacts compact;
  LaunchFacts launch;
  std::int64_t listed_positions_max = index_limit;  ///< of a regular part: more are rejected

 private:
  Store(const Matrix& matrix, Target target, Ints col, Ints row_first);
  std::vector<std::int32_t> columns_as_touched() const;
  void renumber_columns(const std::vector<std::int32_t>& origin);
  void keep(const std::function<bool(std::int32_t row, std::int32_t nz)>& stays);

  Target target_ = Target::gpu;
  std::int32_t callers_rows_ = 0;
  std::int64_t callers_nnz_ = 0;
  Mirror callers_mirror_ = Mirror::none;
  std::int32_t rows_ = 0;
  std::int32_t cols_ = 0;
  std::int64_t nnz_ = 0;
  bool permuted_ = false;
  std::shared_ptr<const VectorsOrder> own_order_;
  RowFacts row_facts_;
  std::shared_ptr<const std::vector<FragmentStep>> chain_;  ///< never null
  std::map<Key, Ints> arrays_;
  std::vector<LevelFacts> levels_;
  std::shared_ptr<DerivedFacts> derived_ = std::make_shared<DerivedFacts>();  ///< never null
};

}  // namespace alphasparse
