// kernels: what a session on a GPU runs beside an SpMV.

/// Reads all words of four integers, 8 a thread, so that nothing else is left in the L2 cache, and
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
