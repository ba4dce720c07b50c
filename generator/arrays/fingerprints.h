// fingerprints: the hashes that name a matrix, over arrays in any storage. The tuning database and
// format files have them, and the package of Python makes the same ones.
#pragma once
#include <xxhash.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "generator/arrays/matrix.h"

namespace alphasparse {

/// XXH3 of 128 bits over several arrays, one behind the other.
class Fingerprint {
 public:
  Fingerprint() : state_(XXH3_createState()) { XXH3_128bits_reset(state_); }
  Fingerprint(const Fingerprint&) = delete;
  ~Fingerprint() { XXH3_freeState(state_); }

  template <class T>
  void add(const T* data, std::size_t count) {
    XXH3_128bits_update(state_, data, count * sizeof(T));
  }

  /// 32 hexadecimal digits.
  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_);
    char digits[33];
    std::snprintf(digits, sizeof digits, "%016llx%016llx",
                  static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return digits;
  }

 private:
  XXH3_state_t* state_;
};

/// The fingerprints of a canonical matrix: row_first[rows + 1]; col and value[row_first[rows]]. Of
/// complex values, `imag` has the imaginary parts.
inline Fingerprints make_fingerprints(std::int32_t rows, std::int32_t cols,
                                      const std::int32_t* row_first, const std::int32_t* col,
                                      const double* value, const double* imag = nullptr) {
  const std::int32_t shape[] = {rows, cols};
  const auto nnz = static_cast<std::size_t>(row_first[rows]);
  Fingerprint pattern, values;
  pattern.add(shape, 2);
  pattern.add(row_first, static_cast<std::size_t>(rows) + 1);
  pattern.add(col, nnz);
  if (!imag) values.add(value, nnz);
  for (std::size_t nz = 0; imag && nz < nnz; ++nz) {
    const double both[] = {value[nz], imag[nz]};
    values.add(both, 2);
  }
  return {pattern.text(), values.text()};
}

}  // namespace alphasparse
