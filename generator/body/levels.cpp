// levels: the parts of opened levels that all targets share.
#include "generator/body/passes.h"

namespace alphasparse {

bool children_fill_parents(const Store& store, const LevelFacts& level, const LevelFacts& parent,
                           int many) {
  const auto& first_child = store.ints({level.parent, Name::first_child});
  for (std::int64_t part = 0; part < parent.parts; ++part) {
    if (first_child[part] != part * many) return false;
  }
  return level.parts <= parent.parts * many;
}

void open_row_loop(Composition& c) {
  const std::string array = "thread_first_row";
  c.format.add(array, c.store.ints({Level::thread, Name::first_row}), "first row of each thread");
  c.slots.back().bind("const int", "thread_end_row", c.format.read(array, "$thread + 1"));
  c.add_loop({"row", c.format.read(array, "$thread"), "$thread_end_row"}, Worker::thread);
}

const TargetWriter& find_writer(Target target) {
  return target == Target::cpu ? cpu_writer : cuda_writer;
}

}  // namespace alphasparse
