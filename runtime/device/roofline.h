// roofline: what a GPU's memory gives, measured by two kernels that do nothing else - a copy, and
// reads at random places. No SpMV can be faster than its bytes at the first rate, nor than its
// gathers of x at the second, nor than a kernel that does nothing at all.
#pragma once
#include "runtime/device/device.h"

namespace alphasparse {

struct Roofline {
  double copy_gb_per_s = 0;     ///< bytes read and written, of vectors far larger than the L2 cache
  double gather_l2_per_ns = 0;  ///< 32-byte sectors, of a vector of at most half the L2 cache
  double gather_dram_per_ns = 0;  ///< the same, of a vector far larger than it
  double empty_warm_us = 0;       ///< of a kernel that does nothing, measured as every other
  double empty_cold_us = 0;
};

/// Measures it, in about a second. A Failure where times are modelled, or whatever keeps the device
/// from running a kernel.
Result<Roofline> measure_roofline(Device& device);

}  // namespace alphasparse
