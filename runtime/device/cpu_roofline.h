// cpu_roofline: what the memory of this machine gives to so many of its threads.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/device/roofline.h"

namespace alphasparse {

/// As measure_roofline, by kernels for CPUs: caches stand for L2, and a gathered sector is a line
/// of 64 bytes.
Result<Roofline> measure_cpu_roofline(Device& device);

/// As measure_memory, likewise.
Result<MemoryRates> measure_cpu_memory(Device& device);

/// What so many threads read at most of vectors that are read again and again. Whatever reads more
/// bytes in each round finds fewer of them in the caches near its threads, and is no faster.
struct ReadRate {
  std::int64_t bytes = 0;  ///< of all threads in a round
  double gb_per_s = 0;
};

/// Of vectors for each level of caches and for memory, ascending, as far as they have at most
/// `bytes_most` together. `alone` has one thread, whose processor time is known however busy the
/// machine is; a team reads no more than as often what one thread reads by itself. A Failure where
/// it has several, or times are modelled, or whatever keeps the device from running a kernel.
Result<std::vector<ReadRate>> measure_read_rates(Device& alone, int threads,
                                                 std::int64_t bytes_most);

}  // namespace alphasparse
