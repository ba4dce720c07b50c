// canonical_values: the values of a matrix in their canonical order, real or complex, where they
// lie.
#pragma once
#include <cstdint>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// They must outlive it.
class CanonicalValues {
 public:
  CanonicalValues() = default;  ///< of no matrix
  CanonicalValues(const std::vector<double>& real) : real_(&real) {}
  CanonicalValues(const Matrix& matrix)
      : real_(&matrix.value),
        imag_(matrix.is_complex() ? &matrix.imag : nullptr),
        is_complex_(matrix.is_complex()) {}

  /// The same, of a real matrix with imaginary parts that are 0.
  static CanonicalValues as_complex(const Matrix& matrix) {
    CanonicalValues values(matrix);
    values.is_complex_ = true;
    return values;
  }

  explicit operator bool() const { return real_ != nullptr; }
  std::size_t size() const { return real_->size(); }
  bool is_complex() const { return is_complex_; }
  /// The type of the values that a kernel of this type stores: real ones of a real matrix.
  Dtype stored_as(Dtype dtype) const { return is_complex() ? dtype : number_type(dtype).real; }
  double real(std::int32_t nz) const { return (*real_)[nz]; }
  Number operator[](std::int32_t nz) const { return {(*real_)[nz], imag_ ? (*imag_)[nz] : 0}; }

 private:
  const std::vector<double>* real_ = nullptr;
  const std::vector<double>* imag_ = nullptr;
  bool is_complex_ = false;
};

}  // namespace alphasparse
