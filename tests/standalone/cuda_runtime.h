// cuda_runtime: as much of CUDA's runtime as a standalone program calls, on the host.
//
// Device memory is host memory, and a kernel runs one thread after the other: enough for kernels
// with threads that do not meet. With HOST_GRID its threads are fibers, which may. There are two
// devices; a stream belongs to the one that was current when it was made. A launch takes 50 us of a
// clock that events read. It takes twice that while the clocks of the device are still low, which
// is for its first 100 ms. While a stream captures, everything but launches is refused, as CUDA
// does; the refusal stays the last error until somebody asks for it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#ifdef HOST_GRID
#include "emulator_shim.h"  // CUDA's words, for threads that meet (tests/fuzz/host_grid.h)

namespace alphasparse {
bool run_grid(int blocks, int threads, const std::function<void()>& kernel);
}
#else
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct HostIndex {
  int x = 0;
};
inline HostIndex blockIdx, threadIdx;

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}

struct int2 {
  int x, y;
};
struct uint2 {
  unsigned x, y;
};
struct float2 {
  float x, y;
};
struct double2 {
  double x, y;
};
template <class T>
T __ldcs(const T* address) {
  return *address;
}

inline int __popc(unsigned word) {
  int bits = 0;
  for (; word != 0; word &= word - 1) ++bits;
  return bits;
}

inline unsigned __float_as_uint(float number) {
  unsigned bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}
inline long long __double_as_longlong(double number) {
  long long bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

inline int min(int a, int b) { return a < b ? a : b; }
template <class T>
void atomicAdd(T* address, T value) {
  *address += value;
}
#endif

#ifndef HOST_DEVICE
#define HOST_DEVICE 0
#endif

enum cudaError_t {
  cudaSuccess,
  cudaErrorMemoryAllocation,
  cudaErrorInvalidDevice,
  cudaErrorInvalidResourceHandle,
  cudaErrorLaunchOutOfResources,
  cudaErrorStreamCaptureUnsupported
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };

struct HostGraph {
  std::vector<std::function<void()>> launches;
};
struct CUstream_st {
  int device;
};
using cudaGraph_t = HostGraph*;
using cudaGraphExec_t = HostGraph*;
using cudaStream_t = CUstream_st*;
using cudaEvent_t = double*;  // the clock when it was recorded
struct cudaFuncAttributes {};
struct cudaDeviceProp {
  char name[256];
};
struct HostExtent {
  HostExtent(unsigned extent) : x(extent) {}  // NOLINT: as CUDA's dim3
  unsigned x;
};

inline HostGraph* capturing = nullptr;
inline cudaError_t last_error = cudaSuccess;
inline int current_device = HOST_DEVICE;
inline int launched_on = -1;     // the device of the last launch
inline int devices_at_work = 0;  // bit d: device d has run a kernel, or taken or given bytes
inline bool refuse_launches = false;
inline double clock_us = 0;

/// The status that every call returns.
inline cudaError_t told(cudaError_t status) {
  if (status != cudaSuccess) last_error = status;
  return status;
}
inline cudaError_t unless_capturing() {
  return told(capturing ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
}

inline const char* cudaGetErrorString(cudaError_t status) {
  if (status == cudaErrorMemoryAllocation) return "out of memory";
  if (status == cudaErrorInvalidDevice) return "invalid device ordinal";
  if (status == cudaErrorInvalidResourceHandle) return "invalid resource handle";
  if (status == cudaErrorLaunchOutOfResources) return "too many resources requested for launch";
  return "not while capturing";
}
inline cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
inline cudaError_t cudaPeekAtLastError() { return last_error; }

inline cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
inline cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device > 1) return told(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  std::strcpy(properties->name, device == 0 ? "the host" : "the host again");
  return cudaSuccess;
}

inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory ? unless_capturing() : told(cudaErrorMemoryAllocation);
}
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
inline cudaError_t cudaFree(void* memory) { return std::free(memory), cudaSuccess; }
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  devices_at_work |= 1 << current_device;
  if (bytes > 0) std::memcpy(to, from, bytes);
  return unless_capturing();
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return unless_capturing(); }
inline cudaError_t cudaDeviceSynchronize() { return unless_capturing(); }
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Kernel*) {
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new CUstream_st{current_device};
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  capturing = new HostGraph;
  return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
  *graph = capturing;
  capturing = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph, int) {
  *made = new HostGraph(*graph);
  return cudaSuccess;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  for (const auto& launch : graph->launches) launch();
  return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return delete graph, cudaSuccess; }

inline cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new double(0);
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  *event = clock_us;
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last) {
  *milliseconds = static_cast<float>((*last - *first) / 1000);
  return cudaSuccess;
}

/// Runs the kernel, or lets the graph that captures run it later.
template <class Kernel, class... Arguments>
void launch_on_host(Kernel* kernel, int blocks, int threads, const Arguments&... arguments) {
  if (capturing) {
    capturing->launches.push_back([=] { launch_on_host(kernel, blocks, threads, arguments...); });
    return;
  }
  launched_on = current_device;
  devices_at_work |= 1 << current_device;
  clock_us += clock_us < 100e3 ? 100 : 50;
#ifdef HOST_GRID
  if (!alphasparse::run_grid(blocks, threads, [&] { kernel(arguments...); })) std::abort();
#else
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(arguments...);
  }
#endif
}

/// Why a launch on the stream is refused.
inline cudaError_t launch_error(cudaStream_t stream) {
  if (stream && stream->device != current_device) return cudaErrorInvalidResourceHandle;
  return refuse_launches ? cudaErrorLaunchOutOfResources : cudaSuccess;
}

template <class... Arguments, std::size_t... Places>
void launch_unpacked(void (*kernel)(Arguments...), int blocks, int threads, void** arguments,
                     std::index_sequence<Places...>) {
  launch_on_host(kernel, blocks, threads, *static_cast<Arguments*>(arguments[Places])...);
}
template <class... Arguments>
cudaError_t cudaLaunchKernel(void (*kernel)(Arguments...), HostExtent blocks, HostExtent threads,
                             void** arguments, std::size_t, cudaStream_t stream) {
  const cudaError_t status = told(launch_error(stream));
  if (status == cudaSuccess) {
    launch_unpacked(kernel, static_cast<int>(blocks.x), static_cast<int>(threads.x), arguments,
                    std::index_sequence_for<Arguments...>());
  }
  return status;
}
