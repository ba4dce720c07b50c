// hiprtc: AMD's runtime compiler, loaded where it is found - HIP source in, a code object out.
//
// It needs no GPU. Registers and spills it does not tell: clang does (hip_clang.h).
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/compilers/hiprtc_api.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/system/processes/dynamic_library.h"

namespace alphasparse {

/// A loaded hiprtc. Its functions may be called from several threads at once.
class Hiprtc {
 public:
  /// Loads it from the first of the paths below. A Failure names the libraries that it looked for
  /// and the package to install. Its status is pruned where there is none at all.
  static Result<Hiprtc> open();

  /// The library that ALPHASPARSE_LIBHIPRTC names, or several between colons, and no other. Else
  /// libhiprtc of ROCm 7 and 6, and the driver of ROCm 5, which has the compiler in it.
  static std::vector<std::string> paths();

  std::string version() const;  ///< "9.0", and the file: releases differ that tell one version
  const std::string& library() const { return library_.name(); }

  /// The options that compile() passes for a GPU ("gfx90a:sramecc+:xnack-"); a cache's key holds
  /// them.
  std::vector<std::string> options(const std::string& arch) const;

  /// Compiles a source without includes for a GPU; the words of templates/hip stand in front of it.
  /// A source that does not compile is a Failure with the first error and its line. Throws
  /// environment_error for a fault of the machine. The kernels' facts are not known.
  Result<CompiledKernel> compile(const std::string& source, const std::string& arch) const;

 private:
  Hiprtc(DynamicLibrary library, const HiprtcApi& api) : library_(std::move(library)), api_(api) {}

  DynamicLibrary library_;
  HiprtcApi api_;
  int major_ = 0;
  int minor_ = 0;
};

/// The hiprtc of this process, loaded on first use, or why there is none. Thread-safe.
const Result<Hiprtc>& hiprtc();

}  // namespace alphasparse
