// model_constants: the constants of modelled_time.h that no reading of a GPU tells, in one place,
// so that others can be tried and fitted to measured times (tools/comparison/fitting.py).
//
// A fit proposes values and changes nothing here. A value that is taken over is documented with the
// place where it was measured, and changes gpu_models_version. tools/comparison/README.md tells
// which of them measured and published times have set.
#pragma once

namespace alphasparse {

struct ModelConstants {
  /// Factor of the table's launch floor.
  double launch_scale = 1;
  /// Share of the table's peak bandwidth. RRZE-HPC/gpu-benches reads 0.81 (H200), 0.86 (A100 80 GB)
  /// and 0.95 (L40) of it; 4.3 of 4.8 TB/s were once copied on an H200.
  double dram_efficiency = 0.87;
  /// Share of the table's L2 bandwidths.
  double l2_efficiency = 1;
  /// Factor of the table's instructions for a basic block.
  double instructions_scale = 1;
  /// Share of the issue slots that are used. Assumed. Times tell only its quotient with
  /// instructions_scale, so that it is not fitted.
  double issue_efficiency = 0.60;
  /// Cycles from an instruction to one of the same warp that needs it. Jia, Maggioni, Staiger,
  /// Scarpazza (Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking, 2018) read 4
  /// for most arithmetic of a V100; assumed for the others. The time of a warp by itself depends on
  /// its product with instructions_scale, so it is not fitted.
  double instruction_cycles = 4;
  /// The time of a pass of atomic operations (LaunchCounts::atomic_passes) through all of L2, and
  /// between two on one line, which the same part of it takes. Fitted to coo in 12 measurements
  /// (eight matrices, f32 and f64) on an H100 80GB HBM3, 2026-11-27: within a factor of 1.14.
  /// Assumed for the others.
  double atomic_pass_ns = 0.026;
  double atomic_line_ns = 1.25;
  /// Factor of the latencies that the longest warp waits for. Assumed: those of a GPU at rest.
  double longest_scale = 1;
  /// The same factor where more warps queue than are resident.
  double queued_scale = 1;
  /// The part of the busiest multiprocessor's surplus over the mean that is waited for. Assumed:
  /// nothing, all multiprocessors are taken as equally busy.
  double tail = 0;
  /// Limits that are near each other do not overlap whole. A launch takes the norm of this order of
  /// them all, so that two equal ones take 1.19 times as long as one. Infinity is the longest
  /// alone, 1 their sum. Chosen by the times of ginkgo-data and gunrock/loops, 3.5 to 5 do equally;
  /// it is not fitted.
  double limits_order = 4;
  /// Share of the memory for L1 and shared arrays, those aside, that works as L1. Assumed: all of
  /// it. It changes the counts themselves (EmulatedKernel::count), not the time made of them.
  double l1_share = 1;
};

}  // namespace alphasparse
