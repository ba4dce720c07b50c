#include "runtime/device/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "generator/stored_values.h"
#include "runtime/system/memory.h"
#include "templates/host/mirror.h"

namespace alphasparse {

namespace {

constexpr int value_most = 3;  ///< integer values are 1, 2, 3
constexpr int x_most = 4;      ///< integer x are 1 to 4
constexpr std::int64_t exact_limit_f32 = 1 << 24;

/// Vectors in double, converted where they meet the device.
template <class T>
std::vector<std::byte> to_device(const std::vector<double>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const T number = static_cast<T>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &number, sizeof(T));
  }
  return bytes;
}

std::vector<std::byte> to_device(ElementType type, const std::vector<double>& numbers) {
  return type == ElementType::f32 ? to_device<float>(numbers) : to_device<double>(numbers);
}

std::vector<std::byte> to_device(Dtype dtype, const std::vector<double>& numbers) {
  return to_device(value_element_type(dtype), numbers);
}

double from_device(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t index) {
  if (dtype == Dtype::f64) {
    double number;
    std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
    return number;
  }
  float number;
  std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
  return number;
}

/// The integer that stands for a canonical value: never 0, and another one next to it.
double integer_value(std::int64_t index) {
  return 1 + static_cast<double>((index * 2654435761u >> 7) % value_most);
}

/// The values as the format may hold them: floats in a kernel of floats, and where it rounds.
std::vector<double> held_values(const Kernel& kernel, const Matrix& matrix) {
  std::vector<double> values = matrix.value;
  if (kernel.dtype == Dtype::f32) {
    for (double& value : values) value = static_cast<float>(value);
  }
  for (const Array& array : kernel.arrays) {
    if (!array.rounded) continue;
    for_each_value(
        array, [&](std::int32_t nz, std::size_t) { values[nz] = static_cast<float>(values[nz]); });
  }
  return values;
}

/// One case and what must come out of it.
struct Expectation {
  SpmvCase input;
  std::vector<double> y;      ///< [rows]
  std::vector<double> bound;  ///< [rows]; empty: equal
};

class CaseMaker {
 public:
  CaseMaker(const Kernel& kernel, const Matrix& matrix)
      : kernel_(kernel), matrix_(matrix), held_(held_values(kernel, matrix)) {
    integers_.resize(matrix.nnz());
    for (std::int64_t nz = 0; nz < matrix.nnz(); ++nz) integers_[nz] = integer_value(nz);
    for (const Array& array : kernel.arrays) {  // what was equal stays equal
      for (std::size_t nz = 0; nz < array.value_code.size(); ++nz) {
        const std::int32_t code = array.value_code[nz];
        if (code >= 0) integers_[nz] = integer_value(array.value_source[code]);
      }
    }
    if (kernel.mirrored) {
      host::for_each_mirror_image(matrix.row_first, matrix.col,
                                  [&](std::int32_t nz, std::int32_t image) {
                                    integers_[image] = integers_[nz];
                                    held_[image] = held_[nz];
                                    return true;
                                  });
    }
    std::int64_t longest = 0;
    for (std::int32_t row = 0; row < matrix.rows; ++row) {
      longest = std::max<std::int64_t>(longest, matrix.row_length(row));
    }
    const std::int64_t terms = exact_limit_f32 / (4 * value_most * x_most);
    if (kernel.dtype == Dtype::f32 && longest > terms) {
      rounds_ = static_cast<int>((matrix.cols + terms - 1) / terms);
    }
  }

  /// Rounds so that no row's sum passes the exact range: a row meets each column once, and a round
  /// keeps every rounds-th column.
  int rounds() const { return rounds_; }

  Expectation exact(int round) const {
    return integer_case(fmt::format("exact {}", round + 1), integer_x(round), 2, -1);
  }

  Expectation exact_fresh() const {
    Expectation expected = integer_case("beta = 0", integer_x(0), 1, 0);
    expected.input.y = to_device(kernel_.dtype, std::vector<double>(matrix_.rows, NAN));
    return expected;
  }

