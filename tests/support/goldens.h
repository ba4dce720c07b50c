// goldens: the designs and matrices whose sources are kept in tests/golden.
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
};

/// Every named design on a matrix with and one without empty rows, and what named designs have not.
std::vector<Golden> goldens();

/// The same of those for CPUs.
std::vector<Golden> cpu_goldens();

/// What is made of one now; or why nothing is.
Result<Kernel> kernel_of(const Golden& golden);

}  // namespace alphasparse
