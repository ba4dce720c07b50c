// shim_words: every word of CUDA that the shim knows, once; row 0 gets the number of those that fail.
__device__ __forceinline__ int failures(int lane) {
  int failed = 0;
  const auto expect = [&](bool right) { failed += !right; };
  expect(__popc(0xf0u) == 4 && __popcll(0xf0f0000000000000ull) == 8);
  expect(__clz(1) == 31 && __clz(0) == 32 && __clzll(1) == 63 && __clzll(0) == 64);
  expect(__ffs(8) == 4 && __ffs(0) == 0 && __ffsll(1ll << 40) == 41);
  expect(__brev(1u) == 0x80000000u && __brev(0x0000a5f3u) == 0xcfa50000u);
  expect(__brevll(1ull) == 0x8000000000000000ull);
  expect(min(3, 4u) == 3u && max(2.5f, 2) == 2.5f && min(-1, 7) == -1);
  expect(fma(2.0f, 3.0f, 4.0f) == 10.0f && fmaf(2, 3, 4) == 10.0f && __fma_rn(2.0, 3.0, 4.0) == 10);
  expect(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f);
  expect(__longlong_as_double(__double_as_longlong(2.5)) == 2.5 && __uint_as_float(0u) == 0.0f);
  expect(fabsf(-1.5f) == 1.5f && fminf(1, 2) == 1.0f && abs(-3) == 3 && isfinite(1.0f));
  expect(warpSize == 32 && blockDim.x == 64 && gridDim.x >= 1 && threadIdx.y == 0);

  expect(__shfl_sync(all_lanes, lane, 5) == 5 && __shfl_sync(all_lanes, lane, 1, 8) == (lane & ~7) + 1);
  expect(__shfl_up_sync(all_lanes, lane, 1) == max(lane - 1, 0));
  expect(__shfl_down_sync(all_lanes, lane, 2, 16) == (lane % 16 < 14 ? lane + 2 : lane));
  expect(__shfl_xor_sync(all_lanes, lane, 3) == (lane ^ 3));
  expect(__shfl_xor_sync(all_lanes, lane, -1) == lane && __shfl_up_sync(all_lanes, lane, ~0u) == lane);
  expect(__shfl_sync(all_lanes, 0.5 * lane, 3) == 1.5);
  expect(__ballot_sync(all_lanes, lane % 2) == 0xaaaaaaaau);
  expect(__any_sync(all_lanes, lane == 31) && !__any_sync(all_lanes, lane > 31));
  expect(__all_sync(all_lanes, lane >= 0) && !__all_sync(all_lanes, lane > 0));
  expect(__match_any_sync(all_lanes, lane / 16) == (lane < 16 ? 0xffffu : 0xffff0000u));
  expect(__activemask() == all_lanes);
  if (lane < 16) {
    expect(__ballot_sync(0xffffu, 1) == 0xffffu);
  } else {
    expect(__ballot_sync(0xffff0000u, 1) == 0xffff0000u);
  }
  expect(__syncthreads_count(lane == 0) == 2 && __syncthreads_or(lane == 3));
  expect(__syncthreads_and(1) && !__syncthreads_and(lane != 3));
  return failed;
}

__device__ __forceinline__ int shared_failures(int thread) {
  __shared__ int number;
  __shared__ unsigned bits;
  __shared__ unsigned long long wide;
  __shared__ float real;
  __shared__ double precise;
  __shared__ unsigned char bytes[64];
  __shared__ unsigned short shorts[64];
  __shared__ float4 vectors[16];
  if (thread == 0) {
    number = 0;
    bits = 0;
    wide = 0;
    real = 0;
    precise = 0;
  }
  bytes[thread] = static_cast<unsigned char>(thread);
  shorts[thread] = static_cast<unsigned short>(1000 + thread);
  if (thread < 16) vectors[thread] = make_float4(1, 2, 3, static_cast<float>(thread));
  __syncthreads();
  atomicAdd(&number, 2);
  atomicOr(&bits, 1u << thread % 32);
  atomicAdd(&wide, 1ull << 33);
  atomicAdd(&real, 0.5f);
  atomicAdd(&precise, 0.25);
  __threadfence();
  __syncthreads();
  int failed = 0;
  failed += number != 128 || bits != 0xffffffffu || wide != 64ull << 33 || real != 32 || precise != 16;
  failed += bytes[63 - thread] != 63 - thread || shorts[63 - thread] != 1063 - thread;
  const float4 vector = vectors[thread / 4];
  failed += vector.x != 1 || vector.w != thread / 4;
  __syncthreads();
  atomicMax(&number, 1000 + thread);
  atomicMin(&bits, 7u + thread);
  if (thread == 5) atomicExch(&real, 9.0f);
  if (thread == 6) atomicCAS(&wide, 64ull << 33, 12ull);
  __syncthreads();
  return failed + (number != 1063 || bits != 7 || real != 9 || wide != 12);
}

KERNEL(64) {
  const int thread = threadIdx.x;
  const int failed = __syncthreads_count(failures(thread % 32) + shared_failures(thread));
  if (thread == 0) __stcs(&out[0], Value(failed));
}
