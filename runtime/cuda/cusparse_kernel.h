// cusparse_kernel: an SpMV that the vendor's library computes, loaded by dlopen where it is
// installed, on the arrays, x and y of a kernel of baseline_kernels.h.
#pragma once
#include <memory>

#include "runtime/cuda/cusparse_api.h"
#include "runtime/cuda/session.h"
#include "runtime/device/device.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// cuSPARSE in this process, loaded once; a Failure (launch_error) names the missing part.
/// ALPHASPARSE_LIBCUSPARSE names another library.
class Cusparse {
 public:
  static const Result<Cusparse>& instance();
  const CusparseApi& api() const { return api_; }
  std::string file() const { return library_.file(); }  ///< that the loader took

 private:
  static Result<Cusparse> open();
  Cusparse(DynamicLibrary library, CusparseApi api) : library_(std::move(library)), api_(api) {}

  DynamicLibrary library_;
  CusparseApi api_;
};

/// Loads kernel.vendor; the session is entered, `kernel` must outlive the result. Its timings note
/// the time of preparing it: the call that only depends on the matrix, and its buffer.
Result<std::unique_ptr<LoadedKernel>> load_cusparse_kernel(std::shared_ptr<CudaSession> session,
                                                           const Kernel& kernel);

}  // namespace alphasparse
