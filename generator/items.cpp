// items: the stored positions that a thread visits, read from the offsets that its layout needs.
#include <fmt/format.h>

#include <algorithm>

#include "generator/composition.h"

namespace alphasparse {

namespace {

class ItemFinder {
 public:
  explicit ItemFinder(Composition& composition) : c_(composition) {}

  Items items() {
    const LevelFacts& threads = c_.thread_level();
    const bool by_row = threads.cut == Cut::lanes || c_.store.partial.row_by_row;
    if (by_row) {
      const Key key{Level::matrix, Name::row_first_nz};
      const std::string first = read_offsets("row", key, c_.row),
                        end = read_offsets("row", key, c_.row + " + 1");
      if (threads.cut != Cut::lanes) return {first, end, "1"};
      return {first + " + " + c_.group_lane(threads.lanes), end, std::to_string(threads.lanes)};
    }
    const std::string name = unit_name(c_.store, threads);
    if (c_.store.interleaved) return interleaved_items(threads, name);
    if (!c_.plan.layout.in_order) return placed_items(name);
    const Key key{Level::thread, Name::first_nz};
    return {read_offsets(name, key, name), read_offsets(name, key, name + " + 1"), "1"};
  }

 private:
  std::string read_offsets(const std::string& unit, const Key& key, const std::string& index) {
    const std::string array = unit + "_first_nz";
    c_.format.add(array, c_.store.ints(key),
                  {fmt::format("first non-zero of each {}", unit), 0, c_.store.nnz(), true});
    return c_.format.read(array, index);
  }

  Items placed_items(const std::string& name) {
    const std::int32_t items = c_.thread_level().items;
    if (items == 1) return {name, name + " + 1", "1"};
    if (items > 0) {  // full units, one behind the other
      return {fmt::format("{} * {}", items, name), fmt::format("{} * ({} + 1)", items, name), "1"};
    }
    const std::string array = name + "_first_entry";
    add_first_entry(array, name);
    return {c_.format.read(array, name), c_.format.read(array, name + " + 1"), "1"};
  }

  void add_first_entry(const std::string& array, const std::string& unit) {
    c_.format.add(
        array, c_.plan.layout.first_entry,
        {fmt::format("first stored entry of each {}", unit), 0, c_.plan.layout.stored, true});
  }

  Items interleaved_items(const LevelFacts& threads, const std::string& name) {
    const std::string step = std::to_string(c_.plan.layout.stride);
    if (threads.parent == Level::matrix) return {name, std::to_string(c_.plan.layout.stored), step};
    const LevelFacts& parent = *c_.store.level(threads.parent);
    const std::string parent_name = unit_name(c_.store, parent),
                      array = parent_name + "_first_entry";
    add_first_entry(array, parent_name);
    std::string local = threads.parent == Level::warp ? c_.lane() : "threadIdx.x";
    if (threads.children_max > (threads.parent == Level::warp ? 32 : c_.threads())) {
      const std::string children = fmt::format("{}_first_{}", parent_name, name);
      local = fmt::format("({} - {})", name, c_.format.read(children, parent_name));
    }
    return {fmt::format("{} + {}", c_.format.read(array, parent_name), local),
            c_.format.read(array, parent_name + " + 1"), step};
  }

  Composition& c_;
};

}  // namespace

Items items_of(Composition& composition) { return ItemFinder(composition).items(); }

}  // namespace alphasparse
