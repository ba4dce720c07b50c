// values: other values for a format, from the host or from the device.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "templates/host/handle.cuh"
#include "templates/host/place_values.cuh"
#include "templates/host/values.h"

namespace alphasparse::host {

inline void update_values(Handle& handle, const Value* canonical) {
  const OnDevice on(handle.device);
  check_cuda(on.status(), "cudaSetDevice");
  const Pointers pointers = pointers_of(handle.format);
  for (std::size_t i = 0; i < handle.sources.size(); ++i) {
    if (handle.sources[i].empty()) continue;
    const std::vector<unsigned char> stored = stored_values(handle, i, canonical);
    check_cuda(cudaMemcpy(pointers[pointer_of_array(i)], stored.data(), stored.size(),
                          cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
  check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");  // other streams do not wait for it
}

//[ coded singles mirrored
/// Why the host must look at values before the format holds them; null: it need not.
inline const char* why_only_from_host() {
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    //[ coded
    if (facts.arrays[i].dictionary) {
      return "the format codes values; PREFIX_update_values takes them from the host";
    }
    //]
    //[ singles
    if (holds_floats(facts.arrays[i])) {
      return "the format holds values as float; PREFIX_update_values takes them from the host";
    }
    //]
  }
  return facts.mirrored
             ? "the format holds one triangle; PREFIX_update_values takes them from the host"
             : nullptr;
}

//]
/// Leaves the places of all entries on the device.
inline void upload_places(Handle& handle) {
  std::vector<std::int32_t> places;
  for (const std::vector<std::int32_t>& source : handle.sources) {
    places.insert(places.end(), source.begin(), source.end());
  }
  const std::size_t bytes = places.size() * sizeof(std::int32_t);
  check_cuda(cudaMalloc(&handle.places, bytes), "cudaMalloc");
  cudaError_t status = cudaMemcpy(handle.places, places.data(), bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaStreamSynchronize(nullptr);
  if (status == cudaSuccess) return;
  cudaFree(handle.places);
  handle.places = nullptr;
  check_cuda(status, "cudaMemcpy");
}

inline void update_values_on_device(Handle& handle, const Value* canonical, cudaStream_t stream) {
  const OnDevice on(handle.device);
  check_cuda(on.status(), "cudaSetDevice");
  if (!handle.places) upload_places(handle);
  const Pointers pointers = pointers_of(handle.format);
  const int* places = handle.places;
  for (std::size_t i = 0; i < handle.sources.size(); ++i) {
    unsigned count = static_cast<unsigned>(handle.sources[i].size());
    if (count == 0) continue;
    Value* stored = static_cast<Value*>(pointers[pointer_of_array(i)]);
    void* arguments[] = {&stored, &places, &count, &canonical};
    const unsigned blocks = (count + place_threads - 1) / place_threads;
    check_cuda(cudaLaunchKernel(place_values, blocks, place_threads, arguments, 0, stream),
               "place_values");
    places += count;
  }
}

}  // namespace alphasparse::host
