// cpu_roofline: the rate at which this machine's memory serves so many of its threads.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/device/roofline.h"

namespace alphasparse {

/// Measures as measure_roofline does, by kernels for CPUs: caches stand for L2, and a gathered
/// sector is a line of 64 bytes.
Result<Roofline> measure_cpu_roofline(Device& device);

/// Measures as measure_memory does, likewise.
Result<MemoryRates> measure_cpu_memory(Device& device);

/// The most bytes that so many threads read of vectors that are read again and again. A kernel that
/// reads more bytes in each round finds fewer of them in the caches near its threads, and is no
/// faster.
struct ReadRate {
  std::int64_t bytes = 0;  ///< of all threads in a round
  double gb_per_s = 0;
};

/// Rates of vectors for each level of caches and for memory, ascending, as far as they have at most
/// `bytes_most` together. `alone` has one thread, and its processor time is known on a busy machine
/// too. A team reads no more than the rate of one thread by itself, times its threads. A Failure
/// where it has several, or times are modelled, or a fault keeps the device from running a kernel.
Result<std::vector<ReadRate>> measure_read_rates(Device& alone, int threads,
                                                 std::int64_t bytes_most);

}  // namespace alphasparse
