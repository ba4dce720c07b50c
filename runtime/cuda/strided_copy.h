// strided_copy: the prototype of the driver's copy of rectangles. It takes a part of each element
// out of an array, or puts it back: one column of a matrix, the real parts of complex numbers.
//
// Source: cuda.h of CUDA 11 to 13, CUDA_MEMCPY2D_v2 and cuMemcpy2DAsync_v2;
// tests/runtime/cuda/api_test.cpp holds them against the installed header.
#pragma once
#include <cstddef>

#include "runtime/cuda/api.h"

namespace alphasparse {

inline constexpr int cuda_memory_device = 2;

/// A side of a rectangle with lines that begin `pitch` bytes apart.
struct CudaRectangleSide {
  std::size_t x_bytes = 0;
  std::size_t y = 0;
  int memory = cuda_memory_device;
  void* host = nullptr;
  CudaPointer device = 0;
  void* array = nullptr;
  std::size_t pitch = 0;
};

struct CudaRectangle {
  CudaRectangleSide from, to;
  std::size_t width_bytes = 0;
  std::size_t height = 0;
};

}  // namespace alphasparse
