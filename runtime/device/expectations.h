// expectations: what kernels of one matrix are verified with - vectors, integer values, and what
// must come out. They depend on the matrix and the type, and on little of a kernel (CaseTraits),
// so they are made once for many kernels.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "generator/kernel.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// What of a kernel decides them.
struct CaseTraits {
  bool mirrored = false;          ///< it stores one triangle: integers are symmetric
  bool coded = false;             ///< it has a dictionary: equal values get equal integers
  bool rounded = false;           ///< it stores all values as floats
  bool rounded_in_part = false;   ///< only some: others cannot share what is made for it
  bool spreads_rounding = false;  ///< Kernel::spreads_rounding
  bool reads_fill = false;        ///< Kernel::reads_fill: it is spared Inf and NaN

  auto operator<=>(const CaseTraits&) const = default;
};

CaseTraits case_traits(const Kernel& kernel);

/// One case and what must come out of it.
struct Expectation {
  SpmvCase input;
  bool has_integers = false;  ///< as values; else the real ones
  std::vector<double> y;      ///< [rows]
  std::vector<double> bound;  ///< [rows]; empty: equal
};

/// All of them, the rounded one last.
struct Expectations {
  std::vector<Expectation> cases;
};

class CaseMaker;

/// Makes them one by one, for vectors that are too long to have all at once.
class ExpectationMaker {
 public:
  /// `rounded` is the input of the rounded case. The matrix and that must outlive it.
  ExpectationMaker(const Matrix& matrix, const Kernel& kernel, const SpmvCase& rounded);
  ~ExpectationMaker();

  std::size_t count() const { return count_; }

  /// One of `count`, the rounded one last.
  Expectation make(std::size_t place) const;

 private:
  const Matrix& matrix_;
  const SpmvCase& rounded_;
  std::unique_ptr<const CaseMaker> maker_;
  bool has_infinite_ = false;
  std::size_t count_ = 0;
};

/// All of them; vectors that are equal are shared.
Expectations make_expectations(const Matrix& matrix, const Kernel& kernel, const SpmvCase& rounded);

/// How many rounds the exact case takes, so that no row's sum passes the exact range: a row meets
/// each column once, and a round keeps every rounds-th column.
int exact_rounds(const Matrix& matrix, Dtype dtype);

/// An element of a vector of x or y.
double from_device(Dtype dtype, const std::vector<std::byte>& bytes, std::size_t index);

/// Vectors in double, as the device has them.
std::vector<std::byte> to_device(Dtype dtype, const std::vector<double>& numbers);

}  // namespace alphasparse
