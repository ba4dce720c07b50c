// qualifiers: CUDA's keywords and built-in variables, so that g++ compiles a kernel's source
// unchanged.
//
// The files of this folder are joined, in the order of runtime/emulated/source.cpp, in front of a
// kernel's source. They include nothing: a kernel compiles in a tenth of a second. Every thread of
// the kernel is a fiber of the emulator, one block at a time:
//
//   threadIdx, ...   calls that touch no memory, so that nothing of them is observed
//   __shared__       thread-local variables: the module's thread-local segment is the block's
//   shared
//                    memory. Aligned beyond the 48 KiB that a block may have, every array is
//                    followed by a gap, which no kernel may touch
//   __global__       all that a kernel calls is inlined into it. Program order is then address
//                    order, by which the emulator finds where diverged lanes meet again
#pragma once

#define __global__ __attribute__((noinline, flatten))
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ thread_local __attribute__((aligned(65536)))
#define __align__(bytes) alignas(bytes)
#define __CUDACC__ 1
#define __CUDA_ARCH__ 800

#define EMULATOR_INLINE static inline __attribute__((always_inline))
#define EMULATOR_UNOBSERVED __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#define EMULATOR_LINE int line = __builtin_LINE()

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

extern "C" {
__attribute__((const)) uint3 emulator_thread_index();
__attribute__((const)) uint3 emulator_block_index();
__attribute__((const)) uint3 emulator_block_size();
__attribute__((const)) uint3 emulator_grid_size();
}

#define threadIdx (emulator_thread_index())
#define blockIdx (emulator_block_index())
#define blockDim (emulator_block_size())
#define gridDim (emulator_grid_size())
static constexpr int warpSize = 32;
