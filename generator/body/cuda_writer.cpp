// cuda_writer: kernel bodies for GPUs, whose threads are those of the hardware. Each level opens a
// straight line, a guard or a strided loop.
#include <fmt/format.h>

#include <algorithm>

#include "generator/body/passes.h"

namespace alphasparse {

namespace {

class GridOpener {
 public:
  explicit GridOpener(Composition& composition) : c_(composition) {}

  void open() {
    for (const LevelFacts& level : c_.store.levels()) {
      if (level.tiling == Tiling::lanes) {
        open_row_groups(level);
      } else {
        open_parts(level);
      }
      if (level.level != Level::block) continue;
      c_.block_slot = c_.slots.size() - 1;
      if (c_.plan.staged) stage_slice_of_x(c_);
      if (c_.plan.table) open_table(level);
    }
    const LevelFacts& threads = c_.thread_level();
    if (threads.tiling == Tiling::lanes) c_.group_lane(threads.lanes);  // beside the row
    if (c_.store.partial.row_by_row) open_row_loop(c_);
  }

 private:
  int workers_of_block(Level level) const {
    return level == Level::block ? 1 : level == Level::warp ? c_.threads() / 32 : c_.threads();
  }

  static Worker find_worker(Level level) {
    return level == Level::block  ? Worker::block
           : level == Level::warp ? Worker::warp
                                  : Worker::thread;
  }

  /// The index of a worker in its block.
  static Code local_index(Level level) {
    return level == Level::warp ? "threadIdx.x / warp_size" : "threadIdx.x";
  }

  /// The index of a worker in the grid.
  Code global_index(Level level) const {
    const int per_block = workers_of_block(level);
    if (per_block == 1) return c_.block;
    return code("{} * {} + {}", c_.block, per_block, local_index(level));
  }

  /// Blocks for `parts` at `per_block` each; false where the grid is smaller and the workers
  /// stride.
  bool set_blocks(std::int64_t parts, int per_block) {
    const std::int64_t needed = (parts + per_block - 1) / per_block;
    const bool all = c_.store.launch.grid == 0 || needed <= c_.store.launch.grid;
    c_.body.blocks = all ? needed : c_.store.launch.grid;
    return all;
  }

  void open_parts(const LevelFacts& level) {
    if (level.parent != Level::matrix) return open_children(level);
    const std::string name = part_name(c_.store, level);
    const int per_block = workers_of_block(level.level);
    const Code count = write_count(level), index = global_index(level.level);
    if (set_blocks(level.parts, per_block)) {
      c_.slots[0].bind("const int", name, index);
      guard_parts(name, level, level.parts % per_block == 0, Worker::block);
    } else {
      c_.add_loop({name, index, count, code("{}", c_.body.blocks * per_block)},
                  find_worker(level.level));
    }
  }

  /// The number of a level's parts: "rows".
  Code write_count(const LevelFacts& level) {
    return c_.constant(part_name(c_.store, level) + "s", level.parts);
  }

  /// The scope of a part's worker: a guard where the last workers have no part.
  void guard_parts(const std::string& name, const LevelFacts& level, bool is_full, Worker uniform) {
    if (is_full) {
      c_.add_scope(uniform);
    } else {
      c_.add_guard(code("{} < {}", Code::named(name), write_count(level)),
                   find_worker(level.level));
      guard_of_all_ = c_.slots.size() - 1;
    }
  }

