// verify: is a kernel right? Every candidate, on every device, before it is timed.
//
// Exact first: the values become small integers, x and y are integers, every sum stays below 2^24
// (2^53 in double), alpha = 2 and beta = -1. Results are equal or the kernel is wrong: no tolerance
// hides a lost non-zero. Rows too long for that take several rounds, every entry meeting a non-zero
// x in one of them. A kernel that stores one triangle (Kernel::mirror) gets integers that
// mirror so too. Then with an Inf and a NaN in x, then with -Inf and x[0] = NaN: y is that of IEEE
// arithmetic. But a row with own pads that meet one of them (Kernel::list_pads) may be NaN instead
// of Inf. These cases alone see a pad reading a column that is not its row's. Then rounded: the
// real values, random x, beta = 0 and y full of NaN, within (row length + 3) * eps * (|A| |x|)_i
// of a sum in double. Values that the format rounds to float are rounded there too: the kernel is
// right about these.
//
// A kernel that spreads rounding (Kernel::spreads_rounding) is held to the bound of the entries
// around its row instead. Rows that have a column with Inf or NaN among these may be so too. A
// kernel with blocks that are filled up with zeros (Kernel::reads_fill), which times Inf are NaN,
// is spared that case. The vendor's others may have any value there that is not finite.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "generator/arrays/kernel.h"
#include "runtime/device/device.h"
#include "runtime/device/expectations.h"

namespace alphasparse {

struct VerifyOptions {
  bool both_lane_orders =
      false;                ///< on the emulator, every case once more from the highest lane down
  std::uint64_t seed = 1;   ///< of the random x
  bool one_by_one = false;  ///< a case after the other, however much memory there is
};

struct VerifyReport {
  int cases = 0;
  double device_seconds = 0;     ///< of all cases, SpmvOutcome::device_seconds
  double worst_bound_share = 0;  ///< largest |error| / bound of the rounded case; at most 1

  /// Adds the outcomes of other cases of the same kernel.
  void add(const VerifyReport& other) {
    cases += other.cases;
    device_seconds += other.device_seconds;
    worst_bound_share = std::max(worst_bound_share, other.worst_bound_share);
  }
};

/// Verifies kernels of one matrix. Inputs and right results are made once for each type and kind of
/// kernel (expectations.h), but for each kernel anew where the matrix is large. Where memory does
/// not hold all of them, they are made case by case. The matrix must outlive it. Usable from
/// several threads.
class Verification {
 public:
  explicit Verification(const Matrix& matrix, std::uint64_t seed = 1);
  ~Verification();
  Verification(const Verification&) = delete;
  Verification& operator=(const Verification&) = delete;

  /// Verifies as the function verify() below.
  Result<VerifyReport> verify(const Kernel& kernel, LoadedKernel& loaded,
                              bool both_lane_orders = false, bool one_by_one = false);

  /// The rounded case alone: enough for a kernel that was verified before, and then ran for long.
  Result<VerifyReport> verify_rounded(const Kernel& kernel, LoadedKernel& loaded);

  /// rounded_case() of any kernel of this type. Long vectors are made for each call.
  SpmvCase rounded_input(const Kernel& kernel);

 private:
  std::shared_ptr<const Expectations> expectations(const Kernel& kernel);
  std::shared_ptr<const Expectation> rounded_expectation(const Kernel& kernel);
  ExpectationMaker choose_maker(const Kernel& kernel);

  const Matrix& matrix_;
  const std::uint64_t seed_;
  CaseVectors vectors_;
  std::mutex mutex_;  // guards the members below
  std::map<Dtype, SpmvCase> rounded_;
  std::map<std::pair<Dtype, CaseTraits>, std::shared_ptr<const Expectations>> known_;
  std::map<std::pair<Dtype, CaseTraits>, std::shared_ptr<const Expectation>> known_rounded_;
};

/// Runs the cases. A Failure is the device's, or Status::wrong_result naming the case, the first
/// wrong row, the value found and the value expected.
Result<VerifyReport> verify(const Kernel& kernel, LoadedKernel& loaded, const Matrix& matrix,
                            const VerifyOptions& options = {});

/// The input of the rounded case, which is also the input for timing kernels: real values, random x
/// in [-1, 1).
SpmvCase rounded_case(const Kernel& kernel, std::uint64_t seed);

}  // namespace alphasparse
