// native: types and functions that the parts of the extension alphasparse._native have in common.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>

#include "runtime/compilers/kernel_cache.h"
#include "templates/host/safetensors.h"
#include "templates/host/status.h"

namespace alphasparse {

/// Throws an exception of alphasparse/errors.py by its name.
[[noreturn]] inline void raise(const char* kind, const std::string& text) {
  const pybind11::object type = pybind11::module_::import("alphasparse.errors").attr(kind);
  PyErr_SetString(type.ptr(), text.c_str());
  throw pybind11::error_already_set();
}

/// What `work` gives; a file's fault is the exception with its path.
template <class Work>
auto read_file(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const host::BadFile& error) {
    raise("FileError", path + ": " + error.what());
  } catch (const host::StatusError& error) {
    raise("ValuesError", error.what());
  }
}

/// This user's cache of compiled kernels; none where there is no place for it.
std::unique_ptr<KernelCache> open_cache();

void define_formats(pybind11::module_& module);
void define_compiling(pybind11::module_& module);
void define_cpu_kernel(pybind11::module_& module);
void define_gpu(pybind11::module_& module);
void define_arrays(pybind11::module_& module);

}  // namespace alphasparse
