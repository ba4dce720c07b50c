// batch_budget: how the time of many searches (--time-total) is divided among them.
//
// A search costs more than its own seconds: reading the matrix, compiling, writing files. So a
// share is an equal part of the remaining time for each remaining matrix, less the cost of such a
// search so far beside its own seconds. Matrices without an answer come first.
//
//   ample   an equal share is at least twice those costs: every matrix is searched for
//   scarce  it is less: matrices without an answer share the time as far as it goes, the others get
//           no time, which the database answers
//
// The time of answers from the database is kept for matrices with one, at most half of the total.
// A share that is below the costs in the end is no time. Then the first design that is right is the
// answer, or the database has one, so that most matrices have a result.
//
// Example: 100 matrices, one device, 10 s, half a second around each search: 0.1 s each is scarce,
// so each gets its first right design.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

namespace alphasparse {

class BatchBudget {
 public:
  struct Batch {
    double seconds_total = 0;
    std::size_t devices = 1;
    std::size_t unseen = 0, seen = 0;  ///< matrices without and with an answer
    double seconds_each_max = 0;
  };

  explicit BatchBudget(const Batch& batch);

  bool is_ample() const { return ample_; }

  /// Whether there is time for another such search, `elapsed` after the beginning.
  bool has_time(double elapsed, bool is_seen) const;

  /// The seconds of the next search, which is then no longer left.
  double next(double elapsed, bool is_seen);

  /// A search of so many seconds has taken `wall` of them in all.
  void learn(double seconds, double wall, bool is_seen);

  /// The seconds that an earlier search must have had for its answer to stand: half of an equal
  /// share, for costs take the other half at most.
  double seconds_enough() const;

  /// The division in one line, without a line end.
  std::string text() const;

 private:
  /// Costs beside a search's own seconds: the mean of those that are known.
  struct Costs {
    double mean;
    std::size_t count = 0;
  };

  double left(double elapsed) const;
  double share(double seconds, std::size_t among) const;
  double kept_for_seen() const;

  const Batch batch_;
  std::size_t unseen_left_, seen_left_;
  Costs costs_, costs_of_seen_;
  bool ample_;
};

}  // namespace alphasparse
