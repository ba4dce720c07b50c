// all: the parts of the extension as one source, which reads pybind11's headers once. Those of the
// program that it needs stand first.
#define FMT_HEADER_ONLY
#include "arrays.cpp"
#include "base/result.cpp"
#include "cpu_kernel.cpp"
#include "formats.cpp"
#include "gpu.cpp"
#include "module.cpp"
#include "native_handle.cpp"
#include "result_buffers.cpp"
#include "runtime/compilers/nvrtc.cpp"
#include "runtime/compilers/nvrtc_choice.cpp"
#include "runtime/system/machine/toolkit_places.cpp"
#include "runtime/system/processes/dynamic_library.cpp"
#include "runtime/system/processes/environment.cpp"
