// target: the kind of processor that a kernel is written for.
#pragma once
#include <string_view>

namespace alphasparse {

enum class Target {
  gpu,  ///< a GPU: threads, warps of 32 lanes, blocks
  cpu,  ///< tasks of a CPU's cores; a warp is a gang there, on which one core works at once
};

/// The language of a GPU's kernels.
enum class Dialect {
  cuda,  ///< CUDA C++, for GPUs of NVIDIA
  hip,   ///< the same behind HIP's words, for GPUs of AMD (templates/hip)
};

/// The language for a GPU's architecture: "sm_90", "gfx90a".
constexpr Dialect find_dialect(std::string_view arch) {
  return arch.starts_with("gfx") ? Dialect::hip : Dialect::cuda;
}

inline constexpr int gang_most = 64;  ///< lanes of a gang

}  // namespace alphasparse
