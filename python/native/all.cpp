// all: the parts of the extension as one source, which reads pybind11's headers once.
#include "arrays.cpp"
#include "cpu_kernel.cpp"
#include "formats.cpp"
#include "gpu.cpp"
#include "module.cpp"
#include "native_handle.cpp"
#include "result_buffers.cpp"
