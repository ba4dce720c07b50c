// columns: the C function of a GPU's kernel for several vectors.
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

extern "C" int PREFIX_spmm(const alphasparse_handle* handle, const Real* x, std::int64_t ldx,
                           Real* y, std::int64_t ldy, Real alpha, Real beta, cudaStream_t stream) {
  return spmm_here(handle, x, ldx, y, ldy, alpha, beta, stream);
}
