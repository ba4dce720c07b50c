// reorder: rows for locality of x; x and y stay in the caller's order. permute: the vectors too, so
// that a solver keeps them in the kernel's own order for many products.
//
// With x=kept columns keep the caller's numbers and nothing is gathered beside the product itself.
// With x=gathered a launch ahead of all others copies x into the order in which the rows first
// touch it. So neighbouring rows read neighbouring elements. The copy is part of every SpMV.
//
// by=rcm is reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971) of the pattern with its
// transpose: rows that share columns come close together. A first sweep from any
// row of a component ends far away from it, and the second one starts there. by=columns sorts the
// rows by their columns, as words are sorted by their letters. Rows that begin alike are
// neighbours.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "base/ranges.h"
#include "base/time_limit.h"
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"

namespace alphasparse {

namespace {

using Order = std::vector<std::int32_t>;

std::optional<std::string> why_not_by(const Store& store, const Arguments& arguments) {
  if (arguments.word("by") == "rcm" && store.callers_rows() != store.cols()) {
    return "the matrix is not square; by=columns needs no square one";
  }
  return std::nullopt;
}

std::optional<std::string> reorder_applies(const Store& store, const Arguments& arguments) {
  if (!store.levels().empty()) return "rows cannot move once a level is cut";
  if (auto why = refusal(store, asked::MoveRows{})) return why;
  if (store.gathers_x()) return "x is gathered for another order of the rows already";
  if (arguments.word("x") == "gathered" && store.mirrored()) {
    return "mirror images are added to the rows that columns name; use x=kept";
  }
  if (arguments.word("x") == "gathered" && !store.about.empty()) {
    return "x is gathered once for all branches; put it before the matrix is split";
  }
  return why_not_by(store, arguments);
}

/// The rows that a row names: each of its columns stands for one. Its own row is left out, and so
/// are rows that a branch does not have.
class NamedRows {
 public:
  explicit NamedRows(const Store& store)
      : first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        row_of_column_(store.cols(), -1) {
    const auto& origin = store.ints({Level::matrix, Name::row_origin});
    for (std::int32_t row = 0; row < store.rows(); ++row) row_of_column_[origin[row]] = row;
  }

  template <class Call>
  void for_each(std::int32_t row, const Call& call) const {
    for (std::int32_t nz = first_[row]; nz < first_[row + 1]; ++nz) {
      const std::int32_t other = col_[nz] < 0 ? -1 : row_of_column_[col_[nz]];
      if (other >= 0 && other != row) call(other);
    }
  }

 private:
  const Order& first_;
  const Order& col_;
  Order row_of_column_;
};

/// Lists of rows, one behind the other.
struct RowLists {
  std::vector<std::uint32_t> first;  ///< [lists + 1]
  Order rows;

