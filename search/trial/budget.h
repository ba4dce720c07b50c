// budget: the time and the trials of one search, divided into named parts.
//
// The clock starts when a Budget is made and never stops: the time left is the time asked for
// without the time that has passed for any purpose. Each part of a search enters the budget by a
// scope, so that the time really used by each is known. The plan is parts(): how the time is
// divided, and how it was used.
//
// Example: 60 s asked for, measured times. The baselines may take 12 s, the last comparison has 6 s
// of its own, and the search all that is left between them. An explanation has 6 s more. All of
// them together end 1.3 times the time asked for after the start, but for a compilation that runs
// then.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/database.h"
#include "runtime/system/deadline.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

/// The parts of a call, in their order.
enum class Part { reading, baselines, samples, search, comparison, explanation };
inline constexpr int part_count = 6;

const char* part_name(
    Part part);  ///< "reading", "baselines", ..., "last comparison", "explanation"

/// The seconds that a part was to take at most, and those that it took.
struct PartTime {
  Part part = Part::search;
  std::optional<double> planned;  ///< none: the time that the other parts leave
  double used = 0;
};

/// The limits of a loop of trials.
struct Allowance {
  double seconds = 0;
  std::optional<std::int64_t> trials = std::nullopt;  ///< none: no limit
};

class Budget {
 public:
  enum class Times { measured, modelled };  ///< modelled times need no baselines and no comparison

  /// `seconds_gone` of the effort's are gone already: the matrix was read. A sample of a larger
  /// matrix has no comparison of its own.
  explicit Budget(const Effort& effort, Times times = Times::modelled, double seconds_gone = 0,
                  bool is_sample = false);

  double whole() const { return effort_.seconds; }
  bool is_none() const { return effort_.seconds <= 0; }  ///< the first right design is the answer
  bool limits_trials() const { return effort_.trials > 0; }

  /// Seconds of this call, those that were gone before included.
  double seconds() const { return seconds_gone_ + clock_.seconds(); }

  /// Earlier runs of the same problem have spent so much of it.
  void resume(const Effort& spent);

  /// Seconds left of the whole, those of the last comparison included; may be negative.
  double seconds_left() const { return effort_.seconds - seconds_resumed_ - seconds(); }

  /// The allowance for trials of the search: the last comparison keeps its own.
  Allowance allow_trials() const;
  void spend_trials(std::int64_t trials) { trials_left_ -= trials; }
  bool has_trials() const { return !limits_trials() || trials_left_ > 0; }

  /// The end of the search without the last comparison's time, for proposals; none where the budget
  /// is none.
  Deadline deadline(const std::atomic<bool>& stop) const;

  // The plan, in seconds.
  double allow_baselines() const;   ///< of those that are left
  double allow_comparison() const;  ///< a tenth, up to 2 s where that is little, at most a quarter
  /// Beyond it, where rounds were disturbed: a tenth, up to 5 s.
  double allow_late_comparison() const;
  double allow_counterpart() const;  ///< to try the winner's design for any values
  double allow_explanation() const;  ///< beside the budget: a quarter up to 5, and at least a tenth
  /// Whether samples leave a trial for the whole matrix, where trials are limited.
  bool does_for_samples() const;
  /// Half of the seconds, but less where the rest would not do for one trial of the whole matrix,
  /// which takes so long. Three quarters of the trials, where these are limited.
  Allowance allow_smallest_sample(double trial_seconds) const;
  /// A tenth of both, for each further sample.
  Allowance allow_further_sample() const;

  /// Seconds left of those that are planned for the present part; may be negative. It must have a
  /// plan.
  double left_of_part() const;

  /// Counts the time to a part while it lives; then the part around it goes on.
  class Scope {
   public:
    Scope(Budget& budget, Part part);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Budget& budget_;
    Part outer_;
  };
  [[nodiscard]] Scope enter(Part part) { return Scope(*this, part); }
  Part part() const { return part_; }

  /// Called when a part is entered; empty: no caller asks.
  void on_part(std::function<void()> call) { on_part_ = std::move(call); }

  /// The parts that had a plan or took time, in their order.
  std::vector<PartTime> parts() const;

 private:
  friend class Scope;
  void change_to(Part part);
  std::optional<std::int64_t> share_of_trials(double share) const;

  Effort effort_;
  Times times_;
  double seconds_gone_;
  bool is_sample_;
  double seconds_resumed_ = 0;
  std::int64_t trials_left_ = 0;
  Stopwatch clock_;
  Part part_ = Part::search;
  double part_began_ = 0;  ///< on the clock
  std::array<double, part_count> used_{};
  std::array<std::optional<double>, part_count> planned_{};
  std::function<void()> on_part_;
};

/// The plan in one line: "baselines 3.1 of 12.0 s, search 38.2 s, last comparison 5.9 of 6.0 s".
std::string plan_text(const std::vector<PartTime>& parts);

}  // namespace alphasparse
