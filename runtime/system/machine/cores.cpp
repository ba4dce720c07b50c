#include "runtime/system/machine/cores.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include "runtime/system/machine/control_groups.h"

namespace alphasparse {

namespace {

/// None where the system does not report them.
std::optional<int> cores_of_affinity() {
  constexpr int cores_max = 1 << 17;
  for (int cores = 1024; cores <= cores_max; cores *= 2) {  // too few is an error
    cpu_set_t* const set = CPU_ALLOC(cores);
    if (set == nullptr) return std::nullopt;
    const std::size_t bytes = CPU_ALLOC_SIZE(cores);
    const bool is_known = sched_getaffinity(0, bytes, set) == 0;
    const bool is_too_small = !is_known && errno == EINVAL;
    const int count = is_known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (count > 0) return count;
    if (!is_too_small) return std::nullopt;
  }
  return std::nullopt;
}

constexpr const char* slurm_variable = "SLURM_CPUS_PER_TASK";

/// None outside of a job, and where the variable is no number.
std::optional<int> cores_of_slurm() {
  const char* const text = std::getenv(slurm_variable);
  const std::string_view digits = text == nullptr ? "" : text;
  int cores = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cores);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && cores > 0 ? std::optional(cores) : std::nullopt;
}

}  // namespace

UsableCores usable_cores(const std::filesystem::path& root) {
  UsableCores usable;
  usable.count = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  const auto limit = [&](int count, const std::string& reason) {
    if (count >= usable.count) return;
    usable = {std::max(1, count), reason};
  };
  if (const auto cores = cores_of_affinity()) limit(*cores, "the affinity of this process");
  if (const auto group = group_cores(root)) {
    constexpr double most = 1e6;
    limit(static_cast<int>(std::ceil(std::min(group->cores, most))), group->file);
  }
  if (const auto cores = cores_of_slurm())
    limit(*cores, fmt::format("{}={}", slurm_variable, *cores));
  return usable;
}

std::size_t machine_threads() {
  static const auto count = static_cast<std::size_t>(usable_cores().count);
  return count;
}

double others_per_core(const std::filesystem::path& loadavg) {
  std::ifstream file(loadavg);
  double average = 0, running = 0;
  for (int minutes = 0; minutes < 3; ++minutes) file >> average;
  file >> running;  // "3/512", with this thread
  return std::max(0.0, running - 1) /
         static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace alphasparse