  std::span<const std::int32_t> of(std::int32_t row) const {
    return std::span(rows).subspan(first[row], first[row + 1] - first[row]);
  }
};

/// For each row, those that name it.
RowLists naming_rows(const NamedRows& named, std::int32_t rows) {
  RowLists naming{std::vector<std::uint32_t>(static_cast<std::size_t>(rows) + 1, 0), {}};
  for (std::int32_t row = 0; row < rows; ++row) {
    end_if_over(row);
    named.for_each(row, [&](std::int32_t other) { ++naming.first[other + 1]; });
  }
  std::partial_sum(naming.first.begin(), naming.first.end(), naming.first.begin());
  naming.rows.resize(naming.first.back());
  std::vector<std::uint32_t> next(naming.first.begin(), naming.first.end() - 1);
  for (std::int32_t row = 0; row < rows; ++row) {
    end_if_over(row);
    named.for_each(row, [&](std::int32_t other) { naming.rows[next[other]++] = row; });
  }
  return naming;
}

/// The neighbours of each row, ascending: those that it names, and those that name it.
RowLists neighbours_of(const Store& store) {
  const std::int32_t rows = store.rows();
  const NamedRows named(store);
  const RowLists naming = naming_rows(named, rows);
  const auto for_each_row = [&](const auto& call) {
    for_ranges(
        rows,
        [&](std::int64_t from, std::int64_t to) {
          Order found;
          for (auto row = static_cast<std::int32_t>(from); row < to; ++row) {
            end_if_over(row);
            found.assign(naming.of(row).begin(), naming.of(row).end());
            named.for_each(row, [&](std::int32_t other) { found.push_back(other); });
            std::sort(found.begin(), found.end());
            found.erase(std::unique(found.begin(), found.end()), found.end());
            call(row, found);
          }
        },
        items_least(rows, store.nnz()));
  };
  RowLists neighbours{std::vector<std::uint32_t>(static_cast<std::size_t>(rows) + 1, 0), {}};
  for_each_row([&](std::int32_t row, const Order& found) {
    neighbours.first[row + 1] = static_cast<std::uint32_t>(found.size());
  });
  std::partial_sum(neighbours.first.begin(), neighbours.first.end(), neighbours.first.begin());
  neighbours.rows.resize(neighbours.first.back());
  for_each_row([&](std::int32_t row, const Order& found) {
    std::copy(found.begin(), found.end(), neighbours.rows.begin() + neighbours.first[row]);
  });
  return neighbours;
}

/// Rows in the order in which a sweep meets them, and the last one of each component.
struct Sweep {
  Order order, ends;
};

/// Sweeps in breadth over the components of `starts`; a start that was met already begins none. The
/// rows that a row meets first follow it by their numbers of neighbours.
Sweep sweep(const RowLists& neighbours, const Order& starts) {
  const std::size_t rows = neighbours.first.size() - 1;
  const auto by_degree = [&](std::int32_t a, std::int32_t b) {
    return neighbours.of(a).size() < neighbours.of(b).size();
  };
  std::vector<char> is_met(rows, 0);
  Sweep done;
  done.order.reserve(rows);
  const auto meet = [&](std::int32_t row) {
    if (!std::exchange(is_met[row], 1)) done.order.push_back(row);
  };
  for (const std::int32_t start : starts) {
    std::size_t place = done.order.size();
    meet(start);
    if (place == done.order.size()) continue;
    for (; place < done.order.size(); ++place) {
      end_if_over(static_cast<std::int64_t>(place));
      const std::size_t met_before = done.order.size();
      for (const std::int32_t row : neighbours.of(done.order[place])) meet(row);
      std::sort(done.order.begin() + static_cast<std::ptrdiff_t>(met_before), done.order.end(),
                by_degree);
    }
    done.ends.push_back(done.order.back());
  }
  return done;
}

Order rcm_order(const Store& store) {
  const RowLists neighbours = neighbours_of(store);
  Order all(store.rows());
  std::iota(all.begin(), all.end(), 0);
  const Order far_ends = sweep(neighbours, all).ends;
  Order order = sweep(neighbours, far_ends).order;
  std::reverse(order.begin(), order.end());
  return order;
}

/// Sorts the rows by their columns, as words are sorted by their letters; equal ones stay as they
/// were. Where there are not many more columns than rows, rows are counted by their first column,
/// which few share, and sorted among those. Rows that are empty or begin with a pad come first.
Order columns_order(const Store& store) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto col = store.ints({Level::matrix, Name::nz_col}).begin();
  const auto before = [&](std::int32_t a, std::int32_t b) {
    return std::lexicographical_compare(col + first[a], col + first[a + 1], col + first[b],
                                        col + first[b + 1]);
  };
  Order order(store.rows());
  std::iota(order.begin(), order.end(), 0);
  if (store.cols() / 8 > store.rows()) {
    std::stable_sort(order.begin(), order.end(), before);
    return order;
  }
  const auto bucket_of = [&](std::int32_t row) -> std::int64_t {
    return first[row] == first[row + 1] ? 0 : col[first[row]] + std::int64_t{1};
  };
  std::vector<std::int32_t> begin(static_cast<std::size_t>(store.cols()) + 2, 0);
  for (std::int32_t row = 0; row < store.rows(); ++row) ++begin[bucket_of(row) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  for (std::int32_t row = 0; row < store.rows(); ++row) order[next[bucket_of(row)]++] = row;
  for_ranges(store.cols() + std::int64_t{1}, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t bucket = from; bucket < to; ++bucket) {
      end_if_over(bucket);
      if (begin[bucket + 1] - begin[bucket] < 2) continue;
      std::stable_sort(order.begin() + begin[bucket], order.begin() + begin[bucket + 1], before);
    }
  });
  return order;
}

const std::vector<Key> rows_keys = {{Level::matrix, Name::row_first_nz},
                                    {Level::matrix, Name::row_origin},
                                    {Level::matrix, Name::nz_col},
                                    {Level::matrix, Name::value_source}};

const std::vector<Key> changed_keys = {{Level::matrix, Name::row_first_nz},
                                       {Level::matrix, Name::row_origin},
                                       {Level::matrix, Name::col_origin},
                                       {Level::matrix, Name::nz_col},
                                       {Level::matrix, Name::value_source}};

std::vector<std::int32_t> order_by(const Store& store, const Arguments& arguments) {
  return arguments.word("by") == "rcm" ? rcm_order(store) : columns_order(store);
}

std::optional<std::string> permute_applies(const Store& store, const Arguments& arguments) {
  if (store.own_order()) return "the vectors have an own order already";
  const bool is_first = store.levels().empty() && store.about.empty() && !store.compressed &&
                        !store.mirrored() && !store.gathers_x() && store.rows_in_callers_order() &&
                        store.layout == LayoutChoice(InOrder{});
  if (!is_first) return "the order of the vectors comes first of all steps";
  return why_not_by(store, arguments);
}

}  // namespace

const Operator reorder = {
    "reorder",
    Stage::converting,
    "new",
    "puts rows that read the same parts of x side by side; x and y stay in the caller's order",
    {{.name = "by",
      .doc = "rcm: reverse Cuthill-McKee of a square pattern; columns: sorted by their columns",
      .words = {"rcm", "columns"}},
     {.name = "x",
      .doc = "kept: read where it is; gathered: copied first, in the order of the rows",
      .fallback = "kept",
      .words = {"kept", "gathered"}}},
    rows_keys,
    {},
    changed_keys,
    reorder_applies,
    [](Store& store, const Arguments& arguments) {
      store.permute_rows(order_by(store, arguments));
      if (arguments.word("x") == "gathered") store.gather_columns();
    },
    [](const Outlook& at) { return at.is_small ? 0.3 : 0.8; },
};

const Operator permute = {
    "permute",
    Stage::converting,
    "new",
    "puts rows, columns, x and y into an own order; callers permute their vectors once",
    {{.name = "by",
      .doc =
          "rcm: reverse Cuthill-McKee of a square pattern; columns: rows sorted by their columns",
      .words = {"rcm", "columns"}}},
    rows_keys,
    {},
    rows_keys,
    permute_applies,
    [](Store& store, const Arguments& arguments) {
      store.permute_rows(order_by(store, arguments));
      store.take_own_order();
    },
};

}  // namespace alphasparse
