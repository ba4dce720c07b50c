// lower_bound: a time that a kernel cannot beat on a modelled GPU, told before it is compiled.
//
// It goes by the formula of modelled_time.h, on counts that follow from the format instead of from
// a run:
//
//   memory   every sector of the entries, of the arrays that find them, of the columns of x that
//            are touched, and of y, once
//   lsu      a load of x for each 32 entries, pads that are read among them; and of the value and
//            the column where these are arrays
//   longest  of the thread with the most entries: its loads of x and of values, one batch of terms
//            after the other, a sector of values from L2 where it is new, all else from L1; and a
//            basic block a term
//   blocks   launched one after the other
//   atomics  one for each part of a row, where threads add their sums to y themselves, and for each
//            mirror image
//
// Figures that only a run can tell are left out: the way x is gathered, the waits of warps, work
// beside the entries. So the bound is below the time of a full count. A time from a sample of the
// blocks may be off by the sample's own error.
//
// Example: 933195 non-zeros in CSR, 7.6 MB with x and y, take at least 1.3 + 7.6 / 9.7 = 2.1 us,
// however they are summed. This is on a GPU with a launch of 1.3 us and an L2 that gives 9.7 TB/s.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/facts/store.h"
#include "runtime/device/cpu_roofline.h"
#include "runtime/emulated/gpu_models.h"
#include "runtime/emulated/modelled_time.h"

namespace alphasparse {

/// Bytes of the 32-byte sectors of x that hold a column with a non-zero.
std::int64_t touched_x_bytes(const Matrix& matrix, Dtype dtype);

/// The work that no run of a kernel can do without. Counts of 32-byte sectors, of a warp's
/// instructions, of single atomic operations.
struct LeastWork {
  double format_sectors = 0;
  double x_sectors = 0;
  double y_sectors = 0;
  double loads = 0;                  ///< of all warps
  double waits = 0;                  ///< for x, of all warps: full batches wait once
  Waits longest_waits;               ///< of the thread with the most; its values fill L1 first
  double basic_blocks = 0;           ///< of all warps: one a term, or a vector of such
  double longest_basic_blocks = 0;   ///< of the thread with the most
  std::int64_t blocks = 0;           ///< of the launch with the most
  std::int64_t longest_entries = 0;  ///< that it has
  double atomics = 0;
  std::int64_t launches = 1;
  std::int64_t held_bytes = 0;  ///< the bytes that caches would have to hold: arrays, x and y
  bool waits_in_l2 = false;     ///< x is known to be no nearer, so that `waits` are for L2
};

/// `branches` are the stores that the kernel was built from, `x_bytes` as of touched_x_bytes.
LeastWork least_work(const Kernel& kernel, const std::vector<Store>& branches,
                     std::int64_t x_bytes);

struct LowerBound {
  double time_us = 0;
  std::string cause;  ///< of the work beyond its launches: "its 31.8 MB"
};

/// The bound of a modelled GPU's time.
LowerBound modelled_bound(const GpuModel& gpu, const LeastWork& work, CacheRegime regime);

/// The bound of a measured time: the time that memory alone takes at its peak, for the bytes that
/// L2 cannot have kept from the round before. 0 where the device does not tell its peak.
LowerBound measured_bound(const DeviceInfo& device, const LeastWork& work, CacheRegime regime);

/// The bound of a time measured on a CPU with these rates. Its bytes count at the lowest rate of
/// the vectors that read no more. A quarter is added to that rate, for other kernels may have more
/// loads under way. 0 where it reads less than all of them.
LowerBound measured_bound(const std::vector<ReadRate>& rates, const LeastWork& work);

/// Whether a design with this bound need not be tried, where the best takes `best_us`; 0: not
/// known. A bound on a modelled time is exact, but for the sample that the time may come from. On a
/// measured time clock and caches are the GPU's own, so its margin is wider.
bool is_hopeless(double bound_us, double best_us, TimeKind kind);

}  // namespace alphasparse
