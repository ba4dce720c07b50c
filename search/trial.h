// trial: what becomes of one design - built, loaded, verified, timed.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "generator/matrix.h"
#include "operators/designer.h"
#include "runtime/database.h"
#include "runtime/device.h"
#include "search/tune.h"

namespace alphasparse {

class Trial {
 public:
  /// The matrix and the device must outlive it.
  Trial(const Matrix& matrix, Device& device, const TuneOptions& options);

  /// Tries a design, or an algorithm of vendor_kernels.h by its name. Whatever goes wrong with it
  /// stands in the measurement; a design that gives the kernel and the arrays of an earlier one is
  /// a duplicate with that one's time.
  Measurement run(const std::string& design, const Patience& patience);

 private:
  Measurement run_kernel(const Kernel& kernel);

  const Matrix& matrix_;
  Designer designer_;
  Device& device_;
  const TuneOptions options_;
  BuildLimits limits_;
  std::map<std::string, Measurement> by_content_;  ///< first outcome of each kernel and its arrays
};

}  // namespace alphasparse
