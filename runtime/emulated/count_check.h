// count_check: can this compiler's kernels be counted? Where diverged lanes meet again is read from
// the order in which the compiler lays out code; whether that holds is tried, not believed.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "runtime/emulated/emulator/report.h"

namespace alphasparse {

/// A kernel with nested loops, and how often its warps must be seen to load `column` and `x`.
struct CountCheck {
  Kernel kernel;
  std::int64_t instructions = 0;
};

CountCheck make_count_check();

/// Empty where `counts` are exact, else their fault.
std::string judge_counts(const CountCheck& check, const emulator::LaunchCounts& counts);

/// The verdict of an earlier process from the cache folder, else the one of `judge`, which is then
/// kept there. `key` holds everything that the verdict depends on. Empty: counts are exact.
std::string remembered_verdict(const std::string& key, const std::function<std::string()>& judge);

}  // namespace alphasparse
