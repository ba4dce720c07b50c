#include "generator/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace alphasparse {

namespace {

/// How often a unit of `level` is written where every `holder` that works on it writes.
int writers_of_unit(const Store& store, Level level, Worker holder) {
  const int threads = level == Level::warp ? 32 : store.launch.threads;
  return holder == Worker::block ? 1 : holder == Worker::warp ? threads / 32 : threads;
}

/// Logical rows that the sums of shape `one` belong to, once a sum.
RowPort rows_of_sums(const Store& store) {
  RowPort port;
  const LevelFacts& threads = *store.level(Level::thread);
  const Partial& partial = store.partial;
  const LevelFacts* part = store.part_of_row();
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
  const bool by_unit = partial.owner == Worker::matrix ||
                       (threads.cut == Cut::cols && partial.holder == Worker::thread);
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

void to_callers_rows(const Store& store, RowPort& port) {
  if (store.rows_in_callers_order()) return;
  const auto& origin = store.ints({Level::matrix, Name::row_origin});
  for (std::int32_t& row : port.rows) row = origin[row];
}

SegmentArrays segments_of(const Store& store, Level tile_level) {
  const LevelFacts& threads = *store.level(Level::thread);
  return segment_arrays(store.ints({Level::matrix, Name::row_first_nz}),
                        store.ints({tile_level, Name::first_nz}),
                        tile_level == Level::warp ? 32 : 1, threads.items);
}

}  // namespace

Result<BranchPlan> plan_branch(const Store& store) {
  Result<Layout> layout = assign_positions(store);
  if (!layout) return layout.failure();
  BranchPlan plan;
  plan.store = &store;
  plan.layout = std::move(*layout);
  if (store.partial.shape == Shape::one) {
    plan.whole = rows_of_sums(store);
  } else {
    const bool warp_wide = store.partial.shape == Shape::done;
    plan.tile_level = warp_wide ? Level::warp : Level::thread;
    plan.segments = segments_of(store, plan.tile_level);
    plan.whole.rows = plan.segments->inner_rows;
    plan.edge.rows = plan.segments->edge_rows;
  }
  to_callers_rows(store, plan.whole);
  to_callers_rows(store, plan.edge);
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
    for_each_port(launch, [&](BranchPlan&, RowPort& port) {
      for (const std::int32_t row : port.rows) writers_[row] += port.times;
    });
    std::optional<std::string> why;
    for_each_port(launch, [&](BranchPlan& branch, RowPort& port) {
      port.sink = sink_of(port);
      if (auto refused = refusal(branch.store->sink, port.sink)) why = refused;
    });
    for_each_port(launch, [&](BranchPlan&, RowPort& port) {
      for (const std::int32_t row : port.rows) {
        if (port.sink == Sink::store) stored_[row] = true;
        written_[row] = true;
        writers_[row] = 0;
      }
    });
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
  template <class Function>
  static void for_each_port(const std::vector<BranchPlan*>& launch, const Function& function) {
    for (BranchPlan* branch : launch) {
      for (RowPort* port : {&branch->whole, &branch->edge}) function(*branch, *port);
    }
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
