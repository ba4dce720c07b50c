// own_order: the C functions of a GPU's kernel whose x and y have an order of its own.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "templates/host/handle.cuh"

static __global__ void gather_vector(const Value* given, Value* own, const std::int32_t* places,
                                     int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) own[i] = given[places[i]];
}

static __global__ void scatter_vector(const Value* own, Value* given, const std::int32_t* places,
                                      int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) given[places[i]] = own[i];
}

/// Queues one of the two.
static int move_vector(const char* what,
                       void (*kernel)(const Value*, Value*, const std::int32_t*, int),
                       const alphasparse_handle* handle, const void* from, void* to,
                       const std::int32_t* places, std::int64_t elements, cudaStream_t stream) {
  using namespace alphasparse::host;
  const OnDevice on(static_cast<const Handle*>(handle)->device);
  int count = static_cast<int>(elements);
  void* arguments[] = {&from, &to, &places, &count};
  cudaError_t status = on.status;
  if (status == cudaSuccess)
    status = cudaLaunchKernel(kernel, (count + 255) / 256, 256, arguments, 0, stream);
  if (status == cudaSuccess) return alphasparse_ok;
  return failed(message(), alphasparse_cuda_error, what, cudaGetErrorString(status));
}

static int order_here(const alphasparse_handle* handle, const std::int32_t** rows,
                      const std::int32_t** columns) {
  using namespace alphasparse::host;
  if (const char* const why = why_refused(handle, rows && columns))
    return refused("PREFIX_order", why);
  *rows = own_rows(static_cast<const Handle*>(handle)->format);
  *columns = own_columns(static_cast<const Handle*>(handle)->format);
  return alphasparse_ok;
}

static int to_own_here(const alphasparse_handle* handle, const void* x, void* own,
                       cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_to_own";
  if (const char* const why = why_refused(handle, x && own)) return refused(what, why);
  return move_vector(what, gather_vector, handle, x, own,
                     own_columns(static_cast<const Handle*>(handle)->format), facts.cols, stream);
}

static int from_own_here(const alphasparse_handle* handle, void* y, const void* own,
                         cudaStream_t stream) {
  using namespace alphasparse::host;
  constexpr const char* what = "PREFIX_from_own";
  if (const char* const why = why_refused(handle, y && own)) return refused(what, why);
  return move_vector(what, scatter_vector, handle, own, y,
                     own_rows(static_cast<const Handle*>(handle)->format), facts.rows, stream);
}

extern "C" int PREFIX_order(const alphasparse_handle* handle, const std::int32_t** rows,
                            const std::int32_t** columns) {
  return order_here(handle, rows, columns);
}
extern "C" int PREFIX_to_own(const alphasparse_handle* handle, const Value* x, Value* own,
                             cudaStream_t stream) {
  return to_own_here(handle, x, own, stream);
}
extern "C" int PREFIX_from_own(const alphasparse_handle* handle, Value* y, const Value* own,
                               cudaStream_t stream) {
  return from_own_here(handle, y, own, stream);
}
