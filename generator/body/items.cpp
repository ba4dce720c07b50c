// items: the stored positions that a thread visits, read from the offsets that its layout needs.
#include <fmt/format.h>

#include <algorithm>

#include "generator/body/passes.h"
#include "generator/layouts/dense_blocks.h"

namespace alphasparse {

namespace {

class ItemFinder {
 public:
  explicit ItemFinder(Composition& composition) : c_(composition) {}

  Items items() {
    const LevelFacts& threads = c_.thread_level();
    const bool by_row = threads.cut == Cut::lanes || c_.store.partial.row_by_row;
    if (by_row) {
      if (const LevelFacts* part = c_.store.part_of_row()) {
        const std::string name = unit_name(c_.store, *part);
        const Key key{part->level, Name::first_nz};
        return {read_offsets(name, key, name) + " + " + c_.lane(),
                read_offsets(name, key, name + " + 1"), std::to_string(threads.lanes)};
      }
      const Key key{Level::matrix, Name::row_first_nz};
      const std::string first = read_offsets("row", key, c_.row),
                        end = read_offsets("row", key, c_.row + " + 1");
      if (threads.cut != Cut::lanes) return {first, end, "1"};
      return {first + " + " + c_.group_lane(threads.lanes), end, std::to_string(threads.lanes)};
    }
    const std::string name = unit_name(c_.store, threads);
    if (c_.store.ragged) return ragged_items(threads, name);
    if (c_.store.own_length) return own_items(threads, name);
    if (c_.store.interleaved) return interleaved_items(threads, name);
    if (!c_.plan.layout.in_order) return placed_items(name);
    const Key key{Level::thread, Name::first_nz};
    const std::string first = read_offsets(name, key, name);
    require_multiples(name + "_first_nz", threads.units + 1, c_.store.vector);
    return {first, read_offsets(name, key, name + " + 1"), std::to_string(c_.store.vector)};
  }

 private:
  std::string read_offsets(const std::string& unit, const Key& key, const std::string& index) {
    const std::string array = unit + "_first_nz";
    c_.format.add(array, c_.store.ints(key),
                  {fmt::format("first non-zero of each {}", unit), 0, c_.store.nnz(), true});
    return c_.format.read(array, index);
  }

  /// Where tiles and vectors begin.
  void require_multiples(const std::string& array, std::int64_t count, int of) {
    if (of <= 1) return;
    c_.format.require({fmt::format("{} % {}", array, of),
                       entry_of(array, the_index()) % constant(of), count, 0, 0});
  }

  Items placed_items(const std::string& name) {
    const std::int32_t items = c_.thread_level().items;
    if (items == 1) return {name, name + " + 1", "1"};
    if (items > 0) {  // full units, one behind the other
      return {fmt::format("{} * {}", items, name), fmt::format("{} * ({} + 1)", items, name), "1"};
    }
    const std::string array = add_first(name);
    return {c_.format.read(array, name), c_.format.read(array, name + " + 1"),
            std::to_string(c_.store.vector), "0"};
  }

  /// Where the entries of each unit begin, or its blocks; the array's name.
  std::string add_first(const std::string& unit) {
    const char* const what = c_.store.by_band ? "block" : "stored entry";
    const std::string array = unit + (c_.store.by_band ? "_first_block" : "_first_entry");
    std::vector<std::int32_t> first = c_.plan.layout.first_entry;
    for (std::int32_t& entry : first) entry /= entries_together();
    const auto count = static_cast<std::int64_t>(first.size());
    c_.format.add(array, std::move(first),
                  {fmt::format("first {} of each {}", what, unit), 0,
                   c_.plan.layout.stored / entries_together(), true});
    const bool in_tiles = c_.store.interleaved;
    require_multiples(array, count, in_tiles ? c_.plan.layout.stride : c_.store.vector);
    return array;
  }

  /// What is counted where a thread reads: entries, or blocks of so many.
  std::int32_t entries_together() const { return c_.store.by_band ? block_places(c_.store) : 1; }

  Items interleaved_items(const LevelFacts& threads, const std::string& name) {
    const std::string step = std::to_string(c_.plan.layout.stride);
    const int run = c_.store.run;
    std::string local = local_index(threads, name);
    if (run > 1) local = fmt::format("{} * {}", run, local);
    if (threads.parent == Level::matrix) {
      return {local, std::to_string(c_.plan.layout.stored / entries_together()), step, local};
    }
    const std::string parent = unit_name(c_.store, *c_.store.level(threads.parent));
    const std::string array = add_first(parent);
    return {fmt::format("{} + {}", c_.format.read(array, parent), local),
            c_.format.read(array, parent + " + 1"), step, local};
  }

