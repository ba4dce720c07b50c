// stage_products: the threads of a block bring the products at stored positions [first, end) into
// shared memory, neighbours side by side.
//
// There are THREADS * ITEMS of them at most. The whole block must arrive; behind the barrier they
// are complete. Threads that walk pieces of an odd length then meet different banks.
#pragma once
#include "prelude.cuh"

template <int THREADS, int ITEMS, class Term>
__device__ __forceinline__ void stage_products(Value* products, int first, int end, Term term) {
  constexpr int batch = ITEMS < 16 ? ITEMS : 16;  // loads in flight for which there are registers
#pragma unroll 1
  for (int place = threadIdx.x; place < end - first; place += batch * THREADS) {
    Value loaded[batch] = {};
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (k * THREADS < end - first - place) loaded[k] = term(first + place + k * THREADS);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (k * THREADS < end - first - place) products[place + k * THREADS] = loaded[k];
    }
  }
  __syncthreads();
}
