// cuda_runtime: as much of CUDA's runtime as a standalone program calls, on the host.
//
// Device memory is host memory, and a kernel runs one thread after the other: enough for kernels
// whose threads do not meet. While a stream captures, everything but launches is refused, as CUDA
// does.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)

struct HostIndex {
  int x = 0;
};
inline HostIndex blockIdx, threadIdx;

inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}

inline int min(int a, int b) { return a < b ? a : b; }
template <class T>
T __ldg(const T* address) {
  return *address;
}
template <class T>
void atomicAdd(T* address, T value) {
  *address += value;
}

enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation, cudaErrorStreamCaptureUnsupported };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };

struct HostGraph {
  std::vector<std::function<void()>> launches;
};
using cudaGraph_t = HostGraph*;
using cudaGraphExec_t = HostGraph*;
using cudaStream_t = int*;
using cudaEvent_t = int*;
struct cudaFuncAttributes {};
struct cudaDeviceProp {
  char name[256];
};

inline HostGraph* capturing = nullptr;
inline cudaError_t unless_capturing() {
  return capturing ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

inline const char* cudaGetErrorString(cudaError_t status) {
  return status == cudaErrorMemoryAllocation ? "out of memory" : "not while capturing";
}
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return *memory ? unless_capturing() : cudaErrorMemoryAllocation;
}
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
inline cudaError_t cudaFree(void* memory) { return std::free(memory), cudaSuccess; }
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  if (bytes > 0) std::memcpy(to, from, bytes);
  return unless_capturing();
}
inline cudaError_t cudaDeviceSynchronize() { return unless_capturing(); }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::strcpy(properties->name, "the host");
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Kernel*) {
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
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
  *event = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  *milliseconds = 1;
  return cudaSuccess;
}

/// What `kernel<<<blocks, threads, 0, stream>>>(arguments...)` is rewritten to.
template <class Kernel, class... Arguments>
void launch_on_host(Kernel* kernel, int blocks, int threads, const Arguments&... arguments) {
  if (capturing) {
    capturing->launches.push_back([=] { launch_on_host(kernel, blocks, threads, arguments...); });
    return;
  }
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel(arguments...);
  }
}
