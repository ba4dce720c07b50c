// baseline_library: the facts that a library beside our kernels states about itself, and the
// message where it is missing. Both are texts of a measurement, so that workers and databases carry
// them.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/target.h"

namespace alphasparse {

// The parts that later versions of a library have alone.
inline constexpr std::string_view spmv_op = "cuSPARSE's SpMVOp";
inline constexpr std::string_view rocsparse_lrb = "rocSPARSE's LRB";
inline constexpr std::string_view rocsparse_nnzsplit = "rocSPARSE's nnz split";
inline constexpr std::string_view rocsparse_sell = "rocSPARSE's sliced ELL";

/// A library beside our kernels. A row that names a part has the name and `install` alone.
struct BaselineLibrary {
  std::string_view name;            ///< "MKL"
  std::string_view install;         ///< how to install it: "pip install mkl"; empty: always there
  Target target = Target::cpu;      ///< that it runs on
  Dialect dialect = Dialect::cuda;  ///< of the GPUs that it runs on
  std::string_view machines = "";   ///< the same in words: "GPUs of NVIDIA"
};

/// The row of that library or part. CHECKs that there is one.
const BaselineLibrary& library_named(std::string_view name);

/// Empty where it does not say.
struct LibraryFacts {
  std::string version;    ///< "2026.2.0"
  std::string code_path;  ///< for which instructions the code is that it runs here
};

/// The facts as the first part of a timing's note, and from any note back.
std::string library_note(const LibraryFacts& facts);
LibraryFacts parse_library(const std::string& note);

/// "MKL is missing: looked for libmkl_rt.so; install it (pip install mkl)", and then
/// ", or NAMING" where a library may be named: "name its libmkl_rt.so in ...".
Failure library_missing(std::string_view library, std::string_view looked_for,
                        std::string_view naming = "");

/// Whether that is the reason of a failure: it may have been installed since.
bool is_library_missing(std::string_view library, const std::string& reason);

}  // namespace alphasparse
