#include "runtime/device/cpu_roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "generator/fragment_text.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

constexpr std::int64_t cache_bytes_unknown = std::int64_t{32} << 20;
constexpr std::int64_t unit_values = 4096;
constexpr std::int64_t line_values = 64 / sizeof(float);
constexpr int cpu_gathers = 64;  // a unit
constexpr int gather_units = 4096;
constexpr int cpu_samples = 7;
constexpr std::int64_t unit_bytes = unit_values * sizeof(float);
constexpr std::int64_t thread_units_least = 1024;  // in a round, so that its start does not count
/// Of a thread: what the first, the second and the third level of caches hold.
constexpr std::array<std::int64_t, 3> thread_bytes = {unit_bytes, 16 * unit_bytes,
                                                      256 * unit_bytes};

/// A kernel of templates/roofline: its constants, the words of lanes, and its part.
Kernel kernel_of(const std::string& name, std::int64_t rows, std::int64_t cols, std::int64_t units,
                 int line_bits = 1) {
  Kernel kernel;
  kernel.design = name;
  kernel.target = Target::cpu;
  kernel.rows = static_cast<std::int32_t>(rows);
  kernel.cols = static_cast<std::int32_t>(cols);
  kernel.launches = {{name, units, 0}};
  kernel.source = fragment_text({"prelude", "part"}, Dtype::f32, {}, Target::cpu) +
                  fmt::format(
                      "constexpr int units = {}, unit_values = {}, gathers = {};\n"
                      "constexpr int line_bits = {}, line_values = {}, x_units = {};\n",
                      units, unit_values, cpu_gathers, line_bits, line_values,
                      std::max<std::int64_t>(1, cols / unit_values)) +
                  std::string(template_text(fmt::format("roofline/{}.h", name)));
  return kernel;
}

Result<double> cpu_time_us(Device& device, const Kernel& kernel,
                           CacheRegime regime = CacheRegime::warm) {
  const auto timing = time_of_zeros(device, kernel, regime, cpu_samples);
  if (!timing) return timing.failure();
  return timing->time_us_min;
}

/// Lines a nanosecond of a vector of 2^bits of them.
Result<double> gather_rate(Device& device, int bits) {
  const auto us = cpu_time_us(
      device, kernel_of("gather", 1, (std::int64_t{1} << bits) * line_values, gather_units, bits));
  if (!us) return us;
  return 1e-3 * cpu_gathers * gather_units / *us;
}

/// GB/s of a thread that reads a vector again and again, so many units in all.
Result<double> reread_rate(Device& device, std::int64_t bytes, std::int64_t units) {
  const auto us = cpu_time_us(
      device, kernel_of("reread", 1, bytes / static_cast<std::int64_t>(sizeof(float)), units));
  if (!us) return us;
  return 1e-3 * static_cast<double>(units * unit_bytes) / *us;
}

std::int64_t cache_bytes_of(const DeviceInfo& info) {
  return info.l2_bytes > 0 ? info.l2_bytes : cache_bytes_unknown;
}

/// Of a vector that no cache holds.
std::int64_t large_bytes_of(const DeviceInfo& info) {
  return static_cast<std::int64_t>(
      std::bit_ceil(2 * static_cast<std::uint64_t>(cache_bytes_of(info))));
}

}  // namespace

Result<std::vector<ReadRate>> measure_read_rates(Device& alone, int threads,
                                                 std::int64_t bytes_most) {
  const DeviceInfo& info = alone.info();
  if (info.target != Target::cpu || info.kind != TimeKind::measured || info.threads != 1) {
    return Failure{Status::pruned, "read rates are measured by one thread of a CPU"};
  }
  std::vector<std::int64_t> sizes;
  for (const std::int64_t bytes : thread_bytes) {
    if (bytes <= cache_bytes_of(info) / 2) sizes.push_back(bytes);
  }
  sizes.push_back(large_bytes_of(info));
  std::vector<ReadRate> rates;
  for (const std::int64_t bytes : sizes) {
    if (threads * bytes > bytes_most) break;
    const auto rate = reread_rate(alone, bytes, std::max(thread_units_least, bytes / unit_bytes));
    if (!rate) return rate.failure();
    rates.push_back({threads * bytes, threads * *rate});
  }
  return rates;
}

Result<MemoryRates> measure_cpu_memory(Device& device) {
  const std::int64_t large = large_bytes_of(device.info());
  const std::int64_t values = large / static_cast<std::int64_t>(sizeof(float));
  const auto copy = cpu_time_us(device, kernel_of("copy", values, values, values / unit_values));
  if (!copy) return copy.failure();
  const auto read = cpu_time_us(device, kernel_of("read", 1, values, values / unit_values));
  if (!read) return read.failure();
  return MemoryRates{2e-3 * static_cast<double>(large) / *copy,
                     1e-3 * static_cast<double>(large) / *read};
}

Result<Roofline> measure_cpu_roofline(Device& device) {
  const auto cache_bytes = static_cast<std::uint64_t>(cache_bytes_of(device.info()));
  const int bits_within = static_cast<int>(std::bit_width(cache_bytes / 64 / 2)) - 1;
  const auto memory = measure_cpu_memory(device);
  if (!memory) return memory.failure();
  const auto within = gather_rate(device, bits_within);
  if (!within) return within.failure();
  const auto beyond = gather_rate(device, bits_within + 3);
  if (!beyond) return beyond.failure();
  const auto warm = cpu_time_us(device, kernel_of("empty", 1, 1, 1));
  if (!warm) return warm.failure();
  const auto cold = cpu_time_us(device, kernel_of("empty", 1, 1, 1), CacheRegime::cold);
  if (!cold) return cold.failure();
  return Roofline{memory->copy_gb_per_s, memory->read_gb_per_s, *within, *beyond, *warm, *cold};
}

}  // namespace alphasparse
