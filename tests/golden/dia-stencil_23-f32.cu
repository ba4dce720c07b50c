// diagonal_peel share=0 { thread_rows rows=1 | thread_pad | interleave | thread_total |
// global_store | launch threads=256 } { compress | thread_nnz nnz=1 | thread_total | global_atomic
// | launch threads=256 }

/// A branch's part of the format, 21760 bytes; every array is read through a function of its name.
struct Branch1 {
  const Value* value_;  // [2720] value of each stored entry; 0 for a pad
  const int* column_;   // [2720] column of each stored entry

  __device__ __forceinline__ Value value(int i) const { return value_[i]; }
  __device__ __forceinline__ int column(int i) const { return column_[i]; }
};

/// The format, 21760 bytes.
struct Format {
  Branch1 branch_1;  // 5 diagonals
};

// Branch 1: 5 diagonals.
extern "C" __global__ void __launch_bounds__(256, 4)
    spmv_1(const Value* __restrict__ branch_1_value_, const int* __restrict__ branch_1_column_,
        const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
  const Branch1 f{branch_1_value_, branch_1_column_};
  const Input x{x_};
  const Output out{y, alpha, beta};
  constexpr int rows = 529;
  constexpr int stride = 544;
  const int row = blockIdx.x * 256 + threadIdx.x;
  const auto term = [&](int entry) { return f.value(entry) * x[f.column(entry)]; };
  if (row < rows) {
    const Value sum = thread_total_count<5>(row, stride, term);
    global_store(out, row, sum);
  }
}
