#include "generator/arrays/spelling.h"

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
    .sink_to_add = "global_add",
    .compiler = "nvcc -std=c++17 -O3 -arch={}",
};

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
    .sink_to_add = "global_atomic",
    .compiler = "g++ -std=c++17 -O3 -march=native -fopenmp",
};

}  // namespace

const Spelling& spelling_of(Target target) { return target == Target::cpu ? cpu : cuda; }

}  // namespace alphasparse
