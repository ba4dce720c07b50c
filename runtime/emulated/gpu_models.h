// gpu_models: the known facts of the GPUs that can be emulated, in one versioned table.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/emulated/model_constants.h"

namespace alphasparse {

/// A change of any number in the table, of a constant in model_constants.h, or of the formula in
/// modelled_time.cpp, must change this. It makes modelled times a new kind, never compared with
/// older ones.
inline constexpr const char* gpu_models_version = "gpu-models 6";

/// One GPU. Times are modelled from these and from the counts of a run; see modelled_time.h.
struct GpuModel {
  std::string name;  ///< "h200"
  std::string full_name;
  std::string arch;  ///< "sm_90", "gfx90a"
  int multiprocessors = 0;
  double clock_ghz = 0;              ///< boost
  double dram_gb_per_s = 0;          ///< peak
  double l2_gb_per_s = 0;            ///< of whole lines read by all multiprocessors together
  double l2_scattered_gb_per_s = 0;  ///< of single sectors
  double l2_kept = 0;                ///< share of L2 that keeps its rate: larger data meets DRAM
  std::int64_t l1_bytes = 0;  ///< L1 of one multiprocessor, and shared memory that is part of it
  std::int64_t l2_bytes = 0;
  int warps_max = 0;  ///< resident on one multiprocessor
  int blocks_max = 0;
  double launch_us = 0;         ///< of a small kernel in a graph of such
  double launch_single_us = 0;  ///< of the same, launched one by one: published times are such
  double block_ns = 0;          ///< from the launch of a block of a grid to that of the next
  /// The latency of one thread's load until its value is there, by the level where it hits.
  double l1_ns = 0, l2_ns = 0, dram_ns = 0;

  // The columns that have one value for all GPUs of NVIDIA.
  int sector_bytes = 32;  ///< that L1 asks for at once: of a line of 128, or a whole line
  std::int64_t shared_bytes =
      0;  ///< shared memory of one multiprocessor, where it is no part of L1
  double l1_bytes_a_cycle = 128;  ///< that L1 of one multiprocessor gives
  double issue_a_cycle = 4;       ///< instructions of warps, of one multiprocessor
  bool l2_forgets = false;        ///< nothing in L2 outlives the launch that brought it there
  int l2_slices = 1;  ///< L2s with an equal part of l2_bytes, each of its own blocks alone
  std::int64_t near_bytes = 0;  ///< a cache between L2 and DRAM that outlives launches; 0: none
  double near_gb_per_s = 0;     ///< its bandwidth
  double near_ns = 0;           ///< and its latency
  ModelConstants constants = {};
  /// The times that the constants are fitted to, where a reader should know; "unfitted": none of
  /// its kind of GPUs. Times of such are rough.
  std::string fit = {};
};

/// That a warp issues for a basic block.
double instructions_a_block(const GpuModel& gpu);

/// Bytes of L2 that keep its rate.
std::int64_t l2_bytes_kept(const GpuModel& gpu);

/// The same GPU where data beyond L2 come from its cache there (GpuModel::near_bytes) or, where
/// `is_near` is false, from DRAM.
GpuModel with_memory(const GpuModel& gpu, bool is_near);

/// Every model, h200 first.
const std::vector<GpuModel>& gpu_models();

/// The model of that name; null where there is none.
const GpuModel* find_gpu_model(const std::string& name);

/// The model of an emulated device; null where times are measured, or of a GPU not in the table.
const GpuModel* choose_gpu_model(const DeviceInfo& device);

/// Best times below this, 1.5 launches, are near the launch floor of a GPU model: they do not tell
/// how its kernels differ. 0 where times are measured, or of a model that is not in the table.
double near_floor_us(const DeviceInfo& device);

}  // namespace alphasparse
