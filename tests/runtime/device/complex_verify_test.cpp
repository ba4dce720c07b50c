// complex_verify: each fault of a complex kernel is a wrong result, and no right one is.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/verify.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

constexpr Dtype types[] = {Dtype::c64, Dtype::c128};

Number conjugate(const Number& a) { return {a.re, -a.im}; }
Number swapped(const Number& a) { return {a.im, a.re}; }

/// What a host's own product does with its numbers. Each function may have a fault.
struct HostProduct {
  std::function<Number(Number value, Number x)> multiply = [](Number value, Number x) {
    return value * x;
  };
  /// The value that is stored for the canonical one with this number.
  std::function<Number(std::int32_t nz, Number value)> stored = [](std::int32_t, Number value) {
    return value;
  };
  std::function<Number(Number value)> image_of;  ///< of an entry above the diagonal; none: no half
  std::function<Scaling(Scaling)> scaling = [](Scaling scaling) { return scaling; };
  std::function<Number(Number y, Number before)> left = [](Number y, Number) { return y; };
  /// y of a row in a case with this name.
  std::function<Number(const std::string& name, std::int32_t row, Number y)> in_case =
      [](const std::string&, std::int32_t, Number y) { return y; };
};

class ComplexHost : public LoadedKernel {
 public:
  ComplexHost(const Matrix& matrix, Dtype dtype, HostProduct product)
      : matrix_(matrix), dtype_(dtype), product_(std::move(product)) {}

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    std::vector<SpmvOutcome> outcomes;
    for (const SpmvCase& one : cases) {
      const std::vector<Number> values = stored_values(one.integers);
      const Scaling scaling = product_.scaling(one.scaling);
      std::vector<Number> y;
      for (std::int32_t row = 0; row < matrix_.rows; ++row) {
        Number sum;
        for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz)
          sum = sum +
                product_.multiply(values[nz], number_from_device(dtype_, one.x, matrix_.col[nz]));
        const Number before = number_from_device(dtype_, one.y, row);
        y.push_back(
            product_.in_case(one.name, row, product_.left(scaling.scaled(sum, before), before)));
      }
      outcomes.push_back({to_device(dtype_, y.size(), [&](std::size_t row) { return y[row]; })});
    }
    return outcomes;
  }

  Result<Timing> time(const SpmvCase&, const TimingRequest&) override { return Timing(); }

 private:
  /// One triangle alone gives the values where the product has an image_of.
  std::vector<Number> stored_values(const std::vector<std::byte>& integers) const {
    const CanonicalValues canonical(matrix_);
    const auto integer = [&](std::int64_t place) {
      return static_cast<std::int8_t>(integers[place]);
    };
    std::vector<Number> values;
    for (std::int32_t nz = 0; nz < matrix_.nnz(); ++nz) {
      const std::int64_t at = nz;
      Number value = canonical[nz];
      if (!integers.empty())
        value = matrix_.is_complex() ? Number(integer(2 * at), integer(2 * at + 1)) : integer(at);
      else if (dtype_ == Dtype::c64)
        value = Number(Complex<float>(value));
      values.push_back(product_.stored(nz, value));
    }
    const auto give = [&](std::int32_t nz, std::int32_t image) {
      values[image] = product_.image_of(values[nz]);
      return true;
    };
    if (product_.image_of) host::for_each_mirror_image(matrix_.row_first, matrix_.col, give);
    return values;
  }

  const Matrix& matrix_;
  const Dtype dtype_;
  const HostProduct product_;
};

/// Empty where the product is right.
std::string problem_of(const Matrix& matrix, const std::string& design, Dtype dtype,
                       const HostProduct& product) {
  const Result<Kernel> kernel = Designer(matrix).build(design, dtype);
  if (!kernel) return kernel.reason();
  ComplexHost host(matrix, dtype, product);
  const Result<VerifyReport> all = verify(*kernel, host, matrix);
  const Result<VerifyReport> one = verify(*kernel, host, matrix, {.one_by_one = true});
  EXPECT_EQ(all ? "" : all.reason(), one ? "" : one.reason());
  return all ? "" : all.reason();
}

void expect_wrong(const Matrix& matrix, const std::string& design, const std::string& fault,
                  const HostProduct& product) {
  for (const Dtype dtype : types) {
    const std::string problem = problem_of(matrix, design, dtype, product);
    EXPECT_TRUE(problem.starts_with("wrong result in case"))
        << fault << ", " << dtype_name(dtype) << ": " << problem;
  }
}

const std::string row_a_thread = resolve_design("csr-scalar");
const std::string half_of_it =
    "symmetric_half | compress | thread_rows rows=1 | thread_total | global_atomic | launch "
    "threads=64";

TEST(ComplexVerify, TakesARightProduct) {
  for (const std::vector<NamedMatrix>& matrices : {complex_battery(), battery()}) {
    for (const auto& [name, matrix] : matrices) {
      for (const Dtype dtype : types)
        EXPECT_EQ(problem_of(matrix, row_a_thread, dtype, {}), "")
            << name << " " << dtype_name(dtype);
    }
  }
}