  void open_children(const LevelFacts& level) {
    const LevelFacts& parent = *c_.store.level(level.parent);
    Slot& outer = c_.slots.back();
    const std::string name = part_name(c_.store, level), parent_name = part_name(c_.store, parent);
    const bool in_warp = parent.level == Level::warp;
    const int many = in_warp ? 32 : workers_of_block(level.level);
    const Code local = in_warp ? c_.lane() : local_index(level.level);
    const Code stride = in_warp ? "warp_size" : code("{}", many);
    const Code this_parent = Code::named(parent_name);
    if (level.level == Level::thread && parent.part_size > 0 &&
        c_.store.tiles_are_full()) {  // pads complete the last tile
      const Worker uniform = outer.uniform;
      outer.bind("const int", name, code("{} * {} + {}", this_parent, stride, local));
      c_.add_scope(uniform);
      return;
    }
    if (children_fill_parents(c_.store, level, parent, many)) {
      const Worker uniform = outer.uniform;
      outer.bind("const int", name, code("{} * {} + {}", this_parent, stride, local));
      const bool is_full = level.parts == parent.parts * many;
      // Behind the last parent of all, and only there, no child has a number below the end.
      outer.is_implied = !is_full && guard_of_all_ == c_.slots.size() - 1;
      guard_parts(name, level, is_full, uniform);
      return;
    }
    const std::string array = fmt::format("{}_first_{}", parent_name, name);
    c_.format.add(array, c_.store.ints({level.parent, Name::first_child}),
                  fmt::format("first {} of each {}", name, parent_name));
    const bool known = has_table_bounds(parent, level);
    const Code first =
        code("{} + {}", known ? Code::named(array) : c_.format.read(array, this_parent), local);
    const std::string end_name = fmt::format("{}_end_{}", parent_name, name);
    const Code end =
        known ? Code::named(end_name) : c_.format.read(array, code("{} + 1", this_parent));
    if (level.children_max <= many) {
      outer.bind("const int", name, first);
      c_.add_guard(code("{} < {}", Code::named(name), end), find_worker(level.level));
    } else {
      if (!known) outer.bind("const int", end_name, end);
      c_.add_loop({name, first, Code::named(end_name), stride}, find_worker(level.level));
    }
  }

  /// The threads of a block with sums for the table, and the case of a part that does not fit.
  void open_table(const LevelFacts& block) {
    const SharedTable& table = *c_.plan.table;
    const std::string name = part_name(c_.store, block), array = name + "_first_thread";
    c_.format.add(array, table.block_first_thread, "first thread of each " + name);
    Slot& slot = c_.slots.back();
    const Code this_block = Code::named(name);
    slot.bind("const int", array, c_.format.read(array, this_block));
    c_.table_first = array;
    if (!table.has_longer_rows) {
    }
    const std::string end = name + "_end_thread";
    slot.bind("const int", end, c_.format.read(array, code("{} + 1", this_block)));
    if (table.has_longer_rows) {
      c_.add_guard(code("{} - {} <= {}", Code::named(end), Code::named(array), table.slots),
                   Worker::block);
    }
    c_.table_slot = c_.slots.size() - 1;
  }

  bool has_table_bounds(const LevelFacts& parent, const LevelFacts& level) const {
    return c_.plan.table && parent.level == Level::block && level.level == Level::thread;
  }

  /// Rows dealt to groups of lanes. The group's loop is uniform, so that the warp can shuffle
  /// inside it.
  void open_row_groups(const LevelFacts& level) {
    const int lanes = level.lanes;
    Code condition;
    if (level.parent == Level::matrix) {
      const int groups = c_.threads() / lanes;
      const Code end = c_.constant("rows", c_.store.rows()),
                 local = code("threadIdx.x / {}", lanes_text(c_, lanes));
      if (set_blocks(c_.store.rows(), groups)) {
        const Code row = groups == 1 ? c_.block : code("{} * {} + {}", c_.block, groups, local);
        c_.slots[0].bind("const int", "row", row);
      } else {
        const Code step = code("{}", c_.body.blocks * groups);
        c_.add_loop({"first_row", code("{} * {}", c_.block, groups), end, step}, Worker::block)
            .bind("const int", "row", code("$first_row + {}", local));
      }
      if (c_.store.rows() % groups != 0) condition = code("$row < {}", end);
    } else {
      const LevelFacts& parent = *c_.store.level(level.parent);
      const bool one_row = part_name(c_.store, parent) == "row" || parent.tiling == Tiling::cols;
      if (one_row && lanes == 32 && parent.level == Level::warp) {
        c_.lane();  // the warp's row is the group's
        return;
      }
      condition = open_groups(parent, lanes);
    }
    if (condition.empty()) return;
    if (c_.store.warps_work_together() && lanes < 32) {
      c_.predicate = condition;
    } else {
      c_.add_guard(condition, lanes == 32 ? Worker::warp : Worker::thread);
    }
  }

