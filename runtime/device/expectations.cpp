#include "runtime/device/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "base/ranges.h"
#include "base/result.h"
#include "generator/arrays/stored_values.h"

namespace alphasparse {

namespace {

constexpr int value_most = 3;                ///< integer values are 1, 2, 3
constexpr int x_most = 4;                    ///< integer x are 1 to 4, in either part
constexpr std::int64_t spread_reach = 1024;  ///< entries on either side of a row

/// The integer that stands for a canonical value: never 0, and another one next to it.
std::byte integer_value(std::int64_t index) {
  return std::byte(1 + (index * 2654435761u >> 7) % value_most);
}

Number integer_y(std::size_t row) {
  return {static_cast<double>(1 + row % 7), static_cast<double>(1 + row % 5)};
}

/// The integers of a round of several.
struct RoundX {
  int round, rounds;

  Number operator()(std::size_t col) const {
    if (col % static_cast<std::size_t>(rounds) != static_cast<std::size_t>(round)) return 0;
    return {static_cast<double>(1 + col % x_most), static_cast<double>(1 + col / x_most % x_most)};
  }
};

/// Equal for values that a dictionary may hold as one.
std::uint64_t value_key(const Number& value) {
  const auto key = [](double part) -> std::uint64_t {
    const float narrow = static_cast<float>(part);
    return std::bit_cast<std::uint32_t>(narrow == 0 ? 0.0F : narrow);
  };
  return key(value.im) << 32 | key(value.re);
}

std::vector<std::byte> make_integers(const Matrix& matrix, const CaseTraits& traits) {
  const CanonicalValues canonical(matrix);
  const std::int64_t parts = traits.has_pairs ? 2 : 1;
  std::vector<std::byte> integers(matrix.nnz() * parts);
  const auto put = [&](std::int64_t nz, std::int64_t index) {
    for (std::int64_t part = 0; part < parts; ++part)
      if (part == 0 || matrix.is_complex())
        integers[parts * nz + part] = integer_value(parts * index + part);
  };
  if (traits.coded) {
    std::unordered_map<std::uint64_t, std::int64_t> first;
    for (std::int32_t nz = 0; nz < matrix.nnz(); ++nz)
      put(nz, first.try_emplace(value_key(canonical[nz]), nz).first->second);
  } else {
    for_ranges(matrix.nnz(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t nz = begin; nz < end; ++nz) put(nz, nz);
    });
  }
  if (traits.mirror == Mirror::none) return integers;
  host::for_each_mirror_image(
      matrix.row_first, matrix.col, [&](std::int64_t nz, std::int64_t image) {
        const auto integer = [&](std::int64_t index) {
          return std::to_integer<int>(integers[index]);
        };
        integers[parts * image] = std::byte(host::image_of(traits.mirror, integer(parts * nz)));
        if (parts == 2)
          integers[2 * image + 1] =
              std::byte(host::image_of_imag(traits.mirror, integer(2 * nz + 1)));
        return true;
      });
  return integers;
}

/// The values as a format holds them that rounds some of them to float.
std::vector<Number> rounded_in_part(const Kernel& kernel, const Matrix& matrix) {
  const CanonicalValues canonical(matrix);
  std::vector<Number> values;
  for (std::int32_t nz = 0; nz < matrix.nnz(); ++nz) values.push_back(canonical[nz]);
  for (const Array& array : kernel.arrays) {
    if (!array.rounded) continue;
    for_each_value(
        array, [&](std::int32_t nz, std::size_t) { values[nz] = Number(narrowed(values[nz])); });
  }
  const auto fill = [&](std::int32_t nz, std::int32_t image) {
    values[image] = Number(host::image_of(kernel.mirror, values[nz].re),
                           host::image_of_imag(kernel.mirror, values[nz].im));
    return true;
  };
  if (kernel.mirror != Mirror::none)
    host::for_each_mirror_image(matrix.row_first, matrix.col, fill);
  return values;
}

}  // namespace

class CaseMaker {
 public:
  CaseMaker(const Matrix& matrix, const Kernel& kernel, CaseVectors& vectors)
      : matrix_(matrix),
        vectors_(vectors),
        dtype_(kernel.dtype),
        spreads_rounding_(kernel.spreads_rounding),
        traits_(case_traits(kernel)),
        floats_(!number_type(dtype_).is_widest() || traits_.rounded),
        parts_(number_type(dtype_).parts),
        rounds_(exact_rounds(matrix, kernel.dtype)) {
    if (traits_.rounded_in_part) held_ = rounded_in_part(kernel, matrix);
  }

  int rounds() const { return rounds_; }

