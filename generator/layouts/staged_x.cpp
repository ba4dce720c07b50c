#include "generator/layouts/staged_x.h"

#include <algorithm>
#include <utility>

namespace alphasparse {

namespace {

constexpr Key columns_key{Level::matrix, Name::nz_col};

/// Goes through the blocks and puts places into the place of columns.
class Slicer {
 public:
  explicit Slicer(Store& store) : store_(store) {
    auto columns = store.take(columns_key);
    took_columns_ = columns.has_value();
    position_ = columns ? std::move(*columns) : store.ints(columns_key);
  }

  Staged slice() {
    const auto& first_nz = store_.ints({Level::block, Name::first_nz});
    slices_.first.push_back(0);
    // Pages that are never written take no memory. Growing would copy.
    if (store_.staged == StagedX::listed) slices_.cols.reserve(position_.size());
    for (std::size_t block = 0; block + 1 < first_nz.size(); ++block) {
      const auto first = position_.begin() + first_nz[block],
                 end = position_.begin() + first_nz[block + 1];
      const std::int64_t size =
          store_.staged == StagedX::range ? range(first, end) : list(first, end);
      slices_.most = std::max(slices_.most, size);
    }
    Store placed = store_;
    placed.set(columns_key, std::move(position_));
    return {std::move(slices_), std::move(placed), took_columns_};
  }

 private:
  using Iterator = std::vector<std::int32_t>::iterator;

  /// Fill of an empty row has column -1, and keeps it.
  std::int64_t range(Iterator first, Iterator end) {
    std::int32_t least = store_.cols(), most = -1;
    for (auto at = first; at != end; ++at) {
      if (*at >= 0) least = std::min(least, *at);
      most = std::max(most, *at);
    }
    if (most < 0) least = 0;
    for (auto at = first; at != end; ++at) *at = std::max(*at - least, -1);
    slices_.first_col.push_back(least);
    slices_.size.push_back(most < 0 ? 0 : most - least + 1);
    return slices_.size.back();
  }

  std::int64_t list(Iterator first, Iterator end) {
    std::vector<std::int32_t> cols(first, end);
    std::sort(cols.begin(), cols.end());
    cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
    if (!cols.empty() && cols.front() < 0) cols.erase(cols.begin());
    for (auto at = first; at != end; ++at) {
      if (*at < 0) continue;
      *at =
          static_cast<std::int32_t>(std::lower_bound(cols.begin(), cols.end(), *at) - cols.begin());
    }
    slices_.cols.insert(slices_.cols.end(), cols.begin(), cols.end());
    slices_.first.push_back(static_cast<std::int32_t>(slices_.cols.size()));
    return static_cast<std::int64_t>(cols.size());
  }

  const Store& store_;
  std::vector<std::int32_t> position_;
  bool took_columns_ = false;
  StagedColumns slices_;
};

}  // namespace

Staged stage(Store& store) { return Slicer(store).slice(); }

void unstage(Staged& staged, Store& store) {
  if (!staged.took_columns) return;
  const StagedColumns& slices = staged.slices;
  const auto& first_nz = store.ints({Level::block, Name::first_nz});
  std::vector<std::int32_t> column = staged.store.take(columns_key).value();
  for (std::size_t block = 0; block + 1 < first_nz.size(); ++block) {
    for (std::int32_t nz = first_nz[block]; nz < first_nz[block + 1]; ++nz) {
      if (column[nz] < 0) continue;
      column[nz] = store.staged == StagedX::range ? slices.first_col[block] + column[nz]
                                                  : slices.cols[slices.first[block] + column[nz]];
    }
  }
  store.put_back(columns_key, std::move(column));
}

}  // namespace alphasparse
