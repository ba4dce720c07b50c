#include "runtime/device/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "generator/arrays/long_vectors.h"
#include "runtime/device/expectations.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace {

/// Memory that verifying takes beside what is shared: what comes out of the cases, and copies of
/// them and of values on the device or on the way there.
std::int64_t bytes_of(const Kernel& kernel, std::int64_t cases) {
  const std::int64_t vector_bytes =
      (std::int64_t{kernel.rows} + kernel.cols) * dtype_bytes(kernel.dtype);
  std::int64_t value_bytes = 0;
  for (const Array& array : kernel.arrays) {
    if (array.is_value()) value_bytes += array.stored_bytes();
  }
  return cases * (2 * vector_bytes + std::int64_t{kernel.rows} * 3 * std::int64_t{sizeof(double)}) +
         2 * value_bytes;
}

/// Whether a value that is not finite will do for one that is not, or, in a row that others spread
/// to, for any. The vendor's kernels may have any such value.
bool is_right_nonfinite(const Kernel& kernel, double found, double want, bool meets_pad,
                        bool may_spread) {
  if (may_spread) return true;
  if (std::isfinite(want)) return false;
  if (std::isnan(found)) return std::isnan(want) || meets_pad || !kernel.vendor.empty();
  return found == want || !kernel.vendor.empty();
}

/// [rows]: whether pads of the row meet an x that is not finite. Empty: none does.
std::vector<bool> rows_of_bad_pads(const Kernel& kernel, const std::vector<std::byte>& x) {
  std::vector<bool> rows;
  for (const PadRead& pad : kernel.pads) {
    if (std::isfinite(from_device(kernel.dtype, x, pad.column))) continue;
    rows.resize(kernel.rows);
    rows[pad.row] = true;
  }
  return rows;
}

/// Empty, or the first row that is not as expected.
std::string first_wrong(const Kernel& kernel, const Expectation& expected, const SpmvCase& input,
                        const SpmvOutcome& outcome, VerifyReport& report) {
  const std::vector<bool> bad_pads = rows_of_bad_pads(kernel, input.x);
  for (std::int32_t row = 0; row < kernel.rows; ++row) {
    const double found = from_device(kernel.dtype, outcome.y, row), want = expected.y[row];
    bool right = found == want;
    if (!std::isfinite(found)) {
      right = is_right_nonfinite(kernel, found, want, !bad_pads.empty() && bad_pads[row],
                                 !expected.spread.empty() && expected.spread[row]);
    } else if (!expected.bound.empty()) {
      const double error = std::abs(found - want), bound = expected.bound[row];
      right = error <= bound;
      if (right && bound > 0)
        report.worst_bound_share = std::max(report.worst_bound_share, error / bound);
    }
    if (!right) {
      return fmt::format("wrong result in case '{}'{}: y[{}] is {}, expected {}", input.name,
                         input.lanes_reversed ? ", lanes reversed" : "", row, found, want);
    }
  }
  return "";
}

/// Runs the cases in one go, and those once more from the highest lane down where that is asked.
Result<VerifyReport> run_cases(const Kernel& kernel, LoadedKernel& loaded,
                               std::span<const Expectation> wanted, bool both_lane_orders) {
  std::vector<SpmvCase> cases;
  for (const bool reversed : {false, true}) {
    for (const Expectation& expected : wanted) {
      if (reversed && !both_lane_orders) break;
      SpmvCase& input = cases.emplace_back(expected.input);
      input.lanes_reversed = reversed;
    }
  }
  VerifyReport report;
  report.cases = static_cast<int>(cases.size());
  const Result<std::vector<SpmvOutcome>> outcomes = loaded.run(cases);
  if (!outcomes) return outcomes.failure();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    report.device_seconds += (*outcomes)[i].device_seconds;
    const std::string wrong =
        first_wrong(kernel, wanted[i % wanted.size()], cases[i], (*outcomes)[i], report);
    if (!wrong.empty()) return Failure{Status::wrong_result, wrong};
  }
  return report;
}

}  // namespace

