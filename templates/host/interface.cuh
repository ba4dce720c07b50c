// interface: the C functions of a standalone kernel.
//
// Functions that can fail return 0 (alphasparse_ok), or a status after which alphasparse_message()
// says in one line what is wrong. One handle serves any number of streams; a kernel with workspaces
// (facts.workspace_count is not 0) only one spmv at a time.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "templates/host/cuda_error.cuh"
#include "templates/host/loader.h"

/// A format on the device that was current when it was loaded, and stays its device.
struct alphasparse_handle {
  int device = 0;
  Format format;
  void* memory = nullptr;                          ///< every array of the format, and workspaces
  std::vector<std::vector<std::int32_t>> sources;  ///< of each array; empty but for value arrays
  std::vector<std::vector<std::int32_t>> codes;    ///< of each array; empty but for dictionaries
  std::vector<std::int32_t> row_first, col;        ///< the pattern; only of a mirrored format
};

enum alphasparse_status {
  alphasparse_ok = 0,
  alphasparse_bad_file = 1,           ///< missing, damaged, or made for another kernel
  alphasparse_bad_argument = 2,       ///< a null pointer
  alphasparse_cuda_error = 3,         ///< CUDA refused a call
  alphasparse_no_memory = 4,          ///< of the host
  alphasparse_not_representable = 5,  ///< the format cannot hold these values
};

