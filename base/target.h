// target: the kind of processor that a kernel is written for.
#pragma once

namespace alphasparse {

enum class Target {
  cuda,  ///< a GPU: threads, warps of 32 lanes, blocks
  cpu,   ///< tasks of a CPU's cores; a warp is a gang there, on which one core works at once
};

inline constexpr int gang_most = 64;  ///< lanes of a gang

}  // namespace alphasparse