  Expectation exact(int round) const {
    return integer_case(fmt::format("exact {}", round + 1), round_x(round), integer_y_vector(),
                        scaling());
  }

  /// The exact case with y of the rounded case, which is full of NaN.
  Expectation exact_fresh(const SharedBytes& y) const {
    return integer_case("beta = 0", round_x(0), y, {});
  }

  /// One Inf of a sign, and one NaN where x has a second entry: as far from it as can be. In the
  /// last of these cases it is in x[0], which pads of rows without entries meet.
  Expectation infinite(std::int32_t col, int sign) const {
    const bool is_last = sign < 0 || matrix_.col.front() == matrix_.col.back();
    const auto far =
        static_cast<std::int32_t>((col + std::int64_t{matrix_.cols} / 2) % matrix_.cols);
    const std::int32_t other = is_last && col > 0 ? 0 : far;
    std::string name = fmt::format("{}Inf in x[{}]", sign < 0 ? "-" : "", col);
    if (other != col) name += fmt::format(", NaN in x[{}]", other);
    Expectation expected =
        integer_case(name, vectors_.x_not_finite(dtype_, matrix_.cols, rounds_, sign, col, other),
                     integer_y_vector(), scaling());
    expected.has_infinite = true;
    if (spreads_rounding_) expected.spread = rows_near(col, other);
    return expected;
  }

  Expectation rounded(SpmvCase input) const {
    Expectation expected;
    expected.input = std::move(input);
    return expected;
  }

  /// Rows [first, end) of the expected result of such a case.
  void fill(Expectation& expected, std::int32_t first, std::int32_t end) const {
    expected.first_row = first;
    expected.y.assign(std::size_t(end - first) * parts_, 0);
    expected.has_integers ? fill_exact(expected) : fill_rounded(expected);
  }

 private:
  Scaling scaling() const {
    return parts_ == 1 ? Scaling{2, -1} : Scaling{Number(2, 1), Number(-1, 2)};
  }

  /// The entries that a row's sum may be taken from where sums cross rows.
  std::int64_t first_near(std::int32_t row) const {
    return std::max<std::int64_t>(0, matrix_.row_first[row] - spread_reach);
  }
  std::int64_t end_near(std::int32_t row) const {
    return std::min<std::int64_t>(matrix_.nnz(), matrix_.row_first[row + 1] + spread_reach);
  }

  /// Rows that have an entry of one of two columns near them.
  std::vector<bool> rows_near(std::int32_t col, std::int32_t other) const {
    std::vector<std::int64_t> before(matrix_.nnz() + 1, 0);  // such entries
    for (std::int64_t nz = 0; nz < matrix_.nnz(); ++nz)
      before[nz + 1] = before[nz] + (matrix_.col[nz] == col || matrix_.col[nz] == other);
    std::vector<bool> near(matrix_.rows);
    for (std::int32_t row = 0; row < matrix_.rows; ++row)
      near[row] = before[end_near(row)] > before[first_near(row)];
    return near;
  }

  /// A value as the format holds it: floats in a kernel of floats, and where it rounds.
  Number held(std::int32_t nz) const {
    if (!held_.empty()) return held_[nz];
    const Number value = canonical_[nz];
    if (!floats_) return value;
    return Number(number_type(dtype_).is_widest() ? narrowed(value) : Complex<float>(value));
  }

  /// The integers of the cases that have integers; made with the first of these cases.
  const SharedBytes& integers() const {
    if (integers_.empty()) integers_ = make_integers(matrix_, traits_);
    return integers_;
  }

  /// Calls work(place, row) for each of the rows, which depend on none but themselves.
  template <class Work>
  void for_rows(const Expectation& expected, const Work& work) const {
    const auto count = static_cast<std::int64_t>(expected.y.size()) / parts_;
    for_ranges(
        count,
        [&](std::int64_t first, std::int64_t end) {
          for (std::int64_t index = first; index < end; ++index)
            work(index, static_cast<std::int32_t>(expected.first_row + index));
        },
        grain_size(matrix_.rows, matrix_.nnz()));
  }

  void put(Expectation& expected, std::int64_t index, const Number& number) const {
    expected.y[index * parts_] = number.re;
    if (parts_ == 2) expected.y[2 * index + 1] = number.im;
  }

