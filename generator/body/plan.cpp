#include "generator/body/plan.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/result.h"
#include "generator/arrays/fragment.h"
#include "generator/layouts/positions.h"
#include "generator/layouts/staged_x.h"

namespace alphasparse {

Writers find_writers(const Store& store) {
  const Partial& partial = store.partial;
  const LevelFacts& threads = *store.level(Level::thread);
  const LevelFacts* const warps = store.level(Level::warp);
  if (partial.shape == Shape::done && partial.owner == Worker::thread)
    return Writers::row_by_holder;
  if (partial.shape != Shape::one) {
    if (passes(store.chain(), Role::first_slot)) return Writers::table_by_block;
    return threads.tiling == Tiling::merge ? Writers::path_by_tile : Writers::segments_by_tile;
  }
  const LevelFacts* const part = store.part_of_row(partial.holder);
  switch (partial.holder) {
    case Worker::thread:
      if (threads.tiling == Tiling::rows) return Writers::row_by_holder;
      if (threads.tiling != Tiling::lanes) return Writers::part_by_thread;
      return part ? Writers::part_by_lanes : Writers::row_by_lanes;
    case Worker::group:
      return Writers::row_by_holder;
    case Worker::warp:
      if (warps && warps->tiling == Tiling::nnz) return Writers::tile_by_warp;
      if (!part)
        return partial.owner > Worker::warp ? Writers::row_by_warps : Writers::row_by_holder;
      return part->level == Level::block ? Writers::part_by_warps : Writers::part_by_holder;
    case Worker::block:
      return part ? Writers::part_by_holder : Writers::row_by_holder;
    case Worker::matrix:
      break;  // nothing adds up the sums of blocks
  }
  CHECK(!"sums that nobody holds");
  return {};
}

namespace {

/// Logical rows as the caller's.
EachRow callers(const Store& store, EachRow logical) {
  if (store.rows_in_callers_order()) return logical;
  const Ints origin = store.array({Level::matrix, Name::row_origin});
  return [origin, logical = std::move(logical)](const TakeRow& take) {
    logical([&](std::int32_t row) { take((*origin)[row]); });
  };
}

EachRow all_rows(const Store& store) {
  return [rows = store.rows()](const TakeRow& take) {
    for (std::int32_t row = 0; row < rows; ++row) take(row);
  };
}

EachRow make_rows(const Store& store, const LevelFacts* parts) {
  return [rows = store.array({parts->level, Name::first_row})](const TakeRow& take) {
    for (const std::int32_t row : *rows) take(row);
  };
}

/// Visits the rows of the mirror images of the store's entries, until visit(row) is true; tells
/// whether it was. They are the caller's rows already.
template <class Visit>
bool visit_images(const Store& store, const Visit& visit) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz)
      if (col[nz] >= 0 && col[nz] != origin[row] && visit(col[nz])) return true;
  }
  return false;
}

EachRow rows_of_images(const Store& store) {
  return [&store](const TakeRow& take) {
    visit_images(store, [&](std::int32_t row) {
      take(row);
      return false;
    });
  };
}

bool has_images(const Store& store) {
  return store.mirrored() && visit_images(store, [](std::int32_t) { return true; });
}

/// Lists the rows inside tiles with `edges` false, else those at their ends.
using TileRows = std::function<void(bool edges, const TakeRow& take)>;

void set_tile_rows(TileRows rows, BranchPlan& plan) {
  const auto shared = std::make_shared<const TileRows>(std::move(rows));
  plan.whole.rows = [shared](const TakeRow& take) { (*shared)(false, take); };
  plan.edge.rows = [shared](const TakeRow& take) { (*shared)(true, take); };
}

/// The rows of a block's table: those at the ends of a block cut by non-zeros are shared.
TileRows table_rows(const Store& store, const SharedTable& table) {
  const bool shares_ends = store.partial.owner == Worker::matrix;
  return [shares_ends, first_row = table.block_first_row, end_row = table.block_end_row](
             bool edges, const TakeRow& take) {
    for (std::size_t block = 0; block < first_row.size(); ++block) {
      const std::int32_t first = first_row[block], end = end_row[block];
      for (std::int32_t row = first; row < end; ++row)
        if (edges == (shares_ends && (row == first || row + 1 == end))) take(row);
    }
  };
}

SegmentArrays make_segments(const Store& store, Level tile_level) {
  const LevelFacts& threads = *store.level(Level::thread);
  return segment_arrays(store.ints({Level::matrix, Name::row_first_nz}),
                        store.ints({tile_level, Name::first_nz}),
                        store.level(tile_level)->part_size / threads.part_size, threads.part_size);
}

/// The level of the parts that number their segments: the widest worker that has reduced them.
Level find_tile_level(const Store& store) {
  if (store.partial.shape == Shape::head_tail) return Level::thread;
  return store.partial.holder == Worker::warp ? Level::warp : Level::block;
}

