#include "runtime/device/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "runtime/device/cpu_roofline.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

constexpr std::int64_t l2_bytes_unknown = std::int64_t{64} << 20;
constexpr int threads = 256;
constexpr int values_a_word = 4;     // of copy.cuh
constexpr int values_a_reader = 16;  // a thread of read.cuh
constexpr int values_a_sector = 8;   // of gather.cuh
constexpr int gathers = 16;          // a thread
constexpr int samples = 11;

/// Why the kernels here tell nothing of a device; nothing where they do.
std::optional<Failure> why_not_measured(const DeviceInfo& info) {
  if (info.kind == TimeKind::modelled) {
    return Failure{Status::launch_error, "memory is not measured where times are modelled"};
  }
  if (!info.arch.starts_with("sm_")) {
    return Failure{Status::launch_error, "memory is measured by kernels in CUDA alone"};
  }
  return std::nullopt;
}

std::int64_t l2_bytes_of(const DeviceInfo& info) {
  return info.l2_bytes > 0 ? info.l2_bytes : l2_bytes_unknown;
}

Kernel kernel_of(const std::string& name, const std::string& constants, std::int64_t rows,
                 std::int64_t cols, std::int64_t blocks) {
  Kernel kernel;
  kernel.design = name;
  kernel.rows = static_cast<std::int32_t>(rows);
  kernel.cols = static_cast<std::int32_t>(cols);
  kernel.launches = {{name, static_cast<std::int32_t>(blocks), threads}};
  kernel.source = constants + std::string(template_text("fragments/prelude.cuh")) +
                  std::string(template_text(fmt::format("roofline/{}.cuh", name)));
  return kernel;
}

Result<double> time_us(Device& device, const Kernel& kernel,
                       CacheRegime regime = CacheRegime::warm) {
  const auto timing = time_of_zeros(device, kernel, regime, samples);
  if (!timing) return timing.failure();
  return timing->time_us;
}

/// GB/s of a copy from one vector of so many bytes to another.
Result<double> copy_rate(Device& device, std::int64_t bytes) {
  const std::int64_t values = bytes / static_cast<std::int64_t>(sizeof(float));
  const auto us =
      time_us(device, kernel_of("copy", "", values, values, values / values_a_word / threads));
  if (!us) return us.failure();
  return 2e-3 * static_cast<double>(bytes) / *us;
}

/// GB/s of reading a vector of so many bytes.
Result<double> read_rate(Device& device, std::int64_t bytes) {
  const std::int64_t values = bytes / static_cast<std::int64_t>(sizeof(float));
  const auto us =
      time_us(device, kernel_of("read", "", 1, values, values / values_a_reader / threads));
  if (!us) return us.failure();
  return 1e-3 * static_cast<double>(bytes) / *us;
}

/// Sectors a nanosecond, of a vector of 2^bits of them, read by so many threads.
Result<double> gather_rate(Device& device, int bits, std::int64_t gathering_threads) {
  const std::string constants =
      fmt::format("constexpr int GATHERS = {}, SECTOR_BITS = {};\n", gathers, bits);
  const auto us = time_us(
      device, kernel_of("gather", constants, gathering_threads,
                        (std::int64_t{1} << bits) * values_a_sector, gathering_threads / threads));
  if (!us) return us.failure();
  return 1e-3 * static_cast<double>(gathers * gathering_threads) / *us;
}

}  // namespace

double attainable_us(const Roofline& roofline, std::int64_t bytes_read,
                     std::int64_t bytes_written) {
  const std::int64_t both = std::min(bytes_read, bytes_written);
  const auto copied = static_cast<double>(bytes_written + both);
  return 1e-3 * (copied / roofline.copy_gb_per_s +
                 static_cast<double>(bytes_read - both) / roofline.read_gb_per_s);
}

Result<Timing> time_of_zeros(Device& device, const Kernel& kernel, CacheRegime regime,
                             int samples_most) {
  const auto loaded = device.load(kernel);
  if (!loaded) return loaded.failure();
  SpmvCase zeros;
  zeros.x = std::vector<std::byte>(static_cast<std::size_t>(kernel.cols) * sizeof(float));
  zeros.y = std::vector<std::byte>(static_cast<std::size_t>(kernel.rows) * sizeof(float));
  return (*loaded)->time(zeros, {regime, 0, samples_most});
}

Result<double> measure_empty(Device& device, CacheRegime regime) {
  if (const auto why = why_not_measured(device.info())) return *why;
  return time_us(device, kernel_of("empty", "", 1, 1, 1), regime);
}

Result<MemoryRates> measure_memory(Device& device) {
  if (device.info().target == Target::cpu) return measure_cpu_memory(device);
  if (const auto why = why_not_measured(device.info())) return *why;
  const auto large = static_cast<std::int64_t>(
      std::bit_ceil(4 * static_cast<std::uint64_t>(l2_bytes_of(device.info()))));
  const auto copy = copy_rate(device, large);
  if (!copy) return copy.failure();
  const auto read = read_rate(device, large);
  if (!read) return read.failure();
  return MemoryRates{*copy, *read};
}

Result<Roofline> measure_roofline(Device& device) {
  if (device.info().target == Target::cpu) return measure_cpu_roofline(device);
  const auto memory = measure_memory(device);
  if (!memory) return memory.failure();
  const std::int64_t l2_bytes = l2_bytes_of(device.info());
  const auto sectors = static_cast<std::uint64_t>(l2_bytes) / (values_a_sector * sizeof(float));
  const int bits_within =
      static_cast<int>(std::bit_width(std::max<std::uint64_t>(2, sectors / 2))) - 1;
  // Several times as many as a GPU runs at once: four times the sectors of L2 are read.
  const auto gathering_threads = static_cast<std::int64_t>(
      std::max<std::uint64_t>(threads, std::bit_ceil(4 * sectors / gathers)));
  const auto within = gather_rate(device, bits_within, gathering_threads);
  if (!within) return within.failure();
  const auto beyond = gather_rate(device, bits_within + 5, gathering_threads);
  if (!beyond) return beyond.failure();
  const auto warm = measure_empty(device, CacheRegime::warm);
  if (!warm) return warm.failure();
  const auto cold = measure_empty(device, CacheRegime::cold);
  if (!cold) return cold.failure();
  return Roofline{memory->copy_gb_per_s, memory->read_gb_per_s, *within, *beyond, *warm, *cold};
}

}  // namespace alphasparse
