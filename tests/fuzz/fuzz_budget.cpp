#include "tests/fuzz/fuzz_budget.h"

#include <cstdlib>

namespace alphasparse {

FuzzBudget::FuzzBudget(long count, double seconds)
    : count_(count), seconds_(seconds), start_(std::chrono::steady_clock::now()) {}

bool FuzzBudget::is_over(long done) const {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start_;
  return done >= count_ || (seconds_ > 0 && taken.count() > seconds_);
}

FuzzBudget fuzz_budget(int argument_count, char** arguments, int first, long usual_count,
                       double usual_seconds) {
  const char* const long_count = std::getenv("ALPHASPARSE_FUZZ_LONG");
  if (std::getenv("ALPHASPARSE_LONG") && long_count) return {std::atol(long_count), 0};
  const bool has_count = argument_count > first, has_seconds = argument_count > first + 1;
  return {has_count ? std::atol(arguments[first]) : usual_count,
          has_seconds ? std::atof(arguments[first + 1]) : usual_seconds};
}

}  // namespace alphasparse
