// expectations: the inputs and results with which kernels of one matrix are verified: vectors,
// integer values, and the right outcome. They depend on the matrix and the type, and on little of a
// kernel (CaseTraits), so many kernels can have the same ones.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "generator/arrays/kernel.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// The properties of a kernel that decide them.
struct CaseTraits {
  Mirror mirror = Mirror::none;   ///< of one triangle that it stores: integers mirror so too
  bool coded = false;             ///< it has a dictionary: equal values get equal integers
  bool rounded = false;           ///< it stores all values as floats
  bool rounded_in_part = false;   ///< only some: others cannot share the expectations made for it
  bool spreads_rounding = false;  ///< Kernel::spreads_rounding
  bool reads_fill = false;        ///< Kernel::reads_fill: it is spared Inf and NaN
  bool has_pairs = false;         ///< its values have two parts, and so two integers

  auto operator<=>(const CaseTraits&) const = default;
};

CaseTraits case_traits(const Kernel& kernel);

/// One case and its right outcome.
struct Expectation {
  SpmvCase input;
  bool has_integers = false;   ///< as values; else the real ones
  bool has_infinite = false;   ///< in x, which is else that of the first case
  std::int32_t first_row = 0;  ///< of y and bound, which may be of some rows alone
  std::vector<double> y;       ///< [rows], a number for each part of an element
  std::vector<double> bound;   ///< likewise; empty: equal
  /// [rows] that may be any Inf or NaN: of a kernel that spreads rounding, those that have an Inf
  /// or NaN of x near them. Empty: none.
  std::vector<bool> spread;
};

/// All of them, the rounded one last.
struct Expectations {
  std::vector<Expectation> cases;
};

/// The vectors of integers that cases of a matrix have. Kinds of kernels share them, and x may be
/// far longer than the part that is multiplied. So each is made once, for as long as a case has it.
/// Usable from several threads.
class CaseVectors {
 public:
  /// x of a round of `rounds`: 0 but in every rounds-th column.
  SharedBytes x(Dtype dtype, std::int32_t cols, int round, int rounds);

  /// The x of round 0 with an Inf of `sign` in column `infinite` and NaN in column `nan`, where
  /// they differ.
  SharedBytes x_not_finite(Dtype dtype, std::int32_t cols, int rounds, int sign,
                           std::int32_t infinite, std::int32_t nan);

  SharedBytes y(Dtype dtype, std::int32_t rows);

 private:
  using Key = std::tuple<Dtype, char, std::int32_t>;  ///< type, kind, round or column

  SharedBytes get(const Key& key, const std::function<std::vector<std::byte>()>& make);

  std::mutex mutex_;  // guards the members below
  std::map<Key, std::weak_ptr<const SharedBytes::Bytes>> known_;
};

class CaseMaker;

/// Makes them one by one, for vectors that are too long to have all at once.
class ExpectationMaker {
 public:
  /// `rounded` makes the input of the rounded case. The matrix and the vectors must outlive it;
  /// vectors are those of this matrix.
  ExpectationMaker(const Matrix& matrix, const Kernel& kernel, std::function<SpmvCase()> rounded,
                   CaseVectors& vectors);
  ~ExpectationMaker();

  std::size_t count() const { return count_; }

  /// One of `count`, the rounded one last.
  Expectation make(std::size_t index) const;

  /// The same without rows, and then with those of [first, end) alone.
  Expectation make_input(std::size_t index) const;
  void fill(Expectation& expected, std::int32_t first, std::int32_t end) const;

 private:
  const Matrix& matrix_;
  const std::function<SpmvCase()> rounded_;
  std::unique_ptr<const CaseMaker> maker_;
  bool has_infinite_ = false;
  std::size_t count_ = 0;
};

/// All of them.
Expectations make_expectations(const Matrix& matrix, const Kernel& kernel, const SpmvCase& rounded,
                               CaseVectors& vectors);

/// How many rounds the exact case takes, so that no row's sum passes the exact range: a row meets
/// each column once, and a round keeps every rounds-th column.
int exact_rounds(const Matrix& matrix, Dtype dtype);

/// A part of a vector of x or y: of a real type, an element.
double from_device(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t part);

/// An element of such a vector.
Number number_from_device(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t index);

/// A vector of `count` numbers as the device has them: number(0), number(1), ...
template <class Function>
std::vector<std::byte> to_device(Dtype dtype, std::size_t count, const Function& number) {
  const auto parts = static_cast<std::size_t>(number_type(dtype).parts);
  std::vector<std::byte> bytes(count * static_cast<std::size_t>(number_type(dtype).bytes));
  with_real(dtype, [&](auto type) {
    using Part = decltype(type);
    for (std::size_t i = 0; i < count; ++i) {
      const Number one = number(i);
      const Part of[] = {static_cast<Part>(one.re), static_cast<Part>(one.im)};
      std::memcpy(bytes.data() + i * parts * sizeof(Part), of, parts * sizeof(Part));
    }
  });
  return bytes;
}

}  // namespace alphasparse
