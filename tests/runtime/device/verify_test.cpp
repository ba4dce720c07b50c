// verify_test: cases that are made one by one are those that are made at once, and find the same
// faults.
#include "runtime/device/verify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>

#include "generator/arrays/large_matrix.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

Kernel kernel_of(const Matrix& matrix, const std::string& design, Dtype dtype) {
  Result<Kernel> kernel = Designer(matrix).build(design, dtype);
  EXPECT_TRUE(kernel.ok()) << kernel.reason();
  return std::move(*kernel);
}

TEST(Expectations, OneByOneAreThoseThatAreMadeAtOnce) {
  for (const auto& [name, real] : battery()) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f64, Dtype::c64, Dtype::c128}) {
      SCOPED_TRACE(name + " " + dtype_name(dtype));
      const Matrix matrix = dtype == Dtype::c64 ? complex_of(real) : real;
      const std::int32_t parts = number_type(dtype).parts;
      const Kernel kernel = kernel_of(matrix, resolve_design("csr-scalar"), dtype);
      const SpmvCase rounded = rounded_case(kernel, 1);
      CaseVectors vectors, others;
      const Expectations all = make_expectations(matrix, kernel, rounded, vectors);
      const ExpectationMaker maker(
          matrix, kernel, [&] { return rounded; }, others);
      ASSERT_EQ(maker.count(), all.cases.size());
      for (std::size_t place = 0; place < maker.count(); ++place) {
        const Expectation one = maker.make(place);
        const Expectation& other = all.cases[place];
        EXPECT_EQ(one.input.name, other.input.name);
        using Bytes = SharedBytes::Bytes;
        for (const auto part : {&SpmvCase::integers, &SpmvCase::x, &SpmvCase::y})
          EXPECT_EQ(Bytes(one.input.*part), Bytes(other.input.*part));
        EXPECT_EQ(one.has_integers, other.has_integers);
        ASSERT_EQ(one.y.size(), other.y.size());
        EXPECT_EQ(std::memcmp(one.y.data(), other.y.data(), 8 * one.y.size()), 0);
        EXPECT_EQ(one.bound, other.bound);
        Expectation part = maker.make_input(place);
        EXPECT_TRUE(part.y.empty());
        const std::int32_t middle = matrix.rows / 2;
        for (const auto& [first, end] : {std::pair(0, middle), std::pair(middle, matrix.rows)}) {
          maker.fill(part, first, end);
          EXPECT_EQ(part.first_row, first);
          ASSERT_EQ(part.y.size(), parts * (end - first));
          EXPECT_EQ(std::memcmp(part.y.data(), other.y.data() + parts * first, 8 * part.y.size()),
                    0);
          if (other.bound.empty()) continue;
          EXPECT_EQ(part.bound, std::vector(other.bound.begin() + parts * first,
                                            other.bound.begin() + parts * end));
        }
      }
    }
  }
}

// Other kinds of kernels of the same matrix have other integers, but the same vectors.
TEST(Expectations, VectorsAreSharedByAllKindsOfKernels) {
  const Matrix matrix = battery().front().matrix;
  Kernel kernel = kernel_of(matrix, resolve_design("csr-scalar"), Dtype::f32);
  const SpmvCase rounded = rounded_case(kernel, 1);
  CaseVectors vectors;
  const Expectations plain = make_expectations(matrix, kernel, rounded, vectors);
  kernel.mirror = Mirror::same;
  {
    const Expectations mirrored = make_expectations(matrix, kernel, rounded, vectors);
    ASSERT_EQ(mirrored.cases.size(), plain.cases.size());
    for (std::size_t place = 0; place < plain.cases.size(); ++place) {
      EXPECT_TRUE(mirrored.cases[place].input.x.is(plain.cases[place].input.x)) << place;
      EXPECT_TRUE(mirrored.cases[place].input.y.is(plain.cases[place].input.y)) << place;
    }
  }
  EXPECT_TRUE(plain.cases[0].input.x.is(plain.cases[1].input.x));  // the exact ones'
}

