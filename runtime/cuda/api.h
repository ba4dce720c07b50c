// api: numbers and a structure of NVIDIA's driver that we use, so that building needs no CUDA
// header and running no driver.
//
// Source: cuda.h of CUDA 11 to 13, in which they are the same; tests/runtime/cuda/api_test.cpp
// holds them, and the functions of the table (runtime/gpu/api.h), against the installed header.
#pragma once
#include <cstddef>

#include "runtime/gpu/api.h"

namespace alphasparse {

inline constexpr int cuda_attribute_clock_khz = 13;
inline constexpr int cuda_attribute_multiprocessors = 16;
inline constexpr int cuda_attribute_memory_clock_khz = 36;
inline constexpr int cuda_attribute_memory_bus_bits = 37;
inline constexpr int cuda_attribute_l2_cache_size = 38;
inline constexpr int cuda_attribute_compute_capability_major = 75;
inline constexpr int cuda_attribute_compute_capability_minor = 76;
inline constexpr int cuda_attribute_shared_bytes_a_multiprocessor = 81;

inline constexpr int cuda_memory_device = 2;

/// A side of a rectangle with lines that begin `pitch` bytes apart.
struct CudaRectangleSide {
  std::size_t x_bytes = 0;
  std::size_t y = 0;
  int memory = cuda_memory_device;
  void* host = nullptr;
  GpuPointer device = 0;
  void* array = nullptr;
  std::size_t pitch = 0;
};

/// CUDA_MEMCPY2D_v2
struct CudaRectangle {
  CudaRectangleSide from, to;
  std::size_t width_bytes = 0;
  std::size_t height = 0;
};

}  // namespace alphasparse
