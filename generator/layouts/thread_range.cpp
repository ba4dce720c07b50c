#include "generator/layouts/thread_range.h"

#include <fmt/format.h>

#include <utility>

#include "generator/code/composition.h"

namespace alphasparse {

Code read_offsets(Composition& c, const std::string& part, const Key& key, const Code& index) {
  const std::string array = part + "_first_nz";
  c.format.add(array, c.store.ints(key), fmt::format("first non-zero of each {}", part));
  return c.format.read(array, index);
}

namespace {

/// The step of a thread with items one behind the other: entries are read by vectors, blocks are
/// read one by one.
int find_step(const Composition& c, const Beginnings& beginnings) {
  return beginnings.has_blocks() ? 1 : c.store.vector;
}

/// Adds the offsets of a part's entries or blocks; returns the array's name.
std::string add_first(Composition& c, const std::string& part, const Beginnings& beginnings) {
  const std::string array = part + beginnings.suffix;
  std::vector<std::int32_t> first = c.plan.layout.first_entry;
  for (std::int32_t& entry : first) entry /= beginnings.together;
  c.format.add(array, std::move(first),
               fmt::format("first {} of each {}", beginnings.of_what, part));
  return array;
}

}  // namespace

SharedPart part_of_entries(Composition& c) {
  const LevelFacts* const part = c.store.part_of_row();
  if (!part) return {"row", {Level::matrix, Name::row_first_nz}, c.row};
  const std::string name = part_name(c.store, *part);
  return {name, {part->level, Name::first_nz}, Code::named(name)};
}

Range range_of_lanes(Composition& c, const Code& first, const Code& end) {
  const int lanes = c.thread_level().lanes, vector = c.store.vector;
  Code lane = c.store.part_of_row() ? c.lane() : c.group_lane(lanes);
  Code step = lanes_text(c, lanes);
  if (vector > 1) {
    lane = code("{} * {}", vector, lane);
    step = code("{} * {}", vector, step);
  }
  return {code("{} + {}", first, lane), end, step};
}

Range range_behind(Composition& c, const std::string& name, const Beginnings& beginnings) {
  const std::int32_t part_size = c.thread_level().part_size;
  const Code part = Code::named(name);
  if (part_size == 1) return {part, code("{} + 1", part), "1"};
  if (part_size > 0) {  // full parts, one behind the other
    return {code("{} * {}", part_size, part), code("{} * ({} + 1)", part_size, part),
            code("{}", c.store.vector)};
  }
  const std::string array = add_first(c, name, beginnings);
  return {c.format.read(array, part), c.format.read(array, code("{} + 1", part)),
          code("{}", find_step(c, beginnings)), "0"};
}

Range range_side_by_side(Composition& c, const std::string& name, int run,
                         const Beginnings& beginnings) {
  const LevelFacts& threads = c.thread_level();
  const bool of_warp = c.writer.simt && threads.parent == Level::warp;
  const int stride = c.plan.layout.stride;
  const Code step = of_warp && stride == 32 ? "warp_size" : c.constant("stride", stride);
  Code local = local_index(c, name);
  if (run > 1) local = code("{} * {}", run, local);
  if (threads.parent == Level::matrix) {
    const std::int64_t stored = c.plan.layout.stored / beginnings.together;
    return {local, c.constant(beginnings.has_blocks() ? "stored_blocks" : "stored_entries", stored),
            step, local};
  }
  const std::string parent_name = part_name(c.store, *c.store.level(threads.parent));
  const std::string array = add_first(c, parent_name, beginnings);
  const Code parent = Code::named(parent_name);
  return {code("{} + {}", c.format.read(array, parent), local),
          c.format.read(array, code("{} + 1", parent)), step, local};
}

Code local_index(Composition& c, const std::string& name) {
  const LevelFacts& threads = c.thread_level();
  if (threads.parent == Level::matrix) return Code::named(name);
  return c.writer.local_thread(c, name);
}

}  // namespace alphasparse
