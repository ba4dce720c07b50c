// reversions: a design with one of its steps taken back: the rest of its time without the step.
//
// For each step of each chain there are these designs: without it, and with its parameters at their
// defaults. A second design, the reference, gives two more: its parameters for the same operator,
// and its step of the same kind in that place. A step of the same kind opens the same level,
// reduces at the same point of the chain, or is the epilogue. For a split there is one of its
// branches for all rows. Where a step cannot go alone, the steps that depend on it go too. The
// reference's steps are offered in their place, and growth closes the remaining gaps (growth.h).
//
// Example: `compress | thread_rows rows=1 | thread_pad | interleave | thread_total | global_store |
// launch threads=128` without thread_pad is the design without interleave too, because interleaved
// threads must be equally long.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "runtime/system/deadline.h"
#include "search/space/search_space.h"

namespace alphasparse {

struct Reversion {
  std::string step;    ///< the operator that is taken back
  std::string branch;  ///< its chain by branch numbers from 1, "2.1"; empty: the root's
  std::string what;  ///< "without thread_pad | interleave", "warp_rows rows=2 for warp_rows rows=4"
  std::optional<CanonicalDesign> design;  ///< legal, another than the winner; none: there is none
  std::string rejection;                  ///< where there is none; names the part that was asked
  bool reached = true;                    ///< false: the deadline came first, nothing is known
};

/// The reversions of `winner`, which is legal. There is at least one for each step:
/// first one a step in the order of the text, then the others. Several may come to one design.
/// `reference` may be null. The same every time, unless the deadline comes first: then steps that
/// were not reached say so.
std::vector<Reversion> reversions(const SearchSpace& space, const CanonicalDesign& winner,
                                  const CanonicalDesign* reference, const Deadline& deadline = {});

}  // namespace alphasparse