TEST(ComplexVerify, FindsFaultsOfProducts) {
  const Matrix complex = complex_of(battery_matrix("stencil_23"));
  const auto faulty = [&](const std::string& fault,
                          std::function<Number(Number, Number)> multiply) {
    HostProduct product;
    product.multiply = std::move(multiply);
    expect_wrong(complex, row_a_thread, fault, product);
  };
  faulty("a conjugate of A", [](Number a, Number x) { return conjugate(a) * x; });
  faulty("a conjugate of x", [](Number a, Number x) { return a * conjugate(x); });
  faulty("a conjugate of the product", [](Number a, Number x) { return conjugate(a * x); });
  faulty("swapped parts of A", [](Number a, Number x) { return swapped(a) * x; });
  faulty("swapped parts of x", [](Number a, Number x) { return a * swapped(x); });
  faulty("swapped parts of the product", [](Number a, Number x) { return swapped(a * x); });
  faulty("A without its imaginary part", [](Number a, Number x) { return Number(a.re) * x; });
  faulty("A without its real part", [](Number a, Number x) { return Number(0, a.im) * x; });
  faulty("x without its imaginary part", [](Number a, Number x) { return a * Number(x.re); });
  faulty("part by part", [](Number a, Number x) { return Number(a.re * x.re, a.im * x.im); });
  faulty("a product of imaginary parts that is added",
         [](Number a, Number x) { return Number(a.re * x.re + a.im * x.im, (a * x).im); });
}

TEST(ComplexVerify, FindsFaultsOfProductsWithRealValues) {
  const Matrix real = battery_matrix("stencil_23");
  const auto faulty = [&](const std::string& fault,
                          std::function<Number(Number, Number)> multiply) {
    HostProduct product;
    product.multiply = std::move(multiply);
    expect_wrong(real, row_a_thread, fault, product);
  };
  faulty("a conjugate of x", [](Number a, Number x) { return a * conjugate(x); });
  faulty("swapped parts of x", [](Number a, Number x) { return a * swapped(x); });
  faulty("a value in both parts", [](Number a, Number x) { return Number(a.re, a.re) * x; });
  faulty("an imaginary value", [](Number a, Number x) { return Number(0, a.re) * x; });
  faulty("the real part alone", [](Number a, Number x) { return Number(a.re * x.re); });
  faulty("the imaginary part alone", [](Number a, Number x) { return Number(0, a.re * x.im); });
}

TEST(ComplexVerify, FindsFaultsOfAlphaAndBeta) {
  const auto faulty = [&](const std::string& fault, std::function<Scaling(Scaling)> scaling) {
    HostProduct product;
    product.scaling = std::move(scaling);
    for (const Matrix& matrix :
         {battery_matrix("stencil_23"), complex_of(battery_matrix("stencil_23"))})
      expect_wrong(matrix, row_a_thread, fault, product);
  };
  faulty("a real alpha", [](Scaling s) { return Scaling{s.alpha.re, s.beta}; });
  faulty("a real beta", [](Scaling s) { return Scaling{s.alpha, s.beta.re}; });
  faulty("an imaginary alpha", [](Scaling s) { return Scaling{{0, s.alpha.im}, s.beta}; });
  faulty("an imaginary beta", [](Scaling s) { return Scaling{s.alpha, {0, s.beta.im}}; });
  faulty("a conjugate alpha", [](Scaling s) { return Scaling{conjugate(s.alpha), s.beta}; });
  faulty("a conjugate beta", [](Scaling s) { return Scaling{s.alpha, conjugate(s.beta)}; });
  faulty("alpha for beta", [](Scaling s) { return Scaling{s.alpha, s.alpha}; });
  faulty("beta == 0 reads y", [](Scaling s) {
    return Scaling{s.alpha, s.beta == 0 ? Number(0, std::numeric_limits<double>::min()) : s.beta};
  });
}

TEST(ComplexVerify, FindsAPartOfYThatIsLeftAlone) {
  const Matrix empty_rows = battery_matrix("runs_of_empty_rows");
  for (const Matrix& matrix : {empty_rows, complex_of(empty_rows)}) {
    HostProduct product;
    product.left = [](Number y, Number before) { return Number(before.re, y.im); };
    expect_wrong(matrix, row_a_thread, "the real part is left", product);
    product.left = [](Number y, Number before) { return Number(y.re, before.im); };
    expect_wrong(matrix, row_a_thread, "the imaginary part is left", product);
    product.left = [](Number y, Number) { return conjugate(y); };
    expect_wrong(matrix, row_a_thread, "y is conjugated", product);
    product.left = [](Number y, Number) { return swapped(y); };
    expect_wrong(matrix, row_a_thread, "y has swapped parts", product);
  }
}

