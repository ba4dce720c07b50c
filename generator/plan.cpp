#include "generator/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "generator/fragment.h"

namespace alphasparse {

namespace {

/// How often a unit of `level` is written where every `holder` that works on it writes.
int writers_of_unit(const Store& store, Level level, Worker holder) {
  const int threads = level == Level::warp ? 32 : store.launch.threads;
  return holder == Worker::block ? 1 : holder == Worker::warp ? threads / 32 : threads;
}

}  // namespace

bool sums_of_warp_tiles(const Store& store) {
  const LevelFacts* warps = store.level(Level::warp);
  return store.partial.shape == Shape::one && store.partial.holder == Worker::warp && warps &&
         warps->cut == Cut::nnz;
}

namespace {

/// Logical rows that the sums of shape `one` belong to, once a sum.
RowPort rows_of_sums(const Store& store) {
  RowPort port;
  const LevelFacts& threads = *store.level(Level::thread);
  const Partial& partial = store.partial;
  if (sums_of_warp_tiles(store)) {
    port.rows = store.ints({Level::warp, Name::first_row});
    return port;
  }
  const LevelFacts* part = store.part_of_row(partial.holder);
  if (part && partial.holder != Worker::thread) {
    port.rows = store.ints({part->level, Name::first_row});
    port.times = writers_of_unit(store, part->level, partial.holder);
    return port;
  }
  if (part && threads.cut == Cut::lanes) {
    port.rows = store.ints({part->level, Name::first_row});
    port.times = threads.lanes;
    return port;
  }
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

/// The rows of the mirror images of what the store holds, which are the caller's already.
std::vector<std::int32_t> rows_of_images(const Store& store) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  std::vector<std::int32_t> rows;
  for (std::int32_t row = 0; row < store.rows(); ++row) {
    for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
      if (col[nz] >= 0 && col[nz] != origin[row]) rows.push_back(col[nz]);
    }
  }
  return rows;
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
  plan.layout = std::move(*layout);
  if (store.staged != StagedX::none) plan.staged = staged_columns(store);
  if (store.partial.shape == Shape::one) {
    plan.whole = rows_of_sums(store);
  } else if (passes(store.chain(), Role::first_slot)) {
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
    plan.edge.rows.clear();
    plan.carried.rows = plan.carries->rows;
  }
  if (store.mirrored) plan.mirrored.rows = rows_of_images(store);
  to_callers_rows(store, plan.whole);
  to_callers_rows(store, plan.edge);
  to_callers_rows(store, plan.carried);
  return plan;
}

namespace {

/// Goes through the launches in their order and remembers what has happened to every row.
class SinkChooser {
 public:
  explicit SinkChooser(std::int32_t rows)
      : writers_(rows, 0), stored_(rows, false), written_(rows, false) {}

  /// A reason why not, or nothing.
  std::optional<std::string> choose(const std::vector<BranchPlan*>& launch) {
    std::vector<Writer> writers;
    for (BranchPlan* branch : launch) {
      writers.push_back({branch->store->sink, &branch->whole});
      writers.push_back({branch->store->sink, &branch->edge});
      if (branch->store->mirrored) {
        writers.push_back({branch->store->sink, &branch->mirrored, true});
      }
    }
    std::optional<std::string> why = choose(writers);
    for (BranchPlan* branch : launch) {
      if (!branch->carries) continue;
      if (auto refused = choose({Writer{branch->store->sink, &branch->carried}})) why = refused;
    }
    return why;
  }

  /// The rows that no launch stores before it adds to them.
  std::vector<std::int32_t> initialised() const {
    std::vector<std::int32_t> rows;
    for (std::size_t row = 0; row < stored_.size(); ++row) {
      if (!stored_[row]) rows.push_back(static_cast<std::int32_t>(row));
    }
    return rows;
  }

 private:
  /// A port of a launch, and the sink that its design asks for.
  struct Writer {
    std::string_view asked;
    RowPort* port;
    bool one_by_one = false;  ///< its sums are added atomically, even where nobody else adds
  };

  std::optional<std::string> choose(const std::vector<Writer>& launch) {
    for (const Writer& writer : launch) {
      for (const std::int32_t row : writer.port->rows) writers_[row] += writer.port->times;
    }
    std::optional<std::string> why;
    for (const Writer& writer : launch) {
      writer.port->sink = writer.one_by_one ? Sink::atomic : sink_of(*writer.port);
      if (auto refused = refusal(writer.asked, writer.port->sink)) why = refused;
    }
    for (const Writer& writer : launch) {
      for (const std::int32_t row : writer.port->rows) {
        if (writer.port->sink == Sink::store) stored_[row] = true;
        written_[row] = true;
        writers_[row] = 0;
      }
    }
    return why;
  }

  Sink sink_of(const RowPort& port) const {
    const auto all = [&](const auto& condition) {
      return std::all_of(port.rows.begin(), port.rows.end(), condition);
    };
    if (!all([&](std::int32_t row) { return writers_[row] == 1; })) return Sink::atomic;
    return all([&](std::int32_t row) { return !written_[row]; }) ? Sink::store : Sink::add;
  }

  static std::optional<std::string> refusal(std::string_view asked, Sink sink) {
    if (sink == Sink::atomic && asked != "global_atomic") {
      return fmt::format("{}: a row has several writers at a time", asked);
    }
    if (sink == Sink::add && asked == "global_store") {
      return "global_store: an earlier launch has written to its rows; use global_add";
    }
    return std::nullopt;
  }

  std::vector<std::int64_t> writers_;  ///< of the launch in hand
  std::vector<bool> stored_, written_;
};

}  // namespace

const char* sink_fragment(Sink sink) {
  static constexpr const char* names[] = {"global_store", "global_add", "global_atomic"};
  return names[static_cast<int>(sink)];
}

Result<std::vector<std::int32_t>> choose_sinks(
    const std::vector<std::vector<BranchPlan*>>& launches, std::int32_t rows) {
  SinkChooser chooser(rows);
  for (const std::vector<BranchPlan*>& launch : launches) {
    if (auto why = chooser.choose(launch)) return Failure{Status::pruned, *why};
  }
  return chooser.initialised();
}

}  // namespace alphasparse
