// tune_result: the answer of a search, and everything else that it has found.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/matrix.h"
#include "runtime/database/database.h"
#include "runtime/device/device.h"
#include "search/estimates/vector_orders.h"
#include "search/explaining/explain.h"
#include "search/order_worth.h"
#include "search/strategies/fine_grid.h"
#include "search/strategies/portfolio.h"
#include "search/trial/baseline_figures.h"
#include "search/trial/budget.h"

namespace alphasparse {

/// The kinds of outcomes that the database had for this problem.
enum class Tier {
  none,       ///< nothing
  nearest,    ///< designs of other matrices, tried early
  elsewhere,  ///< designs for this pattern under other conditions, tried early
  resumed,    ///< earlier measurements; the search went on
  pattern,    ///< designs for this pattern with other values, which were verified and timed again
  proposed,   ///< designs of another machine for this problem, which were verified and timed here
  exact,      ///< the answer
};

const char* tier_name(Tier tier);  ///< "none", "nearest", ...

/// A sample of the matrix (search/estimates/sample.h), and the outcomes of designs on it.
struct SampledSearch {
  std::int64_t nnz = 0;
  double share = 1;  ///< of the matrix' non-zeros
  CacheRegime regime = CacheRegime::warm;
  std::int64_t trials = 0;  ///< that count, earlier runs' included
  std::int64_t pruned = 0;  ///< by a lower bound
  double seconds = 0;       ///< of this call
  /// The fastest, the first first, twenty at most.
  std::vector<std::string> best = {};
};

/// A trial as it was known when it was taken.
struct TracedTrial {
  std::string design;
  std::optional<double> time_us;  ///< none: it failed, or has no time
};

struct TuneResult {
  Fingerprints fingerprints;
  DeviceInfo device;
  int vectors = 1;  ///< columns of X and Y
  Tier tier = Tier::none;
  bool interrupted = false;
  Outcomes outcomes;                  ///< by design text, earlier runs' included
  std::optional<Measurement> winner;  ///< none: nothing was verified
  /// The best with a format that holds any values of the pattern (Trial::takes_any_values). The
  /// vendor cannot use that values repeat or are floats, so it is compared with this one first.
  std::optional<Measurement> any_values;
  std::optional<Measurement> pfs;  ///< the best named design: the perfect format selector
  std::string pfs_name;
  std::int64_t named_designs = 0;  ///< of the target
  std::int64_t named_untried = 0;  ///< of those: neither tried nor ruled out on this matrix
  Outcomes baseline_outcomes;  ///< of the vendor's algorithms, by name; where times are measured
  std::optional<Measurement> vendor;           ///< the best of them
  std::vector<ProposerRecord> strategies;      ///< of this call's search, with the results of each
  std::map<std::string, std::string> origins;  ///< the strategy of each design of this call
  std::vector<TracedTrial> trace;          ///< of this call's search, those that count, in order
  FineGridState model;                     ///< likewise, at its end
  PruneCounts prunes;                      ///< likewise: steps that rules have refused
  std::vector<VectorOrder> vector_orders;  ///< likewise: as they were looked at, where allowed
  std::optional<OrderWorth> order_worth;   ///< of a winner that permutes x and y
  std::optional<Explanation> explanation;  ///< where it was asked for and there is a winner
  std::vector<SampledSearch> samples;      ///< that were searched before the matrix itself
  std::vector<std::string> warm_matrices;  ///< names of the matrices with designs that were tried
                                           ///< first
  std::size_t similar_matrices = 0;        ///< of the database, that correct expected times
  std::vector<std::string> shipped_matrices;  ///< likewise of the shipped ones: their names
  std::int64_t csr_bytes = 0;
  std::int64_t trials = 0;             ///< in outcomes, that count (counts_as_trial)
  std::int64_t trials_now = 0;         ///< of them, in this call
  std::int64_t trials_explaining = 0;  ///< of those, for the explanation, which no budget bounds
  double seconds = 0;                  ///< of this call
  double seconds_tuned = 0;            ///< of all calls that this result rests on
  std::vector<PartTime> parts;         ///< how the time of this call was divided and used
  /// The least time of a design that was verified in this call and not disturbed, where any was.
  std::optional<double> least_us;
  std::optional<double> reported_us;  ///< the best time that the progress of this search told last
  std::int64_t skipped = 0;  ///< designs that met a fault of the environment twice, without a row
  std::string skip_reason;   ///< the first such fault
  /// Designs with times that were disturbed at every try, without a row.
  std::int64_t disturbed_designs = 0;
  /// The answer rests on undisturbed times, for not all could be measured anew. Where nothing else
  /// is known, it rests on disturbed times.
  bool disturbed = false;
  std::optional<Error> broken;  ///< the error that ended the search before its time; its results
                                ///< stand

  std::map<std::string, std::int64_t> statuses() const;  ///< how many outcomes of each status

  /// The time of the vendor's best over that of `ours`; none where one of them is not known.
  std::optional<double> times_vendor(const std::optional<Measurement>& ours) const;

  /// The vendor's algorithms for so many vectors.
  const std::vector<Baseline>& algorithms() const { return baselines(device, vectors); }

  /// baseline_outcomes in the order of algorithms().
  std::vector<const Measurement*> baselines_in_order() const;

  BaselineCount baseline_count() const;

  /// How many of the vendor's algorithms their share of the time did not reach; 0 where none was
  /// asked for.
  std::int64_t untried_baselines() const;

  /// After how many SpMVs tuning, converting and loading have paid against the best of the vendor's
  /// algorithms, prepared; none where it is not known or does not.
  std::optional<double> spmvs_to_pay() const;
};

}  // namespace alphasparse
