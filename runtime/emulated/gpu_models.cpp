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
// The GPUs of AMD, for which no constant of the formula is fitted. mi250x is one of its two dies. A
// warp is half a wavefront, so that a compute unit holds two for each wavefront.
//
//   compute units, clock     gpu-benches; 110 of mi250x assumed
//   DRAM                     assumed: 1229, 1638 and 5300 GB/s; gpu-benches sees 0.81 to 1.0, 1.25
//                            to 1.36 and 4.0 to 4.2 TB/s
//   L2, whole lines          gpu-l2-cache: mi100 2700; mi210, mi250x 4500 to 5000 (8 MB). mi300x:
//                            11900 by gpu-l2-stream, of its memory-side cache of 256 MB, which
//                            stands for eight L2 of 4 MB
//   L2, scattered; share     assumed: two thirds of whole lines; 0.9
//   l1                       16 KiB (mi300x 32) and 64 KiB for shared arrays, ROCm's table of
//                            specifications, which lie apart and count as one here
//   warps, blocks            twice the 32 wavefronts that clang tells for gfx90a and gfx942, and
//   the
//                            40 for gfx908; blocks assumed
//   launch                   gpu-small-kernels, 4096 doubles: mi210 2.05, in a graph too. Others
//                            assumed as it
//   blocks in time           assumed: as a100 by the clock
//   latencies                gpu-latency: mi100 94, 185, 380; mi210 75, 147, 346; mi300x 56 and,
//                            of the memory-side cache, 217. Assumed: mi250x as mi210; DRAM of
//                            mi300x 200 more than that cache
const std::vector<GpuModel>& gpu_models() {
  constexpr std::int64_t kb = 1 << 10, mb = 1 << 20;
  static const std::vector<GpuModel> models = {
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
      {"mi250x", "AMD Instinct MI250X, one die",
       "gfx90a", 110,
       1.700,    1638,
       4500,     3000,
       0.90,     80 * kb,
       8 * mb,   64,
       32,       2.05,
       2.05,     0.61,
       75,       147,
       346,      false},
      {"mi210",  "AMD Instinct MI210",
       "gfx90a", 104,
       1.700,    1638,
       4500,     3000,
       0.90,     80 * kb,
       8 * mb,   64,
       32,       2.05,
       2.05,     0.61,
       75,       147,
       346,      false},
      {"mi100",  "AMD Instinct MI100",
       "gfx908", 120,
       1.500,    1229,
       2700,     1800,
       0.90,     80 * kb,
       8 * mb,   80,
       32,       2.05,
       2.05,     0.70,
       94,       185,
       380,      false},
      {"mi300x", "AMD Instinct MI300X",
       "gfx942", 304,
       2.100,    5300,
       11900,    7930,
       0.90,     96 * kb,
       256 * mb, 64,
       32,       2.05,
       2.05,     0.50,
       56,       217,
       417,      false},
  };
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

const GpuModel* find_gpu_model(const std::string& name) {
  for (const GpuModel& model : gpu_models()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

const GpuModel* gpu_model_of(const DeviceInfo& device) {
  if (device.kind == TimeKind::measured) return nullptr;
  for (const GpuModel& model : gpu_models()) {
    if (model.full_name == device.gpu) return &model;
  }
  return nullptr;
}

double near_floor_us(const DeviceInfo& device) {
  constexpr double launches = 1.5;
  const GpuModel* const model = gpu_model_of(device);
  return model ? launches * model->launch_us : 0;
}

}  // namespace alphasparse
