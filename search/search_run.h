// search_run: one search for one matrix, or for a sample of it, on one device: its trials, its
// strategies, and the result that they come to.
//
// Its other subjects have files of their own: known outcomes (recall.h), samples
// (sampled_search.h), the last comparison (last_comparison.h), the explanation (explanation.h) and
// the database's rows (run_store.h).
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/learning/features.h"
#include "search/run_store.h"
#include "search/strategies/strategies.h"
#include "search/trial/budget.h"
#include "search/trial/trial.h"
#include "search/trial/trial_loop.h"
#include "search/tune_result.h"

namespace alphasparse {

/// The outcomes that count (counts_as_trial).
std::int64_t counted_trials(const Outcomes& outcomes);

/// The question of one search, which does not change.
struct SearchSetting {
  const Matrix& matrix;
  Database* database;  ///< null: nothing is known and nothing kept
  const TuneOptions& options;
  const ProgressCallback& progress;
  const std::atomic<bool>& stop;
  Problem problem;
  bool is_sample = false;  ///< of a larger matrix: no other search learns from it
  std::string began_at = utc_now();

  bool is_measured() const { return problem.device.kind == TimeKind::measured; }
};

class SearchRun {
 public:
  SearchRun(SearchSetting setting_of, Device& device, Budget& budget_of);
  SearchRun(const SearchRun&) = delete;
  SearchRun& operator=(const SearchRun&) = delete;

  const SearchSetting setting;
  Budget& budget;
  TuneResult result = {};
  Trial trial;
  RunStore store;
  KnownDesigns designs = {};  ///< of all outcomes

  /// The design of an outcome. Outcomes of texts that are no designs are left out from the start.
  const CanonicalDesign& find_design(const Measurement& outcome) {
    return *designs.find(outcome.design);
  }

  /// The times in us that samples predict for designs on the matrix.
  void expect(ExpectedTimes sampled_us) { sampled_us_ = std::move(sampled_us); }

  /// The features of the matrix; found when they are first asked for.
  const Features& features();

  /// The orders of the matrix' rows that promise much; found when they are first asked for.
  const RowOrders& row_orders();

  /// Tries these designs alone within the allowance.
  void try_designs(const Designs& wanted, const Allowance& allowance);

  /// All strategies. `first` are tried before all others, but after the designs known from
  /// elsewhere. Where samples were searched, `first` has so many `leaders`. These are tried in
  /// their order then, and for a very large matrix only `first`. The designs from elsewhere are
  /// left out, for a sample's search had them.
  void search_all(const Designs& first, std::size_t leaders = 0);

  /// Tries the counterpart of a winner that the last trials have brought.
  void complete_counterparts();

  std::optional<Measurement> best_for_any_values();

  /// Ends the run in the database, if there is one.
  void finish(double seconds, std::int64_t trials);

  /// Completes the result from the outcomes.
  void conclude();

 private:
  /// A source of designs for a loop of trials.
  struct Proposals {
    std::function<Designs(std::size_t count)> next;  ///< at most `count`; none: all is tried
    std::function<void()> learn = {};                ///< from the last ones; may be empty
    std::function<void(double seconds)> spent = {};  ///< on the last ones; may be empty
  };

  /// These designs, without those that have an outcome. They must outlive the proposals.
  Proposals make_proposals(const Designs& wanted) const;

  /// Tries the designs of strategies, and those that follow from their outcomes, within the
  /// allowance. Ends earlier if more is not worth it.
  void search(Strategies& strategies, const Allowance& allowance);

  /// Tries proposals within the allowance.
  void run(const Proposals& proposals, const Allowance& allowance);

  /// One loop of trials. Returns the designs with disturbed times.
  Designs run_loop(const Proposals& proposals, const Allowance& allowance);

  /// Tries designs one by one, in the order of their expected times, until one is right.
  void search_at_once(Strategies& strategies);

  /// For those of the fastest designs with formats that hold these values alone, the same designs
  /// for any values, unless they have been tried. The vendor is compared with both.
  Designs counterparts(std::size_t count);

  /// Takes out the outcomes that a loop has set aside: it counts skipped designs and gives the
  /// disturbed ones back.
  Designs set_aside(const std::vector<Measurement>& outcomes);

  /// Nothing where this machine's memory does not hold the data for finding any.
  Designs proposed(Strategies& strategies, std::size_t count) const;

  /// The times that designs are expected to take: by samples, and where there were none by the
  /// prior.
  ExpectedTimes expected(const Designs& of, const Deadline& deadline) const;

  void trace(const Measurement& measurement);

  std::optional<Measurement> fastest_disturbed_;  ///< where nothing else is known
  std::optional<Features> features_;
  std::optional<RowOrders> row_orders_;
  ExpectedTimes sampled_us_;  ///< empty: there were no samples
};

}  // namespace alphasparse