/// A host's own product, which may forget the last entry.
class HostKernel : public LoadedKernel {
 public:
  HostKernel(const Matrix& matrix, bool forgets) : matrix_(matrix), forgets_(forgets) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    ++runs;
    std::vector<SpmvOutcome> outcomes;
    for (const SpmvCase& one : cases) {
      const std::vector<std::byte>&x = one.x, &integers = one.integers, &before = one.y;
      std::vector<double> y(matrix_.rows);
      for (std::int32_t row = 0; row < matrix_.rows; ++row) {
        double sum = 0;
        for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz) {
          if (forgets_ && nz + 1 == matrix_.nnz()) continue;
          const double value =
              integers.empty() ? matrix_.value[nz] : static_cast<std::int8_t>(integers[nz]);
          sum += value * from_device(Dtype::f64, x, matrix_.col[nz]);
        }
        const double old = from_device(Dtype::f64, before, row);
        y[row] = one.scaling.scaled(sum, old);
      }
      outcomes.push_back(
          {to_device(Dtype::f64, y.size(), [&](std::size_t row) { return y[row]; }), 0.5});
    }
    return outcomes;
  }

  Result<Timing> time(const SpmvCase&, const TimingRequest&) override {
    return Failure{Status::launch_error, "not timed"};
  }

  int runs = 0;

 private:
  const Matrix& matrix_;
  bool forgets_;
};

/// Watches the integers of its cases, and gives no result.
class WatchingKernel : public LoadedKernel {
 public:
  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    integers = cases.front().integers.watch();
    return Failure{Status::launch_error, "it only watches"};
  }
  Result<Timing> time(const SpmvCase&, const TimingRequest&) override { return Timing(); }

  std::weak_ptr<const SharedBytes::Bytes> integers;
};

/// Rows of the same 160 columns.
Matrix rows_of_160(std::int32_t rows) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.cols = 160;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t col = 0; col < matrix.cols; ++col) matrix.col.push_back(col);
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
  matrix.value.assign(matrix.col.size(), 1);
  return matrix;
}

TEST(Verify, ExpectationsOfALargeMatrixDoNotStayInMemory) {
  for (const std::int32_t rows : {100, 100'100}) {
    const Matrix matrix = rows_of_160(rows);
    Kernel kernel;
    kernel.dtype = Dtype::f32;
    kernel.rows = matrix.rows;
    kernel.cols = matrix.cols;
    kernel.nnz = matrix.nnz();
    WatchingKernel watching;
    Verification verification(matrix);
    EXPECT_FALSE(verification.verify(kernel, watching).ok());
    EXPECT_EQ(watching.integers.expired(), matrix.nnz() > large_nnz) << rows;
  }
}

TEST(Verify, OneByOneFindsWhatAllAtOnceFind) {
  for (const auto& [name, matrix] : battery()) {
    SCOPED_TRACE(name);
    if (matrix.nnz() == 0) continue;
    const Kernel kernel = kernel_of(matrix, resolve_design("csr-scalar"), Dtype::f64);
    for (const bool forgets : {false, true}) {
      HostKernel at_once(matrix, forgets), one_by_one(matrix, forgets);
      const Result<VerifyReport> all = verify(kernel, at_once, matrix);
      const Result<VerifyReport> one = verify(kernel, one_by_one, matrix, {.one_by_one = true});
      ASSERT_EQ(all.ok(), !forgets);
      ASSERT_EQ(one.ok(), !forgets);
      EXPECT_EQ(at_once.runs, 1);
      if (forgets) {
        EXPECT_EQ(one.reason(), all.reason());
      } else {
        EXPECT_EQ(one_by_one.runs, one->cases);
        EXPECT_EQ(one->cases, all->cases);
        EXPECT_EQ(one->device_seconds, all->device_seconds);
        EXPECT_EQ(one->worst_bound_share, all->worst_bound_share);
      }
    }
  }
}

TEST(Verify, TheRoundedCaseComesAlone) {
  const Matrix matrix = battery_matrix("power_law");
  const Kernel kernel = kernel_of(matrix, resolve_design("csr-scalar"), Dtype::f64);
  for (const bool forgets : {false, true}) {
    Verification alone(matrix, 1), behind(matrix, 1);  // without and with the other cases before it
    HostKernel host(matrix, forgets);
    EXPECT_EQ(alone.verify_rounded(kernel, host).ok(), !forgets);
    EXPECT_EQ(host.runs, 1);
    (void)behind.verify(kernel, host);
    EXPECT_EQ(behind.verify_rounded(kernel, host).ok(), !forgets);
  }
}

/// A host's product with other values in one row, where x has an Inf or NaN.
class NonFiniteKernel : public HostKernel {
 public:
  NonFiniteKernel(const Matrix& matrix, std::int32_t row, double value)
      : HostKernel(matrix, false), row_(row), value_(value) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    Result<std::vector<SpmvOutcome>> outcomes = HostKernel::run(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (cases[i].name.find("Inf") == std::string::npos) continue;
      std::vector<std::byte>& y = (*outcomes)[i].y;
      std::memcpy(y.data() + static_cast<std::size_t>(row_) * sizeof value_, &value_,
                  sizeof value_);
    }
    return outcomes;
  }

 private:
  std::int32_t row_;
  double value_;
};