  void fill_exact(Expectation& expected) const {
    const auto* const values = reinterpret_cast<const std::int8_t*>(integers().data());
    const bool pairs = traits_.has_pairs;
    const std::vector<std::byte>& x = expected.input.x;
    for_rows(expected, [&](std::int64_t index, std::int32_t row) {
      Number sum;
      for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz) {
        const Number value =
            pairs ? Number(values[2 * std::int64_t{nz}], values[2 * std::int64_t{nz} + 1])
                  : Number(values[nz]);
        sum = sum + product(value, number_from_device(dtype_, x, matrix_.col[nz]));
      }
      const Scaling& scaling = expected.input.scaling;
      const Number before = integer_y(row);
      put(expected, index,
          parts_ == 2 ? scaling.scaled(sum, before) : Number(scaling.scaled(sum.re, before.re)));
    });
  }

  /// Of a real x no imaginary part arises, also from Inf and NaN.
  Number product(const Number& value, const Number& x) const {
    return parts_ == 1         ? Number(value.re * x.re)
           : traits_.has_pairs ? value * x
                               : Number(value.re * x.re, value.re * x.im);
  }

  /// The magnitudes that the roundings of a product's parts depend on.
  static Number magnitude(const Number& value, const Number& x) {
    const double re = std::abs(value.re), im = std::abs(value.im), x_re = std::abs(x.re),
                 x_im = std::abs(x.im);
    return {re * x_re + im * x_im, re * x_im + im * x_re};
  }

  /// The allowed difference of a part of a sum of so many entries, of this magnitude.
  double bound(std::int64_t entries, double magnitude) const {
    const NumberType& type = number_type(dtype_);
    const auto roundings = static_cast<double>(parts_ * entries + 3);
    // A product that is nearly 0 is rounded to a multiple of the least number.
    return roundings * type.epsilon * magnitude + roundings * type.least;
  }

  void put_bound(Expectation& expected, std::int64_t index, std::int64_t entries,
                 const Number& magnitude) const {
    expected.bound[index * parts_] = bound(entries, magnitude.re);
    if (parts_ == 2) expected.bound[2 * index + 1] = bound(entries, magnitude.im);
  }

  void fill_rounded(Expectation& expected) const {
    const std::vector<std::byte>& x = expected.input.x;
    const auto find_x = [&](std::int32_t nz) {
      return number_from_device(dtype_, x, matrix_.col[nz]);
    };
    expected.bound.resize(expected.y.size());
    for_rows(expected, [&](std::int64_t index, std::int32_t row) {
      Number sum, magnitudes;
      for (std::int32_t nz = matrix_.row_first[row]; nz < matrix_.row_first[row + 1]; ++nz) {
        const Number value = held(nz), factor = find_x(nz);
        sum = sum + product(value, factor);
        magnitudes = magnitudes + magnitude(value, factor);
      }
      put(expected, index, sum);
      put_bound(expected, index, matrix_.row_length(row), magnitudes);
    });
    if (!spreads_rounding_) return;
    std::vector<Number> before(matrix_.nnz() + 1);  // prefix sums of the magnitudes
    for (std::int32_t nz = 0; nz < matrix_.nnz(); ++nz)
      before[nz + 1] = before[nz] + magnitude(held(nz), find_x(nz));
    for (std::size_t index = 0; index < expected.y.size() / parts_; ++index) {
      const auto row = static_cast<std::int32_t>(expected.first_row + index);
      const std::int64_t first = first_near(row), end = end_near(row);
      put_bound(expected, static_cast<std::int64_t>(index), end - first,
                {before[end].re - before[first].re, before[end].im - before[first].im});
    }
  }

  SharedBytes round_x(int round) const { return vectors_.x(dtype_, matrix_.cols, round, rounds_); }
  SharedBytes integer_y_vector() const { return vectors_.y(dtype_, matrix_.rows); }

  Expectation integer_case(const std::string& name, const SharedBytes& x, const SharedBytes& y,
                           const Scaling& scaling) const {
    Expectation expected;
    expected.has_integers = true;
    expected.input.integers = integers();
    expected.input.name = name;
    expected.input.scaling = scaling;
    expected.input.x = x;
    expected.input.y = y;
    return expected;
  }

  const Matrix& matrix_;
  CaseVectors& vectors_;
  const Dtype dtype_;
  const bool spreads_rounding_;
  const CaseTraits traits_;
  const CanonicalValues canonical_{matrix_};
  const bool floats_;             ///< all values are held as floats
  std::vector<Number> held_;      ///< [nnz] in the canonical order, where some are; else empty
  mutable SharedBytes integers_;  ///< [nnz] in the canonical order, as soon as they are asked for
  const std::int64_t parts_;      ///< of an element of x and y
  const int rounds_;
};

SharedBytes CaseVectors::get(const Key& key, const std::function<std::vector<std::byte>()>& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto& known = known_[key];
  SharedBytes vector(known);
  if (vector.empty()) {
    vector = make();
    known = vector.watch();
  }
  return vector;
}

