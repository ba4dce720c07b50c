// columns: the small matrices of several columns - a row of X [rows][K], K x K matrices, their
// products and Cholesky's factor. K is known when they are compiled, so that all stay in registers.
#pragma once
#include <array>
#include <cmath>
#include <vector>

namespace krylov {

/// The K numbers of a row of X, in registers.
template <int K>
struct Row {
  typedef double Numbers __attribute__((vector_size(K * sizeof(double))));
  Numbers at{};

  double* data() { return reinterpret_cast<double*>(&at); }
  const double* data() const { return reinterpret_cast<const double*>(&at); }
};

template <int K>
using Rows = std::vector<Row<K>>;  ///< [rows][K]
template <int K>
using Square = std::array<Row<K>, K>;

/// sum[K] += left[K] * right[K][K]
template <int K>
void add_product(Row<K>& sum, const double* left, const Square<K>& right) {
#pragma GCC unroll 16
  for (int k = 0; k < K; ++k) sum.at += left[k] * right[k].at;
}

/// sum[K][K] += left[K]^T * right[K]
template <int K>
void add_outer(Square<K>& sum, const double* left, const Row<K>& right) {
#pragma GCC unroll 16
  for (int k = 0; k < K; ++k) sum[k].at += left[k] * right.at;
}

template <int K>
Square<K> product(const Square<K>& left, const Square<K>& right) {
  Square<K> result{};
  for (int k = 0; k < K; ++k) add_product<K>(result[k], left[k].data(), right);
  return result;
}

/// left^T * right
template <int K>
Square<K> transposed_product(const Square<K>& left, const Square<K>& right) {
  Square<K> result{};
  for (int k = 0; k < K; ++k) add_outer<K>(result, left[k].data(), right[k]);
  return result;
}

/// The total of `add(row, sum)` over all rows.
template <int K, class Add>
Square<K> total(long rows, const Add& add) {
  Square<K> all{};
#pragma omp parallel
  {
    Square<K> own{};
#pragma omp for schedule(static) nowait
    for (long i = 0; i < rows; ++i) add(i, own);
#pragma omp critical
    for (int k = 0; k < K; ++k) all[k].at += own[k].at;
  }
  return all;
}

/// Cholesky's factor: gram = upper^T * upper, and lower = upper^-T.
template <int K>
struct Factor {
  Square<K> upper{}, lower{};
  double least = 1;  ///< pivot over the entry of the diagonal: 1 for orthogonal columns
};

/// A column that depends on those before it to rounding is left out: its rows of `upper` and
/// `lower` are 0. With `keeps` it stays at its own length, and no other column is freed of it.
template <int K>
Factor<K> factor(const Square<K>& gram, bool keeps) {
  Factor<K> factor;
  Square<K> rest = gram;
  for (int j = 0; j < K; ++j) factor.lower[j].at[j] = 1;
  for (int j = 0; j < K; ++j) {
    const double whole = gram[j].at[j], pivot = rest[j].at[j];
    if (whole > 0) factor.least = std::fmin(factor.least, pivot / whole);
    if (whole > 0 && pivot > 1e-13 * whole) {
      factor.upper[j].at = rest[j].at / std::sqrt(pivot);
      factor.lower[j].at /= std::sqrt(pivot);
      for (int k = j + 1; k < K; ++k) {
        const double share = factor.upper[j].at[k];
        rest[k].at -= share * factor.upper[j].at;
        factor.lower[k].at -= share * factor.lower[j].at;
      }
    } else {
      const double scale = keeps && whole > 0 ? 1 / std::sqrt(whole) : 0;
      factor.lower[j].at *= scale;
      factor.upper[j].at[j] = whole * scale;
    }
    for (int k = 0; k < j; ++k) factor.upper[j].at[k] = 0;  // rounding's rest
  }
  return factor;
}

/// gram^-1 * right, in the span of the columns that the factor has.
template <int K>
Square<K> solved(const Factor<K>& factor, const Square<K>& right) {
  return transposed_product<K>(factor.lower, product<K>(factor.lower, right));
}

}  // namespace krylov
