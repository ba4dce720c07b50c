// levels: opens a slot for every level - straight line, guard, or strided loop.
#include <fmt/format.h>

#include <algorithm>

#include "generator/body/passes.h"

namespace alphasparse {

namespace {

class LevelOpener {
 public:
  explicit LevelOpener(Composition& composition) : c_(composition) {}

  void open() {
    if (c_.on_cpu()) return open_for_tasks();
    for (const LevelFacts& level : c_.store.levels()) {
      if (level.cut == Cut::lanes) {
        open_row_groups(level);
      } else {
        open_units(level);
      }
      if (level.level != Level::block) continue;
      c_.block_slot = c_.slots.size() - 1;
      if (c_.plan.staged) stage_slice_of_x(c_);
      if (c_.plan.table) open_table(level);
    }
    if (c_.store.partial.row_by_row) open_row_loop();
    if (c_.plan.table) require_threads_of_blocks();
  }

 private:
  /// The threads of the warps of a block are those that have its table.
  void require_threads_of_blocks() {
    const LevelFacts &block = *c_.store.level(Level::block), &threads = c_.thread_level();
    const LevelFacts* const warps = c_.store.level(Level::warp);
    if (!warps || threads.parent != Level::warp) return;
    const Expression first_warp = first_child(c_, *warps);
    Expression first_thread = first_child(c_, threads);
    replace_index(first_thread, first_warp);
    c_.format.require({"first thread of a block, beside its warps'",
                       first_thread - entry_of(c_.table_first, the_index()), block.units + 1, 0,
                       0});
  }

  /// Opens the levels for a CPU: a task has a share of the outermost units. Lanes are a gang, other
  /// threads a loop.
  void open_for_tasks() {
    const LevelFacts& outermost = c_.store.levels().front();
    const LevelFacts& threads = c_.thread_level();
    const bool lanes = outermost.cut == Cut::lanes;
    const bool gangs = outermost.level == Level::thread && !lanes && c_.gang > 0;
    const std::string name = lanes ? "row" : gangs ? "gang" : unit_name(c_.store, outermost);
    c_.body.blocks = lanes ? c_.store.rows() : outermost.units;
    if (gangs) c_.body.blocks = (outermost.units + c_.gang - 1) / c_.gang;
    c_.add_loop({name, "first_unit", "end_unit"}, Worker::matrix);
    if (gangs) {
      bind_gang(threads, code("{} * {}", Code::named(name), c_.gang), code("{}", threads.units),
                threads.units % c_.gang != 0);
    } else if (&outermost != &threads) {
      open_inside(outermost, threads);
    }
    if (c_.store.partial.row_by_row) open_row_loop();
  }

  /// The threads of a warp: rows that are dealt to lanes one after the other, or a gang.
  void open_inside(const LevelFacts& warps, const LevelFacts& threads) {
    const std::string warp = unit_name(c_.store, warps);
    const Code this_warp = Code::named(warp), next_warp = code("{} + 1", this_warp);
    if (threads.cut == Cut::lanes) {
      if (warp == "row" || warps.cut == Cut::cols) return;
      const std::string array = "warp_first_row";
      c_.format.add(array, c_.store.ints({Level::warp, Name::first_row}),
                    {"first row of each warp", 0, c_.store.rows(), true});
      c_.slots.back().bind("const int", "warp_end_row", c_.format.read(array, next_warp));
      c_.add_loop({"row", c_.format.read(array, this_warp), "$warp_end_row"}, Worker::matrix);
      return;
    }
    if (c_.store.tiles_are_full() || children_fill_parents(threads, warps, c_.gang)) {
      const bool full = c_.store.tiles_are_full() || threads.units == warps.units * c_.gang;
      return bind_gang(threads, code("{} * {}", this_warp, c_.gang), code("{}", threads.units),
                       !full);
    }
    const std::string array = fmt::format("{}_first_{}", warp, unit_name(c_.store, threads));
    c_.format.add(array, c_.store.ints({Level::warp, Name::first_child}),
                  {fmt::format("first {} of each {}", unit_name(c_.store, threads), warp), 0,
                   threads.units, true});
    bind_gang(threads, c_.format.read(array, this_warp), c_.format.read(array, next_warp), true);
  }

