// module: the extension of the Python package - functions that Python itself is too slow for, or
// cannot call.
#include <dlfcn.h>

#include <vector>

#include "native.h"

namespace alphasparse {

void* open_library(const std::vector<std::string>& names, const char* what, const char* kind) {
  std::string last = "no name is known";
  for (const std::string& name : names) {
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    last = dlerror();
  }
  raise(kind, std::string(what) + " is missing: " + last);
}

void* symbol_of(void* library, const char* name, const char* kind) {
  void* const symbol = dlsym(library, name);
  if (!symbol) raise(kind, std::string("a library has no ") + name);
  return symbol;
}

}  // namespace alphasparse

PYBIND11_MODULE(_native, module) {
  module.doc() = "What alphasparse does natively: kernels of the CPU, GPUs, format files.";
  alphasparse::define_formats(module);
  alphasparse::define_cpu_kernel(module);
  alphasparse::define_gpu(module);
  alphasparse::define_arrays(module);
}
