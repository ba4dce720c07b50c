// launch: the resources of the launch (the paper's SET_RESOURCES); it ends a design.
#include <fmt/format.h>

#include "operators/all_operators.h"
#include "operators/reasons.h"

namespace alphasparse {

namespace {

constexpr std::int64_t multiprocessor_threads = 2048;  // most that any GPU holds

std::optional<std::string> launch_applies(const Store& store, const Arguments& arguments) {
  if (store.epilogue.empty() && store.partial.shape == Shape::none) return nothing_reduced(store);
  if (store.epilogue.empty()) {
    return "the sums have not gone to y yet; put global_store or global_atomic before it";
  }
  if (store.launch.is_set()) return "the launch is set already; a design has one";
  if (store.on_cpu()) return std::nullopt;
  if (store.launch.tile_threads != 0 && arguments.integer("threads") != store.launch.tile_threads) {
    return fmt::format("a block reduces a tile together: threads must be {}",
                       store.launch.tile_threads);
  }
  if (arguments.integer("threads") % 32 != 0) return "threads must be a multiple of 32";
  if (arguments.text("blocks") != "any" &&
      arguments.integer("threads") * arguments.integer("blocks") > multiprocessor_threads) {
    return fmt::format("{} blocks of {} threads exceed the {} of a multiprocessor; use blocks={}",
                       arguments.integer("blocks"), arguments.integer("threads"),
                       multiprocessor_threads,
                       multiprocessor_threads / arguments.integer("threads"));
  }
  if (arguments.text("fused") == "yes" && store.description.empty())
    return "fused=yes is for branches";
  return std::nullopt;
}

void launch_apply(Store& store, const Arguments& arguments) {
  store.launch.tasks = store.on_cpu();
  store.launch.columns =
      arguments.text("columns") == "all" ? 0 : static_cast<int>(arguments.integer("columns"));
  if (store.launch.tasks) {
    store.launch.one_task = arguments.text("tasks") == "one";
    return;
  }
  store.launch.threads = static_cast<int>(arguments.integer("threads"));
  store.launch.blocks_least =
      arguments.text("blocks") == "any" ? 0 : static_cast<int>(arguments.integer("blocks"));
  store.launch.streamed = arguments.text("cache") == "streamed";
  store.launch.grid = arguments.text("grid") == "exact" ? 0 : arguments.integer("grid");
  store.launch.fused = arguments.text("fused") == "yes";
}

}  // namespace

const Operator launch = {
    "launch",
    Stage::implementing,
    "SET_RESOURCES",
    "sets the threads of a block and the blocks of the grid, or how a CPU cuts tasks",
    {{.name = "threads",
      .doc = "threads of a block, a multiple of 32",
      .least = 32,
      .most = 1024,
      .one_of = true,
      .coarse =
          [](const RowFacts&) {
            return std::vector<std::int64_t>{128, 256, 64, 512};
          },
      .multiple = 32,
      .only_on = Target::gpu},
     {.name = "tasks",
      .doc =
          "on a CPU: how units are cut for its threads, when the arrays are there; bytes: as many "
          "bytes and rows for each; one: one thread has all, where others would come too late",
      .choices = {"bytes", "one"},
      .one_of = true,
      .only_on = Target::cpu},
     {.name = "grid",
      .doc = "blocks at most, the workers then stride; exact: one unit a worker",
      .fallback = "exact",
      .least = 1,
      .most = 1 << 24,
      .choices = {"exact"},
      .coarse =
          [](const RowFacts&) {  // one and two waves of 256 threads on some 132 multiprocessors
            return std::vector<std::int64_t>{1056, 2112};
          },
      .modelled = false,
      .only_on = Target::gpu},
     {.name = "blocks",
      .doc = "blocks that a multiprocessor holds at once: a thread has as many registers as they "
             "leave; any: as the compiler likes, or enough for loads in flight together",
      .fallback = "any",
      .least = 1,
      .most = 8,
      .choices = {"any"},
      .coarse =
          [](const RowFacts&) {
            return std::vector<std::int64_t>{4, 2};
          },
      .modelled = false,
      .only_on = Target::gpu},
     {.name = "cache",
      .doc = "streamed: values and columns are marked as read once, so that caches keep x",
      .fallback = "all",
      .choices = {"all", "streamed"},
      .modelled = false,
      .only_on = Target::gpu},
     {.name = "columns",
      .doc = "of several vectors (--vectors) that one pass over the matrix takes: 4, 8, 16 or all",
      .fallback = "all",
      .choices = {"all", "4", "8", "16"}},
     {.name = "fused",
      .doc = "yes: in one launch with the other branches that say so, which have as many threads",
      .fallback = "no",
      .choices = {"no", "yes"},
      .only_on = Target::gpu}},
    {},
    {},
    {},
    launch_applies,
    launch_apply,
    [](const WeightContext&) { return 6.0; },
};

}  // namespace alphasparse