  /// The index of each lane's thread, of which those below `end` are there.
  void bind_gang(const LevelFacts& threads, const Code& first, const Code& end, bool may_end) {
    Code run = code("{} + {}", first, c_.lane());
    if (may_end) run = code("({}).below({})", run, end);
    c_.slots.back().bind(fmt::format("const Run<{}>", c_.gang), unit_name(c_.store, threads), run);
  }

  int workers_of_block(Level level) const {
    return level == Level::block ? 1 : level == Level::warp ? c_.threads() / 32 : c_.threads();
  }

  static Worker worker_of(Level level) {
    return level == Level::block  ? Worker::block
           : level == Level::warp ? Worker::warp
                                  : Worker::thread;
  }

  /// The index of a worker in its block.
  static Code local_index(Level level) {
    return level == Level::warp ? "threadIdx.x / 32" : "threadIdx.x";
  }

  /// The index of a worker in the grid.
  Code global_index(Level level) const {
    const int per_block = workers_of_block(level);
    if (per_block == 1) return c_.block;
    return code("{} * {} + {}", c_.block, per_block, local_index(level));
  }

  /// Blocks for `units` at `per_block` each; false where the grid is smaller and the workers
  /// stride.
  bool set_blocks(std::int64_t units, int per_block) {
    const std::int64_t needed = (units + per_block - 1) / per_block;
    const bool all = c_.store.launch.grid == 0 || needed <= c_.store.launch.grid;
    c_.body.blocks = all ? needed : c_.store.launch.grid;
    return all;
  }

  void open_units(const LevelFacts& level) {
    if (level.parent != Level::matrix) return open_children(level);
    const std::string name = unit_name(c_.store, level);
    const int per_block = workers_of_block(level.level);
    const Code index = global_index(level.level);
    if (set_blocks(level.units, per_block)) {
      c_.slots[0].bind("const int", name, index);
      guard_units(name, level, level.units % per_block == 0, Worker::block);
    } else {
      c_.add_loop({name, index, code("{}", level.units), code("{}", c_.body.blocks * per_block)},
                  worker_of(level.level));
    }
  }

  /// The scope of a unit's worker: a guard where the last workers have no unit.
  void guard_units(const std::string& name, const LevelFacts& level, bool is_full, Worker uniform) {
    if (is_full) {
      c_.add_scope(uniform);
    } else {
      c_.add_guard(code("{} < {}", Code::named(name), level.units), worker_of(level.level));
    }
  }

  void open_children(const LevelFacts& level) {
    const LevelFacts& parent = *c_.store.level(level.parent);
    Slot& outer = c_.slots.back();
    const std::string name = unit_name(c_.store, level), parent_name = unit_name(c_.store, parent);
    const bool in_warp = parent.level == Level::warp;
    const int many = in_warp ? 32 : workers_of_block(level.level);
    const Code local = in_warp ? c_.lane() : local_index(level.level);
    const Code this_parent = Code::named(parent_name);
    if (level.level == Level::thread && parent.items > 0 &&
        c_.store.tiles_are_full()) {  // pads complete the last tile
      const Worker uniform = outer.uniform;
      outer.bind("const int", name, code("{} * {} + {}", this_parent, many, local));
      c_.add_scope(uniform);
      return;
    }
    if (children_fill_parents(level, parent, many)) {
      const Worker uniform = outer.uniform;
      outer.bind("const int", name, code("{} * {} + {}", this_parent, many, local));
      guard_units(name, level, level.units == parent.units * many, uniform);
      return;
    }
    const std::string array = fmt::format("{}_first_{}", parent_name, name);
    c_.format.add(array, c_.store.ints({level.parent, Name::first_child}),
                  {fmt::format("first {} of each {}", name, parent_name), 0, level.units, true});
    const bool known = has_table_bounds(parent, level);
    const Code first =
        code("{} + {}", known ? Code::named(array) : c_.format.read(array, this_parent), local);
    const std::string end_name = fmt::format("{}_end_{}", parent_name, name);
    const Code end =
        known ? Code::named(end_name) : c_.format.read(array, code("{} + 1", this_parent));
    if (level.children_max <= many) {
      outer.bind("const int", name, first);
      c_.add_guard(code("{} < {}", Code::named(name), end), worker_of(level.level));
    } else {
      if (!known) outer.bind("const int", end_name, end);
      c_.add_loop({name, first, Code::named(end_name), code("{}", many)}, worker_of(level.level));
    }
  }