SpmvCase rounded_case(const Kernel& kernel, std::uint64_t seed) {
  SpmvCase input;
  input.name = "rounded";
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  input.x = to_device(kernel.dtype, kernel.cols, [&](std::size_t) { return uniform(random); });
  input.y = to_device(kernel.dtype, kernel.rows, [](std::size_t) { return NAN; });
  return input;
}

Verification::Verification(const Matrix& matrix, std::uint64_t seed)
    : matrix_(matrix), seed_(seed) {}

Verification::~Verification() = default;

const SpmvCase& Verification::rounded_input(const Kernel& kernel) {
  const std::lock_guard<std::mutex> lock(mutex_);
  SpmvCase& input = rounded_[kernel.dtype];
  if (input.name.empty()) input = rounded_case(kernel, seed_);
  return input;
}

std::shared_ptr<const Expectations> Verification::expectations(const Kernel& kernel) {
  const SpmvCase& rounded = rounded_input(kernel);
  const CaseTraits traits = case_traits(kernel);
  const auto make = [&] {
    return std::make_shared<const Expectations>(
        make_expectations(matrix_, kernel, rounded, vectors_));
  };
  if (traits.rounded_in_part) return make();
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& known = known_[{kernel.dtype, traits}];
  if (!known) known = make();
  return known;
}

Result<VerifyReport> Verification::verify(const Kernel& kernel, LoadedKernel& loaded,
                                          bool both_lane_orders, bool one_by_one) {
  const std::int64_t orders = both_lane_orders ? 2 : 1;
  const std::int64_t cases = exact_rounds(matrix_, kernel.dtype) + 4;
  const std::int64_t bytes_free = available_memory_bytes();
  const bool at_once = !one_by_one && !has_long_vectors(matrix_);
  if (at_once && bytes_of(kernel, cases * orders) <= bytes_free / 4)
    return run_cases(kernel, loaded, expectations(kernel)->cases, both_lane_orders);
  const std::int64_t bytes = bytes_of(kernel, 2 * orders);  // one, and one that is being made
  if (bytes > bytes_free) {
    throw host_memory_fault(fmt::format("verifying it takes {}, more than the memory available",
                                        byte_count_text(bytes)));
  }
  const ExpectationMaker maker(matrix_, kernel, rounded_input(kernel), vectors_);
  VerifyReport report;
  for (std::size_t place = 0; place < maker.count(); ++place) {
    const bool is_last = place + 1 == maker.count();
    const auto one = is_last ? rounded_expectation(kernel)
                             : std::make_shared<const Expectation>(maker.make(place));
    const Result<VerifyReport> part = run_cases(kernel, loaded, {one.get(), 1}, both_lane_orders);
    if (!part) return part;
    report.add(*part);
  }
  return report;
}

/// The last of expectations(), or, where those are not kept, made by itself: it is asked for twice
/// a kernel.
std::shared_ptr<const Expectation> Verification::rounded_expectation(const Kernel& kernel) {
  const SpmvCase& rounded = rounded_input(kernel);
  const CaseTraits traits = case_traits(kernel);
  const auto make = [&] {
    const ExpectationMaker maker(matrix_, kernel, rounded, vectors_);
    return std::make_shared<const Expectation>(maker.make(maker.count() - 1));
  };
  if (traits.rounded_in_part || has_long_vectors(matrix_)) return make();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto all = known_.find({kernel.dtype, traits});
  if (all != known_.end() && all->second) return {all->second, &all->second->cases.back()};
  auto& known = known_rounded_[{kernel.dtype, traits}];
  if (!known) known = make();
  return known;
}

Result<VerifyReport> Verification::verify_rounded(const Kernel& kernel, LoadedKernel& loaded) {
  const auto rounded = rounded_expectation(kernel);
  return run_cases(kernel, loaded, {rounded.get(), 1}, false);
}

Result<VerifyReport> verify(const Kernel& kernel, LoadedKernel& loaded, const Matrix& matrix,
                            const VerifyOptions& options) {
  return Verification(matrix, options.seed)
      .verify(kernel, loaded, options.both_lane_orders, options.one_by_one);
}

}  // namespace alphasparse
