#ifndef ALPHASPARSE_HIP
// cuda_names: names of CUDA that kernels use, for compilers of HIP, so that one text serves both.
//
// A wavefront of 64 lanes holds two warps of 32. Shuffles of width 32 stay in a half, and a ballot
// is shifted to its half. All lanes of a warp take part in each collective, so that masks are not
// looked at: those of ROCm 6.2 and later have 64 bits. The names of collectives are our own, by
// macros, whether ROCm has them or not.
//
// Behind HIP's headers, or in front of a source without any: clang alone compiles that for a GPU by
// -nogpuinc -nogpulib.
#endif
#ifndef HIP_VERSION_MAJOR
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define ALPHASPARSE_WAVES(...) __VA_OPT__(, amdgpu_waves_per_eu(__VA_ARGS__))
#define __launch_bounds__(threads, ...) \
  __attribute__((amdgpu_flat_work_group_size(1, threads) ALPHASPARSE_WAVES(__VA_ARGS__)))
struct ThreadIndex {
  __declspec(property(get = get)) unsigned x;
  __device__ unsigned get() const { return __builtin_amdgcn_workitem_id_x(); }
};
struct BlockIndex {
  __declspec(property(get = get)) unsigned x;
  __device__ unsigned get() const { return __builtin_amdgcn_workgroup_id_x(); }
};
extern const __device__ __attribute__((weak)) ThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) BlockIndex blockIdx;
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef int int2 __attribute__((ext_vector_type(2)));
typedef int int4 __attribute__((ext_vector_type(4)));
typedef unsigned uint2 __attribute__((ext_vector_type(2)));
typedef unsigned uint4 __attribute__((ext_vector_type(4)));
typedef unsigned short ushort2 __attribute__((ext_vector_type(2)));
typedef unsigned short ushort4 __attribute__((ext_vector_type(4)));
__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
template <class T>
__device__ __forceinline__ T atomicAdd(T* address, T operand) {
  return __hip_atomic_fetch_add(address, operand, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ __forceinline__ int max(int a, int b) { return a < b ? b : a; }
__device__ __forceinline__ int min(int a, int b) { return b < a ? b : a; }
__device__ __forceinline__ int __popc(unsigned bits) { return __builtin_popcount(bits); }
__device__ __forceinline__ int __ffs(unsigned bits) { return __builtin_ffs(bits); }
__device__ __forceinline__ unsigned __float_as_uint(float number) {
  return __builtin_bit_cast(unsigned, number);
}
__device__ __forceinline__ long long __double_as_longlong(double number) {
  return __builtin_bit_cast(long long, number);
}
__device__ __forceinline__ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return __builtin_amdgcn_alignbit(high, low, shift & 31);
}
#endif
// CUDA's words that HIP lacks, or has otherwise. Calls that clean up give no result to look at.
// Some kernels leave out functions of their fragments, or hold fewer wavefronts than bounds ask.
#pragma clang diagnostic ignored "-Wunused-result"
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wpass-failed"
#undef __ldcs
#define __ldcs alphasparse_ldcs
#undef __shfl_sync
#define __shfl_sync alphasparse_shfl
#undef __shfl_up_sync
#define __shfl_up_sync alphasparse_shfl_up
#undef __shfl_down_sync
#define __shfl_down_sync alphasparse_shfl_down
#undef __ballot_sync
#define __ballot_sync(mask, bit) alphasparse_ballot(bit)
#undef __any_sync
#define __any_sync(mask, bit) (alphasparse_ballot(bit) != 0)

template <class T>
__device__ __forceinline__ T alphasparse_ldcs(const T* address) {
  if constexpr (sizeof(T) % 4 == 0) {
    using Words = unsigned __attribute__((ext_vector_type(sizeof(T) / 4)));
    const Words words = __builtin_nontemporal_load(reinterpret_cast<const Words*>(address));
    T result;
    __builtin_memcpy(&result, &words, sizeof(T));
    return result;
  } else {
    return __builtin_nontemporal_load(address);
  }
}

// Those of GFX9, which are CDNA's and older, have wavefronts of 64 lanes, later ones of 32.
__device__ __forceinline__ int alphasparse_lane() {
#ifdef __GFX9__
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
#else
  return __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#endif
}
template <class T>
__device__ __forceinline__ T alphasparse_from_lane(T value, int lane) {
  constexpr int words = sizeof(T) / 4;
  int parts[words];
  __builtin_memcpy(parts, &value, sizeof(T));
  for (int k = 0; k < words; ++k) parts[k] = __builtin_amdgcn_ds_bpermute(lane << 2, parts[k]);
  __builtin_memcpy(&value, parts, sizeof(T));
  return value;
}
template <class T>
__device__ __forceinline__ T alphasparse_shfl(unsigned, T value, int from, int width = 32) {
  const int lane = alphasparse_lane();
  return alphasparse_from_lane(value, (lane & -width) + (from & (width - 1)));
}
template <class T>
__device__ __forceinline__ T alphasparse_shfl_up(unsigned, T value, int step, int width = 32) {
  const int lane = alphasparse_lane();
  return alphasparse_from_lane(value, (lane & (width - 1)) < step ? lane : lane - step);
}
template <class T>
__device__ __forceinline__ T alphasparse_shfl_down(unsigned, T value, int step, int width = 32) {
  const int lane = alphasparse_lane();
  return alphasparse_from_lane(value, (lane & (width - 1)) + step >= width ? lane : lane + step);
}
// Control flow parts at warps: the other half of a wavefront is off, or at the same place.
__device__ __forceinline__ unsigned alphasparse_ballot(bool bit) {
#if __clang_major__ < 17  // 33: not equal
  const auto all = __builtin_amdgcn_uicmp(static_cast<unsigned>(bit), 0u, 33);
#elif defined(__GFX9__)
  const auto all = __builtin_amdgcn_ballot_w64(bit);
#else
  const auto all = __builtin_amdgcn_ballot_w32(bit);
#endif
#ifdef __GFX9__
  return static_cast<unsigned>(all >> (alphasparse_lane() & 32));
#else
  return static_cast<unsigned>(all);
#endif
}