/// The rows of segments: one at an end of a tile may go on in the next tile.
TileRows segment_rows(const Store& store, Level tile_level) {
  return [&store, tile_level](bool edges, const TakeRow& take) {
    for_segments(store.ints({Level::matrix, Name::row_first_nz}),
                 store.ints({tile_level, Name::first_nz}), [&](std::int32_t row, bool is_edge) {
                   if (is_edge == edges) take(row);
                 });
  };
}

/// The rows of a merge path: those between a tile's ends are its own.
TileRows path_rows(TileEdges ends) {
  return [ends = std::move(ends)](bool edges, const TakeRow& take) {
    for (std::size_t tile = 0; tile < ends.first.size(); ++tile) {
      const std::int32_t first = ends.first[tile], last = ends.last[tile];
      if (edges) take(first);
      if (edges && last != first) take(last);
      for (std::int32_t row = first + 1; row < last && !edges; ++row) take(row);
    }
  };
}

/// The ports of each line: logical rows, and how often each of them is written.
void set_ports(const Store& store, BranchPlan& plan) {
  const LevelFacts* const part = store.part_of_row(store.partial.holder);
  const LevelFacts* const threads = store.level(Level::thread);
  const int lanes = threads->lanes, warps = store.launch.threads / 32;
  switch (plan.writers) {
    case Writers::row_by_holder:
      plan.whole = {all_rows(store), 1};
      return;
    case Writers::row_by_lanes:
      plan.whole = {all_rows(store), lanes};
      return;
    case Writers::row_by_warps:
      plan.whole = {all_rows(store), warps};
      return;
    case Writers::part_by_holder:
      plan.parts = part;
      plan.whole = {make_rows(store, part), 1};
      return;
    case Writers::part_by_lanes:
      plan.parts = part;
      plan.whole = {make_rows(store, part), lanes};
      return;
    case Writers::part_by_warps:
      plan.parts = part;
      plan.whole = {make_rows(store, part), warps};
      return;
    case Writers::tile_by_warp:
      plan.parts = store.level(Level::warp);
      plan.whole = {make_rows(store, plan.parts), 1};
      return;
    case Writers::part_by_thread:
      plan.whole = {make_rows(store, threads), 1};
      return;
    case Writers::table_by_block:
      plan.tile_level = Level::block;
      plan.table = shared_table(store);
      set_tile_rows(table_rows(store, *plan.table), plan);
      return;
    case Writers::path_by_tile:
      plan.tile_level = find_tile_level(store);
      set_tile_rows(path_rows(tile_edges(store, plan.tile_level)), plan);
      return;
    case Writers::segments_by_tile:
      plan.tile_level = find_tile_level(store);
      plan.segments = make_segments(store, plan.tile_level);
      set_tile_rows(segment_rows(store, plan.tile_level), plan);
      return;
  }
  CHECK(!"writers without ports");
}

Carries callers_carries(const Store& store, Carries carries) {
  if (store.rows_in_callers_order()) return carries;
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  for (std::int32_t& row : carries.rows) row = origin[row];
  return carries;
}

/// Where the entries lie, with places in slices of x where it is staged.
std::optional<Failure> lay_out(Store& store, BranchPlan& plan) {
  std::optional<Staged> placed;
  if (store.staged != StagedX::none) placed = stage(store);
  Result<Layout> layout = assign_positions(placed ? placed->store : store);
  if (placed) unstage(*placed, store);
  if (!layout) return layout.failure();
  plan.layout = std::move(*layout);
  if (placed) plan.staged = std::move(placed->slices);
  return std::nullopt;
}

}  // namespace

Result<BranchPlan> plan_branch(Store& store) {
  BranchPlan plan;
  plan.store = &store;
  if (const auto failure = lay_out(store, plan)) return *failure;
  plan.writers = find_writers(store);
  set_ports(store, plan);
  plan.whole.rows = callers(store, std::move(plan.whole.rows));
  if (plan.edge.rows) plan.edge.rows = callers(store, std::move(plan.edge.rows));
  if (store.epilogue == "global_carry") {
    const TileEdges edges = tile_edges(store, plan.tile_level);
    if (static_cast<std::int64_t>(edges.first.size()) * 2 > index_limit) {
      return Failure{Status::pruned, "global_carry: the carries exceed the limit of 2^31 - 1"};
    }
    plan.carries = callers_carries(store, find_carries(edges));
    plan.edge.rows = nullptr;
    plan.carried.rows = [rows = plan.carries->rows](const TakeRow& take) {
      for (const std::int32_t row : rows) take(row);
    };
  }
  if (has_images(store)) plan.mirrored.rows = rows_of_images(store);
  return plan;
}

}  // namespace alphasparse
