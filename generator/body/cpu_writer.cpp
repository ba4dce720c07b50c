// cpu_writer: kernel bodies for CPUs. A task of a core has a share of the outermost parts; the
// lanes of a warp are a gang, on which the core works at once.
#include <fmt/format.h>

#include "generator/body/passes.h"

namespace alphasparse {

namespace {

class TaskOpener {
 public:
  explicit TaskOpener(Composition& composition) : c_(composition) {}

  /// A task has a share of the outermost parts. Lanes are a gang, other threads a loop.
  void open() {
    const LevelFacts& outermost = c_.store.levels().front();
    const LevelFacts& threads = c_.thread_level();
    const bool lanes = outermost.tiling == Tiling::lanes;
    const bool gangs = outermost.level == Level::thread && !lanes && c_.gang > 0;
    const std::string name = lanes ? "row" : gangs ? "gang" : part_name(c_.store, outermost);
    c_.body.blocks = lanes ? c_.store.rows() : outermost.parts;
    if (gangs) c_.body.blocks = (outermost.parts + c_.gang - 1) / c_.gang;
    c_.add_loop({name, "first_unit", "end_unit"}, Worker::matrix);
    if (gangs) {
      bind_gang(threads, code("{} * {}", Code::named(name), c_.gang), write_count(threads),
                threads.parts % c_.gang != 0);
    } else if (&outermost != &threads) {
      open_inside(outermost, threads);
    }
    if (c_.gang > 0) c_.lane();  // beside its row
    if (c_.store.partial.row_by_row) open_row_loop(c_);
  }

 private:
  /// The threads of a warp: rows that are dealt to lanes one after the other, or a gang.
  void open_inside(const LevelFacts& warps, const LevelFacts& threads) {
    const std::string warp = part_name(c_.store, warps);
    const Code this_warp = Code::named(warp), next_warp = code("{} + 1", this_warp);
    if (threads.tiling == Tiling::lanes) {
      if (warp == "row" || warps.tiling == Tiling::cols) return;
      const std::string array = "warp_first_row";
      c_.format.add(array, c_.store.ints({Level::warp, Name::first_row}), "first row of each warp");
      c_.slots.back().bind("const int", "warp_end_row", c_.format.read(array, next_warp));
      c_.add_loop({"row", c_.format.read(array, this_warp), "$warp_end_row"}, Worker::matrix);
      return;
    }
    if (c_.store.tiles_are_full() || children_fill_parents(c_.store, threads, warps, c_.gang)) {
      const bool full = c_.store.tiles_are_full() || threads.parts == warps.parts * c_.gang;
      return bind_gang(threads, code("{} * {}", this_warp, c_.gang), write_count(threads), !full);
    }
    const std::string array = fmt::format("{}_first_{}", warp, part_name(c_.store, threads));
    c_.format.add(array, c_.store.ints({Level::warp, Name::first_child}),
                  fmt::format("first {} of each {}", part_name(c_.store, threads), warp));
    bind_gang(threads, c_.format.read(array, this_warp), c_.format.read(array, next_warp), true);
  }

  Code write_count(const LevelFacts& level) {
    return c_.constant(part_name(c_.store, level) + "s", level.parts);
  }

  /// The index of each lane's thread, of which those below `end` are there.
  void bind_gang(const LevelFacts& threads, const Code& first, const Code& end, bool may_end) {
    Code run = code("{} + {}", first, c_.lane());
    if (may_end) run = code("({}).below({})", run, end);
    c_.slots.back().bind(fmt::format("const Run<{}>", c_.gang), part_name(c_.store, threads), run);
  }

  Composition& c_;
};

Code lane_of_cpu(Composition& c) {
  c.slots[0].bind(fmt::format("constexpr Run<{}>", c.gang), "lane", "{}");
  return "$lane";
}

}  // namespace

const TargetWriter cpu_writer = {
    .simt = false,
    .open_levels = [](Composition& c) { TaskOpener(c).open(); },
    .tasks = task_text,
    .lane = lane_of_cpu,
    .group_lane = [](Composition& c, int) { return lane_of_cpu(c); },
    .local_thread = [](Composition& c, const std::string&) { return lane_of_cpu(c); },
    .threads_of_warp = [](const Composition& c) { return c.gang; },
    .slot_of_tile = [](const Composition& c) { return c.slots.size() - 1; },
    .product_or_zero =
        [](const Composition& c, const Code& value) {
          return code("  return column < 0 ? Value(0) : {} * {};\n", value, c.x_at("column"));
        },
};

}  // namespace alphasparse
