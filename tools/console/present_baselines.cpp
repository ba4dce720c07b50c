#include "tools/console/present_baselines.h"

#include <filesystem>

#include "runtime/compilers/eigen.h"
#include "runtime/cpu/mkl_spmv.h"
#include "runtime/cuda/cusparse_kernel.h"

namespace alphasparse {

std::string present_baselines(const DeviceInfo& device) {
  if (device.target == Target::cpu) {
    std::string all = "baselines here: a plain loop";
    if (const auto& eigen = eigen_headers()) all += ", Eigen " + eigen->version;
    if (const auto mkl = mkl_facts()) all += ", MKL " + mkl->version;
    return all;
  }
  if (device.kind == TimeKind::modelled) return "no baselines here: those of GPUs need one";
  const auto& library = Cusparse::instance();
  if (!library) return "no baselines here: cuSPARSE is missing";
  return "baselines here: " + std::filesystem::path(library->file()).filename().string();
}

}  // namespace alphasparse
