// columns: the C functions of a GPU's kernel for several vectors.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "templates/host/handle.cuh"
#include "templates/host/rows.h"

/// Y = beta * Y.
static __global__ void scale_rows(Real* y, long long ldy, long long count, Real beta) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    Real& number = y[i / vectors * ldy + i % vectors];
    number = beta == 0 ? 0 : beta * number;
  }
}

static int spmm_here(const alphasparse_handle* handle, const void* x, std::int64_t ldx, void* y,
                     std::int64_t ldy, double alpha, double beta, cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmm";
  if (const char* const why = why_refused(handle, x && y)) return refused(what, why);
  if (const char* const why = why_no_rows({x, ldx, facts.cols}, {y, ldy, facts.rows}))
    return refused(what, why);
  const auto misaligned = [](const void* first, std::int64_t distance) {
    return (reinterpret_cast<std::uintptr_t>(first) | distance * sizeof(Real)) % value_alignment !=
           0;
  };
  if (misaligned(x, ldx)) return refused(what, "x or ldx breaks the alignment of loads (NAME.h)");
  if (misaligned(y, ldy)) return refused(what, "y or ldy breaks the alignment of stores (NAME.h)");
  const Handle& own = *static_cast<const Handle*>(handle);
  const OnDevice on(own.device);
  cudaError_t status = on.status;
  Output out{static_cast<Real*>(y), static_cast<Real>(alpha), static_cast<Real>(beta), ldy};
  if (status == cudaSuccess && out.alpha == 0) {
    Real* first = out.y;
    long long numbers = facts.rows * vectors;
    void* arguments[] = {&first, &out.ld, &numbers, &out.beta};
    if (numbers > 0) status = cudaLaunchKernel(scale_rows, 1024, 256, arguments, 0, stream);
  } else {
    const Real* from = static_cast<const Real*>(x);
    for (int first = 0; first < vectors && status == cudaSuccess; first += pass_columns) {
      status = launch_all(own.format, from, ldx, out, stream);
      from += pass_columns;
      out.y += pass_columns;
    }
  }
  if (status == cudaSuccess) return alphasparse_ok;
  return failed(message(), alphasparse_cuda_error, what, cudaGetErrorString(status));
}

constexpr int tile_rows = 1024 / vectors;

/// Moves a tile of a matrix between columns, ld numbers apart, and rows of `vectors` numbers; each
/// side is read or written in order. Out of rows: columns = rows + beta * columns.
static __global__ void move_columns(Real* columns, long long ld, Real* rows, long long count,
                                    Real beta, bool out_of_rows) {
  __shared__ Real tile[vectors][tile_rows + 1];
  const long long first = static_cast<long long>(blockIdx.x) * tile_rows;
  const auto by_columns = [&](auto move) {
    for (int i = threadIdx.x; i < tile_rows * vectors; i += blockDim.x) {
      const int row = i % tile_rows, k = i / tile_rows;
      if (first + row < count) move(columns[k * ld + first + row], tile[k][row]);
    }
  };
  const auto by_rows = [&](auto move) {
    for (int i = threadIdx.x; i < tile_rows * vectors; i += blockDim.x) {
      const int row = i / vectors, k = i % vectors;
      if (first + row < count) move(rows[(first + row) * vectors + k], tile[k][row]);
    }
  };
  const auto read = [](const Real& number, Real& in_tile) { in_tile = number; };
  if (out_of_rows) {
    by_rows(read);
    __syncthreads();
    by_columns([&](Real& number, Real sum) { number = beta == 0 ? sum : sum + beta * number; });
  } else {
    by_columns(read);
    __syncthreads();
    by_rows([](Real& number, Real in_tile) { number = in_tile; });
  }
}

static cudaError_t launch_move(const void* columns, long long ld, Real* rows, long long count,
                               double beta, bool out_of_rows, cudaStream_t stream) {
  Real scale = static_cast<Real>(beta);
  void* arguments[] = {&columns, &ld, &rows, &count, &scale, &out_of_rows};
  const unsigned blocks = static_cast<unsigned>((count + tile_rows - 1) / tile_rows);
  if (blocks == 0) return cudaSuccess;
  return cudaLaunchKernel(move_columns, blocks, 256, arguments, 0, stream);
}

static int spmm_columns_here(const alphasparse_handle* handle, const void* x, std::int64_t ldx,
                             void* y, std::int64_t ldy, double alpha, double beta,
                             cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_spmm_columns";
  if (const char* const why = why_refused(handle, x && y)) return refused(what, why);
  if (const char* const why = why_no_columns(ldx, ldy)) return refused(what, why);
  const OnDevice on(static_cast<const Handle*>(handle)->device);
  const std::int64_t numbers = (facts.cols + facts.rows) * vectors;
  void* memory = nullptr;
  cudaError_t status = on.status;
  if (status == cudaSuccess) status = cudaMallocAsync(&memory, numbers * sizeof(Real), stream);
  Real* const rows_of_x = static_cast<Real*>(memory);
  Real* const rows_of_y = rows_of_x + facts.cols * vectors;
  int done = alphasparse_ok;
  if (status == cudaSuccess) status = launch_move(x, ldx, rows_of_x, facts.cols, 0, false, stream);
  if (status == cudaSuccess)
    done = spmm_here(handle, rows_of_x, vectors, rows_of_y, vectors, alpha, 0, stream);
  if (status == cudaSuccess && done == alphasparse_ok)
    status = launch_move(y, ldy, rows_of_y, facts.rows, beta, true, stream);
  if (memory) cudaFreeAsync(memory, stream);
  if (status == cudaSuccess) return done;
  return failed(message(), alphasparse_cuda_error, what, cudaGetErrorString(status));
}

extern "C" int PREFIX_spmm(const alphasparse_handle* handle, const Real* x, std::int64_t ldx,
                           Real* y, std::int64_t ldy, Real alpha, Real beta, cudaStream_t stream) {
  return spmm_here(handle, x, ldx, y, ldy, alpha, beta, stream);
}

extern "C" int PREFIX_spmm_columns(const alphasparse_handle* handle, const Real* x,
                                   std::int64_t ldx, Real* y, std::int64_t ldy, Real alpha,
                                   Real beta, cudaStream_t stream) {
  return spmm_columns_here(handle, x, ldx, y, ldy, alpha, beta, stream);
}
