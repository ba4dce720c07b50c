// target: what a kernel is written for.
#pragma once

namespace alphasparse {

enum class Target {
  cuda,  ///< a GPU: threads, warps of 32 lanes, blocks
  cpu,   ///< tasks of a CPU's cores; what a warp is there, one core works on at once, as a gang
};

inline constexpr int gang_most = 64;  ///< lanes of a gang

}  // namespace alphasparse
