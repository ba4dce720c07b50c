// explain: why the winner won: the worth of each of its steps, the best design of another
// structure, and the reasons that kept other designs out.
//
// A step's worth is the extra time of its reversions (reversions.h). Each is tried as any design of
// a search is, unless its outcome is known. So a step that is better taken back is found here. The
// design without it becomes the winner and is explained in its turn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/database/measurement.h"
#include "runtime/system/deadline.h"
#include "search/explaining/reversions.h"
#include "search/space/known_designs.h"
#include "search/space/search_space.h"

namespace alphasparse {

struct Reverted {
  Reversion reversion;
  std::optional<Measurement> outcome;  ///< none: it is not legal, or was not tried
};

struct Explanation {
  /// That is explained; empty: nothing is. Where a reversion of it has won and no time is left
  /// to explain that one, not the winner.
  std::string design;
  std::vector<Reverted> steps;      ///< the largest loss first; behind them those without a time
  std::vector<std::string> beaten;  ///< winners before it, which reversions of theirs have beaten
  std::int64_t tried = 0;           ///< designs that had no known outcome
};

inline constexpr std::size_t explained_designs_max = 24;  ///< without a known outcome

/// Tries designs and adds their outcomes to those that explain() was given, as far as time goes.
using TryDesigns = std::function<void(const Designs& designs)>;

/// Explains find_best(outcomes) by comparison with `reference`, which may be null. Tries at most
/// `designs_max` designs without a known outcome, and nothing after `deadline`.
Explanation explain(const SearchSpace& space, KnownDesigns& known, const CanonicalDesign* reference,
                    Outcomes& outcomes, const TryDesigns& try_designs,
                    const Deadline& deadline = {}, std::size_t designs_max = explained_designs_max);

/// The best of the outcomes that has another structure than the design, or null.
const Measurement* best_of_other_structure(const Outcomes& outcomes, const std::string& design);

/// A reason without the details of this case: numbers are N, and the remedy is left out. "33 lanes
/// share rows of 7; use lanes=8" is "N lanes share rows of N".
std::string reason_class(std::string_view reason);

/// A class of reasons why designs were pruned, how many were, and the reason of one of them.
struct PrunedClass {
  std::string reason;
  std::int64_t designs = 0;
  std::string example = {};
};

/// The classes of pruned outcomes, most designs first.
std::vector<PrunedClass> pruned_classes(const Outcomes& outcomes);

/// Every limit by its name, in the order of the struct.
std::vector<std::pair<std::string_view, double>> limit_list(const ModelledLimits& limits);

/// Every limit by its name, the longest first. That one bounds the kernel.
std::vector<std::pair<std::string_view, double>> longest_limits(const ModelledLimits& limits);

}  // namespace alphasparse
