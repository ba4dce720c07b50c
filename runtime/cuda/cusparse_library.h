// cusparse_library: NVIDIA's cuSPARSE, loaded by dlopen where it is installed.
#pragma once
#include <string>

#include "base/result.h"
#include "runtime/cuda/cusparse_api.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// The first cuSPARSE that works; a Failure (launch_error) names the missing part of each.
/// ALPHASPARSE_LIBCUSPARSE names another library, or several between colons.
class Cusparse {
 public:
  /// `has_context`: each is tried with the driver, on the thread's context.
  static Result<Cusparse> open(bool has_context);
  /// That of this process, loaded once; the first call needs a context.
  static const Result<Cusparse>& instance();
  const CusparseApi& api() const { return api_; }
  std::string file() const { return library_.file(); }  ///< that the loader took
  std::string version() const;                          ///< "12.5.4"; empty where it does not say

 private:
  Cusparse(DynamicLibrary library, CusparseApi api) : library_(std::move(library)), api_(api) {}

  DynamicLibrary library_;
  CusparseApi api_;
};

}  // namespace alphasparse
