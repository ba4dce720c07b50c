// planted_kernel: kernels with a fault that a tool of compute-sanitizer must find.
#pragma once
#include <string>
#include <string_view>

#include "templates/templates.h"

namespace alphasparse {

inline constexpr int planted_threads = 64;

/// Reads x 16 MiB beyond its end: no allocation is rounded up so far.
inline constexpr const char* planted_memcheck_body =
    "  y[threadIdx.x] = x[threadIdx.x + (1 << 22)];\n";

/// Each thread reads a word of shared memory that a thread of the other warp writes, and no barrier
/// stands between. A compiler cannot take the word from a register: another thread has written it.
inline constexpr const char* planted_racecheck_body =
    "  __shared__ float words[64];\n"
    "  words[threadIdx.x] = x[threadIdx.x];\n"
    "  y[threadIdx.x] = words[63 - threadIdx.x];\n";

/// The source for "memcheck" or "racecheck": one kernel `planted`, of one block.
inline std::string planted_source(std::string_view tool) {
  return std::string(template_text("fragments/prelude.cuh")) +
         "extern \"C\" __global__ void __launch_bounds__(64)\n"
         "    planted(const Value* x, Value* y, Value, Value) {\n" +
         (tool == "racecheck" ? planted_racecheck_body : planted_memcheck_body) + "}\n";
}

}  // namespace alphasparse
