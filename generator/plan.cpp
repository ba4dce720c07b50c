#include "generator/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace alphasparse {

namespace {

/// Logical rows that the sums of shape `one` belong to, once a sum.
RowPort rows_of_sums(const Store& store) {
  RowPort port;
  const LevelFacts& threads = *store.level(Level::thread);
  const Partial& partial = store.partial;
  const bool by_unit =
      partial.owner == Worker::matrix ||
      ((threads.cut == Cut::cols || threads.cut == Cut::nnz) && partial.holder == Worker::thread);
  if (by_unit) {
    port.rows = store.ints({Level::thread, Name::first_row});
    return port;
  }
  port.rows.resize(store.rows());
  for (std::int32_t row = 0; row < store.rows(); ++row) port.rows[row] = row;
  if (partial.holder < partial.owner) {
    port.times = partial.holder == Worker::warp ? store.launch.threads / 32 : threads.lanes;
  }
  return port;
}

/// The rows of a block's table: those at the ends of a block cut by non-zeros are shared.
void set_table_rows(const Store& store, BranchPlan& plan) {
  const SharedTable& table = *plan.table;
  for (std::size_t block = 0; block < table.block_first_row.size(); ++block) {
    const std::int32_t first = table.block_first_row[block], end = table.block_end_row[block];
    for (std::int32_t row = first; row < end; ++row) {
      const bool shared = store.partial.owner == Worker::matrix && (row == first || row + 1 == end);
      (shared ? plan.edge : plan.whole).rows.push_back(row);
    }
  }
}

void to_callers_rows(const Store& store, RowPort& port) {
  if (store.rows_in_callers_order()) return;
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  for (std::int32_t& row : port.rows) row = origin[row];
}

SegmentArrays segments_of(const Store& store, Level tile_level) {
  const LevelFacts& threads = *store.level(Level::thread);
  return segment_arrays(store.ints({Level::matrix, Name::row_first_nz}),
                        store.ints({tile_level, Name::first_nz}),
                        store.level(tile_level)->items / threads.items, threads.items);
}

/// The level whose units number their segments: the widest worker that has reduced them.
Level tile_level_of(const Store& store) {
  if (store.partial.shape == Shape::head_tail) return Level::thread;
  return store.partial.holder == Worker::warp ? Level::warp : Level::block;
}

/// The rows of a merge path: those between a tile's ends are its own.
void set_path_rows(const TileEdges& edges, BranchPlan& plan) {
  for (std::size_t tile = 0; tile < edges.first.size(); ++tile) {
    const std::int32_t first = edges.first[tile], last = edges.last[tile];
    for (std::int32_t row = first + 1; row < last; ++row) plan.whole.rows.push_back(row);
    plan.edge.rows.push_back(first);
    if (last != first) plan.edge.rows.push_back(last);
  }
}

}  // namespace

Result<BranchPlan> plan_branch(const Store& store) {
  Result<Layout> layout = assign_positions(store);
  if (!layout) return layout.failure();
  BranchPlan plan;
  plan.store = &store;
  plan.whole.ordered = store.sink == "global_add";
  plan.layout = std::move(*layout);
  if (store.partial.shape == Shape::one) {
    plan.whole = rows_of_sums(store);
  } else if (store.passes(Role::first_slot)) {
    plan.tile_level = Level::block;
    plan.table = shared_table(store);
    set_table_rows(store, plan);
  } else if (store.level(Level::thread)->cut == Cut::merge) {
    plan.tile_level = tile_level_of(store);
    set_path_rows(tile_edges(store, plan.tile_level), plan);
  } else {
    plan.tile_level = tile_level_of(store);
    plan.segments = segments_of(store, plan.tile_level);
    plan.whole.rows = plan.segments->inner_rows;
    plan.edge.rows = plan.segments->edge_rows;
  }
  if (store.sink == "global_carry") {
    const TileEdges edges = tile_edges(store, plan.tile_level);
    if (static_cast<std::int64_t>(edges.first.size()) * 2 > index_limit) {
      return Failure{Status::pruned, "global_carry: the carries exceed the limit of 2^31 - 1"};
    }
    plan.carries = carries_of(edges);
    plan.edge.rows = plan.carries->rows;
    plan.edge.ordered = true;
  }
  to_callers_rows(store, plan.whole);
  to_callers_rows(store, plan.edge);
  return plan;
}

Result<std::vector<std::int32_t>> choose_sinks(std::vector<BranchPlan*> branches,
                                               std::int32_t rows) {
  std::vector<std::int64_t> row_writers(rows, 0);
  for (const BranchPlan* branch : branches) {
    for (const RowPort* port : {&branch->whole, &branch->edge}) {
      for (const std::int32_t row : port->rows) row_writers[row] += port->times;
    }
  }
  std::vector<bool> stored(rows, false);
  for (BranchPlan* branch : branches) {
    for (RowPort* port : {&branch->whole, &branch->edge}) {
      port->adds = std::any_of(port->rows.begin(), port->rows.end(),
                               [&](std::int32_t row) { return row_writers[row] != 1; });
      if (port->adds && branch->store->sink == "global_store") {
        return Failure{Status::pruned, "global_store: a row has several writers"};
      }
      for (const std::int32_t row : port->rows) stored[row] = stored[row] || !port->adds;
    }
  }
  std::vector<std::int32_t> initialised;
  for (std::int32_t row = 0; row < rows; ++row) {
    if (!stored[row]) initialised.push_back(row);
  }
  return initialised;
}

}  // namespace alphasparse
