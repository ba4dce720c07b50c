#include "generator/layouts/layout_contract.h"

#include <algorithm>

#include "generator/facts/checker.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

class LayoutChecker : Checker {
 public:
  LayoutChecker(const Store& store, const Layout& layout)
      : store_(store),
        layout_(layout),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.ints({Level::matrix, Name::value_source})) {}

  std::string first_violation() {
    (void)(sizes() && every_value_once() && columns_in_range());
    return violation_;
  }

 private:
  bool sizes() {
    const std::int64_t stored = layout_kind(store_).reads(store_).stored;
    if (layout_.stored != stored)
      return fail("stored is {}, stored_entries says {}", layout_.stored, stored);
    if (layout_.column.size() != static_cast<std::size_t>(stored))
      return fail("column has {} entries, not {}", layout_.column.size(), stored);
    if (layout_.value_source.size() == static_cast<std::size_t>(stored)) return true;
    return fail("value_source has {} entries, not {}", layout_.value_source.size(), stored);
  }

  /// A branch has some of the matrix's values.
  bool every_value_once() {
    constexpr std::int32_t unknown = -1;
    std::int64_t end = store_.nnz();
    for (const std::int32_t value : source_) end = std::max(end, std::int64_t{value} + 1);
    std::vector<std::int32_t> column_left(end, unknown);
    for (std::size_t nz = 0; nz < source_.size(); ++nz) {
      if (source_[nz] >= 0) column_left[source_[nz]] = col_[nz];
    }
    for (std::size_t position = 0; position < layout_.value_source.size(); ++position) {
      const std::int32_t value = layout_.value_source[position];
      if (value == -1) continue;
      if (value < 0 || value >= end || column_left[value] == unknown)
        return fail("value_source[{}] is {}, which the branch lacks or has before", position,
                    value);
      if (layout_.column[position] != column_left[value]) {
        return fail("column[{}] is {}, but value {} has column {}", position,
                    layout_.column[position], value, column_left[value]);
      }
      column_left[value] = unknown;
    }
    const auto lost = std::find_if(column_left.begin(), column_left.end(),
                                   [](std::int32_t column) { return column != unknown; });
    if (lost == column_left.end()) return true;
    return fail("value {} is not stored", lost - column_left.begin());
  }

  bool columns_in_range() {
    const std::int32_t least = layout_.predicated ? -1 : 0;
    for (std::size_t position = 0; position < layout_.column.size(); ++position) {
      const std::int32_t column = layout_.column[position];
      if (column >= least && column < store_.cols()) continue;
      return fail("column[{}] is {}, not in [{}, {})", position, column, least, store_.cols());
    }
    return true;
  }

  const Store& store_;
  const Layout& layout_;
  const std::vector<std::int32_t>&col_, &source_;
};

}  // namespace

std::string check_choice(const Store& store) { return layout_kind(store).misfit(store); }

std::string check_layout(const Store& store, const Layout& layout) {
  std::string misfit = check_choice(store);
  return misfit.empty() ? LayoutChecker(store, layout).first_violation() : misfit;
}

}  // namespace alphasparse
