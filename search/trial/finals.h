// finals: the best of a search measured again, in turn with each other and with the vendor's best.
//
// Two times taken minutes apart differ by a few per cent for no reason but the GPU's clock and
// heat. In turn (A B C, B C A, C A B, ...) all meet the same conditions. The ratio of two samples
// of one round is free of them.
#pragma once
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "runtime/database/measurement.h"
#include "search/trial/trial.h"

namespace alphasparse {

struct FinalPlan {
  int rounds_min = 10;
  int rounds_max = 50;
  double half_width_max = 0.005;  ///< of each ratio's 95 % interval: then there are enough rounds
  double seconds_over = 5;  ///< that the least rounds may take beyond: then rounds_few are enough
  int rounds_few = 3;
  double bytes_max = HUGE_VAL;  ///< of the formats that are loaded at once, but for the first
};

/// A kernel's part in the rounds.
struct Standing {
  std::vector<double> us;  ///< a sample a round
  double ratio = 1;        ///< geometric mean over rounds of its time over the first kernel's
  double half_width = 0;   ///< of the ratio's 95 % interval by Student's t, relative
};

/// Samples the kernels, each timed before, in turn. It ends when the plan is fulfilled, the seconds
/// have passed or `stop` is set, after the plan's least rounds at the earliest. A round in which
/// something disturbed a sample is dropped. Fails with the first kernel that fails, or where too
/// few rounds are left: then its reason is `rounds_disturbed`.
inline constexpr const char* rounds_disturbed = "most rounds were disturbed";

Result<std::vector<Standing>> measure_in_turn(const std::vector<LoadedKernel*>& kernels,
                                              const FinalPlan& plan, double seconds,
                                              const std::atomic<bool>& stop);

/// The texts of the designs that meet in the finals, the fastest first; eight at most. They are
/// verified, timed, of different kernels, and take at most 1.25 times as long as the fastest. Where
/// there were finals before, only those that met there and those tried since. Their winner is in
/// any case among them, as the second: a design that seems faster by a time of its own has to beat
/// it in turn.
std::vector<std::string> finalists(const Outcomes& outcomes);

/// One that was measured in turn with others.
struct Finalist {
  Measurement outcome;  ///< with the times of the rounds, and when they ended
  Standing standing;
};

/// Loads subjects, in half of the seconds, and measures them in turn in the rest; the fastest is
/// verified once more. Subjects that do not load, or that there is no time or room for, are left
/// out. A Failure says why there are none at all.
Result<std::vector<Finalist>> run_finals(Trial& trial, const Subjects& subjects,
                                         const FinalPlan& plan, double seconds,
                                         const std::atomic<bool>& stop);

}  // namespace alphasparse
