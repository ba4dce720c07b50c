#include "operators/converting/splits.h"

#include <utility>

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

std::optional<std::string> cannot_split(const Store& store, const Arguments&) {
  if (!store.levels().empty()) return "the matrix cannot be split once a level is cut";
  return rejection(store, request::Split{});
}

const std::vector<Key>& matrix_keys() {
  static const std::vector<Key> keys = {{Level::matrix, Name::row_first_nz},
                                        {Level::matrix, Name::row_origin},
                                        {Level::matrix, Name::nz_col},
                                        {Level::matrix, Name::value_source}};
  return keys;
}

namespace {

/// The entries of every branch in the making.
class Parts {
 public:
  /// `counts`: the entries that each gets. Arrays that grew by doubling would take twice as much.
  Parts(const Store& store, const std::vector<std::string>& description,
        const std::vector<std::int64_t>& counts)
      : store_(store),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.sources()),
        entries_(description.size()) {
    for (std::size_t i = 0; i < description.size(); ++i) {
      entries_[i].description = description[i];
      entries_[i].col.reserve(counts[i]);
      entries_[i].source.reserve(counts[i]);
    }
  }

  void add(int branch, std::int32_t nz) {
    entries_[branch].col.push_back(col_[nz]);
    entries_[branch].source.push_back(source_[nz]);
  }

  /// Ends the row in the branch; without a non-zero of its own the branch does not get it, unless
  /// `always`.
  void end_row(int branch, std::int32_t row, bool always) {
    BranchEntries& part = entries_[branch];
    if (always || static_cast<std::size_t>(part.first.back()) < part.col.size()) part.end_row(row);
  }

  std::vector<Store> stores() {
    std::vector<Store> stores;
    for (BranchEntries& part : entries_) stores.push_back(store_.branch(std::move(part)));
    return stores;
  }

 private:
  const Store& store_;
  const std::vector<std::int32_t>& col_;
  const Sources source_;
  std::vector<BranchEntries> entries_;
};

}  // namespace

std::vector<Store> split_by_rows(const Store& store, const std::vector<std::string>& description,
                                 const std::function<int(std::int32_t)>& branch_of_row) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int64_t> counts(description.size());
  for (std::int32_t row = 0; row < store.rows(); ++row)
    counts[branch_of_row(row)] += first[row + 1] - first[row];
  Parts parts(store, description, counts);
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    const int branch = branch_of_row(row);
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) parts.add(branch, nz);
    parts.end_row(branch, row, true);
  }
  return parts.stores();
}

std::vector<Store> split_by_entries(
    const Store& store, const std::vector<std::string>& description,
    const std::function<int(std::int32_t, std::int32_t)>& find_branch) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int64_t> counts(description.size());
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) ++counts[find_branch(row, nz)];
  }
  Parts parts(store, description, counts);
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz)
      parts.add(find_branch(row, nz), nz);
    for (std::size_t branch = 0; branch < description.size(); ++branch) {
      parts.end_row(static_cast<int>(branch), row, branch == 0);
    }
  }
  return parts.stores();
}

}  // namespace alphasparse
