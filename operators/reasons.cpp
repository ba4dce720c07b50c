#include "operators/reasons.h"

#include <fmt/format.h>

namespace alphasparse {

const char* holder_name(Worker holder) {
  return holder == Worker::group ? "group of lanes" : worker_name(holder);
}

std::string nothing_reduced(const Store& store) {
  const LevelFacts* threads = store.level(Level::thread);
  if (!threads) return no_thread_level;
  const char* first = "thread_total";
  if (threads->tiling == Tiling::merge) first = "thread_merge";
  if (threads->tiling == Tiling::nnz && threads->part_size > 1) first = "thread_bitmap";
  return fmt::format("nothing is reduced yet; put {} before it", first);
}

std::optional<std::string> not_of_shape(const Store& store, Shape wanted) {
  const Shape shape = store.partial.shape;
  if (!store.epilogue.empty()) return sums_have_gone;
  if (shape == wanted) return std::nullopt;
  if (shape == Shape::none) return nothing_reduced(store);
  if (shape == Shape::done) return "the rows are summed up already; a sink comes after that";
  if (shape == Shape::one)
    return "each sum is of one row, without a head and a tail; use thread_bitmap or thread_merge";
  return "each thread has the sums of a head and a tail, not of one row; use warp_segment or "
         "shared_offset";
}

std::optional<std::string> not_held_by_threads(const Store& store, Shape wanted) {
  if (auto reason = not_of_shape(store, wanted)) return reason;
  if (store.partial.holder == Worker::thread) return std::nullopt;
  return fmt::format("each {} has added up its threads' sums already",
                     holder_name(store.partial.holder));
}

}  // namespace alphasparse
