// replay: the search of tune() on outcomes that are known already. So the search itself can be
// judged: the kernels and the seconds that it needs to come near the best known time.
//
// The search is the very one (strategies.h), with parts of it left out for comparison. Only trials
// are looked up instead of run. A recorder can try a design that has no recorded outcome. Without
// one the design is passed over and counted as missing. Where few are missing, a replay gives the
// result that a search would have had. A duplicate counts where its kernel is tried for the first
// time in this replay. It does not matter which of its designs was recorded first.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/database/measurement.h"
#include "search/strategies/strategies.h"

namespace alphasparse {

/// The knowledge of other matrices that a search begins with: nothing, those of the corpus
/// (warm_start.h) or the shipped ones of other origins (shipped_start.h).
enum class SearchStart { cold, warm, shipped };
inline constexpr std::array<SearchStart, 3> all_starts = {SearchStart::cold, SearchStart::warm,
                                                          SearchStart::shipped};

/// A variant of the search that is compared with others.
struct SearchVariant {
  std::string_view name;
  std::string_view doc;
  SearchParts parts;
  SearchStart start = SearchStart::cold;
};

/// The whole search first, then the search without each part, then chance alone; at the end those
/// that do not start cold.
const std::vector<SearchVariant>& search_variants();

struct ReplayPlan {
  StrategiesOptions search;
  std::int64_t evaluations = 256;           ///< trials that count (counts_as_trial) before it ends
  std::size_t batch = 8;                    ///< designs proposed in view of the same outcomes
  const std::atomic<bool>* stop = nullptr;  ///< ends it from outside; null: never
};

/// A new best.
struct ReplayStep {
  std::int64_t evaluations = 0;  ///< it took, this one included
  double seconds = 0;            ///< of one thread, that these trials took when they were recorded
  double time_us = 0;
  std::string design;
  std::string strategy;  ///< that proposed it
};

struct Replayed {
  std::vector<ReplayStep> bests;  ///< each faster than the one before
  std::int64_t evaluations = 0;
  double seconds = 0;
  std::int64_t missing = 0;  ///< proposed, and not known
  /// Where the search would have ended by itself (Strategies::is_exhausted); nothing: not yet.
  std::optional<std::int64_t> exhausted_after;
  std::int64_t pruned = 0;      ///< proposed designs that their lower bound ruled out
  std::set<std::string> tried;  ///< designs that counted

  /// The first best that takes at most `time_us`; null: none does.
  const ReplayStep* reached(double time_us) const;
};

/// Adds the outcomes of designs that are not recorded; it need not add all. Designs that cannot be
/// faster than `best_us` by their lower bound (0: any can) may be added as pruned, with the bound.
/// A variant that has nothing as fast asks for them again.
using Recorder = std::function<void(const Designs& designs, double best_us, Outcomes& recorded)>;

/// Searches until so many trials are made, or nothing is left to propose; also where the search
/// itself would have ended before.
Replayed replay(const Matrix& matrix, Outcomes& recorded, const ReplayPlan& plan,
                const Recorder& recorder = {});

}  // namespace alphasparse
