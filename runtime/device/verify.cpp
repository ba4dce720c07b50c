#include "runtime/device/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "generator/arrays/large_matrix.h"
#include "generator/arrays/long_vectors.h"
#include "runtime/device/columns.h"
#include "runtime/device/expectations.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace {

/// Memory that verifying takes beside the shared memory: the results of the cases, and copies of
/// cases and of values on the device or on the way there.
std::int64_t count_bytes(const Kernel& kernel, std::int64_t cases) {
  const std::int64_t vector_bytes =
      (std::int64_t{kernel.rows} + kernel.cols) * number_type(kernel.dtype).bytes;
  std::int64_t value_bytes = 0;
  for (const Array& array : kernel.arrays) {
    if (array.is_value()) value_bytes += array.stored_bytes();
  }
  return kernel.vectors * cases *
             (2 * vector_bytes + std::int64_t{kernel.rows} * number_type(kernel.dtype).parts * 3 *
                                     std::int64_t{sizeof(double)}) +
         2 * value_bytes;
}

using Indices = std::vector<std::int32_t>;

/// Calls copy(i, indices[i]) with the offsets of elements of a vector.
template <class Copy>
void move_elements(Dtype dtype, const Indices& indices, const Copy& copy) {
  const auto size = static_cast<std::size_t>(number_type(dtype).bytes);
  for (std::size_t i = 0; i < indices.size(); ++i) copy(i * size, indices[i] * size, size);
}

SharedBytes reorder(Dtype dtype, const SharedBytes& given, const Indices& indices) {
  std::vector<std::byte> own(given.size());
  move_elements(dtype, indices, [&](std::size_t to, std::size_t from, std::size_t size) {
    std::memcpy(&own[to], given.data() + from, size);
  });
  return own;
}

/// Runs a kernel on single vectors in the caller's order, although its own may have another, or it
/// has several vectors at once: then the results of a case are those of its columns. `finite` is x
/// of the columns that share no Inf, for each case.
Result<std::vector<SpmvOutcome>> run_in_own_order(const Kernel& kernel, LoadedKernel& loaded,
                                                  std::span<const SpmvCase> cases,
                                                  const std::vector<SharedBytes>& finite) {
  if (kernel.vectors > 1) return run_columns(kernel, loaded, cases, finite);
  if (!kernel.own_order) return loaded.run(cases);
  std::vector<SpmvCase> own(cases.begin(), cases.end());
  for (SpmvCase& one : own) {
    one.x = reorder(kernel.dtype, one.x, kernel.own_order->columns);
    one.y = reorder(kernel.dtype, one.y, kernel.own_order->rows);
  }
  Result<std::vector<SpmvOutcome>> outcomes = loaded.run(own);
  if (!outcomes) return outcomes;
  for (SpmvOutcome& outcome : *outcomes) {
    const std::vector<std::byte> y = outcome.y;
    move_elements(kernel.dtype, kernel.own_order->rows,
                  [&](std::size_t from, std::size_t to, std::size_t size) {
                    std::memcpy(&outcome.y[to], &y[from], size);
                  });
  }
  return outcomes;
}

/// Whether a value that is not finite will do for one that is not, or, in a row that others spread
/// to, for any. The vendor's kernels may have any such value.
template <class MeetsPad>
bool is_right_nonfinite(const Kernel& kernel, double found, double want, bool may_spread,
                        const MeetsPad& meets_pad) {
  if (may_spread) return true;
  if (std::isfinite(want)) return false;
  if (std::isnan(found)) return std::isnan(want) || !kernel.vendor.empty() || meets_pad();
  return found == want || !kernel.vendor.empty();
}

bool is_finite(const Number& number) {
  return std::isfinite(number.re) && std::isfinite(number.im);
}

std::string print_number(const Kernel& kernel, const Number& number) {
  return number_type(kernel.dtype).is_complex() ? fmt::format("{}{:+}i", number.re, number.im)
                                                : fmt::format("{}", number.re);
}

/// Which rows have pads that meet an x that is not finite. Few kernels have results that depend on
/// it, so pads are listed when a row is first asked for.
class BadPads {
 public:
  BadPads(const Kernel& kernel, const std::vector<std::byte>& x) : kernel_(kernel), x_(x) {}

  bool has_row(std::int32_t row) {
    if (!kernel_.list_pads) return false;
    if (rows_.empty()) find();
    return rows_[row];
  }

 private:
  void find() {
    rows_.resize(kernel_.rows);
    for (const PadRead& pad : kernel_.list_pads()) {
      if (!is_finite(number_from_device(kernel_.dtype, x_, pad.column))) rows_[pad.row] = true;
    }
  }