SharedBytes CaseVectors::x(Dtype dtype, std::int32_t cols, int round, int rounds) {
  return get({dtype, 'x', round}, [&] { return to_device(dtype, cols, RoundX{round, rounds}); });
}

SharedBytes CaseVectors::x_not_finite(Dtype dtype, std::int32_t cols, int rounds, int sign,
                                      std::int32_t infinite, std::int32_t nan) {
  const RoundX finite{0, rounds};
  return get({dtype, sign < 0 ? 'n' : 'i', infinite}, [&] {
    return to_device(dtype, cols, [&](std::size_t col) -> Number {
      if (col == static_cast<std::size_t>(nan)) return {NAN, NAN};
      Number x = finite(col);
      if (col != static_cast<std::size_t>(infinite)) return x;
      (sign < 0 && number_type(dtype).is_complex() ? x.im : x.re) = sign * INFINITY;
      return x;
    });
  });
}

SharedBytes CaseVectors::y(Dtype dtype, std::int32_t rows) {
  return get({dtype, 'y', 0}, [&] { return to_device(dtype, rows, integer_y); });
}

CaseTraits case_traits(const Kernel& kernel) {
  CaseTraits traits;
  traits.mirror = kernel.mirror;
  traits.spreads_rounding = kernel.spreads_rounding;
  traits.reads_fill = kernel.reads_fill;
  traits.has_pairs = kernel.value_parts() == 2;
  bool any = false, all = true;
  for (const Array& array : kernel.arrays) {
    traits.coded = traits.coded || !array.value_code.empty();
    if (!array.is_value()) continue;
    any = any || array.rounded;
    all = all && array.rounded;
  }
  traits.rounded = any && all;
  traits.rounded_in_part = any && !all;
  return traits;
}

ExpectationMaker::ExpectationMaker(const Matrix& matrix, const Kernel& kernel,
                                   std::function<SpmvCase()> rounded, CaseVectors& vectors)
    : matrix_(matrix),
      rounded_(std::move(rounded)),
      maker_(std::make_unique<const CaseMaker>(matrix, kernel, vectors)),
      has_infinite_(!kernel.reads_fill && matrix.nnz() > 0) {
  const std::size_t infinite =
      has_infinite_ ? (matrix.col.back() == matrix.col.front() ? 1 : 2) : 0;
  count_ = static_cast<std::size_t>(maker_->rounds()) + 1 + infinite + 1;
}

ExpectationMaker::~ExpectationMaker() = default;

Expectation ExpectationMaker::make(std::size_t index) const {
  Expectation expected = make_input(index);
  fill(expected, 0, matrix_.rows);
  return expected;
}

void ExpectationMaker::fill(Expectation& expected, std::int32_t first, std::int32_t end) const {
  maker_->fill(expected, first, end);
}

Expectation ExpectationMaker::make_input(std::size_t index) const {
  CHECK(index < count_);
  const auto rounds = static_cast<std::size_t>(maker_->rounds());
  if (index < rounds) return maker_->exact(static_cast<int>(index));
  if (index == rounds) return maker_->exact_fresh(rounded_().y);
  if (index == count_ - 1) return maker_->rounded(rounded_());
  return index == rounds + 1 ? maker_->infinite(matrix_.col.front(), 1)
                             : maker_->infinite(matrix_.col.back(), -1);
}

Expectations make_expectations(const Matrix& matrix, const Kernel& kernel, const SpmvCase& rounded,
                               CaseVectors& vectors) {
  const ExpectationMaker maker(
      matrix, kernel, [&] { return rounded; }, vectors);
  Expectations made;
  for (std::size_t index = 0; index < maker.count(); ++index)
    made.cases.push_back(maker.make(index));
  return made;
}

int exact_rounds(const Matrix& matrix, Dtype dtype) {
  std::int64_t longest = 0;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    longest = std::max<std::int64_t>(longest, matrix.row_length(row));
  }
  const NumberType& type = number_type(dtype);
  const std::int64_t terms = type.exact_most / (4 * value_most * x_most * type.parts);
  if (longest <= terms) return 1;
  return static_cast<int>((matrix.cols + terms - 1) / terms);
}

double from_device(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t part) {
  return with_real(dtype, [&](auto number) -> double {
    std::memcpy(&number, bytes.data() + part * sizeof number, sizeof number);
    return number;
  });
}

Number number_from_device(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t index) {
  if (!number_type(dtype).is_complex()) return from_device(dtype, bytes, index);
  return {from_device(dtype, bytes, 2 * index), from_device(dtype, bytes, 2 * index + 1)};
}

}  // namespace alphasparse
