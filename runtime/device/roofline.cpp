#include "runtime/device/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/device/cpu_roofline.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

constexpr std::int64_t l2_bytes_unknown = std::int64_t{64} << 20;
constexpr int threads = 256;
constexpr int empty_threads = 32;
constexpr int values_a_word = 4;     // of copy.cuh
constexpr int values_a_reader = 16;  // a thread of read.cuh
constexpr int values_a_sector = 8;   // of gather.cuh
constexpr int gathers = 16;          // a thread
constexpr int samples = 11;

/// The reason why these kernels cannot measure a device; nothing where they can.
std::optional<Failure> unmeasured_reason(const DeviceInfo& info) {
  if (info.kind == TimeKind::modelled) {
    return Failure{Status::launch_error, "memory is not measured where times are modelled"};
  }
  if (info.target != Target::gpu) {
    return Failure{Status::launch_error, "memory is measured by kernels for GPUs alone"};
  }
  return std::nullopt;
}

std::int64_t find_l2_bytes(const DeviceInfo& info) {
  return info.l2_bytes > 0 ? info.l2_bytes : l2_bytes_unknown;
}

Kernel make_kernel(const std::string& name, const std::string& constants, std::int64_t rows,
                   std::int64_t cols, std::int64_t blocks, int block_threads = threads) {
  Kernel kernel;
  kernel.design = name;
  kernel.rows = static_cast<std::int32_t>(rows);
  kernel.cols = static_cast<std::int32_t>(cols);
  kernel.launches = {{name, static_cast<std::int32_t>(blocks), block_threads}};
  kernel.source = constants + std::string(template_text("fragments/prelude.cuh")) +
                  std::string(template_text(fmt::format("roofline/{}.cuh", name)));
  return kernel;
}

/// The time with the x of `input`, and zeros in y.
Result<Timing> time_kernel(Device& device, const Kernel& kernel, SpmvCase input, CacheRegime regime,
                           int samples_most) {
  const auto loaded = device.load(kernel);
  if (!loaded) return loaded.failure();
  input.y = std::vector<std::byte>(static_cast<std::size_t>(kernel.rows) * sizeof(float));
  return (*loaded)->time(input, {regime, 0, samples_most});
}

Result<double> warm_us(Device& device, const Kernel& kernel, const SharedBytes& x) {
  SpmvCase input;
  input.x = x;
  const auto timing = time_kernel(device, kernel, std::move(input), CacheRegime::warm, samples);
  if (!timing) return timing.failure();
  return timing->time_us;
}

std::int64_t count_floats(const SharedBytes& bytes) {
  return static_cast<std::int64_t>(bytes.size() / sizeof(float));
}

/// The ways to copy x.
std::vector<Kernel> make_copies(std::int64_t values) {
  std::vector<Kernel> kernels;
  for (const int words : {1, 4}) {
    kernels.push_back(make_kernel("copy", fmt::format("constexpr int WORDS = {};\n", words), values,
                                  values, values / (values_a_word * words) / threads));
  }
  Kernel by_the_driver;
  by_the_driver.design = by_the_driver.vendor = memory_copy_name;
  by_the_driver.rows = by_the_driver.cols = static_cast<std::int32_t>(values);
  kernels.push_back(std::move(by_the_driver));
  return kernels;
}

/// GB/s of the fastest copy of x to another vector. A Failure where a kernel of ours does not run.
Result<double> copy_rate(Device& device, const SharedBytes& x) {
  double least_us = 0;
  for (const Kernel& kernel : make_copies(count_floats(x))) {
    const auto us = warm_us(device, kernel, x);
    if (!us && kernel.vendor.empty()) return us.failure();
    if (us && (least_us == 0 || *us < least_us)) least_us = *us;
  }
  return 2e-3 * static_cast<double>(x.size()) / least_us;
}

/// GB/s of reading x.
Result<double> read_rate(Device& device, const SharedBytes& x) {
  const std::int64_t values = count_floats(x);
  const auto us =
      warm_us(device, make_kernel("read", "", 1, values, values / values_a_reader / threads), x);
  if (!us) return us.failure();
  return 1e-3 * static_cast<double>(x.size()) / *us;
}