  const Kernel& kernel_;
  const std::vector<std::byte>& x_;
  std::vector<bool> rows_;  ///< [rows], once it was asked for
};

/// Empty, or the first row that is not as expected.
std::string first_wrong(const Kernel& kernel, const Expectation& expected, const SpmvCase& input,
                        const SpmvOutcome& outcome, BadPads& bad_pads, VerifyReport& report,
                        int column) {
  // Factors of columns may make the least numbers out of small ones.
  const double least = number_type(kernel.dtype).least * (std::abs(1 / column_factor(column)) - 1);
  const std::size_t parts = number_type(kernel.dtype).parts;
  for (std::size_t index = 0; index < expected.y.size() / parts; ++index) {
    const auto row = static_cast<std::int32_t>(expected.first_row + index);
    const double* const wanted = &expected.y[index * parts];
    const Number found = number_from_device(kernel.dtype, outcome.y, row),
                 want = {wanted[0], parts == 2 ? wanted[1] : 0};
    bool right = found == want;
    if (!is_finite(found)) {
      const bool may_spread = !expected.spread.empty() && expected.spread[row];
      // The parts of a complex number meet each other's Inf and NaN in every product.
      right = parts == 2 ? may_spread || !is_finite(want)
                         : is_right_nonfinite(kernel, found.re, want.re, may_spread,
                                              [&] { return bad_pads.has_row(row); });
    } else if (!expected.bound.empty()) {
      right = true;
      for (std::size_t part = 0; part < parts; ++part) {
        constexpr double roundings = 1e6;
        const double error = std::abs(part == 0 ? found.re - want.re : found.im - want.im),
                     bound = expected.bound[index * parts + part] + roundings * least;
        right = right && error <= bound;
        if (right && bound > 0)
          report.worst_bound_share = std::max(report.worst_bound_share, error / bound);
      }
    }
    if (!right) {
      return fmt::format(
          "wrong result in case '{}'{}{}: y[{}] is {}, expected {}", input.name,
          input.lanes_reversed ? ", lanes reversed" : "",
          kernel.vectors > 1 ? fmt::format(", column {} over its factor", column) : "", row,
          print_number(kernel, found), print_number(kernel, want));
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
  std::vector<SharedBytes> finite;
  for (std::size_t i = 0; i < cases.size(); ++i)
    finite.push_back(wanted[i % wanted.size()].has_infinite ? wanted[0].input.x : SharedBytes());
  const Result<std::vector<SpmvOutcome>> outcomes = run_in_own_order(kernel, loaded, cases, finite);
  if (!outcomes) return outcomes.failure();
  for (std::size_t i = 0; i < outcomes->size(); ++i) {
    report.device_seconds += (*outcomes)[i].device_seconds;
    const std::size_t index = i / kernel.vectors;
    const int column = static_cast<int>(i % kernel.vectors);
    const bool own = finite[index].empty() || column == infinite_column(kernel);
    BadPads bad_pads(kernel, own ? cases[index].x : finite[index]);
    const std::string wrong = first_wrong(kernel, own ? wanted[index % wanted.size()] : wanted[0],
                                          cases[index], (*outcomes)[i], bad_pads, report, column);
    if (!wrong.empty()) return Failure{Status::wrong_result, wrong};
  }
  return report;
}

/// Runs one case likewise, and makes the expected result a part of the rows at a time: of long
/// vectors that is most of the memory.
Result<VerifyReport> run_case_by_parts(const Kernel& kernel, LoadedKernel& loaded,
                                       const ExpectationMaker& maker, std::size_t index,
                                       bool both_lane_orders) {
  constexpr std::int32_t part_rows = 1 << 20;
  Expectation expected = maker.make_input(index);
  std::vector<SpmvCase> cases(both_lane_orders ? 2 : 1, expected.input);
  cases.back().lanes_reversed = both_lane_orders;
  VerifyReport report;
  report.cases = static_cast<int>(cases.size());
  const bool parts = kernel.vectors > 1 && expected.has_infinite;
  Expectation others = parts ? maker.make_input(0) : Expectation();
  const Result<std::vector<SpmvOutcome>> outcomes = run_in_own_order(
      kernel, loaded, cases, std::vector<SharedBytes>(cases.size(), others.input.x));
  if (!outcomes) return outcomes.failure();
  for (const SpmvOutcome& outcome : *outcomes) report.device_seconds += outcome.device_seconds;
  BadPads bad_pads(kernel, expected.input.x), no_pads(kernel, others.input.x);
  for (std::int32_t first = 0; first < kernel.rows;) {
    const std::int32_t end = first + std::min(part_rows, kernel.rows - first);
    maker.fill(expected, first, end);
    if (parts) maker.fill(others, first, end);
    for (std::size_t i = 0; i < outcomes->size(); ++i) {
      const int column = static_cast<int>(i % kernel.vectors);
      const bool own = !parts || column == infinite_column(kernel);
      const std::string wrong =
          first_wrong(kernel, own ? expected : others, cases[i / kernel.vectors], (*outcomes)[i],
                      own ? bad_pads : no_pads, report, column);
      if (!wrong.empty()) return Failure{Status::wrong_result, wrong};
    }
    first = end;
  }
  return report;
}

}  // namespace

SpmvCase rounded_case(const Kernel& kernel, std::uint64_t seed) {
  SpmvCase input;
  input.name = "rounded";
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const bool pairs = number_type(kernel.dtype).is_complex();
  input.x = to_device(kernel.dtype, kernel.cols, [&](std::size_t) {
    const double re = uniform(random);
    return Number(re, pairs ? uniform(random) : 0);
  });
  input.y = to_device(kernel.dtype, kernel.rows, [](std::size_t) { return Number(NAN, NAN); });
  return input;
}

Verification::Verification(const Matrix& matrix, std::uint64_t seed)
    : matrix_(matrix), seed_(seed) {}

Verification::~Verification() = default;

SpmvCase Verification::rounded_input(const Kernel& kernel) {
  if (has_long_vectors(matrix_)) return rounded_case(kernel, seed_);
  const std::lock_guard<std::mutex> lock(mutex_);
  SpmvCase& input = rounded_[kernel.dtype];
  if (input.name.empty()) input = rounded_case(kernel, seed_);
  return input;
}

std::shared_ptr<const Expectations> Verification::expectations(const Kernel& kernel) {
  const SpmvCase rounded = rounded_input(kernel);
  const CaseTraits traits = case_traits(kernel);
  const auto make = [&] {
    return std::make_shared<const Expectations>(
        make_expectations(matrix_, kernel, rounded, vectors_));
  };
  // Those of a large matrix would stay in memory beside the next design.
  if (traits.rounded_in_part || matrix_.nnz() > large_nnz) return make();
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
  if (at_once && count_bytes(kernel, cases * orders) <= bytes_free / 4)
    return run_cases(kernel, loaded, expectations(kernel)->cases, both_lane_orders);
  const std::int64_t bytes = count_bytes(kernel, 2 * orders);  // one, and one that is being made
  if (bytes > bytes_free) {
    throw host_memory_error(fmt::format("verifying it takes {}, more than the memory available",
                                        byte_count_text(bytes)));
  }
  const ExpectationMaker maker = choose_maker(kernel);
  VerifyReport report;
  for (std::size_t index = 0; index < maker.count(); ++index) {
    const Result<VerifyReport> part =
        run_case_by_parts(kernel, loaded, maker, index, both_lane_orders);
    if (!part) return part;
    report.add(*part);
  }
  return report;
}

ExpectationMaker Verification::choose_maker(const Kernel& kernel) {
  return {matrix_, kernel, [this, &kernel] { return rounded_input(kernel); }, vectors_};
}

/// The last of expectations(), or, where those are not kept, made by itself.
std::shared_ptr<const Expectation> Verification::rounded_expectation(const Kernel& kernel) {
  const CaseTraits traits = case_traits(kernel);
  const auto make = [&] {
    const ExpectationMaker maker = choose_maker(kernel);
    return std::make_shared<const Expectation>(maker.make(maker.count() - 1));
  };
  if (traits.rounded_in_part) return make();
  const std::pair key(kernel.dtype, traits);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto all = known_.find(key);
    if (all != known_.end() && all->second) return {all->second, &all->second->cases.back()};
    if (const auto& known = known_rounded_[key]) return known;
  }
  std::shared_ptr<const Expectation> made = make();  // which locks for its input
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& known = known_rounded_[key];
  if (!known) known = std::move(made);
  return known;
}

Result<VerifyReport> Verification::verify_rounded(const Kernel& kernel, LoadedKernel& loaded) {
  if (has_long_vectors(matrix_)) {
    const ExpectationMaker maker = choose_maker(kernel);
    return run_case_by_parts(kernel, loaded, maker, maker.count() - 1, false);
  }
  const auto rounded = rounded_expectation(kernel);
  return run_cases(kernel, loaded, {rounded.get(), 1}, false);
}

Result<VerifyReport> verify(const Kernel& kernel, LoadedKernel& loaded, const Matrix& matrix,
                            const VerifyOptions& options) {
  return Verification(matrix, options.seed)
      .verify(kernel, loaded, options.both_lane_orders, options.one_by_one);
}

}  // namespace alphasparse
