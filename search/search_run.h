// search_run: one search for one matrix on one device. It holds the steps of tune() for a matrix,
// and for a sample of it.
#pragma once
#include <spdlog/spdlog.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/database.h"
#include "search/learning/features.h"
#include "search/strategies/strategies.h"
#include "search/strategies/warm_start.h"
#include "search/trial/baseline_share.h"
#include "search/trial/budget.h"
#include "search/trial/finals.h"
#include "search/trial/trial.h"
#include "search/trial/trial_loop.h"
#include "search/tune_result.h"

namespace alphasparse {

/// The outcomes that count (counts_as_trial).
std::int64_t counted_trials(const Outcomes& outcomes);

struct SearchRun {
  const Matrix& matrix;
  Database* database;
  const TuneOptions& options;
  const ProgressCallback& progress;
  const std::atomic<bool>& stop;
  const Problem problem;
  Trial trial;
  Budget& budget;
  std::string run = {};  ///< its key in the database
  TuneResult result = {};
  std::string vendor_run = {};  ///< likewise, where there is one
  double seconds_before = 0;    ///< that earlier runs have used
  std::string began_at = utc_now();
  std::optional<Measurement> fastest_disturbed = std::nullopt;  ///< where nothing else is known
  bool is_sample = false;  ///< of a larger matrix: it teaches nobody else
  std::optional<Features> known_features = std::nullopt;
  BaselineShare baseline_share = {};
  /// The times in us that samples predict for designs on the matrix; empty: there were none.
  ExpectedTimes sampled_us = {};

  bool is_measured() const { return problem.device.kind == TimeKind::measured; }

  /// Measurements of the problem from other machines, or from unknown ones: designs to try.
  Outcomes proposals = {};

  KnownDesigns designs = {};  ///< of the outcomes and of the proposals

  /// The design of an outcome. Outcomes of texts that are no designs are left out from the start.
  const CanonicalDesign& design_of(const Measurement& outcome) {
    return *designs.find(outcome.design);
  }

  /// Without outcomes of texts that are no designs of this target in their one spelling, of which a
  /// search could make nothing.
  Outcomes of_designs(Outcomes outcomes);

  /// Takes the outcomes of earlier runs of this machine as known, and the time that they used from
  /// the budget. Outcomes of others become proposals.
  void recall();

  /// Runs of no known machine: where the best of them is right here, they are ours.
  void adopt_unknown();

  /// Fails the designs that were best before, as long as this call's rules do not allow them.
  void drop_forbidden();

  /// Whether this machine has the answer already.
  bool is_answered();

  /// Tries `first`, and with `ways` the designs that follow from them, within the allowance; ends
  /// earlier if more is not worth it.
  void search(Designs first, Strategies* ways, const Allowance& allowance);

  /// For those of the fastest designs with formats that hold these values alone, the same designs
  /// for any values, unless they have been tried. The vendor is compared with both.
  Designs counterparts(std::size_t count);

  /// Takes out the outcomes that a loop has set aside: it counts skipped designs and gives the
  /// disturbed ones back.
  Designs set_aside(const std::vector<Measurement>& outcomes);

  /// Tries the counterpart of a winner that the last trials have brought.
  void complete_counterparts();

  std::optional<Measurement> best_for_any_values();

  /// The best, and the best for any values: those that must have met in turn.
  std::vector<std::string> answers();

  /// Nothing where this machine's memory does not hold the data for finding any.
  Designs proposed(Strategies& ways, std::size_t count) const;

  /// Keeps data for later searches. This one needs none of it, so it goes on without.
  template <class Keep>
  void keep(const char* what, const Keep& act) {
    if (!database || result.broken) return;
    try {
      act();
    } catch (const Error& error) {
      spdlog::warn("{} not kept: {}", what, error.what());
    }
  }

  /// The features of the matrix; found when they are first asked for.
  const Features& features();

  void keep_features();

  /// Designs and measurements from elsewhere.
  WarmStart recall_elsewhere();

  /// The times that designs are expected to take: by samples, and where there were none by the
  /// prior.
  ExpectedTimes expected(const Designs& designs, const Deadline& deadline) const;

  /// Tries designs one by one, in the order of their expected times, until one is right.
  void search_at_once(Strategies& ways);

  /// All levels of the search. `first` are tried before all others, but after the designs known
  /// from elsewhere. Those are left out where `promoted`: then a sample's search had them. Of a
  /// very large matrix only `first` are tried then.
  void search_all(const Designs& first, bool promoted);

  void trace(const Measurement& measurement);

  /// A database that cannot be written any more ends the search, but its results stay.
  void record(const std::string& of_run, const Measurement& measurement);

  /// Tries the vendor's algorithms, which make a run of their own.
  void measure_baselines();

  /// The designs that meet in the finals. The best comes first, then its rivals: the winner of
  /// finals before these, the vendor's best and the best for any values. Then come the others.
  /// Where the time ends earlier, only the first ones have met.
  Subjects final_order();

  /// Measures them in turn.
  void hold_finals();

  /// Measures in turn with the winner every design that seems faster by a trial of this call, until
  /// none does.
  void challenge_winner(const FinalPlan& plan, double seconds);

  /// Records the measurements in turn of these finals, with `when` as the time at which all of them
  /// ended.
  void take_finals(std::vector<Finalist>& finals, const std::string& when);

  /// Tries the designs that were best for this problem elsewhere; true where one of them is the
  /// answer.
  bool search_proposals();

  /// Tries the designs that were best for this pattern with other values; true where one of them is
  /// the answer.
  bool search_same_pattern();

  /// Tries the best of the outcomes and the best named design; true where the first of them is
  /// right.
  bool search_best_of(const Outcomes& outcomes);

  /// Begins a run that is no search: no budget is spent on it. False where that fails.
  bool begin_explaining();

  /// Takes the winner apart, and then every design that turns out to be better.
  void explain();

  /// Models a time again if the database does not hold its limits.
  void tell_limits(const CanonicalDesign& design, const Deadline& deadline);

  /// Ends the run, if there is one.
  void finish(double seconds, std::int64_t trials);

  void conclude();
};

}  // namespace alphasparse
