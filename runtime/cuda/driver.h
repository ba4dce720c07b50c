// driver: the CUDA driver, loaded where there is one, and the one place where its codes turn
// into our failures.
#pragma once
#include <string>

#include "base/result.h"
#include "runtime/cuda/api.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// A loaded and initialised driver. Usable from several threads.
class CudaDriver {
 public:
  /// Loads libcuda - from the path in ALPHASPARSE_LIBCUDA alone, where that is set - and starts it.
  /// A Failure names in one line the missing part: the library, a function of it, a GPU.
  static Result<CudaDriver> open();

  const CudaApi& api() const { return api_; }
  const std::string& library() const { return library_.name(); }

  int device_count() const { return device_count_; }  ///< >= 1
  std::string version() const;  ///< of CUDA, that the driver is made for: "13.0"
  int major() const;            ///< of the same; 0 where it does not tell

  /// The Failure for `code`, returned by `call` ("cuMemAlloc"). `doing` states the purpose.
  Failure failure(int code, const char* call, const std::string& doing) const;

 private:
  CudaDriver(DynamicLibrary library, const CudaApi& api)
      : library_(std::move(library)), api_(api) {}

  DynamicLibrary library_;
  CudaApi api_;
  int device_count_ = 0;
};

/// Whether the process can use its context no more after `code`: every later call fails with it.
bool context_is_lost(int code);

/// Whether nobody here knows: drivers add codes. The same answer from a wait says that it is lost.
bool may_be_sticky(int code);

}  // namespace alphasparse