TEST(ComplexVerify, FindsOneValueWithAFaultInOnePart) {
  Matrix matrix = complex_of(battery_matrix("stencil_23"));
  const std::int32_t last = static_cast<std::int32_t>(matrix.nnz()) - 1;
  matrix.imag[0] = 3.25;
  matrix.imag[last] = -1.5;
  for (const std::int32_t faulty : {0, last}) {
    const auto with_value = [&](const std::string& fault, std::function<Number(Number)> stored) {
      HostProduct product;
      product.stored = [=](std::int32_t nz, Number value) {
        return nz == faulty ? stored(value) : value;
      };
      expect_wrong(matrix, row_a_thread, fault, product);
    };
    with_value("the sign of its imaginary part", [](Number a) { return conjugate(a); });
    with_value("its parts are swapped", [](Number a) { return swapped(a); });
    with_value("its imaginary part is lost", [](Number a) { return Number(a.re); });
    // Of the integers of a case the sign is right.
    const auto is_canonical = [&](Number a) {
      return a.re == matrix.value[faulty] && a.im == matrix.imag[faulty];
    };
    with_value("the sign of its stored imaginary part",
               [=](Number a) { return is_canonical(a) ? conjugate(a) : a; });
  }
}

TEST(ComplexVerify, FindsAWrongImageOfAHalf) {
  const Matrix symmetric = battery_matrix("symmetric_97");
  const std::function<Number(Number)> same = [](Number a) { return a; },
                                      negated = [](Number a) { return Number(-a.re, -a.im); },
                                      conjugated = conjugate, negated_conjugate = [](Number a) {
                                        return Number(-a.re, a.im);
                                      };
  for (const auto& [mirror, right] :
       {std::pair{Mirror::same, 0}, {Mirror::negated, 1}, {Mirror::conjugate, 2}}) {
    const Matrix matrix = complex_of(symmetric, mirror);
    ASSERT_EQ(find_mirror(matrix), mirror);
    int number = 0;
    for (const auto& image : {same, negated, conjugated, negated_conjugate}) {
      HostProduct product;
      product.image_of = image;
      if (number == right) {
        for (const Dtype dtype : types)
          EXPECT_EQ(problem_of(matrix, half_of_it, dtype, product), "");
      } else {
        expect_wrong(matrix, half_of_it,
                     std::string(mirror_kind(mirror).matrix) + " matrix with image " +
                         std::to_string(number),
                     product);
      }
      ++number;
    }
  }
}

/// Row 0 has x[0], which is Inf, row 1 both x[0] and x[2], row 2 neither, row 3 x[2], which is NaN.
TEST(ComplexVerify, TakesAnyPartsOfInfAndNanWhereXHasThemAndNothingElse) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = NAN;
  const Matrix real = from_rows(
      4, {{{0, 1.}, {1, 1.}}, {{0, 1.}, {2, 1.}}, {{1, 1.}}, {{1, 1.}, {2, 1.}}, {{0, 2.}}});
  for (const Matrix& matrix : {real, complex_of(real)}) {
    const auto problem_with = [&](std::int32_t faulty, Number y) {
      HostProduct product;
      product.in_case = [=](const std::string& name, std::int32_t row, Number right) {
        return row == faulty && name.find("Inf") != std::string::npos ? y : right;
      };
      return problem_of(matrix, row_a_thread, Dtype::c64, product);
    };
    for (const Number& y :
         {Number(inf, 3), Number(3, -inf), Number(nan, inf), Number(nan, nan), Number(nan, 0)}) {
      EXPECT_EQ(problem_with(0, y), "") << y.re << " " << y.im;
      EXPECT_EQ(problem_with(1, y), "") << y.re << " " << y.im;
      EXPECT_EQ(problem_with(3, y), "") << y.re << " " << y.im;
      EXPECT_NE(problem_with(2, y), "") << y.re << " " << y.im;
    }
    for (const std::int32_t row : {0, 1, 3}) EXPECT_NE(problem_with(row, {3, 4}), "") << row;
  }
}

/// Kernels may multiply a real value as a complex one, or part by part.
TEST(ComplexVerify, TakesProductsOfRealValuesInEitherForm) {
  for (const auto& [name, matrix] : battery()) {
    HostProduct product;
    product.multiply = [](Number a, Number x) { return Number(a.re * x.re, a.re * x.im); };
    EXPECT_EQ(problem_of(matrix, row_a_thread, Dtype::c64, product), "") << name;
  }
}

TEST(ComplexVerify, FindsNanWhereAllIsFinite) {
  const Matrix matrix = complex_of(battery_matrix("stencil_23"));
  for (const char* const in : {"exact 1", "beta = 0", "rounded"}) {
    for (const bool imaginary : {false, true}) {
      HostProduct product;
      product.in_case = [=](const std::string& name, std::int32_t row, Number y) {
        if (name != in || row != 7) return y;
        return imaginary ? Number(y.re, NAN) : Number(NAN, y.im);
      };
      expect_wrong(matrix, row_a_thread, in, product);
    }
  }
}

}  // namespace
}  // namespace alphasparse
