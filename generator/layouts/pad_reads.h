// pad_reads: which rows add pads up, and which x these pads meet.
//
// A pad has value 0 and repeats a column of its row (layout.h), and so has fill (store.h). But 0
// times Inf is NaN: where x has an Inf in that column, the row is NaN, and not the Inf that it
// should be. Rows that do not have the column never meet its x.
//
// Not all pads are added. Lanes of empty rows are cleared, products of column -1 predicated, and
// places of diagonals and bits masked. A band of dense blocks adds its row again by its bits.
//
// Most kernels are built without a request for the list, so it is made on demand.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/facts/store.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// The columns that pads repeat, of threads or of other parts with neighbouring non-zeros.
class PadColumns {
 public:
  PadColumns(const Store& store, const std::vector<std::int32_t>& first_nz);

  /// That of a part that has a non-zero.
  std::int32_t of(std::int64_t part) const {
    return first_row_ ? col_[row_first_[(*first_row_)[part]]] : col_[first_nz_[part + 1] - 1];
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

/// The store from which the pads of a branch can be listed later. It has no sources of values,
/// unless these tell which entries are fill.
Store pad_store(const Store& store);

/// One pad of each thread of these branches that adds pads, by rows and columns of the matrix.
/// Stores refer to their matrix (Store::refer_to), which must still be there.
std::vector<PadRead> pad_reads(const std::vector<Store>& branches);

}  // namespace alphasparse
