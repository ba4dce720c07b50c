// spmv: the code behind a kernel for CPUs - ours, or a peer's.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/scaling.h"

namespace alphasparse {

using MaybeFailure = std::optional<Failure>;

/// One matrix in its arrays. All of it is called by the conductor alone.
class CpuSpmv {
 public:
  virtual ~CpuSpmv() = default;

  /// Takes the arrays, in the order of the kernel's pointers; they stay where they are. Once, and
  /// again wherever values in them have changed.
  virtual MaybeFailure take(const std::vector<const void*>& pointers, int threads) = 0;

  /// y = alpha * A * x + beta * y. A fault stands in fault().
  virtual void run(const Scaling& scaling, const void* x, void* y,
                   const RowDistances& distances) = 0;

  /// The fault of the last run.
  virtual MaybeFailure failure() const { return std::nullopt; }

  /// The text about the code in a timing's note; empty: nothing.
  virtual std::string note() const { return ""; }
};

}  // namespace alphasparse
