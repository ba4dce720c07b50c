// ell_peel, diagonal_peel, dense_block_peel: the regular part of the matrix to a branch of its own,
// the rest to another (HYB; DIA; BSR).
//
// A diagonal or a block is listed with the positions that are not stored in it: fill, with the
// value 0. Fill repeats a column of its own row, so that it never makes a row non-finite that the
// reference leaves finite; a row without any stored entry has fill of column -1.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "operators/all_operators.h"
#include "operators/converting/full_blocks.h"
#include "operators/converting/splits.h"

namespace alphasparse {

namespace {

// More fill than this cannot pay, however regular the part is.
constexpr std::int64_t fill_growth_max = 16;
constexpr std::int64_t fill_free = 1 << 22;

int two_branches(const Arguments&) { return 2; }

/// Fill is a matter of positions that are not stored: it must not be there yet.
std::optional<std::string> cannot_split_off(const Store& store, const Arguments& arguments) {
  if (auto reason = cannot_split(store, arguments)) return reason;
  if (store.filled) return "the branch has fill already; put compress before it";
  return std::nullopt;
}

std::optional<std::string> cannot_split_diagonals(const Store& store, const Arguments& arguments) {
  if (store.gathers_x()) return "the columns were renumbered, so diagonals are no lines any more";
  return cannot_split_off(store, arguments);
}

/// HYB's published rule: the most non-zeros that at least a third of the rows have.
std::int64_t width_of_a_third(const Store& store) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int32_t> lengths;
  for (std::int32_t row = 0; row < store.rows(); ++row)
    lengths.push_back(first[row + 1] - first[row]);
  if (lengths.empty()) return 1;
  const auto third = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 3);
  std::nth_element(lengths.begin(), third, lengths.end(), std::greater<>());
  return std::max(1, *third);
}

Result<std::vector<Store>> split_ell(const Store& store, const Arguments& arguments) {
  const std::int64_t width =
      arguments.text("width") == "third" ? width_of_a_third(store) : arguments.integer("width");
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  return split_by_entries(
      store,
      {fmt::format("the first {} non-zeros of each row", width),
       fmt::format("the non-zeros of each row behind its first {}", width)},
      [&](std::int32_t row, std::int32_t nz) { return nz - first[row] < width ? 0 : 1; });
}

/// Makes the two branches of a peel with fill, row by row.
class HybridSplit {
 public:
  HybridSplit(const Store& store, std::string regular, std::string rest)
      : store_(store),
        first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()) {
    regular_.description = std::move(regular);
    regular_.listed = true;
    rest_.description = std::move(rest);
  }

  /// Why so many positions are too many, or nothing.
  std::optional<Failure> too_many(std::int64_t positions) const {
    const std::int64_t most =
        std::min(store_.nnz() * fill_growth_max + fill_free, store_.listed_positions_max);
    if (positions <= most) return std::nullopt;
    return Failure{Status::pruned,
                   fmt::format("its regular part has {} positions, of {} non-zeros: more than {}",
                               positions, store_.nnz(), most)};
  }

  /// Room for so many positions of the regular part.
  void reserve(std::int64_t positions) {
    regular_.col.reserve(positions);
    regular_.source.reserve(positions);
    regular_.rows.reserve(store_.rows());
    regular_.first.reserve(store_.rows() + 1);
  }

  void begin_row(std::int32_t row) {
    row_ = row;
    next_ = first_[row];
    column_ = next_ < first_[row + 1] ? col_[next_] : -1;
  }

  /// The next position of the regular part, ascending; where it is not stored, fill.
  void list(std::int64_t col) {
    while (next_ < first_[row_ + 1] && col_[next_] < col) leave();
    const bool stored = next_ < first_[row_ + 1] && col_[next_] == col;
    regular_.col.push_back(stored ? col_[next_] : column_);
    // In one triangle the first column stays: it is mostly the diagonal, which has no image to add.
    if (stored && !store_.mirrored()) column_ = col_[next_];
    regular_.source.push_back(stored ? source_[next_++] : -1);
  }

  void end_row() {
    while (next_ < first_[row_ + 1]) leave();
    regular_.end_row(row_);
    if (static_cast<std::size_t>(rest_.first.back()) < rest_.col.size()) rest_.end_row(row_);
  }

  std::vector<Store> stores() {
    return {store_.branch(std::move(regular_)), store_.branch(std::move(rest_))};
  }

 private:
  void leave() {
    rest_.col.push_back(col_[next_]);
    rest_.source.push_back(source_[next_++]);
  }

  const Store& store_;
  const std::vector<std::int32_t>&first_, &col_;
  const Sources source_;
  BranchEntries regular_, rest_;
  std::int32_t row_ = 0;
  std::int32_t next_ = 0;     ///< non-zero of the row that is not handed out yet
  std::int32_t column_ = -1;  ///< of the row, for fill
};

// ---- diagonals