  /// One Inf, and one NaN as far from it as can be where x has a second entry.
  Expectation infinite(std::int32_t col) const {
    std::vector<double> x = integer_x(0);
    x[col] = INFINITY;
    std::string name = fmt::format("Inf in x[{}]", col);
    const auto other =
        static_cast<std::int32_t>((col + std::int64_t{matrix_.cols} / 2) % matrix_.cols);
    if (other != col) {
      x[other] = NAN;
      name += fmt::format(", NaN in x[{}]", other);
    }
    return integer_case(name, x, 2, -1);
  }

  Expectation rounded(std::uint64_t seed) const {
    Expectation expected;
    expected.input = rounded_case(kernel_, seed);
    const double eps = kernel_.dtype == Dtype::f32 ? std::numeric_limits<float>::epsilon()
                                                   : std::numeric_limits<double>::epsilon();
    std::vector<double> magnitude(matrix_.nnz());
    expected.y.resize(matrix_.rows);
    expected.bound.resize(matrix_.rows);
    for (std::int32_t row = 0; row < matrix_.rows; ++row) {
      for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz) {
        const double product =
            held_[nz] * from_device(kernel_.dtype, expected.input.x, matrix_.col[nz]);
        expected.y[row] += product;
        magnitude[nz] = std::abs(product);
      }
    }
    const std::int64_t reach = kernel_.spreads_rounding ? 1024 : 0;
    std::vector<double> before(matrix_.nnz() + 1, 0);  // prefix sums of the magnitudes
    for (std::int64_t nz = 0; nz < matrix_.nnz(); ++nz) before[nz + 1] = before[nz] + magnitude[nz];
    for (std::int32_t row = 0; row < matrix_.rows; ++row) {
      const std::int64_t first = std::max<std::int64_t>(0, matrix_.row_first[row] - reach);
      const std::int64_t end = std::min(matrix_.nnz(), matrix_.row_first[row + 1] + reach);
      double sum = 0;
      if (reach > 0) {
        sum = before[end] - before[first];
      } else {
        for (std::int64_t nz = first; nz < end; ++nz) sum += magnitude[nz];
      }
      expected.bound[row] = static_cast<double>(end - first + 3) * eps * sum;
    }
    return expected;
  }

 private:
  std::vector<double> integer_x(int round) const {
    std::vector<double> x(matrix_.cols, 0);
    for (std::int64_t col = round; col < matrix_.cols; col += rounds_) x[col] = 1 + col % x_most;
    return x;
  }

  Expectation integer_case(const std::string& name, const std::vector<double>& x, double alpha,
                           double beta) const {
    Expectation expected;
    expected.input.name = name;
    expected.input.alpha = alpha;
    expected.input.beta = beta;
    expected.input.x = to_device(kernel_.dtype, x);
    std::vector<double> y(matrix_.rows);
    expected.y.resize(matrix_.rows);
    for (std::int32_t row = 0; row < matrix_.rows; ++row) {
      y[row] = 1 + row % 7;
      double sum = 0;
      for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz) {
        sum += integers_[nz] * x[matrix_.col[nz]];
      }
      expected.y[row] = alpha * sum + (beta == 0 ? 0 : beta * y[row]);
    }
    expected.input.y = to_device(kernel_.dtype, y);
    for (const Array& array : kernel_.arrays) {
      if (!array.is_value()) continue;
      std::vector<double> values(array.value_source.size(), 0);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (array.value_source[i] >= 0) values[i] = integers_[array.value_source[i]];
      }
      expected.input.values.push_back(to_device(array.type, values));
    }
    return expected;
  }

  const Kernel& kernel_;
  const Matrix& matrix_;
  std::vector<double> held_;      ///< [nnz] in the canonical order
  std::vector<double> integers_;  ///< [nnz] in the canonical order
  int rounds_ = 1;
};

