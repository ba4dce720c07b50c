// values: other values for a format, from the host or from the device.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "templates/host/handle.cuh"
#include "templates/host/place_values.cuh"

namespace alphasparse::host {

/// Whether a value array holds floats, which kernels widen.
inline bool holds_floats(const ArrayFacts& array) {
  return sizeof(Value) > sizeof(float) && std::strcmp(array.type, "F32") == 0;
}

/// The entries of a value array, pads included, from the values in canonical order.
template <class Stored>
std::vector<unsigned char> stored_values(const std::vector<std::int32_t>& source,
                                         const Value* canonical) {
  std::vector<unsigned char> bytes(source.size() * sizeof(Stored));
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Stored stored = source[i] < 0 ? Stored(0) : static_cast<Stored>(canonical[source[i]]);
    std::memcpy(bytes.data() + i * sizeof(Stored), &stored, sizeof(Stored));
  }
  return bytes;
}

/// Whether the values lie in arrays, so that others can take their place.
inline bool holds_values(const Handle& handle) {
  for (const std::vector<std::int32_t>& source : handle.sources) {
    if (!source.empty()) return true;
  }
  return false;
}

/// Whether every value is that of its mirror image, where the format has room for one of them.
inline bool holds_images(const Handle& handle, const Value* canonical) {
  const auto equal = [&](std::int32_t nz, std::int32_t image) {
    const bool both_nan = canonical[nz] != canonical[nz] && canonical[image] != canonical[image];
    return both_nan || canonical[nz] == canonical[image];
  };
  return !facts.mirrored || for_each_mirror_image(handle.row_first, handle.col, equal);
}

/// Whether values that share an entry of a dictionary are equal by their bits.
inline bool holds_codes(const Handle& handle, const Value* canonical) {
  for (std::size_t i = 0; i < handle.codes.size(); ++i) {
    for (std::size_t nz = 0; nz < handle.codes[i].size(); ++nz) {
      const std::int32_t code = handle.codes[i][nz];
      if (code < 0) continue;
      const Value* const held = canonical + handle.sources[i][code];
      if (std::memcmp(canonical + nz, held, sizeof(Value)) != 0) return false;
    }
  }
  return true;
}

/// Why arrays of floats cannot take these values; null: they can. Where they are rounded anything
/// is taken for which there is a float, else what comes back from one bit for bit.
inline const char* why_no_floats(const Handle& handle, const Value* canonical) {
  for (std::size_t i = 0; i < handle.sources.size(); ++i) {
    const ArrayFacts& array = facts.arrays[i];
    if (!holds_floats(array)) continue;
    for (const std::int32_t nz : handle.sources[i]) {
      if (nz < 0) continue;
      const float stored = static_cast<float>(canonical[nz]);
      const Value widened = stored;
      if (array.rounded && std::isinf(stored) && !std::isinf(canonical[nz])) {
        return "the format rounds values to float, but some are too large for one";
      }
      if (!array.rounded && std::memcmp(&widened, canonical + nz, sizeof(Value)) != 0) {
        return "the format holds values as float, but some are not exactly one";
      }
    }
  }
  return nullptr;
}

/// Why the format cannot hold these values; null: it can.
inline const char* why_not_held(const Handle& handle, const Value* canonical) {
  if (facts.nnz > 0 && !holds_values(handle)) return "the values are part of the kernel";
  if (!holds_codes(handle, canonical)) {
    return "the format codes values, but some that share a code are not equal";
  }
  if (const char* const why = why_no_floats(handle, canonical)) return why;
  if (!holds_images(handle, canonical)) {
    return "the format holds one triangle, but the values are not symmetric";
  }
  return nullptr;
}

inline void update_values(Handle& handle, const Value* canonical) {
  const OnDevice on(handle.device);
  check_cuda(on.status(), "cudaSetDevice");
  const Pointers pointers = pointers_of(handle.format);
  for (std::size_t i = 0; i < handle.sources.size(); ++i) {
    if (handle.sources[i].empty()) continue;
    const std::vector<unsigned char> stored =
        holds_floats(facts.arrays[i]) ? stored_values<float>(handle.sources[i], canonical)
                                      : stored_values<Value>(handle.sources[i], canonical);
    check_cuda(cudaMemcpy(pointers[pointer_of_array(i)], stored.data(), stored.size(),
                          cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
  check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");  // other streams do not wait for it
}

/// Why the host must look at values before the format holds them; null: it need not.
inline const char* why_only_from_host() {
  for (std::size_t i = 0; i < facts.array_count; ++i) {
    if (facts.arrays[i].dictionary) {
      return "the format codes values; PREFIX_update_values takes them from the host";
    }
    if (holds_floats(facts.arrays[i])) {
      return "the format holds values as float; PREFIX_update_values takes them from the host";
    }
  }
  return facts.mirrored
             ? "the format holds one triangle; PREFIX_update_values takes them from the host"
             : nullptr;
}

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
