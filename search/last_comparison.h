// last_comparison: the best of a search held against the vendor's algorithms, first by trials of
// their own and at last in turn with each other.
#pragma once
#include "search/search_run.h"
#include "search/trial/baseline_share.h"
#include "search/trial/finals.h"

namespace alphasparse {

class LastComparison {
 public:
  explicit LastComparison(SearchRun& search) : search_(search) {}

  /// Tries the vendor's algorithms, which make a run of their own.
  void measure_baselines();

  /// Measures the best in turn.
  void hold();

  /// The best, and the best for any values: those that must have met in turn.
  std::vector<std::string> answers();

  FinalPlan plan() const;
  /// Half of the time where x and y may be permuted: the worth of that takes the other half.
  double seconds() const;

 private:
  Subjects order();
  void measure(const Subjects& subjects, double seconds);
  void challenge_winner(const FinalPlan& plan, double seconds);
  void take(std::vector<Finalist>& finals, const std::string& when);

  SearchRun& search_;
  BaselineShare share_;
};

}  // namespace alphasparse
