// baseline_library: the facts that a library beside our kernels states about itself, and the
// message where it is missing. Both are texts of a measurement, so that workers and databases carry
// them.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace alphasparse {

inline constexpr std::string_view spmv_op = "cuSPARSE's SpMVOp";  ///< of its later versions alone

/// Empty where it does not say.
struct LibraryFacts {
  std::string version;    ///< "2026.2.0"
  std::string code_path;  ///< for which instructions the code is that it runs here
};

/// The facts as the first part of a timing's note, and from any note back.
std::string library_note(const LibraryFacts& facts);
LibraryFacts library_of(const std::string& note);

/// How a library is installed: "pip install mkl" of MKL; empty of one that is always there.
std::string_view how_to_install(std::string_view library);

/// "MKL is missing: looked for libmkl_rt.so; install it (pip install mkl)", and then
/// ", or NAMING" where a library may be named: "name its libmkl_rt.so in ...".
Failure library_missing(std::string_view library, std::string_view looked_for,
                        std::string_view naming = "");

/// Whether that is the reason of a failure: it may have been installed since.
bool is_library_missing(std::string_view library, const std::string& reason);

}  // namespace alphasparse