/// Sectors a nanosecond of x, which has a power of two of them, read by so many threads.
Result<double> gather_rate(Device& device, const SharedBytes& x, std::int64_t gathering_threads) {
  const std::int64_t values = count_floats(x);
  const int bits = std::bit_width(static_cast<std::uint64_t>(values / values_a_sector)) - 1;
  const std::string constants =
      fmt::format("constexpr int GATHERS = {}, SECTOR_BITS = {};\n", gathers, bits);
  const auto us = warm_us(
      device,
      make_kernel("gather", constants, gathering_threads, values, gathering_threads / threads), x);
  if (!us) return us.failure();
  return 1e-3 * static_cast<double>(gathers * gathering_threads) / *us;
}

/// Larger than the L2 cache by far: a power of two.
SharedBytes large_vector(const DeviceInfo& info) {
  const auto bytes = std::bit_ceil(4 * static_cast<std::uint64_t>(find_l2_bytes(info)));
  return random_floats(static_cast<std::int64_t>(bytes / sizeof(float)));
}

Result<MemoryRates> measure_memory(Device& device, const SharedBytes& x) {
  const auto copy = copy_rate(device, x);
  if (!copy) return copy.failure();
  const auto read = read_rate(device, x);
  if (!read) return read.failure();
  return MemoryRates{*copy, *read};
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
  SpmvCase zeros;
  zeros.x = std::vector<std::byte>(static_cast<std::size_t>(kernel.cols) * sizeof(float));
  return time_kernel(device, kernel, std::move(zeros), regime, samples_most);
}

SharedBytes random_floats(std::int64_t count) {
  constexpr std::uint32_t exponent_of_one = 0x3f800000;
  constexpr int fraction_bits = 23;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(count));
  std::uint64_t state = 0x9e3779b97f4a7c15;
  for (std::uint32_t& word : words) {
    state ^= state << 13;  // Marsaglia's xorshift of 64 bits
    state ^= state >> 7;
    state ^= state << 17;
    word = exponent_of_one | static_cast<std::uint32_t>(state >> (64 - fraction_bits));
  }
  const std::size_t size = words.size() * sizeof(std::uint32_t);
  const auto* const first = reinterpret_cast<const std::byte*>(words.data());
  SharedBytes bytes;
  bytes = SharedBytes::Bytes(first, first + size);
  return bytes;
}

Result<double> measure_empty(Device& device, CacheRegime regime) {
  if (const auto reason = unmeasured_reason(device.info())) return *reason;
  const auto timing =
      time_of_zeros(device, make_kernel("empty", "", 1, 1, 1, empty_threads), regime, samples);
  if (!timing) return timing.failure();
  return timing->time_us;
}

Result<MemoryRates> measure_memory(Device& device) {
  if (device.info().target == Target::cpu) return measure_cpu_memory(device);
  if (const auto reason = unmeasured_reason(device.info())) return *reason;
  return measure_memory(device, large_vector(device.info()));
}

Result<Roofline> measure_roofline(Device& device) {
  if (device.info().target == Target::cpu) return measure_cpu_roofline(device);
  if (const auto reason = unmeasured_reason(device.info())) return *reason;
  const SharedBytes large = large_vector(device.info());
  const auto memory = measure_memory(device, large);
  if (!memory) return memory.failure();
  const auto sectors =
      static_cast<std::uint64_t>(find_l2_bytes(device.info())) / (values_a_sector * sizeof(float));
  const std::uint64_t sectors_within = std::bit_floor(std::max<std::uint64_t>(2, sectors / 2));
  const SharedBytes small =
      random_floats(static_cast<std::int64_t>(sectors_within) * values_a_sector);
  // Several times as many as a GPU runs at once: four times the sectors of L2 are read.
  const auto gathering_threads = static_cast<std::int64_t>(
      std::max<std::uint64_t>(threads, std::bit_ceil(4 * sectors / gathers)));
  const auto within = gather_rate(device, small, gathering_threads);
  if (!within) return within.failure();
  const auto beyond = gather_rate(device, large, gathering_threads);
  if (!beyond) return beyond.failure();
  const auto warm = measure_empty(device, CacheRegime::warm);
  if (!warm) return warm.failure();
  const auto cold = measure_empty(device, CacheRegime::cold);
  if (!cold) return cold.failure();
  return Roofline{memory->copy_gb_per_s, memory->read_gb_per_s, *within, *beyond, *warm, *cold};
}

}  // namespace alphasparse
