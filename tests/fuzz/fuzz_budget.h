// fuzz_budget: how many mutations a driver makes, and how long it may take.
#pragma once
#include <chrono>

namespace alphasparse {

/// A number of mutations and a time, of which the first that is reached ends the run.
class FuzzBudget {
 public:
  /// `seconds` of 0: no limit of time. The time begins now.
  FuzzBudget(long count, double seconds);

  bool is_over(long done) const;

 private:
  long count_;
  double seconds_;
  std::chrono::steady_clock::time_point start_;
};

/// The budget by the arguments from `first` on, [COUNT [SECONDS]], else the usual one. Where
/// ALPHASPARSE_LONG is set and ALPHASPARSE_FUZZ_LONG too, that is the count, without a limit of
/// time.
FuzzBudget fuzz_budget(int argument_count, char** arguments, int first, long usual_count,
                       double usual_seconds);

}  // namespace alphasparse