  /// The groups of one block or warp; returns the condition under which a group has a row.
  Code open_groups(const LevelFacts& parent, int lanes) {
    const bool in_warp = parent.level == Level::warp;
    const int groups = (in_warp ? 32 : c_.threads()) / lanes;
    const Code local = code("{} / {}", in_warp ? c_.lane() : "threadIdx.x", lanes_text(c_, lanes));
    const std::string name = level_name(parent.level), index = part_name(c_.store, parent);
    const std::string array = name + "_first_row";
    c_.format.add(array, c_.store.ints({parent.level, Name::first_row}),
                  "first row of each " + name);
    const Code this_parent = Code::named(index), end = Code::named(name + "_end_row");
    c_.slots.back().bind("const int", end.text(),
                         c_.format.read(array, code("{} + 1", this_parent)));
    const Code first = c_.format.read(array, this_parent);
    const std::string group_row = index == "row" ? "group_row" : "row";
    if (parent.rows_max <= groups) {
      c_.slots.back().bind("const int", group_row, code("{} + {}", first, local));
    } else {
      const Worker uniform = std::min(c_.slots.back().uniform, find_worker(parent.level));
      c_.add_loop({"first_row", first, end, code("{}", groups)}, uniform)
          .bind("const int", group_row, code("$first_row + {}", local));
    }
    c_.row = Code::named(group_row);
    return code("{} < {}", c_.row, end);
  }

  Composition& c_;
  /// The slot with the guard of a level's last part, which other guards may imply; 0: none yet.
  std::size_t guard_of_all_ = 0;
};

Code lane_of_cuda(Composition& c) {
  c.slots[0].bind("const int", "lane", "threadIdx.x % warp_size");
  return "$lane";
}

Code group_lane_of_cuda(Composition& c, int lanes) {
  if (lanes == 32) return lane_of_cuda(c);
  c.slots[0].bind("const int", "group_lane", code("threadIdx.x % {}", lanes_text(c, lanes)));
  return "$group_lane";
}

Code local_thread_of_cuda(Composition& c, const std::string& thread) {
  const LevelFacts& threads = c.thread_level();
  const bool in_warp = threads.parent == Level::warp;
  if (threads.children_max <= (in_warp ? 32 : c.threads())) {
    return in_warp ? lane_of_cuda(c) : "threadIdx.x";
  }
  const std::string parent = part_name(c.store, *c.store.level(threads.parent));
  const std::string children = fmt::format("{}_first_{}", parent, thread);
  return code("({} - {})", Code::named(thread), c.format.read(children, Code::named(parent)));
}

/// No load stands behind a branch, where it would wait for the column. A slice of x is near, and
/// may be empty.
Code product_or_zero_of_cuda(const Composition& c, const Code& value) {
  if (c.plan.staged)
    return code("  return {} * (column < 0 ? Value(0) : {});\n", value, c.x_at("column"));
  return code(
      "  const Value product = {} * {};\n"
      "  return column < 0 ? Value(0) : product;\n",
      value, c.x_at("max(column, 0)"));
}

}  // namespace

const TargetWriter cuda_writer = {
    .simt = true,
    .open_levels = [](Composition& c) { GridOpener(c).open(); },
    .tasks = [](Composition&) { return TaskText(); },
    .lane = lane_of_cuda,
    .group_lane = group_lane_of_cuda,
    .local_thread = local_thread_of_cuda,
    .threads_of_warp = [](const Composition&) { return 32; },
    .slot_of_tile =
        [](const Composition& c) {
          return c.slots.size() - (c.plan.tile_level == Level::thread ? 1 : 2);
        },
    .product_or_zero = product_or_zero_of_cuda,
};

}  // namespace alphasparse
