#include "runtime/device/cpu_roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "generator/text/fragment_text.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

constexpr std::int64_t cache_bytes_unknown = std::int64_t{32} << 20;
constexpr std::int64_t part_values = 4096;
constexpr std::int64_t line_values = 64 / sizeof(float);
constexpr int cpu_gathers = 64;  // a part
constexpr int gather_parts = 4096;
constexpr int samples_warm = 7, samples_cold = 3;  // before each of those a cache is emptied
constexpr std::int64_t vector_bytes_max = std::int64_t{64} << 20;
constexpr std::int64_t part_bytes = part_values * sizeof(float);
constexpr std::int64_t thread_parts_least = 1024;  // in a round, so that its start does not count
/// The bytes of a thread that the first, the second and the third level of caches hold.
constexpr std::array<std::int64_t, 3> thread_bytes = {part_bytes, 16 * part_bytes,
                                                      256 * part_bytes};

/// A kernel of templates/roofline: its constants, the words of lanes, and its part.
Kernel make_kernel(const std::string& name, std::int64_t rows, std::int64_t cols,
                   std::int64_t parts, int line_bits = 1) {
  Kernel kernel;
  kernel.design = name;
  kernel.target = Target::cpu;
  kernel.rows = static_cast<std::int32_t>(rows);
  kernel.cols = static_cast<std::int32_t>(cols);
  kernel.launches = {{name, parts, 0}};
  kernel.source = fragment_text({"prelude", "part"}, default_dtype, Target::cpu) +
                  fmt::format(
                      "constexpr int units = {}, unit_values = {}, gathers = {};\n"
                      "constexpr int line_bits = {}, line_values = {}, x_units = {};\n",
                      parts, part_values, cpu_gathers, line_bits, line_values,
                      std::max<std::int64_t>(1, cols / part_values)) +
                  std::string(template_text(fmt::format("roofline/{}.h", name)));
  return kernel;
}

Result<double> cpu_time_us(Device& device, const Kernel& kernel, CacheRegime regime) {
  const int samples = regime == CacheRegime::warm ? samples_warm : samples_cold;
  const auto timing = time_of_zeros(device, kernel, regime, samples);
  if (!timing) return timing.failure();
  return timing->time_us_min.value_or(timing->time_us);
}

/// Lines a nanosecond of a vector of 2^bits of them.
Result<double> gather_rate(Device& device, int bits, CacheRegime regime) {
  const auto us = cpu_time_us(
      device, make_kernel("gather", 1, (std::int64_t{1} << bits) * line_values, gather_parts, bits),
      regime);
  if (!us) return us;
  return 1e-3 * cpu_gathers * gather_parts / *us;
}

/// GB/s of a thread that reads a vector again and again, so many parts in all.
Result<double> reread_rate(Device& device, std::int64_t bytes, std::int64_t parts,
                           CacheRegime regime) {
  const auto us = cpu_time_us(
      device, make_kernel("reread", 1, bytes / static_cast<std::int64_t>(sizeof(float)), parts),
      regime);
  if (!us) return us;
  return 1e-3 * static_cast<double>(parts * part_bytes) / *us;
}

std::int64_t find_cache_bytes(const DeviceInfo& info) {
  return info.l2_bytes > 0 ? info.l2_bytes : cache_bytes_unknown;
}

/// The bytes of a vector that no cache holds.
std::int64_t find_large_bytes(const DeviceInfo& info) {
  return static_cast<std::int64_t>(
      std::bit_ceil(2 * static_cast<std::uint64_t>(find_cache_bytes(info))));
}

/// The vector that memory is measured with: this one, or a smaller one that no cache holds any
/// more. Data that is copied to the latter may still be in a cache then.
struct MemoryVector {
  std::int64_t bytes;
  CacheRegime regime;
};

MemoryVector memory_vector(const DeviceInfo& info) {
  const std::int64_t large = find_large_bytes(info);
  if (large <= vector_bytes_max) return {large, CacheRegime::warm};
  return {vector_bytes_max, CacheRegime::cold};
}

}  // namespace

Result<std::vector<ReadRate>> measure_read_rates(Device& alone, int threads,
                                                 std::int64_t bytes_most) {
  const DeviceInfo& info = alone.info();
  if (info.target != Target::cpu || info.kind != TimeKind::measured || info.threads != 1) {
    return Failure{Status::pruned, "read rates are measured by one thread of a CPU"};
  }
  std::vector<ReadRate> rates;
  const auto measure = [&](std::int64_t bytes,
                           const MemoryVector& vector) -> std::optional<Failure> {
    if (threads * bytes > bytes_most) return std::nullopt;
    const std::int64_t parts = std::max(thread_parts_least, vector.bytes / part_bytes);
    const auto rate = reread_rate(alone, vector.bytes, parts, vector.regime);
    if (!rate) return rate.failure();
    rates.push_back({threads * bytes, threads * *rate});
    return std::nullopt;
  };
  for (const std::int64_t bytes : thread_bytes) {
    if (bytes > find_cache_bytes(info) / 2) break;
    if (const auto failure = measure(bytes, {bytes, CacheRegime::warm})) return *failure;
  }
  if (const auto failure = measure(find_large_bytes(info), memory_vector(info))) return *failure;
  return rates;
}

Result<MemoryRates> measure_cpu_memory(Device& device) {
  const auto [bytes, regime] = memory_vector(device.info());
  const std::int64_t values = bytes / static_cast<std::int64_t>(sizeof(float));
  const std::int64_t parts = values / part_values;
  const auto copy = cpu_time_us(device, make_kernel("copy", values, values, parts), regime);
  if (!copy) return copy.failure();
  const auto read = cpu_time_us(device, make_kernel("read", 1, values, parts), regime);
  if (!read) return read.failure();
  return MemoryRates{2e-3 * static_cast<double>(bytes) / *copy,
                     1e-3 * static_cast<double>(bytes) / *read};
}

Result<Roofline> measure_cpu_roofline(Device& device) {
  constexpr int bits_max = std::bit_width(static_cast<std::uint64_t>(vector_bytes_max / 64)) - 1;
  const auto cache_lines = static_cast<std::uint64_t>(find_cache_bytes(device.info()) / 64);
  const int bits_within = static_cast<int>(std::bit_width(cache_lines / 2)) - 1;
  const int bits_beyond = bits_within + 3;
  const auto memory = measure_cpu_memory(device);
  if (!memory) return memory.failure();
  const auto within = gather_rate(device, std::min(bits_within, bits_max), CacheRegime::warm);
  if (!within) return within.failure();
  const auto beyond = gather_rate(device, std::min(bits_beyond, bits_max),
                                  bits_beyond > bits_max ? CacheRegime::cold : CacheRegime::warm);
  if (!beyond) return beyond.failure();
  const Kernel empty = make_kernel("empty", 1, 1, 1);
  const auto warm = cpu_time_us(device, empty, CacheRegime::warm);
  if (!warm) return warm.failure();
  const auto cold = cpu_time_us(device, empty, CacheRegime::cold);
  if (!cold) return cold.failure();
  return Roofline{memory->copy_gb_per_s, memory->read_gb_per_s, *within, *beyond, *warm, *cold};
}

}  // namespace alphasparse
