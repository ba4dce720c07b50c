// search_run: one search for one matrix on one device - what tune() does for a matrix, and for a
// sample of it, step by step.
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

/// Of the outcomes, those that count (counts_as_trial).
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
  /// What samples say that designs will take on the matrix, in us; empty: there were none.
  std::map<std::string, double> sampled_us = {};

  bool is_measured() const { return problem.device.kind == TimeKind::measured; }

  /// What other machines, or nobody knows who, have measured of the problem: designs to try.
  Outcomes proposals = {};

  /// Takes what earlier runs of this machine found and used from the problem and the budget, and
  /// what others found as proposals.
  void recall();

  /// Runs that do not say whose they are: where the best of them is right here, they are ours.
  void adopt_unknown();

  /// Fails what was best before, as long as this call's rules do not allow it.
  void drop_forbidden();

  /// Whether this machine has the answer already.
  bool is_answered();

  /// Tries `first`, and with `ways` the designs that follow from them, within the allowance; ends
  /// earlier if more is not worth it.
  void search(std::vector<std::string> first, Strategies* ways, const Allowance& allowance);

  /// For those of the fastest designs whose formats hold these values alone, the same designs for
  /// any values, as far as they have not been tried: the vendor is held against both.
  std::vector<std::string> counterparts(std::size_t count);

  /// What a loop has set aside: skipped designs are counted, the disturbed ones are given back.
  std::vector<std::string> set_aside(const std::vector<Measurement>& outcomes);

  /// Tries the counterpart of a winner that the last trials have brought.
  void complete_counterparts();

  std::optional<Measurement> best_for_any_values();

  /// The best, and the best for any values: those that must have met in turn.
  std::vector<std::string> answers();

  /// Nothing where this machine's memory does not hold what it takes to find any.
  std::vector<std::string> proposed(Strategies& ways, std::size_t count) const;

  /// What later searches learn from. This one needs none of it, so it goes on without.
  template <class Keep>
  void keep(const char* what, const Keep& act) {
    if (!database || result.broken) return;
    try {
      act();
    } catch (const Error& error) {
      spdlog::warn("{} not kept: {}", what, error.what());
    }
  }

  /// Of the matrix; found when they are first asked for.
  const Features& features();

  void keep_features();

  /// Designs and measurements from elsewhere.
  WarmStart recall_elsewhere();

  /// The times that designs are expected to take: by samples, and where there were none by the
  /// prior.
  std::map<std::string, double> expected(const std::vector<std::string>& designs,
                                         const Deadline& deadline) const;

  /// Tries designs one by one, in the order of their expected times, until one is right.
  void search_at_once(Strategies& ways);

  /// All levels of the search; `first` are tried before all others but what is known from
  /// elsewhere, which is left out where `promoted`: then a sample's search had it. Of a very large
  /// matrix only these are tried then.
  void search_all(const std::vector<std::string>& first, bool promoted);

  void trace(const Measurement& measurement);

  /// A database that cannot be written any more ends the search, not what it has found.
  void record(const std::string& of_run, const Measurement& measurement);

  /// Tries the vendor's algorithms, which make a run of their own.
  void measure_baselines();

  /// Who meets in the finals: the best, then whom it is held against - the winner of finals before
  /// these, the vendor's best, the best for any values -, then the others. Where the time does
  /// not go further, those have met.
  std::vector<std::string> final_order();

  /// Measures them in turn.
  void hold_finals();

  /// Measures in turn with the winner whatever seems faster by a trial of this call, until nothing
  /// does.
  void challenge_winner(FinalPlan plan);

  /// Whatever was measured in turn with others before all of them ended then: `when`.
  void take_finals(std::vector<Finalist>& finals, const std::string& when);

  /// Tries what was best for this problem elsewhere; true where that is the answer.
  bool search_proposals();

  /// Tries what was best for this pattern with other values; true where that is the answer.
  bool search_same_pattern();

  /// Tries the best of the outcomes and the best named design; true where the first of them is
  /// right.
  bool search_best_of(const Outcomes& outcomes);

  /// Begins a run that is no search: no budget is spent on it. False where that fails.
  bool begin_explaining();

  /// Takes the winner apart, and what then turns out to be better.
  void explain();

  /// Models a time again whose limits the database does not hold.
  void tell_limits(const std::string& design, const Deadline& deadline);

  /// Ends the run, if there is one.
  void finish(double seconds, std::int64_t trials);

  void conclude();
};

}  // namespace alphasparse