/// Memory that a case takes: its vectors and values, here and on the device, and what is expected.
std::int64_t case_bytes(const Kernel& kernel) {
  std::int64_t device_bytes = (std::int64_t{kernel.rows} + kernel.cols) * dtype_bytes(kernel.dtype);
  for (const Array& array : kernel.arrays) {
    if (array.is_value()) device_bytes += static_cast<std::int64_t>(array.bytes.size());
  }
  return 2 * device_bytes + std::int64_t{kernel.rows} * 3 * static_cast<int>(sizeof(double));
}

/// Empty, or the first row that is not as expected.
std::string first_wrong(const Kernel& kernel, const Expectation& expected,
                        const SpmvOutcome& outcome, VerifyReport& report) {
  for (std::int32_t row = 0; row < kernel.rows; ++row) {
    const double found = from_device(kernel.dtype, outcome.y, row), want = expected.y[row];
    bool right = found == want;
    if (!std::isfinite(want)) {
      right = !std::isfinite(found);
    } else if (!expected.bound.empty()) {
      const double error = std::abs(found - want), bound = expected.bound[row];
      right = error <= bound;
      if (right && bound > 0)
        report.worst_bound_share = std::max(report.worst_bound_share, error / bound);
    }
    if (!right) {
      return fmt::format("wrong result in case '{}'{}: y[{}] is {}, expected {}",
                         expected.input.name,
                         expected.input.lanes_reversed ? ", lanes reversed" : "", row, found, want);
    }
  }
  return "";
}

}  // namespace

SpmvCase rounded_case(const Kernel& kernel, std::uint64_t seed) {
  SpmvCase input;
  input.name = "rounded";
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> x(kernel.cols);
  for (double& number : x) number = uniform(random);
  input.x = to_device(kernel.dtype, x);
  input.y = to_device(kernel.dtype, std::vector<double>(kernel.rows, NAN));
  return input;
}

Result<VerifyReport> verify(const Kernel& kernel, LoadedKernel& loaded, const Matrix& matrix,
                            const VerifyOptions& options) {
  const CaseMaker maker(kernel, matrix);
  const std::int64_t cases_most = (maker.rounds() + 4) * (options.both_lane_orders ? 2 : 1);
  const std::int64_t bytes = case_bytes(kernel) * cases_most;
  if (bytes > available_memory_bytes()) {
    return Failure{Status::out_of_memory,
                   fmt::format("verifying it takes {}, more than the memory available",
                               byte_count_text(bytes))};
  }
  std::vector<Expectation> expectations;
  for (int round = 0; round < maker.rounds(); ++round) expectations.push_back(maker.exact(round));
  expectations.push_back(maker.exact_fresh());
  if (!kernel.spreads_rounding && !kernel.reads_fill && matrix.nnz() > 0) {
    expectations.push_back(maker.infinite(matrix.col.front()));
    if (matrix.col.back() != matrix.col.front())
      expectations.push_back(maker.infinite(matrix.col.back()));
  }
  expectations.push_back(maker.rounded(options.seed));
  if (options.both_lane_orders) {
    const std::size_t count = expectations.size();
    for (std::size_t i = 0; i < count; ++i) {
      expectations.push_back(expectations[i]);
      expectations.back().input.lanes_reversed = true;
    }
  }

  VerifyReport report;
  report.cases = static_cast<int>(expectations.size());
  std::vector<SpmvCase> cases;
  for (const Expectation& expected : expectations) cases.push_back(expected.input);
  const Result<std::vector<SpmvOutcome>> outcomes = loaded.run(cases);
  if (!outcomes) return outcomes.failure();
  for (std::size_t i = 0; i < expectations.size(); ++i) {
    report.kernel_seconds += (*outcomes)[i].kernel_seconds;
    const std::string wrong = first_wrong(kernel, expectations[i], (*outcomes)[i], report);
    if (!wrong.empty()) return Failure{Status::wrong_result, wrong};
  }
  return report;
}

}  // namespace alphasparse
