// model_constants: the constants of modelled_time.h that were assumed, in one place, so that others
// can be tried and fitted to measured times (search/learning/gpu_model_fit.h).
//
// None of them has been fitted to a GPU. A fit proposes values and changes nothing here: whoever
// takes one over says where it was measured, and changes gpu_models_version.
#pragma once

namespace alphasparse {

struct ModelConstants {
  /// Of the table's launch floor. Assumed, as the floor is.
  double launch_scale = 1;
  /// Of the table's peak bandwidth. Assumed: 4.3 of 4.8 TB/s were once copied on an H200.
  double dram_efficiency = 0.90;
  /// Of the table's L2 bandwidth. Assumed, as that bandwidth partly is.
  double l2_efficiency = 1;
  /// Instructions that a warp issues for one basic block. Assumed.
  double instructions_a_block = 6;
  /// Of the issue slots, those that are used. Assumed. Times tell only its quotient with
  /// instructions_a_block, so that it is not fitted.
  double issue_efficiency = 0.60;
  /// Between two atomic operations on one address. Assumed.
  double atomic_same_address_ns = 1;
  /// A memory instruction of the longest warp: latency over its loads in flight. Assumed.
  double longest_warp_ns = 25;
  /// A memory instruction where more warps queue than are resident. Assumed, equal to the former.
  double queued_ns = 25;
  /// What of the busiest multiprocessor's surplus over the mean is waited for. Assumed: nothing,
  /// all multiprocessors are taken as equally busy.
  double tail = 0;
  /// Share of the memory for L1 and shared arrays, those aside, that works as L1. Assumed: all of
  /// it. It changes the counts themselves (EmulatedKernel::count), not what is made of them.
  double l1_share = 1;
};

}  // namespace alphasparse
