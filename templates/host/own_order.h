// own_order: the C functions of a kernel whose x and y have an order of its own.
#pragma once
#include <cstdint>

#ifdef ALPHASPARSE_RUNTIME_CUDA
#include "templates/host/handle.cuh"
#else
#include "templates/host/handle.h"
#endif

static const auto& format_of(const alphasparse_handle* handle) {
#ifdef ALPHASPARSE_RUNTIME_CUDA
  return static_cast<const alphasparse::host::Handle*>(handle)->format;
#else
  return static_cast<const alphasparse::host::Handle*>(handle)->team.f;
#endif
}

static int order_here(const alphasparse_handle* handle, const std::int32_t** rows,
                      const std::int32_t** columns) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, rows && columns))
    return refused("PREFIX_order", why);
  *rows = own_rows(format_of(handle));
  *columns = own_columns(format_of(handle));
  return alphasparse_ok;
}

#ifdef ALPHASPARSE_RUNTIME_CUDA
static __global__ void move_elements(const Value* from, Value* to, const std::int32_t* indices,
                                     int count, bool gathers) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[gathers ? i : indices[i]] = from[gathers ? indices[i] : i];
}

#endif
/// Gathers x into the own order, or scatters y out of it.
static int move_vector(const char* what, const alphasparse_handle* handle, const void* from,
                       void* to, bool gathers, CUstream_st* stream) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, from && to)) return refused(what, why);
  const std::int32_t* indices =
      gathers ? own_columns(format_of(handle)) : own_rows(format_of(handle));
  int count = static_cast<int>(gathers ? facts.cols : facts.rows);
#ifdef ALPHASPARSE_RUNTIME_CUDA
  void* arguments[] = {&from, &to, &indices, &count, &gathers};
  const OnDevice on(static_cast<const Handle*>(handle)->device);
  cudaError_t status = on.status;
  if (status == cudaSuccess)
    status = cudaLaunchKernel(move_elements, (count + 255) / 256, 256, arguments, 0, stream);
  if (status != cudaSuccess)
    return failed(message(), alphasparse_cuda_error, what, cudaGetErrorString(status));
#else
  (void)stream;
  const int threads = is_forked() ? 1 : static_cast<const Handle*>(handle)->team.threads;
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < count; ++i) {
    static_cast<Value*>(to)[gathers ? i : indices[i]] =
        static_cast<const Value*>(from)[gathers ? indices[i] : i];
  }
#endif
  return alphasparse_ok;
}

static int to_own_here(const alphasparse_handle* handle, const void* x, void* own,
                       CUstream_st* stream) {
  return move_vector("PREFIX_to_own", handle, x, own, true, stream);
}

static int from_own_here(const alphasparse_handle* handle, void* y, const void* own,
                         CUstream_st* stream) {
  return move_vector("PREFIX_from_own", handle, own, y, false, stream);
}

extern "C" int PREFIX_order(const alphasparse_handle* handle, const std::int32_t** rows,
                            const std::int32_t** columns) {
  return order_here(handle, rows, columns);
}
#ifdef ALPHASPARSE_RUNTIME_CUDA
extern "C" int PREFIX_to_own(const alphasparse_handle* handle, const Value* x, Value* own,
                             cudaStream_t stream) {
  return to_own_here(handle, x, own, stream);
}
extern "C" int PREFIX_from_own(const alphasparse_handle* handle, Value* y, const Value* own,
                               cudaStream_t stream) {
  return from_own_here(handle, y, own, stream);
}
#else
extern "C" int PREFIX_to_own(const alphasparse_handle* handle, const Value* x, Value* own) {
  return to_own_here(handle, x, own, nullptr);
}
extern "C" int PREFIX_from_own(const alphasparse_handle* handle, Value* y, const Value* own) {
  return from_own_here(handle, y, own, nullptr);
}
#endif
