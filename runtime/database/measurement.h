// measurement: the outcome of a candidate, and the best of several outcomes.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/target.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// One candidate's outcome.
struct Measurement {
  std::string design;
  Status status = Status::ok;
  std::string reason;  ///< why it is not ok, or has no time; else empty
  /// Of a duplicate: the design that was tried first with the same kernel; else empty.
  std::string original;
  /// A fault of the environment or a disturbance made it so: it says nothing of the design, decides
  /// nothing and is not stored.
  bool unsettled = false;
  bool verified = false;  ///< passed every check
  /// On a sample, by a modelled device: its time is that of the whole matrix by counts
  /// (whole_counts.h), and its results were not looked at. It is no answer.
  bool counted = false;
  std::optional<std::int64_t> format_bytes;  ///< where it was built
  std::optional<Timing> timing;              ///< where it was timed
  std::string created_at;                    ///< UTC, "2026-01-31T12:00:00.000Z"; empty: it is new
  // Times are none where they are not known.
  // The values of a design are a part of convert_us in finals, and of load_us in a trial.
  std::optional<double> convert_us;  ///< from the matrix to arrays and source, on the host
  std::optional<double> load_us;     ///< compiling, copying, the vendor's preprocessing
  std::optional<double> trial_us;    ///< the whole trial: building, compiling, verifying, timing
  std::optional<double> bound_us;    ///< the least time that the kernel can take (lower_bound.h)
};

/// Makes an outcome that of a duplicate: `original` was tried first with the same kernel.
void make_duplicate(Measurement& outcome, const std::string& original);

/// The reason as a person reads it, the original of a duplicate included; empty where there is
/// none.
std::string shown_reason(const Measurement& outcome);

/// Converting and loading together, in us, as far as they are known.
double preparation_us(const Measurement& outcome);

/// Whether it is right, or counted on a sample, and has a time, and no other design has the same
/// kernel before it.
bool is_timed(const Measurement& measurement);

/// Whether an outcome counts as a trial: pruned designs and duplicates cost next to nothing.
bool counts_as_trial(const Measurement& measurement);

/// Measurements already taken, by design text: the newest of each.
using Outcomes = std::map<std::string, Measurement, std::less<>>;

/// The timed outcomes, fastest first, then by text; pointers into the outcomes.
std::vector<const Measurement*> sort_by_time(const Outcomes& outcomes);

/// Of these, the last that were measured in turn with each other, and those that were tried since;
/// all where none were. Older times are of other conditions.
std::vector<const Measurement*> newest_by_time(const Outcomes& outcomes);

/// The best of the last that were measured in turn, even where others were tried since; null: none
/// were.
const Measurement* winner_in_turn(const Outcomes& outcomes);

/// The fastest verified of the outcomes, or null. Of those that are tied with it, the one of fewer
/// bytes of format wins, then of the shorter text. Tied are times within 0.1 %; modelled ones
/// within 2 %; and within 2 % those that were taken in turn and have 95 % intervals that overlap.
/// One without a time comes after all that have one. Measurements that were taken in turn with each
/// other (Timing::rounds) decide over older ones that were not. The pointer is into `outcomes`.
const Measurement* find_best(const Outcomes& outcomes);

/// The best of a vendor's algorithms: on a GPU the fastest, for there a time alone may stand beside
/// one in turn (search/trial/baseline_figures.h); on a CPU find_best. Null where none has a time.
const Measurement* best_baseline(Target target, const Outcomes& known);

/// Now, as created_at spells it.
std::string utc_now();

}  // namespace alphasparse
