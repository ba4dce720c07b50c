#include "search/judging/reference.h"

#include <fmt/format.h>

#include <utility>

namespace alphasparse {

Reference::Reference(std::function<std::optional<double>()> time_now_us, double seconds)
    : time_now_us_(std::move(time_now_us)), seconds_(seconds) {}

double Reference::factor(double recorded_us) {
  if (recorded_us <= 0) return 1;
  if (!since_ || since_->seconds() >= seconds_) {
    now_us_ = time_now_us_();
    since_.emplace();
  }
  return now_us_ && *now_us_ > 0 ? recorded_us / *now_us_ : 1;
}

void normalise(Measurement& outcome, double factor) {
  if (!outcome.timing || factor == 1) return;
  Timing& timing = *outcome.timing;
  for (double* const us :
       {&timing.time_us, &timing.time_us_p20, &timing.time_us_p80, &timing.time_us_min})
    *us *= factor;
  if (outcome.bound_us > 0) outcome.bound_us *= factor;
  add_note(timing, fmt::format("{:.4f} of what was measured, by the reference beside it", factor));
}

}  // namespace alphasparse
