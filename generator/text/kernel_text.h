// kernel_text: the text of a kernel for GPUs around its body.
//
//   // y = alpha * A * x + beta * y.
//   extern "C" __global__ void __launch_bounds__(256)
//       spmv(const Value* __restrict__ value_, const int* __restrict__ column_,
//           const Value* __restrict__ x_, Value* __restrict__ y, Value alpha, Value beta) {
//     const Format f{value_, column_};
//     const Input x{x_};
//     const Output out{y, alpha, beta};
//     ...
//
// Every pointer is a parameter of its own, because a compiler believes `__restrict__` of parameters
// only: then a store to y, or an atomic, holds up no load behind it.
#pragma once
#include <string>
#include <vector>

#include "base/code.h"
#include "generator/arrays/format_struct.h"
#include "generator/arrays/kernel.h"

namespace alphasparse {

struct KernelText {
  std::string name, description;
  int threads = 0;
  Code body;
  bool takes_x = true;  ///< the caller's x; else the body defines x, if it reads one
  /// The struct that the body reads, put together from the pointers: "const Format f{value_};".
  Code format = {};
  std::string functions = {};  ///< text in front of it
  int blocks_least = 0;        ///< that a multiprocessor holds at once; 0: as the compiler likes
};

struct WrittenKernel {
  std::string text;
  Kernel::Start start;  ///< in this text
};

/// The whole text; all kernels of a source take all `pointers`, but name those alone that they
/// read.
WrittenKernel written(const KernelText& kernel, const std::vector<PointerParameter>& pointers,
                      const Operands& operands = default_dtype);

}  // namespace alphasparse
