// thread_requests: the answers to requests that several layouts give, because their threads read
// entry by entry.
#pragma once
#include <optional>
#include <string>

#include "generator/layouts/layout_kind.h"

namespace alphasparse {

/// A reason as an answer of LayoutKind::reply.
Failure reject(std::string reason);

/// The answers of a layout to requests, as far as it has none of its own: columns are loaded like
/// values, and all else leaves the layout as it is. A kind derives from it, takes over its answers
/// by `using`, and adds those in which it differs.
struct UsualAnswers {
  const Store& store;

  /// Columns that a thread loads `Store::vector` at once cannot be coded.
  Result<LayoutChoice> operator()(const request::CodeColumns&) const;

  template <class Other>
  Result<LayoutChoice> operator()(const Other&) const {
    return store.layout;
  }
};

/// Why threads cannot be padded or transposed: each must have entries of one row, one after the
/// other.
std::optional<std::string> not_entries_of_a_row(const LevelFacts& threads);

/// Why entries cannot be loaded `vector` at once, by a thread with entries one behind the other.
/// They begin at multiples of `multiple`.
std::optional<std::string> cannot_load_neighbours(const Store& store, int vector, int multiple);

/// Why a thread cannot load `vector` entries in any layout.
std::optional<std::string> cannot_load(const Store& store, int vector);

/// Why nothing can read the layout but a total that takes one entry after the other.
std::optional<std::string> cannot_read_blocks(const char* kind, const request::Total& total);

/// Why threads of the layout cannot be as long as the longest of all parts of a level.
std::optional<std::string> cannot_widen(const Store& store, Level level, bool padded);
std::string widened_already(Level level);

/// Why a kind of threads cannot keep runs of neighbours together.
std::optional<std::string> cannot_take_runs(const Store& store, int run);
std::string unequal_threads(const LevelFacts& threads);
std::string no_multiples(int run);

/// Whether there are threads that each have entries of their own.
bool has_threads_of_entries(const Store& store);
inline const char* const no_threads_of_entries =
    "padded or interleaved, but no threads are enumerated";

/// The beginnings of the names of arrays by which threads find entries, coded or not.
std::vector<std::string_view> entry_arrays();

/// The call of the total for threads that read entry by entry.
FragmentStep total_of_entries(const Store& store, const request::Total& total);

/// Adds the cost of a CPU's total: that of the fragment that reads entries, or `rows` of the usual
/// ones.
void add_cost(const Store& store, std::string_view rows, Reads& reads);

inline const char* const no_ragged_runs = "a ragged tile has no runs; use run=1";
inline const char* const padded_already = "the threads are padded already";
inline const char* const transposed_already = "the threads are interleaved already";
inline const char* const pad_before_transposed =
    "the threads are interleaved already; put it before interleave";

}  // namespace alphasparse