  /// The threads of a block with sums for the table, and the case of a unit that does not fit.
  void open_table(const LevelFacts& block) {
    const SharedTable& table = *c_.plan.table;
    const std::string name = unit_name(c_.store, block), array = name + "_first_thread";
    const std::int64_t threads = table.block_first_thread.back();
    c_.format.add(array, table.block_first_thread,
                  {"first thread of each " + name, 0, threads, true});
    Slot& slot = c_.slots.back();
    const Code this_block = Code::named(name);
    slot.bind("const int", array, c_.format.read(array, this_block));
    c_.table_first = array;
    if (!table.has_longer_rows) {
      c_.format.require({"threads of a " + name,
                         entry_of(array, the_index() + constant(1)) - entry_of(array, the_index()),
                         block.units, 0, table.slots});
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

  /// Every parent but the last has exactly one child a worker.
  bool children_fill_parents(const LevelFacts& level, const LevelFacts& parent, int many) const {
    const auto& first_child = c_.store.ints({level.parent, Name::first_child});
    for (std::int64_t unit = 0; unit < parent.units; ++unit) {
      if (first_child[unit] != unit * many) return false;
    }
    return level.units <= parent.units * many;
  }

  /// Rows dealt to groups of lanes. The group's loop is uniform, so that the warp can shuffle
  /// inside it.
  void open_row_groups(const LevelFacts& level) {
    const int lanes = level.lanes;
    Code condition;
    if (level.parent == Level::matrix) {
      const int groups = c_.threads() / lanes;
      const Code end = code("{}", c_.store.rows()), local = code("threadIdx.x / {}", lanes);
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
      const bool one_row = unit_name(c_.store, parent) == "row" || parent.cut == Cut::cols;
      if (one_row && lanes == 32 && parent.level == Level::warp) {
        c_.lane();  // the warp's row is the group's
        return;
      }
      condition = open_row_groups_of(parent, lanes);
    }
    if (condition.empty()) return;
    if (c_.store.warps_work_together() && lanes < 32) {
      c_.predicate = condition;
    } else {
      c_.add_guard(condition, lanes == 32 ? Worker::warp : Worker::thread);
    }
  }

  /// The groups of one block or warp; returns the condition under which a group has a row.
  Code open_row_groups_of(const LevelFacts& parent, int lanes) {
    const bool in_warp = parent.level == Level::warp;
    const int groups = (in_warp ? 32 : c_.threads()) / lanes;
    const Code local = code("{} / {}", in_warp ? c_.lane() : "threadIdx.x", lanes);
    const std::string name = level_name(parent.level), index = unit_name(c_.store, parent);
    const std::string array = name + "_first_row";
    c_.format.add(array, c_.store.ints({parent.level, Name::first_row}),
                  {"first row of each " + name, 0, c_.store.rows(), true});
    const Code this_parent = Code::named(index), end = Code::named(name + "_end_row");
    c_.slots.back().bind("const int", end.text(),
                         c_.format.read(array, code("{} + 1", this_parent)));
    const Code first = c_.format.read(array, this_parent);
    const std::string group_row = index == "row" ? "group_row" : "row";
    if (parent.rows_max <= groups) {
      c_.slots.back().bind("const int", group_row, code("{} + {}", first, local));
    } else {
      const Worker uniform = std::min(c_.slots.back().uniform, worker_of(parent.level));
      c_.add_loop({"first_row", first, end, code("{}", groups)}, uniform)
          .bind("const int", group_row, code("$first_row + {}", local));
    }
    c_.row = Code::named(group_row);
    return code("{} < {}", c_.row, end);
  }

  void open_row_loop() {
    const std::string array = "thread_first_row";
    c_.format.add(array, c_.store.ints({Level::thread, Name::first_row}),
                  {"first row of each thread", 0, c_.store.rows(), true});
    c_.slots.back().bind("const int", "thread_end_row", c_.format.read(array, "$thread + 1"));
    c_.add_loop({"row", c_.format.read(array, "$thread"), "$thread_end_row"}, Worker::thread);
  }

  Composition& c_;
};

}  // namespace

void open_levels(Composition& composition) { LevelOpener(composition).open(); }

}  // namespace alphasparse
