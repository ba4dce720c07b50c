// goldens: designs and matrices; one matrix a design and target has its source in tests/golden, and
// the hash of all stands in tests/golden/versions.txt.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"

namespace alphasparse {

struct Golden {
  std::string file;  ///< in tests/golden
  std::string matrix;
  std::string design;
  Dtype dtype;
  Mirror mirror = Mirror::none;  ///< of complex values
  Dialect dialect = Dialect::cuda;

  bool is_reviewed() const;  ///< has a file there
};

/// Every named design on a matrix with and one without empty rows, and designs for parts that named
/// designs lack.
std::vector<Golden> goldens();

/// The same of those for CPUs.
std::vector<Golden> cpu_goldens();

/// Some for GPUs of AMD, whose kernels differ from CUDA's in few words.
std::vector<Golden> hip_goldens();

/// The kernel that a golden design gives now; or the reason why there is none.
Result<Kernel> kernel_of(const Golden& golden);

}  // namespace alphasparse