  /// The index of a thread under its parent.
  std::string local_index(const LevelFacts& threads, const std::string& name) {
    if (threads.parent == Level::matrix) return name;
    if (c_.on_cpu()) return c_.lane();
    const bool in_warp = threads.parent == Level::warp;
    if (threads.children_max <= (in_warp ? 32 : c_.threads())) {
      return in_warp ? c_.lane() : "threadIdx.x";
    }
    const std::string parent_name = unit_name(c_.store, *c_.store.level(threads.parent));
    const std::string children = fmt::format("{}_first_{}", parent_name, name);
    return fmt::format("({} - {})", name, c_.format.read(children, parent_name));
  }

  /// As if padded, but the end is the thread's own.
  Items own_items(const LevelFacts& threads, const std::string& name) {
    Items items = c_.store.interleaved ? interleaved_items(threads, name) : placed_items(name);
    const auto& first_nz = c_.store.ints({Level::thread, Name::first_nz});
    std::vector<std::int32_t> lengths;
    for (std::int64_t unit = 0; unit < threads.units; ++unit) {
      const std::int32_t length = first_nz[unit + 1] - first_nz[unit], of = c_.store.multiple;
      lengths.push_back((length + of - 1) / of * of);
    }
    const std::string array = name + "_length";
    const int multiple = c_.store.multiple;
    std::string doc = fmt::format("non-zeros of each {}", name);
    if (multiple > 1) doc += fmt::format(", rounded up to a multiple of {}", multiple);
    const std::int64_t longest = (threads.nz_max + multiple - 1) / multiple * multiple;
    c_.format.add(array, std::move(lengths), {doc, 0, longest, false});
    require_ends(threads, name, array);
    if (items.first != name) {
      c_.slots.back().bind("const int first", items.first);
      items.first = "first";
    }
    std::string length = c_.format.read(array, name);
    if (c_.store.interleaved) {
      length = fmt::format("{} * {}", c_.plan.layout.stride / c_.store.run, length);
    }
    items.end = fmt::format("{} + {}", items.first, length);
    return items;
  }

  /// No thread's own length reaches behind the entries.
  void require_ends(const LevelFacts& threads, const std::string& name, const std::string& length) {
    const std::int64_t stored = c_.plan.layout.stored;
    if (!c_.store.interleaved) {
      const Expression first = threads.items > 0 ? constant(threads.items) * the_index()
                                                 : entry_of(name + "_first_entry", the_index());
      c_.format.require({"end of a thread's entries", first + entry_of(length, the_index()),
                         threads.units, 0, stored});
      return;
    }
    if (threads.parent == Level::matrix) return;  // all tiles are as long as the longest thread
    const int stride = c_.plan.layout.stride, run = c_.store.run;
    const std::string parent = unit_name(c_.store, *c_.store.level(threads.parent));
    const Expression first = first_child(c_, threads);
    c_.format.require({"end of a thread's entries", first,
                       entry_of(parent + "_first_entry", the_index()) - constant(run) * first,
                       constant(run) * the_index() +
                           constant(stride / run) * entry_of(length, the_index()) +
                           constant(run - stride),
                       c_.store.level(threads.parent)->units, -index_limit, stored});
  }

  Items ragged_items(const LevelFacts& threads, const std::string& name) {
    c_.format.add("diagonal_first_entry", c_.plan.layout.first_entry,
                  {"first stored entry of each diagonal", 0, c_.plan.layout.stored, true});
    c_.slots[0].bind("const auto entry_of",
                     c_.functor("diagonal", c_.format.read("diagonal_first_entry", "diagonal")));
    const auto diagonals = static_cast<std::int64_t>(c_.plan.layout.first_entry.size()) - 1;
    Items items{"0", std::to_string(diagonals), "1", local_index(threads, name)};
    if (threads.parent == Level::matrix) return items;
    const std::string parent_name = unit_name(c_.store, *c_.store.level(threads.parent));
    const std::string array = parent_name + "_first_diagonal";
    c_.format.add(array, c_.plan.layout.first_diagonal,
                  {fmt::format("first diagonal of each {}", parent_name), 0, diagonals, true});
    items.first = c_.format.read(array, parent_name);
    items.end = c_.format.read(array, parent_name + " + 1");
    return items;
  }

  Composition& c_;
};

}  // namespace

Items items_of(Composition& composition) { return ItemFinder(composition).items(); }

}  // namespace alphasparse
