// reorder: rows for locality of x; x and y stay in the caller's order.
//
// With x=kept columns keep the caller's numbers and nothing is gathered beside the product itself.
// With x=gathered a launch ahead of all others copies x into the order in which the rows first
// touch it. So neighbouring rows read neighbouring elements. The copy is part of every SpMV.
//
// by=rcm is reverse Cuthill-McKee (Cuthill, McKee 1969; George 1971; Boost.Graph's ordering) of the
// pattern with its transpose: rows that share columns come close together. A first sweep from any
// row of a component ends far away from it, and the second one starts there. by=columns sorts the
// rows by their columns, as words are sorted by their letters. Rows that begin alike are
// neighbours.
#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>
#include <boost/graph/strong_components.hpp>
#include <cstdint>
#include <deque>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/ranges.h"
#include "generator/layouts/layout_kind.h"
#include "operators/all_operators.h"

namespace alphasparse {

namespace {

using Order = std::vector<std::int32_t>;
using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

std::optional<std::string> reorder_applies(const Store& store, const Arguments& arguments) {
  if (!store.levels().empty()) return "rows cannot move once a level is cut";
  if (auto why = refusal(store, asked::MoveRows{})) return why;
  if (store.gathers_x()) return "x is gathered for another order of the rows already";
  if (arguments.word("x") == "gathered" && store.mirrored) {
    return "mirror images are added to the rows that columns name; use x=kept";
  }
  if (arguments.word("x") == "gathered" && !store.about.empty()) {
    return "x is gathered once for all branches; put it before the matrix is split";
  }
  if (arguments.word("by") == "rcm" && store.callers_rows() != store.cols()) {
    return "the matrix is not square; by=columns needs no square one";
  }
  return std::nullopt;
}

/// The neighbours of rows: each has the other's column. Of two arrays, the pattern and its
/// transpose, only the second takes memory.
class Neighbours {
 public:
  explicit Neighbours(const Store& store)
      : first_(store.ints({Level::matrix, Name::row_first_nz})),
        col_(store.ints({Level::matrix, Name::nz_col})),
        row_of_column_(store.cols(), -1),
        first_transposed_(static_cast<std::size_t>(store.rows()) + 1, 0) {
    const auto& origin = store.ints({Level::matrix, Name::row_origin});
    for (std::int32_t row = 0; row < rows(); ++row) row_of_column_[origin[row]] = row;
    for (std::int32_t row = 0; row < rows(); ++row)
      for_each_named(row, [&](std::int32_t other) { ++first_transposed_[other + 1]; });
    std::partial_sum(first_transposed_.begin(), first_transposed_.end(), first_transposed_.begin());
    transposed_.resize(static_cast<std::size_t>(first_transposed_.back()));
    Order next(first_transposed_.begin(), first_transposed_.end() - 1);
    for (std::int32_t row = 0; row < rows(); ++row)
      for_each_named(row, [&](std::int32_t other) { transposed_[next[other]++] = row; });
  }

  std::int32_t rows() const { return static_cast<std::int32_t>(first_transposed_.size()) - 1; }

  /// Those of a row, ascending.
  void find(std::int32_t row, Order& found) const {
    found.clear();
    for_each_named(row, [&](std::int32_t other) { found.push_back(other); });
    found.insert(found.end(), transposed_.begin() + first_transposed_[row],
                 transposed_.begin() + first_transposed_[row + 1]);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  }

 private:
  /// Calls name(other) for each other row that a column of this one stands for. A branch does not
  /// have every row.
  template <class NameRow>
  void for_each_named(std::int32_t row, const NameRow& name) const {
    for (std::int32_t nz = first_[row]; nz < first_[row + 1]; ++nz) {
      const std::int32_t other = col_[nz] < 0 ? -1 : row_of_column_[col_[nz]];
      if (other >= 0 && other != row) name(other);
    }
  }

  const Order& first_;
  const Order& col_;
  Order row_of_column_;
  Order first_transposed_, transposed_;
};

/// Walks over the edges from each row to its neighbours, in order.
class EdgeIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::pair<std::int32_t, std::int32_t>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = const value_type&;

  /// The first edge, or, where `row` is the number of rows, the end.
  EdgeIterator(const Neighbours& neighbours, std::int32_t row)
      : neighbours_(&neighbours), edge_{row - 1, 0} {
    turn_to_next_row();
  }

  reference operator*() const { return edge_; }
  pointer operator->() const { return &edge_; }
  EdgeIterator& operator++() {
    if (++place_ < found_.size()) {
      edge_.second = found_[place_];
    } else {
      turn_to_next_row();
    }
    return *this;
  }
  bool operator==(const EdgeIterator& other) const {
    return edge_.first == other.edge_.first && place_ == other.place_;
  }

 private:
  void turn_to_next_row() {
    place_ = 0;
    found_.clear();
    while (found_.empty() && ++edge_.first < neighbours_->rows())
      neighbours_->find(edge_.first, found_);
    if (!found_.empty()) edge_.second = found_.front();
  }

  const Neighbours* neighbours_;
  value_type edge_;
  Order found_;
  std::size_t place_ = 0;
};

/// An edge each way between two rows where one has the other's column.
Graph graph_of(const Store& store) {
  const Neighbours neighbours(store);
  std::uint32_t edges = 0;
  Order found;
  for (std::int32_t row = 0; row < neighbours.rows(); ++row) {
    neighbours.find(row, found);
    edges += static_cast<std::uint32_t>(found.size());
  }
  return Graph(boost::edges_are_sorted, EdgeIterator(neighbours, 0),
               EdgeIterator(neighbours, neighbours.rows()),
               static_cast<std::uint32_t>(neighbours.rows()), edges);
}

/// One sweep over all components, from one vertex of each.
std::vector<Vertex> sweep(const Graph& graph, std::deque<Vertex> starts) {
  std::vector<boost::default_color_type> color(num_vertices(graph));
  const auto index = get(boost::vertex_index, graph);
  std::vector<Vertex> order(num_vertices(graph));
  boost::cuthill_mckee_ordering(graph, std::move(starts), order.begin(),
                                boost::make_iterator_property_map(color.begin(), index),
                                boost::make_out_degree_map(graph));
  return order;
}

Order rcm_order(const Store& store) {
  const Graph graph = graph_of(store);
  std::vector<int> component(num_vertices(graph));
  const auto index = get(boost::vertex_index, graph);
  const int components =
      boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index));
  std::deque<Vertex> starts(components, num_vertices(graph));
  for (Vertex vertex = num_vertices(graph); vertex-- > 0;) starts[component[vertex]] = vertex;
  std::sort(starts.begin(), starts.end());
  std::deque<Vertex> far_ends;
  const std::vector<Vertex> first_sweep = sweep(graph, std::move(starts));
  for (std::size_t i = 0; i < first_sweep.size(); ++i) {
    const bool last =
        i + 1 == first_sweep.size() || component[first_sweep[i + 1]] != component[first_sweep[i]];
    if (last) far_ends.push_back(first_sweep[i]);
  }
  const std::vector<Vertex> order = sweep(graph, std::move(far_ends));
  return Order(order.rbegin(), order.rend());
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
      const bool rcm = arguments.word("by") == "rcm";
      store.permute_rows(rcm ? rcm_order(store) : columns_order(store));
      if (arguments.word("x") == "gathered") store.gather_columns();
    },
};

}  // namespace alphasparse
