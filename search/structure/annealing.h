// annealing: the structure search - random growth and mutations under simulated annealing
// (Kirkpatrick, Gelatt, Vecchi 1983; the paper's section 6 searches its graphs likewise).
//
// Energy is the relative time. A design that takes (1 + d) times as long as the current one
// replaces it with probability exp(-d / T), and a faster one always. At T = 0.1 one that is 10 %
// slower replaces it in 37 of 100 cases. T is `cold` for as long as there are gains: where times
// are measured and a search has 64 trials, neither slower designs nor growth pay. After `stuck`
// moves without a new best T is `hot`, and falls to `cold` by equal factors over `moves` moves,
// then stays. A move is a design with a known outcome: verified and timed, or failed, which is
// never accepted. Pruned designs and duplicates are no moves. Each time that as many moves have
// brought nothing the search is reheated half-way: T becomes the geometric mean of hot and cold. It
// then goes on from the best. Every other time, where designs may grow at all, it goes on from one
// that grows anew.
//
// It knows no device: propose() gives a design, and learn() takes its outcome. With the same seed
// and the same outcomes the proposals are the same.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/random.h"
#include "runtime/database/database.h"
#include "search/space/known_designs.h"
#include "search/space/search_space.h"

namespace alphasparse {

struct AnnealingOptions {
  std::uint64_t seed = 0;
  double hot = 0.3;    ///< the highest temperature, in relative time; 0: never a slower design
  double cold = 0.01;  ///< at first and at the end, at most `hot`; 0: hot between them
  std::int64_t moves = 300;  ///< from hot to cold, at least 1
  std::int64_t stuck = 40;   ///< moves without a new best before a reheating, at least 1
  /// The share of proposals that grow from nothing, even with a current design, once the search was
  /// heated anew. At 0 none does that has a design to start from.
  double grown_share = 0.15;
  double grown_early = 0.2;  ///< of that share, before
};

class Annealing {
 public:
  /// `known` must outlive it.
  Annealing(const SearchSpace& space, KnownDesigns& known, const AnnealingOptions& options);

  /// Draws by lot whether the next design is to grow from nothing.
  bool draw_growth();

  /// A legal design that is neither in the outcomes nor was proposed before, and that rules allow.
  /// It is grown, or a mutation of the current one, if there is one. Nothing where none is found
  /// any more. Before the first move it starts from the best of the outcomes.
  std::optional<CanonicalDesign> propose(const Outcomes& outcomes, bool grown);

  /// A design that was proposed is not going to be tried; it may be proposed again.
  void withdraw(const CanonicalDesign& design) { proposed_.erase(design); }

  /// Takes in the outcome of a design that it proposed: a move.
  void learn(const CanonicalDesign& design, const Measurement& outcome);

  /// Takes in the outcome of a design that came from elsewhere. It is no move, but if it is faster
  /// than all before the search goes on from it.
  void hear(const CanonicalDesign& design, const Measurement& outcome);

  double temperature() const;
  const std::optional<CanonicalDesign>& current() const { return current_; }  ///< none at first
  std::int64_t moves() const { return moves_; }
  std::int64_t reheatings() const { return reheatings_; }

 private:
  void begin(const Outcomes& outcomes);
  std::optional<CanonicalDesign> mutated(const Outcomes& outcomes);
  const CanonicalDesign* other_parent(const Outcomes& outcomes);
  bool accepts(double time_us);
  void take(const CanonicalDesign& design, double time_us);
  void reheat();

  const SearchSpace space_;
  KnownDesigns& known_;
  const AnnealingOptions options_;
  Random proposals_, decisions_;  ///< streams of their own: decisions do not shift proposals
  std::set<CanonicalDesign> proposed_;
  std::optional<CanonicalDesign> current_, best_;
  double current_us_ = 0, best_us_ = 0;
  std::int64_t moves_ = 0;
  std::int64_t cooled_;  ///< moves since the hottest, as far as the schedule is concerned
  std::int64_t since_best_ = 0;
  std::int64_t reheatings_ = 0;
};

}  // namespace alphasparse
