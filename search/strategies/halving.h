// halving: the coarse grids of all structures, searched together by successive halving.
//
// A structure is a design without its parameters. Its standing is the best verified time of its
// designs, from any proposer. A bracket begins with the better half of all structures. From this
// half it takes structures within `reach` of the best time for as long as there are any: the time
// that each comes with has been its first rung. Every rung then gives each structure in it a few
// untried points of the grid of its best. The better half goes on with twice as many. The last one
// gets rungs of its own for as long as they gain, and has won. The next bracket begins with all
// others, until no grid has anything left. Among them are structures that other strategies have
// found since. So no grid is searched to its end while another structure may be better, and every
// grid is in the end.
//
// The points of a first rung lie spread over a grid; later half of them are the nearest to the
// structure's best, by doublings of their numbers. The best of a rung, and of a grid that has
// nothing left, is proposed with the optimizer's passes.
//
// Source: Jamieson, Talwalkar, "Non-stochastic Best Arm Identification and Hyperparameter
// Optimization", 2016, with structures for arms.
//
// Example: of 6 structures the 3 fastest get 2 points each, the 2 fastest then 4, one then 8.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "operators/canonical_design.h"
#include "runtime/database/measurement.h"
#include "search/space/known_designs.h"

namespace alphasparse {

class Halving {
 public:
  /// Designs that follow from one.
  using Others = std::function<Designs(const CanonicalDesign& design)>;

  using Legal = std::function<bool(const CanonicalDesign& design)>;

  /// `variants` gives the coarse grid of a design, and `compacted` a design with different passes.
  /// `known` must outlive it. Points of a grid that are not `legal` are passed over: they
  /// would be rejected, and their structure has others to show. `reach` is at least 1. It is the
  /// factor that a grid may gain where structures come with parameters that are good already.
  Halving(KnownDesigns& known, Others variants, Others compacted, Legal legal,
          double reach = std::numeric_limits<double>::infinity());

  /// The next designs that are neither known nor were proposed before, at most `count`; none: there
  /// is nothing to propose in view of these outcomes. All of one answer are of one rung, so all
  /// outcomes that decide on the next are known before it begins.
  Designs next(const Outcomes& outcomes, std::size_t count);

 private:
  struct Standing {
    CanonicalDesign design;
    double time_us = 0;
  };
  using Standings = std::map<std::string, Standing>;  ///< by structure

  Standings standings(const Outcomes& outcomes);
  bool begin_bracket(const Standings& best);
  void keep_near(const Standings& best);
  void end_rung(const Standings& best, const Outcomes& outcomes);
  void begin_rung(const Standings& best, const Outcomes& outcomes);
  bool refill(const Outcomes& outcomes);
  Designs untried(Designs designs, const Outcomes& outcomes) const;
  void put(Designs designs);
  void put_legal(std::size_t count, const std::function<Designs(std::size_t count)>& take);

  KnownDesigns& known_;
  Others variants_, compacted_;
  Legal legal_;
  double reach_;
  std::vector<std::string> bracket_;   ///< structures that are still in it, the fastest first
  std::size_t points_ = 0;             ///< of each of them, in the present rung
  double leader_us_ = 0;               ///< of the fastest of them, before the rung
  std::deque<CanonicalDesign> queue_;  ///< the rest of the rung
  std::set<std::string> won_;          ///< of earlier brackets; they wait for all others
  /// By structure, a best with a grid that has nothing left.
  std::map<std::string, CanonicalDesign> spent_;
  std::set<CanonicalDesign> proposed_;
};

}  // namespace alphasparse