/// The offsets col - row of the diagonals that are full enough, ascending. Rows are the caller's.
std::vector<std::int64_t> full_diagonals(const Store& store, std::int64_t share) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  const std::int64_t rows = store.callers_rows(), cols = store.cols();
  std::vector<std::int32_t> stored(static_cast<std::size_t>(rows + cols), 0);
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      ++stored[col[nz] - origin[row] + rows];
    }
  }
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = -rows; offset < cols; ++offset) {
    const std::int64_t length = std::min(rows, cols - offset) - std::max<std::int64_t>(0, -offset);
    const std::int64_t count = stored[offset + rows];
    if (count > 0 && count * 100 >= share * length) offsets.push_back(offset);
  }
  return offsets;
}

Result<std::vector<Store>> split_diagonals(const Store& store, const Arguments& arguments) {
  const std::vector<std::int64_t> offsets = full_diagonals(store, arguments.integer("share"));
  HybridSplit split(store, fmt::format("{} diagonals", offsets.size()),
                    "what lies on no full diagonal");
  const auto positions = static_cast<std::int64_t>(offsets.size()) * store.rows();
  if (auto failure = split.too_many(positions)) return *failure;
  split.reserve(positions);
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    split.begin_row(row);
    // Beyond the matrix's edge too, so that every row has one position a diagonal.
    for (const std::int64_t offset : offsets) split.list(origin[row] + offset);
    split.end_row();
  }
  return split.stores();
}

// ---- dense blocks

Result<std::vector<Store>> split_blocks(const Store& store, const Arguments& arguments) {
  const auto rows = static_cast<std::int32_t>(arguments.integer("rows")),
             cols = static_cast<std::int32_t>(arguments.integer("cols"));
  const bool at_entries = arguments.text("from") == "entry";
  const auto blocks = full_blocks(store, {rows, cols, arguments.integer("share"), at_entries});
  const std::int64_t positions = static_cast<std::int64_t>(blocks.col.size()) * rows * cols;
  HybridSplit split(store, fmt::format("blocks of {} x {}", rows, cols),
                    "what lies in no full block");
  if (auto failure = split.too_many(positions)) return *failure;
  split.reserve(positions);
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    split.begin_row(row);
    for (const std::int32_t block : blocks.band(row / rows)) {
      for (std::int64_t col = block; col < std::int64_t{block} + cols; ++col) split.list(col);
    }
    split.end_row();
  }
  std::vector<Store> branches = split.stores();
  branches[0].blocks = {rows, cols, at_entries};
  return branches;
}

}  // namespace

const Operator ell_peel = {
    .name = "ell_peel",
    .stage = Stage::converting,
    .paper = "new: HYB",
    .doc = "the first non-zeros of each row to one branch, what is beyond them to another",
    .parameters = {{.name = "width",
                    .doc =
                        "non-zeros of a row that go to the first branch, at most; third: as many "
                        "as a third of the rows have",
                    .least = 1,
                    .most = index_limit,
                    .choices = {"third"},
                    .coarse =
                        [](const RowFacts& rows) {
                          const auto mean = static_cast<std::int64_t>(rows.length_mean);
                          return std::vector<std::int64_t>{std::max<std::int64_t>(1, mean),
                                                           mean + 1, 2 * mean + 1};
                        }}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(0.3 + 0.5 * at.spread); },
    .branches = two_branches,
    .split = split_ell,
};

const Operator diagonal_peel = {
    .name = "diagonal_peel",
    .stage = Stage::converting,
    .paper = "new: DIA",
    .doc = "diagonals that are full enough to one branch, with fill; the rest to another",
    .parameters = {{.name = "share",
                    .doc =
                        "percent of a diagonal that is stored, at least; 0: any that is not empty",
                    .least = 0,
                    .most = 100,
                    .coarse =
                        [](const RowFacts&) {
                          return std::vector<std::int64_t>{50, 80, 20, 0};
                        }}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split_diagonals,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(0.1 + 3 * at.diagonal_share); },
    .branches = two_branches,
    .split = split_diagonals,
};

const Operator dense_block_peel = {
    .name = "dense_block_peel",
    .stage = Stage::converting,
    .paper = "new: BSR",
    .doc = "blocks that are full enough to one branch, with fill; the rest to another",
    .parameters =
        {{.name = "rows",
          .doc = "rows of a block",
          .least = 1,
          .most = 64,
          .coarse_on_cpu =
              [](const RowFacts&) {
                return std::vector<std::int64_t>{2, 3, 1, 4};
              }},
         {.name = "cols",
          .doc = "columns of a block",
          .least = 1,
          .most = 64,
          .coarse_on_cpu =
              [](const RowFacts&) {
                return std::vector<std::int64_t>{2, 4, 8};
              }},
         {.name = "share",
          .doc = "percent of a block that is stored, at least; 0: any that is not empty",
          .least = 0,
          .most = 100,
          .coarse =
              [](const RowFacts&) {
                return std::vector<std::int64_t>{100, 70, 50};
              }},
         {.name = "from",
          .doc = "where blocks begin: at multiples of their columns, or at the first entry of "
                 "their rows that no block holds yet",
          .fallback = "grid",
          .choices = {"grid", "entry"}}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split_off,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(0.1 + 4 * at.block_share); },
    .branches = two_branches,
    .split = split_blocks,
};

}  // namespace alphasparse
