#include "operators/converting/orders.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/ranges.h"
#include "base/time_limit.h"

namespace alphasparse {

namespace {

using Order = std::vector<std::int32_t>;

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
RowLists find_neighbours(const Store& store) {
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
        grain_size(rows, store.nnz()));
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
    std::size_t index = done.order.size();
    meet(start);
    if (index == done.order.size()) continue;
    for (; index < done.order.size(); ++index) {
      end_if_over(static_cast<std::int64_t>(index));
      const std::size_t met_before = done.order.size();
      for (const std::int32_t row : neighbours.of(done.order[index])) meet(row);
      std::sort(done.order.begin() + static_cast<std::ptrdiff_t>(met_before), done.order.end(),
                by_degree);
    }
    done.ends.push_back(done.order.back());
  }
  return done;
}

Order rcm_order(const Store& store) {
  const RowLists neighbours = find_neighbours(store);
  Order all(store.rows());
  std::iota(all.begin(), all.end(), 0);
  const Order far_ends = sweep(neighbours, all).ends;
  Order order = sweep(neighbours, far_ends).order;
  std::reverse(order.begin(), order.end());
  return order;
}

/// Puts `rows` in the order in which a sweep over them alone meets them, from its far end; rows of
/// a part have its number.
void sweep_part(const RowLists& neighbours, std::span<std::int32_t> rows, Order& part,
                std::int32_t& number) {
  Order met;
  met.reserve(rows.size());
  for (int time = 0; time < 2; ++time) {  // the first one finds a far end
    const std::int32_t of_part = part[rows.front()], of_met = ++number;
    if (time > 0) std::swap(rows.front(), *std::find(rows.begin(), rows.end(), met.back()));
    met.clear();
    std::size_t index = 0;
    for (const std::int32_t start : rows) {
      if (part[start] == of_part) {
        part[start] = of_met;
        met.push_back(start);
      }
      for (; index < met.size(); ++index) {
        end_if_over(static_cast<std::int64_t>(index));
        for (const std::int32_t row : neighbours.of(met[index])) {
          if (part[row] != of_part) continue;
          part[row] = of_met;
          met.push_back(row);
        }
      }
    }
  }
  std::copy(met.begin(), met.end(), rows.begin());
}

/// Halves of a sweep, each swept and halved again, down to what a tile of rows holds.
Order dissection_order(const Store& store) {
  constexpr std::size_t rows_least = 256;
  const RowLists neighbours = find_neighbours(store);
  Order order(store.rows()), part(store.rows(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::span<std::int32_t>> parts = {order};
  for (std::int32_t number = 0; !parts.empty();) {
    const std::span<std::int32_t> rows = parts.back();
    parts.pop_back();
    if (rows.size() <= rows_least) continue;
    sweep_part(neighbours, rows, part, number);
    const std::size_t half = rows.size() / 2;
    for (const std::int32_t row : rows.subspan(half)) part[row] = number + 1;
    ++number;
    parts.push_back(rows.subspan(half));
    parts.push_back(rows.first(half));
  }
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
  const auto find_bucket = [&](std::int32_t row) -> std::int64_t {
    return first[row] == first[row + 1] ? 0 : col[first[row]] + std::int64_t{1};
  };
  std::vector<std::int32_t> begin(static_cast<std::size_t>(store.cols()) + 2, 0);
  for (std::int32_t row = 0; row < store.rows(); ++row) ++begin[find_bucket(row) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
  for (std::int32_t row = 0; row < store.rows(); ++row) order[next[find_bucket(row)]++] = row;
  for_ranges(store.cols() + std::int64_t{1}, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t bucket = from; bucket < to; ++bucket) {
      end_if_over(bucket);
      if (begin[bucket + 1] - begin[bucket] < 2) continue;
      std::stable_sort(order.begin() + begin[bucket], order.begin() + begin[bucket + 1], before);
    }
  });
  return order;
}

/// The rows sorted by a number that each has, the least first; equal ones stay as they were.
Order sort_rows(const Order& number) {
  Order order(number.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int32_t a, std::int32_t b) { return number[a] < number[b]; });
  return order;
}

Order degree_order(const Store& store) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  Order shortness(store.rows());
  for (std::int32_t row = 0; row < store.rows(); ++row)
    shortness[row] = first[row] - first[row + 1];
  return sort_rows(shortness);
}

/// Whether no row names a later one, or none an earlier one.
bool is_triangular(const Store& store, bool lower) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      if (lower ? col[nz] > row : col[nz] < row) return false;
    }
  }
  return true;
}

/// A row of a triangle comes behind all that it names.
Order levels_order(const Store& store) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const bool lower = is_triangular(store, true);
  Order level(store.rows(), 0);
  for (std::int32_t i = 0; i < store.rows(); ++i) {
    end_if_over(i);
    const std::int32_t row = lower ? i : store.rows() - 1 - i;
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz)
      if (col[nz] != row) level[row] = std::max(level[row], level[col[nz]] + 1);
  }
  return sort_rows(level);
}

struct NamedOrder {
  std::string_view name;
  bool of_square;
  Order (*find)(const Store& store);
};

constexpr NamedOrder orders[] = {{"rcm", true, rcm_order},
                                 {"columns", false, columns_order},
                                 {"degree", false, degree_order},
                                 {"dissection", true, dissection_order},
                                 {"levels", true, levels_order}};

const NamedOrder& find_order(std::string_view by) {
  return *std::find_if(std::begin(orders), std::end(orders),
                       [by](const NamedOrder& order) { return order.name == by; });
}

}  // namespace

std::optional<std::string> no_order_reason(const Store& store, std::string_view by) {
  if (find_order(by).of_square && store.callers_rows() != store.cols())
    return "the matrix is not square; by=columns needs no square one";
  if (by == "levels" && !is_triangular(store, true) && !is_triangular(store, false))
    return "the matrix is no triangle, so it has no levels; by=rcm needs none";
  return std::nullopt;
}

std::vector<std::int32_t> make_order(const Store& store, std::string_view by) {
  return find_order(by).find(store);
}

}  // namespace alphasparse
