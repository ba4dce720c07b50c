// roofline: the rates of a device's memory, measured by kernels that do nothing else: a copy, a
// stream of reads, and reads at random places. No SpMV can be faster than its bytes at the rates of
// the first two, or than its gathers of x at the third. Nor can it be faster than a kernel that
// does nothing at all.
#pragma once
#include <cstdint>

#include "runtime/device/device.h"

namespace alphasparse {

/// The bytes that a copy moves, read and written, and the bytes that reading alone moves, of
/// vectors far larger than the L2 cache. The copy is the fastest of three: a thread copies 16
/// bytes, or 64 bytes with four loads in flight, or the driver copies. The vectors hold random
/// numbers.
struct MemoryRates {
  double copy_gb_per_s = 0;
  double read_gb_per_s = 0;
};

/// Kernel::vendor of the kernel that copies x to y by the driver's own means.
inline constexpr const char* memory_copy_name = "memory-copy";

struct Roofline {
  double copy_gb_per_s = 0;     ///< bytes read and written, of vectors far larger than the L2 cache
  double read_gb_per_s = 0;     ///< bytes read, of such a vector, where none are written
  double gather_l2_per_ns = 0;  ///< 32-byte sectors, of a vector of at most half the L2 cache
  double gather_dram_per_ns = 0;  ///< the same, of a vector far larger than it
  double empty_warm_us = 0;       ///< of a kernel that does nothing, measured as every other
  double empty_cold_us = 0;
};

/// The least time in which memory reads and writes so many bytes. The bytes that have a partner,
/// one read for one written, go at the rate of a copy, and the rest of the reads at that of a read.
double attainable_us(const Roofline& roofline, std::int64_t bytes_read, std::int64_t bytes_written);

/// Measures it, in about a second. A Failure where times are modelled or kernels are not CUDA's, or
/// a fault keeps the device from running one.
Result<Roofline> measure_roofline(Device& device);

/// Its first two alone, in a fraction of that; fails likewise.
Result<MemoryRates> measure_memory(Device& device);

/// Of the roofline, the time of a kernel that does nothing in that regime, in us; a Failure as
/// there.
Result<double> measure_empty(Device& device, CacheRegime regime);

/// The time of a float kernel on vectors of zeros, by so many samples at most.
Result<Timing> time_of_zeros(Device& device, const Kernel& kernel, CacheRegime regime,
                             int samples_most);

/// So many random floats of 1 to 2, the same in each call: no memory can shorten them.
SharedBytes random_floats(std::int64_t count);

}  // namespace alphasparse
