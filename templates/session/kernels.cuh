// kernels: the kernels that a session on a GPU runs beside an SpMV.

/// The values of a format as integers, which are in another order: 0 in pads, which have the source
/// -1. `count` numbers are the parts of values, which have so many each.
extern "C" __global__ void __launch_bounds__(256)
    permute_f32(float* to, const int* source, const signed char* integers, long long count,
                int parts) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= count) return;
  const long long value = source[at / parts];
  to[at] = value < 0 ? 0 : integers[parts * value + at % parts];
}

extern "C" __global__ void __launch_bounds__(256)
    permute_f64(double* to, const int* source, const signed char* integers, long long count,
                int parts) {
  const long long at = blockIdx.x * 256LL + threadIdx.x;
  if (at >= count) return;
  const long long value = source[at / parts];
  to[at] = value < 0 ? 0 : integers[parts * value + at % parts];
}

/// Reads all words of four integers, 8 a thread. So nothing else is left in the L2 cache, and
/// nothing that would have to be written back. `kept` makes the reads necessary.
extern "C" __global__ void __launch_bounds__(256) read_all(const int4* words, int* kept) {
  int seen = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int4 word = words[(blockIdx.x * 8 + i) * 256 + threadIdx.x];
    seen |= word.x ^ word.y ^ word.z ^ word.w;
  }
  if (seen == 0x5eed5eed) *kept = seen;
}

/// Takes all lines of 128 bytes out of the L2 cache without writing them back: their places are
/// free then. GPUs before sm_80 cannot.
extern "C" __global__ void __launch_bounds__(256) discard_all(char* bytes) {
#if defined(__CUDACC_RTC__) && __CUDA_ARCH__ >= 800  // on a GPU
  char* const line = bytes + (blockIdx.x * 256LL + threadIdx.x) * 128;
  asm volatile("discard.global.L2 [%0], 128;" : : "l"(line) : "memory");
#endif
}

/// Adds to `sum` each word, and each byte behind the last whole one, times 1, 3, 5, ..., by one
/// atomic a block. A kernel that writes to memory that is not its own changes the sum.
extern "C" __global__ void __launch_bounds__(256)
    sum_bytes(const unsigned* words, long long bytes, unsigned long long* sum) {
  const long long count = bytes / 4;
  const long long first = blockIdx.x * 256LL + threadIdx.x;
  unsigned long long own = 0;
  for (long long at = first; at < count; at += gridDim.x * 256LL)
    own += words[at] * (2ULL * at + 1);
  const unsigned char* const rest = (const unsigned char*)(words + count);
  if (first < bytes % 4) own += rest[first] * (2ULL * (count + first) + 1);
  __shared__ unsigned long long sums[256];
  sums[threadIdx.x] = own;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, sums[0]);
}
