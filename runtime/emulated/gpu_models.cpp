#include "runtime/emulated/gpu_models.h"

namespace alphasparse {

// Sources, by column:
//   multiprocessors, clock, DRAM, L2 size   NVIDIA's datasheets and architecture whitepapers: H200
//                                           (SXM), H100 (SXM5), A100 (SXM4 80 GB), RTX 4090
//   l1, warps, blocks                       CUDA C++ Programming Guide, table of technical
//                                           specifications per compute capability
//   L2 bandwidth   h200, h100: 4.7 TB/s, the highest rate of scattered x that the published SpMV
//                  measurements on a GH200 imply, 146e9 gathers/s of one sector; a100: assumed,
//                  5120 bytes a clock of the whitepaper at the same share as h100; rtx4090: assumed
//   launch         assumed: published figures for back-to-back launches lie between 2 and 5 us
const std::vector<GpuModel>& gpu_models() {
  static const std::vector<GpuModel> models = {
      {"h200", "NVIDIA H200 SXM", "sm_90", 132, 1.980, 4800, 4700, 256 << 10, 50 << 20, 64, 32,
       2.5},
      {"a100", "NVIDIA A100 SXM4 80GB", "sm_80", 108, 1.410, 2039, 3200, 192 << 10, 40 << 20, 64,
       32, 2.5},
      {"h100", "NVIDIA H100 SXM5", "sm_90", 132, 1.980, 3350, 4700, 256 << 10, 50 << 20, 64, 32,
       2.5},
      {"v100", "NVIDIA V100 SXM2", "sm_70", 80, 1.530, 900, 2155, 128 << 10, 6 << 20, 64, 32, 2.5},
      {"a100_40", "NVIDIA A100 SXM4 40GB", "sm_80", 108, 1.410, 1555, 3200, 192 << 10, 40 << 20, 64,
       32, 2.5},
      {"rtx4090", "NVIDIA GeForce RTX 4090", "sm_89", 128, 2.520, 1008, 4000, 128 << 10, 72 << 20,
       48, 24, 2.5},
  };
  return models;
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
