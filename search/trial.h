// trial: what becomes of one design - built, loaded, verified, timed.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "generator/matrix.h"
#include "operators/designer.h"
#include "runtime/device.h"
#include "runtime/measurement.h"
#include "search/tune.h"

namespace alphasparse {

/// Marks an outcome as failed.
void fail(Measurement& outcome, const Failure& failure);

/// A kernel on the device, and what it was loaded from.
struct ReadyKernel {
  Kernel kernel;
  std::unique_ptr<LoadedKernel> loaded;
};

class Trial {
 public:
  /// The matrix and the device must outlive it.
  Trial(const Matrix& matrix, Device& device, const TuneOptions& options);

  /// Tries a design, or an algorithm of vendor_kernels.h by its name. Whatever goes wrong with it
  /// stands in the measurement; a design that gives the kernel and the arrays of an earlier one is
  /// a duplicate with that one's time. Designs clearly slower than `incumbent_us` are not measured
  /// to the end; 0: all are.
  Measurement run(const std::string& design, const Patience& patience, double incumbent_us = 0);

  /// See Device::wait_with; run() does it itself.
  void wait_with(const Patience& patience) { device_.wait_with(patience); }

  /// Builds and loads a design, or an algorithm of the vendor, whatever was tried before, and puts
  /// what that took into `facts`.
  Result<std::unique_ptr<ReadyKernel>> load(const std::string& design, Measurement& facts);

  /// Times it as a trial does, by a few samples.
  Result<Timing> time_shortly(ReadyKernel& ready);

  /// What is wrong with its results, if anything.
  std::optional<Failure> verify_again(ReadyKernel& ready);

 private:
  Result<Kernel> build(const std::string& design, Measurement& facts);
  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel, Measurement& facts);
  std::optional<Failure> why_not_allowed(const Kernel& kernel) const;
  void verify_and_time(const Kernel& kernel, double incumbent_us, Measurement& outcome);

  const Matrix& matrix_;
  Designer designer_;
  Device& device_;
  const TuneOptions options_;
  BuildLimits limits_;
  std::map<std::string, Measurement> by_content_;  ///< first outcome of each kernel and its arrays
};

}  // namespace alphasparse
