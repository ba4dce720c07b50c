// native: types and functions that the parts of the extension alphasparse._native have in common.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace alphasparse {

/// Throws an exception of alphasparse/errors.py by its name.
[[noreturn]] inline void raise(const char* kind, const std::string& text) {
  const pybind11::object type = pybind11::module_::import("alphasparse.errors").attr(kind);
  PyErr_SetString(type.ptr(), text.c_str());
  throw pybind11::error_already_set();
}

/// Opens the first of several libraries that is there; throws an exception of that kind with the
/// last library's error.
void* open_library(const std::vector<std::string>& names, const char* what,
                   const char* kind = "MissingDeviceError");

/// The symbol of a library; throws an exception of that kind.
void* symbol_of(void* library, const char* name, const char* kind = "MissingDeviceError");

template <class Function>
void load(Function*& function, void* library, const char* name,
          const char* kind = "MissingDeviceError") {
  function = reinterpret_cast<Function*>(symbol_of(library, name, kind));
}

void define_formats(pybind11::module_& module);
void define_cpu_kernel(pybind11::module_& module);
void define_gpu(pybind11::module_& module);
void define_arrays(pybind11::module_& module);

}  // namespace alphasparse
