#include "generator/arrays/spelling.h"

#include <algorithm>

namespace alphasparse {

namespace {

constexpr Spelling cuda = {
    .inlined = "__device__ __forceinline__",
    .fragment_folder = "fragments/",
    .fragment_ending = ".cuh",
    .kept_directive = "#pragma unroll",
    .dropped_directive = "",
    .streamed = "__ldcs({})",
    .reads_pairs = true,
    .divides_unsigned = true,
    .names_unread = true,
    .epilogue_to_add = "global_add",
    .compiler = "nvcc -std=c++17 -O3 -arch={}",
    .second_bound = [](int, int blocks) { return blocks; },
};

/// HIP counts wavefronts of a SIMD, which have 64 lanes; a multiprocessor has four SIMDs.
constexpr Spelling hip = [] {
  Spelling hip = cuda;
  hip.compiler = "hipcc -std=c++17 -O3 -munsafe-fp-atomics --offload-arch={}";
  hip.second_bound = [](int threads, int blocks) { return std::max(1, threads * blocks / 256); };
  return hip;
}();

constexpr Spelling cpu = {
    .inlined = "INLINE",
    .fragment_folder = "lanes/",
    .fragment_ending = ".h",
    .kept_directive = "",
    .dropped_directive = "#pragma once",
    .streamed = "",
    .reads_pairs = false,
    .divides_unsigned = false,
    .names_unread = false,
    .epilogue_to_add = "global_atomic",
    .compiler = "g++ -std=c++17 -O3 -march=native -fopenmp",
};

}  // namespace

const Spelling& find_spelling(Target target, Dialect dialect) {
  if (target == Target::cpu) return cpu;
  return dialect == Dialect::hip ? hip : cuda;
}

}  // namespace alphasparse