namespace alphasparse::host {

static_assert(std::is_trivially_copyable_v<Format>);
constexpr std::size_t pointer_count = facts.array_count + facts.workspace_count;
static_assert(pointer_count == 0 || sizeof(Format) == pointer_count * sizeof(void*));

/// What alphasparse_message gives out. Of fixed size: a failing spmv does not allocate either.
inline char (&message())[1024] {
  thread_local char text[1024] = "";
  return text;
}

inline int failed(alphasparse_status status, const char* what, const char* detail) {
  std::snprintf(message(), sizeof message(), "%s: %s", what, detail);
  return status;
}

/// Runs `body` and turns what it throws into a status: nothing is thrown into C.
template <class Body>
int guarded(const char* what, Body body) {
  try {
    body();
    return alphasparse_ok;
  } catch (const BadFile& error) {
    return failed(alphasparse_bad_file, what, error.what());
  } catch (const CudaError& error) {
    return failed(alphasparse_cuda_error, what, error.what());
  } catch (const std::bad_alloc&) {
    return failed(alphasparse_no_memory, what, "out of host memory");
  } catch (const std::exception& error) {
    return failed(alphasparse_bad_file, what, error.what());
  }
}

/// Arrays start at multiples of this many bytes: no load of a kernel is wider.
constexpr std::size_t array_alignment = 256;

inline std::size_t aligned(std::size_t bytes) {
  return (bytes + array_alignment - 1) / array_alignment * array_alignment;
}

template <class Function>
void for_each_workspace(const Function& function) {
  const WorkspaceFacts* const end = facts.workspaces + facts.workspace_count;
  for (const WorkspaceFacts* scratch = facts.workspaces; scratch != end; ++scratch) {
    function(*scratch);
  }
}

/// Copies the arrays into one allocation, leaves room there for workspaces, and points
/// handle.format at all of them.
inline void upload(const LoadedFormat& loaded, alphasparse_handle& handle) {
  std::size_t bytes = array_alignment;
  for (const LoadedArray& array : loaded.arrays) bytes += aligned(array.bytes.size());
  for_each_workspace([&](const WorkspaceFacts& scratch) { bytes += aligned(scratch.bytes); });
  check_cuda(cudaMalloc(&handle.memory, bytes), "cudaMalloc");
  std::vector<const void*> pointers;
  char* next = static_cast<char*>(handle.memory);
  for (const LoadedArray& array : loaded.arrays) {
    check_cuda(cudaMemcpy(next, array.bytes.data(), array.bytes.size(), cudaMemcpyHostToDevice),
               "cudaMemcpy");
    pointers.push_back(next);
    next += aligned(array.bytes.size());
  }
  for_each_workspace([&](const WorkspaceFacts& scratch) {
    pointers.insert(pointers.begin() + static_cast<std::ptrdiff_t>(scratch.pointer), next);
    next += aligned(scratch.bytes);
  });
  if (!pointers.empty()) std::memcpy(&handle.format, pointers.data(), sizeof handle.format);
}

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
inline bool holds_values(const alphasparse_handle& handle) {
  for (const std::vector<std::int32_t>& source : handle.sources) {
    if (!source.empty()) return true;
  }
  return false;
}

/// Whether every value is that of its mirror image, where the format has room for one of them.
inline bool holds_images(const alphasparse_handle& handle, const Value* canonical) {
  const auto equal = [&](std::int32_t nz, std::int32_t image) {
    const bool both_nan = canonical[nz] != canonical[nz] && canonical[image] != canonical[image];
    return both_nan || canonical[nz] == canonical[image];
  };
  return !facts.mirrored || for_each_mirror_image(handle.row_first, handle.col, equal);
}

/// Whether values that share an entry of a dictionary are equal by their bits.
inline bool holds_codes(const alphasparse_handle& handle, const Value* canonical) {
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
inline const char* why_no_floats(const alphasparse_handle& handle, const Value* canonical) {
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

/// The place of an array's pointer in Format.
inline std::size_t pointer_of_array(std::size_t array) {
  for_each_workspace([&](const WorkspaceFacts& scratch) { array += scratch.pointer <= array; });
  return array;
}

inline void update_values(alphasparse_handle& handle, const Value* canonical) {
  const OnDevice on(handle.device);
  check_cuda(on.status(), "cudaSetDevice");
  std::vector<void*> pointers(pointer_count);
  if (!pointers.empty()) std::memcpy(pointers.data(), &handle.format, sizeof handle.format);
  for (std::size_t i = 0; i < handle.sources.size(); ++i) {
    if (handle.sources[i].empty()) continue;
    const std::vector<unsigned char> stored =
        holds_floats(facts.arrays[i]) ? stored_values<float>(handle.sources[i], canonical)
                                      : stored_values<Value>(handle.sources[i], canonical);
    check_cuda(cudaMemcpy(pointers[pointer_of_array(i)], stored.data(), stored.size(),
                          cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
}

}  // namespace alphasparse::host

/// Why the last call of this thread that failed did.
extern "C" const char* alphasparse_message() { return alphasparse::host::message(); }

/// Gives back everything that a handle holds; null is allowed. No spmv may be running on it.
extern "C" void alphasparse_free(alphasparse_handle* handle) {
  if (!handle) return;
  const alphasparse::host::OnDevice on(handle->device);
  cudaFree(handle->memory);
  delete handle;
}

/// Checks the format file in full, copies it to the current device and loads the kernels there, so
/// that nothing is left for the first spmv to do. *out is null after a failure; else the caller
/// frees it.
extern "C" int alphasparse_load(const char* path, alphasparse_handle** out) {
  using namespace alphasparse::host;
  if (!path || !out) return failed(alphasparse_bad_argument, "alphasparse_load", "a null pointer");
  *out = nullptr;
  alphasparse_handle* handle = nullptr;
  const int status = guarded(path, [&] {
    LoadedFormat loaded = load_format(path, facts, false);
    load_kernels();
    handle = new alphasparse_handle();
    check_cuda(cudaGetDevice(&handle->device), "cudaGetDevice");
    upload(loaded, *handle);
    for (LoadedArray& array : loaded.arrays) {
      handle->sources.push_back(std::move(array.source));
      handle->codes.push_back(std::move(array.code));
    }
    handle->row_first = std::move(loaded.row_first);
    handle->col = std::move(loaded.col);
  });
  if (status == alphasparse_ok) {
    *out = handle;
  } else {
    alphasparse_free(handle);
  }
  return status;
}

/// y = alpha * A * x + beta * y on `stream`, on the handle's device, whichever is current; x [cols]
/// and y [rows] lie there and do not overlap. beta = 0 does not read y. Only launches kernels: it
/// never allocates or synchronises, and may be captured in a graph. CUDA's last error is neither
/// told nor cleared; only a refusal of one of its own launches takes its place.
extern "C" int alphasparse_spmv(const alphasparse_handle* handle, const Value* x, Value* y,
                                Value alpha, Value beta, cudaStream_t stream) {
  using namespace alphasparse::host;
  if (!handle || !x || !y) {
    return failed(alphasparse_bad_argument, "alphasparse_spmv", "a null pointer");
  }
  const OnDevice on(handle->device);
  cudaError_t status = on.status();
  if (status == cudaSuccess) status = launch_all(handle->format, x, {y, alpha, beta}, stream);
  if (status == cudaSuccess) return alphasparse_ok;
  return failed(alphasparse_cuda_error, "alphasparse_spmv", cudaGetErrorString(status));
}

/// Replaces the matrix' values: `values` [nnz], on the host, in canonical order (row by row,
/// columns ascending). Returns when they are on the device. No spmv may be running on the handle. A
/// format of one triangle takes only values of a symmetric matrix, one with a dictionary only
/// values that are equal where those were that it was made from, one that holds doubles as float
/// only values that are exactly that, unless it was made to round them.
extern "C" int alphasparse_update_values(alphasparse_handle* handle, const Value* values) {
  using namespace alphasparse::host;
  constexpr const char* what = "alphasparse_update_values";
  if (!handle || (!values && facts.nnz > 0)) {
    return failed(alphasparse_bad_argument, what, "a null pointer");
  }
  if (facts.nnz > 0 && !holds_values(*handle)) {
    return failed(alphasparse_not_representable, what, "the values are part of the kernel");
  }
  if (!holds_codes(*handle, values)) {
    return failed(alphasparse_not_representable, what,
                  "the format codes values, but some that share a code are not equal");
  }
  if (const char* const why = why_no_floats(*handle, values)) {
    return failed(alphasparse_not_representable, what, why);
  }
  bool symmetric = true;
  const int status = guarded(what, [&] {
    symmetric = holds_images(*handle, values);
    if (symmetric) update_values(*handle, values);
  });
  if (symmetric) return status;
  return failed(alphasparse_not_representable, what,
                "the format holds one triangle, but the values are not symmetric");
}