// Row 0 has an Inf, row 1 an Inf and a NaN, row 2 nothing of both, row 3 a NaN.
TEST(Verify, TakesOfInfAndNanWhatPadsAccountForAlone) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  const Matrix matrix = from_rows(
      4, {{{0, 1.}, {1, 1.}}, {{0, 1.}, {2, 1.}}, {{1, 1.}}, {{1, 1.}, {2, 1.}}, {{0, 2.}}});
  ASSERT_EQ(matrix.col.front(), matrix.col.back());  // one case: Inf in x[0], NaN in x[2]
  Kernel kernel = kernel_of(matrix, resolve_design("csr-scalar"), Dtype::f64);
  ASSERT_EQ(kernel.nonfinite(), NonFinite::exact);
  const auto takes = [&](std::int32_t row, double value) {
    NonFiniteKernel loaded(matrix, row, value);
    return verify(kernel, loaded, matrix).ok();
  };
  const auto expect_taken = [&](bool nan_of_row_0) {
    EXPECT_TRUE(takes(0, inf));
    EXPECT_EQ(takes(0, nan), nan_of_row_0);
    EXPECT_FALSE(takes(0, -inf));
    EXPECT_FALSE(takes(0, 1));
    EXPECT_TRUE(takes(1, nan));
    EXPECT_FALSE(takes(1, inf));
    EXPECT_FALSE(takes(2, nan));
    EXPECT_FALSE(takes(2, inf));
    EXPECT_FALSE(takes(3, inf));
    EXPECT_FALSE(takes(4, nan)) << "it has no pads";
  };
  expect_taken(false);
  std::vector<PadRead> pads = {{0, 1}};  // repeats a column with a finite x
  kernel.adds_pads = true;
  kernel.list_pads = [&] { return pads; };
  expect_taken(false);
  pads = {{0, 1}, {0, 0}};
  expect_taken(true);
  EXPECT_EQ(kernel.nonfinite(), NonFinite::pads);
  kernel.spreads_rounding = true;
  EXPECT_EQ(kernel.nonfinite(), NonFinite::spread);
  EXPECT_TRUE(takes(2, nan)) << "its neighbours in the order of entries have them";
  EXPECT_FALSE(takes(2, 1)) << "a finite value is right or wrong";
}

// Products that are nearly 0 are rounded to multiples of the least number, independent of their
// size.
TEST(Expectations, AllowForNumbersThatAreNearlyZero) {
  const Matrix matrix = from_rows(1, {{{0, 1e-42}}, {{0, 1e-30}}});
  const Kernel kernel = kernel_of(matrix, resolve_design("csr-scalar"), Dtype::f32);
  CaseVectors vectors;
  const Expectations all = make_expectations(matrix, kernel, rounded_case(kernel, 1), vectors);
  const Expectation& rounded = all.cases.back();
  ASSERT_FALSE(rounded.has_integers);
  const double least = std::numeric_limits<float>::denorm_min();
  EXPECT_GE(rounded.bound[0], least);
  EXPECT_LE(rounded.bound[0], 5 * least);
  EXPECT_LT(rounded.bound[1], 1e-6 * 1e-30);
}

}  // namespace
}  // namespace alphasparse
