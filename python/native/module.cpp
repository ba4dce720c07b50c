// module: the extension of the Python package - functions that Python itself is too slow for, or
// cannot call.
#include "native.h"

PYBIND11_MODULE(_native, module) {
  module.doc() = "The program's compilers and cache, kernels of CPUs and GPUs, format files.";
  alphasparse::define_compiling(module);
  alphasparse::define_formats(module);
  alphasparse::define_cpu_kernel(module);
  alphasparse::define_gpu(module);
  alphasparse::define_arrays(module);
}
