// rocsparse_library: AMD's rocSPARSE, loaded by dlopen where it is installed.
#pragma once
#include <string>

#include "base/result.h"
#include "runtime/hip/rocsparse_api.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// The first rocSPARSE that works; a Failure (launch_error) names the missing part of each.
/// ALPHASPARSE_LIBROCSPARSE names another library, or several between colons.
class Rocsparse {
 public:
  /// With the functions of a driver each is tried on the thread's device. Only so it tells its
  /// version, and whether it calls another HIP than that driver.
  static Result<Rocsparse> open(const GpuApi* driver);
  /// That of this process, loaded once for the driver of the first call.
  static const Result<Rocsparse>& instance(const GpuApi& driver);
  const RocsparseApi& api() const { return api_; }
  std::string file() const { return library_.file(); }    ///< that the loader took
  int version_number() const { return version_number_; }  ///< 400200 is 4.2.0; 0: not asked
  std::string version() const;                            ///< "4.2.0"; empty: not asked

 private:
  explicit Rocsparse(DynamicLibrary library) : library_(std::move(library)) {}

  /// Why it does not work; empty where it does.
  std::string start(const GpuApi* driver);

  DynamicLibrary library_;
  RocsparseApi api_;
  int version_number_ = 0;
};

/// "invalid_value" of 7: a status as rocsparse-types.h has it, without "rocsparse_status_".
const char* rocsparse_status_name(int status);

}  // namespace alphasparse
