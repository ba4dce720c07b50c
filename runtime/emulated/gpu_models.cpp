#include "runtime/emulated/gpu_models.h"

namespace alphasparse {

// Sources, by column. Readings are those of RRZE-HPC/gpu-benches (its code is GPL-3; these are
// numbers that it publishes); a value without a reading is assumed, from the GPU named.
//
//   multiprocessors, clock, DRAM, L2 size   NVIDIA's datasheets and architecture whitepapers: H200
//                            (SXM), H100 (SXM5 and PCIe), A100 (SXM4; a100_40 is that of 40 GB and
//                            shares all other readings), V100 (SXM2), L40, L40S, RTX 4090, B200
//                            The driver of an H100 80GB HBM3 reports 132, 1980 MHz, 3352 GB/s and
//                            50.0 MiB (2026-11-27); the roofline's gathers from L2 reach 131e9
//                            sectors/s there, 4200 GB/s
//   l1, warps, blocks        CUDA C++ Programming Guide, table of technical specifications per
//                            compute capability
//   L2, whole lines          gpu-l2-cache: h200 9700 (14 and 34 MB), a100 5400 (14 MB), h100_pcie
//                            6925 (34 MB), l40 5243 (92 MB). Assumed: h100 as h200; v100 2155;
//                            l40s, rtx4090 as l40 and b200 as h200, by clock and multiprocessors
//   L2, scattered sectors    h200, h100: 4700, the highest rate of scattered x that the published
//                            SpMV measurements on a GH200 imply, 146e9 gathers/s of one sector.
//                            a100: 3200, chosen by the published time of kron_g500-logn18
//                            (ginkgo-project/ginkgo-data, CC-BY-4.0). Others: assumed, near the
//                            share of whole lines that a100 or h200 has; v100 all of it
//   share of L2              gpu-l2-cache: above 28 of a100's 40 MB and 43 of h200's 50 the rate
//                            falls; l40 has it at 92 of 96 MB. Assumed: h100, h100_pcie, b200 as
//                            h200; l40s, rtx4090 as l40; v100 0.9, chosen after the
//                            times of GL7d20 of gunrock/loops (Apache-2.0) and ginkgo-data
//   launch in a graph, one   gpu-small-kernels, 4096 doubles: a100 1.34, 2.62; h200 1.26, 2.43; l40
//   by one                   0.94, 1.64. h100 in a graph 1.11, fitted to times of designs on an
//                            H100 80GB HBM3, 2026-11-27; one by one assumed as h200. Assumed: v100
//                            as a100; h100_pcie as h100; b200 as h200; l40s, rtx4090 as l40
//   blocks                   gpu-small-kernels in a graph, the same kernel in blocks of 16, 32 and
//                            64 threads: however large they are, the time grows by 0.60 ns a block
//                            (h200), 0.74 (a100), 0.53 (l40), 1.05 to 1.3 cycles. Assumed: h100,
//                            b200 as h200, h100_pcie by its clock; v100 by its clock as a100;
//                            l40s, rtx4090 as l40
//   latencies                gpu-latency, pointer chase: a100 23.5, 146, 375; v100 20, 154, 308;
//                            gh200 16, 142, 338; l40 13.7, 110, 246. Assumed: h200, h100,
//                            h100_pcie, b200 as gh200; l40s, rtx4090 as l40
//
// The GPUs of AMD. mi250x is one of its two dies. A warp is half a wavefront, so that a compute
// unit holds two for each wavefront. Readings with a commit are of te42kyfo/gpu-benches, the same
// files.
//
//   compute units, caches    ROCm/legacy-rocm-build 74e2e7c, docs/reference/gpu-arch-specs.rst:
//   120, 110 a die, 104
//                            and 304; L1 16 KiB (mi300x 32) and 64 KiB for shared arrays apart from
//                            it; L2 8 MiB (mi300x 32, eight of them, each of 38 compute units) and
//                            256 MiB behind it. Blocks go to the eight in turn: assumed
//   clock                    mi210 1.70: gpu-latency/mi210.txt a7dc559. Others: assumed
//   DRAM                     peaks: assumed. gpu-l2-cache: mi210 1.25 to 1.37 TB/s 3088b33, mi100
//                            0.8 to 1.0 71a3611; 80 % of the peak for all
//   L2, whole lines          gpu-l2-cache: mi100 2700 71a3611; mi210 4500 to 5100 3088b33. Assumed:
//                            mi250x as mi210; mi300x the same share of 128 bytes a cycle from each
//                            of 128 channels. What it gives beside waits: fitted, see amd()
//   L2, scattered; share     assumed: two thirds of whole lines; 0.9
//   cache behind L2          mi300x: 13400 GB/s, 217 ns: assumed, a reading without a commit
//   L2 forgets               mi250x: chosen by ginkgo-data's times of SELL-P, whose long rows take
//                            0.57 us a term, those of mi100 0.42. Assumed: mi210, mi300x as mi250x
//   sectors                  lines of L1 are 64 bytes: ROCm/omniperf 1a94f72,
//                            docs/conceptual/vector-l1-cache.rst; mi300x 128, assumed
//   L1 a cycle, issue        assumed: 64 bytes; four SIMDs take four cycles each for a wavefront,
//                            which are two halves a cycle
//   warps, blocks            twice the 32 wavefronts that clang tells for gfx90a and gfx942, and
//                            the 40 for gfx908; blocks assumed
//   launch                   gpu-small-kernels/mi210_rocm56.txt 11f5daa: mi210 2.34 for 4096
//                            doubles; a graph saves nothing. Others assumed as it. One by one in
//                            others' programs: fitted, as the second launch of Ginkgo's coo
//   blocks in time           assumed: as a100 by the clock
//   latencies                mi210 73.6 to 75, 140 to 147, 337 to 346: gpu-latency/mi210.txt
//                            a7dc559. Assumed: mi250x as mi210. Assumed, readings without a commit:
//                            mi100; mi300x, whose DRAM is 200 more than the cache before it
namespace {

constexpr std::int64_t kb = 1 << 10, mb = 1 << 20;

/// Fitted to 333 times of coo, csr, ell, sellp, hybrid and hipSPARSE's five of ginkgo-data on
/// MI250X and MI100, float64: those of the first half of the matrices, 2026-11-30
/// (tools/comparison/README.md). Ginkgo's atomic additions of doubles are loops of
/// compare-and-swap: where the hardware adds, atomic_line_ns is too long.
ModelConstants amd() {
  ModelConstants constants;
  constants.dram_efficiency = 0.80;
  constants.l2_efficiency = 0.66;
  constants.instructions_scale = 1.94;
  constants.atomic_line_ns = 68;
  constants.longest_scale = 1.06;
  constants.queued_scale = 1.09;
  return constants;
}

GpuModel mi250x() {
  return {.name = "mi250x",
          .full_name = "AMD Instinct MI250X, one die",
          .arch = "gfx90a",
          .multiprocessors = 110,
          .clock_ghz = 1.700,
          .dram_gb_per_s = 1638,
          .l2_gb_per_s = 4500,
          .l2_scattered_gb_per_s = 3000,
          .l2_kept = 0.90,
          .l1_bytes = 16 * kb,
          .l2_bytes = 8 * mb,
          .warps_max = 64,
          .blocks_max = 32,
          .launch_us = 2.34,
          .launch_single_us = 3.67,
          .block_ns = 0.61,
          .l1_ns = 75,
          .l2_ns = 147,
          .dram_ns = 346,
          .sector_bytes = 64,
          .shared_bytes = 64 * kb,
          .l1_bytes_a_cycle = 64,
          .issue_a_cycle = 2,
          .l2_forgets = true,
          .constants = amd(),
          .fit = "fitted to public times of MI250X"};
}

GpuModel mi210() {
  GpuModel gpu = mi250x();
  gpu.name = "mi210";
  gpu.full_name = "AMD Instinct MI210";
  gpu.multiprocessors = 104;
  return gpu;
}

GpuModel mi100() {
  return {.name = "mi100",
          .full_name = "AMD Instinct MI100",
          .arch = "gfx908",
          .multiprocessors = 120,
          .clock_ghz = 1.500,
          .dram_gb_per_s = 1229,
          .l2_gb_per_s = 2700,
          .l2_scattered_gb_per_s = 1800,
          .l2_kept = 0.90,
          .l1_bytes = 16 * kb,
          .l2_bytes = 8 * mb,
          .warps_max = 80,
          .blocks_max = 32,
          .launch_us = 2.34,
          .launch_single_us = 3.67,
          .block_ns = 0.70,
          .l1_ns = 94,
          .l2_ns = 185,
          .dram_ns = 380,
          .sector_bytes = 64,
          .shared_bytes = 64 * kb,
          .l1_bytes_a_cycle = 64,
          .issue_a_cycle = 2,
          .constants = amd(),
          .fit = "fitted to public times of MI100"};
}

GpuModel mi300x() {
  return {.name = "mi300x",
          .full_name = "AMD Instinct MI300X",
          .arch = "gfx942",
          .multiprocessors = 304,
          .clock_ghz = 2.100,
          .dram_gb_per_s = 5300,
          .l2_gb_per_s = 22000,
          .l2_scattered_gb_per_s = 14700,
          .l2_kept = 0.90,
          .l1_bytes = 32 * kb,
          .l2_bytes = 32 * mb,
          .warps_max = 64,
          .blocks_max = 32,
          .launch_us = 2.34,
          .launch_single_us = 3.67,
          .block_ns = 0.50,
          .l1_ns = 56,
          .l2_ns = 102,
          .dram_ns = 417,
          .sector_bytes = 128,
          .shared_bytes = 64 * kb,
          .l1_bytes_a_cycle = 64,
          .issue_a_cycle = 2,
          .l2_forgets = true,
          .l2_slices = 8,
          .near_bytes = 256 * mb,
          .near_gb_per_s = 13400,
          .near_ns = 217,
          .constants = amd(),
          .fit = "unfitted"};
}

std::vector<GpuModel> all_models() {
  std::vector<GpuModel> models = {
      {"h200", "NVIDIA H200 SXM", "sm_90", 132, 1.980, 4800, 9700, 4700, 0.86, 256 * kb, 50 * mb,
       64, 32, 1.26, 2.43, 0.60, 16, 142, 338},
      {"a100", "NVIDIA A100 SXM4 80GB", "sm_80", 108, 1.410, 2039, 5400, 3200, 0.70, 192 * kb,
       40 * mb, 64, 32, 1.34, 2.62, 0.74, 23.5, 146, 375},
      {"h100", "NVIDIA H100 SXM5", "sm_90", 132, 1.980, 3350, 9700, 4700, 0.86, 256 * kb, 50 * mb,
       64, 32, 1.11, 2.43, 0.60, 16, 142, 338},
      {"rtx4090", "NVIDIA GeForce RTX 4090", "sm_89", 128, 2.520, 1008, 4780, 2830, 0.95, 128 * kb,
       72 * mb, 48, 24, 0.94, 1.64, 0.53, 13.7, 110, 246},
      {"v100", "NVIDIA V100 SXM2", "sm_70", 80, 1.530, 900, 2155, 2155, 0.90, 128 * kb, 6 * mb, 64,
       32, 1.34, 2.62, 0.68, 20, 154, 308},
      {"a100_40", "NVIDIA A100 SXM4 40GB", "sm_80", 108, 1.410, 1555, 5400, 3200, 0.70, 192 * kb,
       40 * mb, 64, 32, 1.34, 2.62, 0.74, 23.5, 146, 375},
      {"l40", "NVIDIA L40", "sm_89", 142, 2.490, 864, 5243, 3110, 0.95, 128 * kb, 96 * mb, 48, 24,
       0.94, 1.64, 0.53, 13.7, 110, 246},
      {"l40s", "NVIDIA L40S", "sm_89", 142, 2.520, 864, 5300, 3140, 0.95, 128 * kb, 96 * mb, 48, 24,
       0.94, 1.64, 0.53, 13.7, 110, 246},
      {"h100_pcie", "NVIDIA H100 PCIe", "sm_90", 114, 1.755, 2039, 6925, 3600, 0.86, 256 * kb,
       50 * mb, 64, 32, 1.11, 2.43, 0.68, 16, 142, 338},
      {"b200", "NVIDIA B200", "sm_100", 148, 1.965, 8000, 10800, 5230, 0.86, 256 * kb, 126 * mb, 64,
       32, 1.26, 2.43, 0.60, 16, 142, 338},
  };
  models.insert(models.end(), {mi250x(), mi210(), mi100(), mi300x()});
  return models;
}

}  // namespace

const std::vector<GpuModel>& gpu_models() {
  static const std::vector<GpuModel> models = all_models();
  return models;
}

// Fitted to 176 times of named designs on an H100 80GB HBM3, 2026-11-27, eight matrices, f32 and
// f64: 3.2, of f32 alone 3.4; 4 does equally. Assumed for sm_100. Older ones: assumed; 6 does
// better than 4 on the A100's published times.
double instructions_a_block(const GpuModel& gpu) {
  return gpu.arch == "sm_90" || gpu.arch == "sm_100" ? 4 : 6;
}

std::int64_t l2_bytes_kept(const GpuModel& gpu) {
  return static_cast<std::int64_t>(gpu.l2_kept * static_cast<double>(gpu.l2_bytes));
}

GpuModel with_memory(const GpuModel& gpu, bool is_near) {
  GpuModel same = gpu;
  if (!is_near) return same;
  same.dram_gb_per_s = gpu.near_gb_per_s;
  same.dram_ns = gpu.near_ns;
  return same;
}

const GpuModel* find_gpu_model(const std::string& name) {
  for (const GpuModel& model : gpu_models()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

const GpuModel* choose_gpu_model(const DeviceInfo& device) {
  if (device.kind == TimeKind::measured) return nullptr;
  for (const GpuModel& model : gpu_models()) {
    if (model.full_name == device.gpu) return &model;
  }
  return nullptr;
}

double near_floor_us(const DeviceInfo& device) {
  constexpr double launches = 1.5;
  const GpuModel* const model = choose_gpu_model(device);
  return model ? launches * model->launch_us : 0;
}

}  // namespace alphasparse
