// reasons: the things that several operators find missing in a store, in the same words: the fact
// that stands in the way, then the remedy.
#pragma once
#include <optional>
#include <string>

#include "generator/facts/store.h"

namespace alphasparse {

inline constexpr const char* reduction_has_begun =
    "the reduction has begun already; levels and layouts come before it";
inline constexpr const char* no_thread_level =
    "no thread level is open; put thread_rows, thread_cols or thread_nnz before it";
inline constexpr const char* sums_have_gone =
    "the sums have gone to y already; only launch comes after that";
inline constexpr const char* images_of_rows =
    "a CPU's thread that adds mirror images has one row, or a band; use thread_rows rows=1";

/// The holder of a sum: "thread", "group of lanes", "warp", "block".
const char* holder_name(Worker holder);

/// Where no reduction has begun: which one could be put before it.
std::string nothing_reduced(const Store& store);

/// Why the store's partials are not of the shape `wanted`, one or head_tail, in the hands of a
/// worker that may hold them; or nothing: they are.
std::optional<std::string> not_of_shape(const Store& store, Shape wanted);

/// The same, and held by the threads.
std::optional<std::string> not_held_by_threads(const Store& store, Shape wanted);

}  // namespace alphasparse
