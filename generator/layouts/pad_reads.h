// pad_reads: which rows add pads up, and which x these pads meet.
//
// A pad has value 0 and repeats a column of its row (layout.h), and so has fill (store.h). 0 times
// Inf is NaN: where x has an Inf in that column, the row is NaN, and not the Inf that it should be.
// Rows that do not have the column never meet its x.
//
// Not all pads are added: lanes of empty rows are cleared, products of column -1 predicated, places
// of diagonals and bits masked, and a band of dense blocks adds its row again by its bits.
//
// Most kernels are built without anybody asking for the list, so it is made on demand.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/facts/store.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// The columns that the pads of threads repeat.
class PadColumns {
 public:
  explicit PadColumns(const Store& store);

  /// Of a thread that has a non-zero.
  std::int32_t of(std::int64_t unit) const {
    return first_row_ ? col_[row_first_[(*first_row_)[unit]]] : col_[first_nz_[unit + 1] - 1];
  }

 private:
  const std::vector<std::int32_t>&col_, &first_nz_, &row_first_;
  const std::vector<std::int32_t>* first_row_ = nullptr;  ///< where it is the first of the row
};

/// Visits fill, which stands among the entries of its row and repeats a column of it, once for each
/// column (LayoutKind::pads).
bool visit_fill(const Store& store, const PadVisit& visit);

/// Whether some pad is added up.
bool adds_pads(const Store& store);

/// What it takes to list the pads of a branch later on: the store without the sources of values,
/// unless these tell what is fill.
Store pad_store(const Store& store);

/// Of each thread of these branches that adds pads, one, by rows and columns of the matrix. Stores
/// refer to their matrix (Store::referring_to), which must still be there.
std::vector<PadRead> pad_reads(const std::vector<Store>& branches);

}  // namespace alphasparse
