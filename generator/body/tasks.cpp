// tasks: the facts that the tasks of a CPU need about the outermost parts that they share out. They
// are the weights of parts, the row of y with which each begins, and, where it adds mirror images,
// the row behind those that they go to.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "generator/body/passes.h"
#include "generator/layouts/cpu_costs.h"
#include "generator/layouts/layout_kind.h"

namespace alphasparse {

namespace {

class TaskWriter {
 public:
  explicit TaskWriter(Composition& composition)
      : c_(composition),
        outermost_(composition.store.levels().front()),
        reads_(layout_kind(composition.store).reads(composition.store)) {}

  TaskText write() {
    TaskText text;
    text.part = part();
    text.weight = weight();
    const bool shares =
        c_.plan.whole.epilogue == Epilogue::atomic || c_.plan.edge.epilogue == Epilogue::atomic;
    if (shares || c_.store.mirrored()) text.first_row = first_row();
    if (c_.store.mirrored()) text.end_row = end_row();
    return text;
  }

 private:
  /// Whether lanes are the outermost threads, so that a part is a gang of them.
  bool is_gang_of_threads() const {
    return c_.gang > 0 && outermost_.level == Level::thread && outermost_.tiling != Tiling::lanes;
  }

  std::string part() const {
    if (outermost_.tiling == Tiling::lanes) return "row";
    return is_gang_of_threads() ? "gang" : part_name(c_.store, outermost_);
  }

  Code this_part() const { return Code::named(part()); }

  /// The offsets of the parts' entries, where the body reads such; else nothing.
  std::string offsets() const {
    const bool equal = outermost_.tiling == Tiling::nnz || outermost_.tiling == Tiling::merge;
    if (equal || is_gang_of_threads()) return "";
    for (const char* const suffix : {"_first_entry", "_first_nz"}) {
      if (c_.format.has(part() + suffix)) return part() + suffix;
    }
    return "";
  }

  /// How many entries lie before a part, an expression; empty: as many in each.
  Code entries_before() {
    Code counted;
    for (const Counter& counter : reads_.before) {
      const std::string array = part() + counter.suffix;
      if (!c_.format.has(array)) continue;
      if (!counted.empty()) counted += " + ";
      if (counter.entries > 1) counted += code("{} * ", counter.entries);
      counted += c_.format.read(array, this_part());
    }
    if (!counted.empty()) return counted;
    const std::string array = offsets();
    if (!array.empty()) return c_.format.read(array, this_part());
    if (c_.plan.layout.first_diagonal.empty()) return {};
    if (!is_gang_of_threads()) {
      return c_.format.read("diagonal_first_entry",
                            c_.format.read(part() + "_first_diagonal", this_part()));
    }
    const Code entry_of =
        c_.functor("diagonal", c_.format.read("diagonal_first_entry", "$diagonal"));
    return code("entries_before({} * {}, {}, {})", c_.gang, this_part(),
                c_.plan.layout.first_entry.size() - 1, entry_of);
  }

  /// The time that a part takes beside its entries, as so many of them.
  std::int64_t part_entries() const {
    const TotalCost cost = cpu_cost(c_.store, reads_);
    const std::int64_t parts = is_gang_of_threads() ? (outermost_.parts + c_.gang - 1) / c_.gang
                               : outermost_.tiling == Tiling::lanes ? c_.store.rows()
                                                                    : outermost_.parts;
    const double inner = static_cast<double>(cpu_parts(c_.store)) /
                         static_cast<double>(std::max<std::int64_t>(1, parts));
    return std::max<std::int64_t>(
        1, std::llround(std::max(1.0, inner) * cost.part_ns / cost.entry_ns));
  }

  /// The entries before a part, and the cost of the parts before it as so many entries.
  Code weight() {
    const Code entries = entries_before();
    if (entries.empty()) return {};
    return code("std::int64_t{{{}}} + {} * std::int64_t{{{}}}", entries, part_entries(),
                this_part());
  }

  /// The last entry, or block, before the next part has the largest column of its row. That of an
  /// empty row is one of a row before.
  Code end_row() {
    const bool blocks = c_.format.has("block_first_col");
    const std::string ends = blocks ? part() + "_first_block" : offsets();
    const Code last = code("max({}, 1) - 1", c_.format.read(ends, code("{} + 1", this_part())));
    const Code column = c_.format.read(blocks ? "block_first_col" : "column", last);
    if (!blocks) return code("max({}, {}) + 1", c_.origin(this_part()), column);
    const Code next = code("{} * {} + {}", reads_.rows, this_part(), reads_.rows);
    return code("max({}, {} + {})", c_.origin(next), column, reads_.cols);
  }

  Code first_row() {
    const std::string name = part();
    const Code each = this_part();
    if (c_.plan.segments) {
      const Code word = c_.format.read("tile_ptr", each);
      const bool flagged = c_.plan.segments->some_empty_rows;
      return c_.origin(flagged ? c_.format.field("first_row_of", word) : word);
    }
    if (c_.thread_level().tiling == Tiling::merge) {
      return c_.origin(c_.format.read("thread_first_row", each));
    }
    if (is_gang_of_threads()) {
      return c_.origin(code("{} * {}", c_.gang * reads_.rows, each));
    }
    if (name == "row") return c_.origin(each);
    if (outermost_.tiling == Tiling::rows) {
      const std::string array = name + "_first_row";
      c_.format.add(array, c_.store.ints({outermost_.level, Name::first_row}),
                    "first row of each " + name);
      return c_.origin(c_.format.read(array, each));
    }
    return c_.row_of_y(&outermost_);
  }

  Composition& c_;
  const LevelFacts& outermost_;
  const Reads reads_;
};

}  // namespace

TaskText task_text(Composition& composition) { return TaskWriter(composition).write(); }

}  // namespace alphasparse
