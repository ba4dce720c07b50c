// eigen: where the headers of Eigen are.
#pragma once
#include <string>

#include "base/result.h"

namespace alphasparse {

struct EigenHeaders {
  std::string folder;   ///< that has Eigen/SparseCore
  std::string version;  ///< "3.4.0"
};

/// The headers in the folder that ALPHASPARSE_EIGEN names, else where pkg-config says, else in the
/// usual folders; looked for once. A Failure is library_missing.
const Result<EigenHeaders>& eigen_headers();

}  // namespace alphasparse
