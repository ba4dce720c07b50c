// portfolio: several strategies that propose designs and share one budget by the gain of each.
//
// No strategy is best on every matrix, nor for the whole of a search. A grid of parameters soon has
// nothing left, growth finds designs that no grid holds, and a model wants measurements first. So
// the next batch goes to a strategy by lot, its chances in proportion to its credit. The credit is
// the recent gain of its designs, the sum of log(best before / time), halved every `half_life`
// batches. It is divided by the cost of its batches, halved alike: 1 each, or, where seconds are
// told, a batch's time over the usual time of batches. So a strategy with slow designs must gain
// more. A strategy's `weight` multiplies its credit. No chance is below `least_share`. A strategy
// that has nothing to propose is passed over, and asked again after the next outcome.
//
// Example: of two strategies, one has gained 10 % in its last batch and the other nothing. With
// credits of 0.095 + 0.02 and 0.02 the first has 78 of 100 chances, or 85 without `least_share`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "operators/canonical_design.h"
#include "runtime/database/measurement.h"

namespace alphasparse {

/// A strategy that proposes designs.
struct Proposer {
  std::string name;
  /// At most `count` designs that are not known; none: nothing to propose now.
  std::function<Designs(const Outcomes& outcomes, std::size_t count)> propose;
  /// Takes in every outcome, from any proposer; may be empty. `is_own`: it proposed the design.
  std::function<void(const CanonicalDesign& design, const Measurement& outcome, bool is_own)> learn;
  /// Comes before all others for as long as it has something to propose.
  bool first = false;
  double weight = 1;  ///< of its chances
};

struct PortfolioOptions {
  std::uint64_t seed = 0;
  double half_life = 8;        ///< batches
  double least_share = 0.1;    ///< of the chances, for each strategy that has something to propose
  double credit_least = 0.02;  ///< of a strategy that has gained nothing, in log(time)
};

/// The tries that a strategy was given, and its results.
struct ProposerRecord {
  std::string name;
  std::int64_t proposed = 0;  ///< designs that it came up with
  std::int64_t verified = 0;  ///< of them
  std::int64_t bests = 0;     ///< of them, faster than all before
  double gained = 0;          ///< log(best before / time) over those
};

class Portfolio {
 public:
  Portfolio(std::vector<Proposer> proposers, const PortfolioOptions& options = {});

  /// Designs of one strategy, at most `count`, none of them known; none: no strategy has any left.
  Designs propose(const Outcomes& outcomes, std::size_t count);

  /// Takes in the outcome of a design.
  void learn(const CanonicalDesign& design, const Measurement& measurement);

  /// The seconds that the last proposal's trials took. Do not call it where the same seed is to
  /// propose the same again.
  void spent(double seconds);

  /// The records in the order of the proposers.
  const std::vector<ProposerRecord>& records() const { return records_; }

  /// The name of the strategy that proposed a design; empty: none did.
  std::string find_origin(const std::string& design) const;

  /// Designs of the strategies that were verified, and those of them since the last gain of half a
  /// per cent.
  std::int64_t verified() const { return verified_; }
  std::int64_t verified_since_gain() const { return since_gain_; }

 private:
  struct Credit {
    double gained = 0;  ///< lately
    double cost = 0;    ///< lately, in usual batches
  };

  Designs ask(std::size_t index, const Outcomes& outcomes, std::size_t count);
  std::size_t draw(const std::vector<std::size_t>& open);

  std::vector<Proposer> proposers_;
  PortfolioOptions options_;
  std::vector<ProposerRecord> records_;
  std::vector<Credit> credits_;
  std::optional<std::size_t> last_;  ///< proposer of the last batch by lot, until it is paid for
  double seconds_ = 0;               ///< of batches lately
  double batches_ = 0;               ///< lately, with known seconds
  std::map<std::string, std::size_t, std::less<>> origins_;
  std::optional<double> best_us_;
  std::int64_t verified_ = 0;
  std::int64_t since_gain_ = 0;
  Random random_;
};

}  // namespace alphasparse
