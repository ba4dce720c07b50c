// krylov: conjugate gradients, also for several right sides at once, and BiCGSTAB with the matrix'
// diagonal as preconditioner, for any product y = A x of real or complex numbers. Iterates and the
// criterion are those of Eigen 3.4, |r| <= tolerance * |b|, so that both can be held against each
// other: only rounding differs. Eigen has no block method; a test compares this one with NumPy.
//
// Vectors have `rows` entries and are worked on by OpenMP's threads, several steps in one pass.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "columns.h"

namespace krylov {

/// Of double, float or std::complex of one of them.
template <class Number>
using VectorOf = std::vector<Number>;
using Vector = VectorOf<double>;
template <class Number>
using ProductOf = std::function<void(const Number* x, Number* y)>;  ///< y = A x
using Product = ProductOf<double>;
template <class Number>
using RealOf = decltype(std::real(Number()));

struct Outcome {
  int iterations = 0;
  double residual = 0;  ///< |r| / |b|, by the recurrence
};

template <class Real>
Real conjugate(Real number) {
  return number;
}
template <class Real>
std::complex<Real> conjugate(const std::complex<Real>& number) {
  return {number.real(), -number.imag()};
}

/// |number|^2
template <class Number>
RealOf<Number> square(const Number& number) {
  return std::real(conjugate(number) * number);
}

#pragma omp declare reduction(+ : std::complex <double>, std::complex <float> : omp_out += omp_in)

/// a^H b
template <class Number>
Number dot(const VectorOf<Number>& a, const VectorOf<Number>& b) {
  const long rows = static_cast<long>(a.size());
  Number sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (long i = 0; i < rows; ++i) sum += conjugate(a[i]) * b[i];
  return sum;
}

template <class Number>
RealOf<Number> norm2(const VectorOf<Number>& a) {
  return std::real(dot(a, a));
}

/// Solves A x = b from x = 0 for a symmetric or Hermitian positive definite A. `inverse` is 1 over
/// its diagonal.
template <class Number>
Outcome conjugate_gradients(const ProductOf<Number>& multiply, const VectorOf<Number>& inverse,
                            const VectorOf<Number>& b, VectorOf<Number>& x, double tolerance,
                            int iterations_max) {
  using Real = RealOf<Number>;
  const long rows = static_cast<long>(b.size());
  VectorOf<Number> r = b, p(b.size()), q(b.size());
  x.assign(b.size(), 0);
  const Real b_norm2 = norm2(b);
  if (b_norm2 == 0) return {};
  const Real least = std::numeric_limits<Real>::min();
  const Real threshold = std::fmax(static_cast<Real>(tolerance * tolerance * b_norm2), least);
  for (long i = 0; i < rows; ++i) p[i] = inverse[i] * r[i];
  Real rz = std::real(dot(r, p)), rr = b_norm2;
  Outcome outcome;
  while (outcome.iterations < iterations_max) {
    multiply(p.data(), q.data());
    const Number alpha = rz / dot(p, q);
    Real rr_new = 0, rz_new = 0;
#pragma omp parallel for reduction(+ : rr_new, rz_new) schedule(static)
    for (long i = 0; i < rows; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      const Real own = square(r[i]);
      rr_new += own;
      rz_new += own * std::real(inverse[i]);
    }
    rr = rr_new;
    if (rr < threshold) break;
    const Real beta = rz_new / rz;
    rz = rz_new;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) p[i] = inverse[i] * r[i] + beta * p[i];
    ++outcome.iterations;
  }
  outcome.residual = std::sqrt(rr / b_norm2);
  return outcome;
}

/// Solves A x = b from x = 0 for any A.
template <class Number>
Outcome bicgstab(const ProductOf<Number>& multiply, const VectorOf<Number>& inverse,
                 const VectorOf<Number>& b, VectorOf<Number>& x, double tolerance,
                 int iterations_max) {
  using Real = RealOf<Number>;
  const long rows = static_cast<long>(b.size());
  const std::size_t size = b.size();
  VectorOf<Number> r = b, r0 = b, v(size), p(size), y(size), z(size), s(size), t(size);
  x.assign(size, 0);
  const Real b_norm2 = norm2(b);
  if (b_norm2 == 0) return {};
  const Real eps = std::numeric_limits<Real>::epsilon();
  const Real threshold = static_cast<Real>(tolerance * tolerance * b_norm2);
  Real r0_norm2 = b_norm2, rr = b_norm2;
  Number rho = 1, alpha = 1, w = 1;
  Outcome outcome;
  while (rr > threshold && outcome.iterations < iterations_max) {
    const Number rho_old = rho;
    rho = dot(r0, r);
    if (std::abs(rho) < eps * eps * r0_norm2) {  // almost orthogonal: begin anew
      multiply(x.data(), t.data());
      for (long i = 0; i < rows; ++i) r[i] = b[i] - t[i];
      r0 = r;
      rho = r0_norm2 = norm2(r);
    }
    const Number beta = rho / rho_old * (alpha / w);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) {
      p[i] = r[i] + beta * (p[i] - w * v[i]);
      y[i] = inverse[i] * p[i];
    }
    multiply(y.data(), v.data());
    alpha = rho / dot(r0, v);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) {
      s[i] = r[i] - alpha * v[i];
      z[i] = inverse[i] * s[i];
    }
    multiply(z.data(), t.data());
    Real tt = 0;
    Number ts = 0;
#pragma omp parallel for reduction(+ : tt, ts) schedule(static)
    for (long i = 0; i < rows; ++i) {
      tt += square(t[i]);
      ts += conjugate(t[i]) * s[i];
    }
    w = tt > 0 ? ts / tt : Number(0);
    rr = 0;
#pragma omp parallel for reduction(+ : rr) schedule(static)
    for (long i = 0; i < rows; ++i) {
      x[i] += alpha * y[i] + w * z[i];
      r[i] = s[i] - w * t[i];
      rr += square(r[i]);
    }
    ++outcome.iterations;
  }
  outcome.residual = std::sqrt(rr / b_norm2);
  return outcome;
}

/// Solves A X = B for K right sides at once (O'Leary 1980): each iterate is the best in the span of
/// all columns' directions. Stops when all columns have |r| <= tolerance * |b|.
///
/// Columns of R become alike, are alike from the start, or vanish. Then K x K systems lose their
/// rank, and small differences drown in rounding. So R is made orthonormal where its Gram matrix is
/// far from diagonal, as Dubrulle (2001) does in each step: the residuals are R * mix. Nothing of a
/// column is lost: the part that the others lack is a direction of its own, even where it is mere
/// rounding. A column of zeros is no direction.
template <int K>
Outcome block_conjugate_gradients(const Product& multiply, const Vector& inverse, const Rows<K>& b,
                                  Rows<K>& x, double tolerance, int iterations_max) {
  const long rows = static_cast<long>(b.size());
  Rows<K> r = b, p(b.size()), q(b.size());
  x.assign(b.size(), {});
  double inverse_max = 0;
  for (const double one : inverse) inverse_max = std::fmax(inverse_max, one);

  /// Asks for a row that a pass soon reaches.
  const auto fetch = [rows](const Rows<K>& all, long i) {
    __builtin_prefetch(all.data() + std::min(i + 24, rows - 1));
  };
  /// R^T D^-1 R of the rows that `change` has changed.
  const auto changed = [&](const auto& change) {
    return total<K>(rows, [&](long i, Square<K>& sum) {
      Row<K> z;
      fetch(r, i);
      change(i);
      z.at = inverse[i] * r[i].at;
      add_outer<K>(sum, r[i].data(), z);
    });
  };
  /// The squares of |r|, for each column.
  const auto norms2 = [&](const Square<K>& mix) {
    return total<K>(rows, [&](long i, Square<K>& sum) {
      Row<K> own;
      add_product<K>(own, r[i].data(), mix);
      sum[0].at += own.at * own.at;
    })[0];
  };
  Square<K> unit{};
  for (int k = 0; k < K; ++k) unit[k].at[k] = 1;
  /// Makes R orthonormal where it must be; returns the mix that gives the R that it had.
  const auto orthonormalise = [&](Square<K>& gram) {
    Square<K> mix = unit;
    for (int round = 0; round < 4; ++round) {  // a small rest is only exact in the second round
      const Factor<K> of = factor<K>(gram, true);
      if (of.least >= 0.01) break;
      const Square<K> upper_inverse = transposed_product<K>(of.lower, unit);
      gram = changed([&](long i) {
        Row<K> own;
        add_product<K>(own, r[i].data(), upper_inverse);
        r[i] = own;
      });
      mix = product<K>(of.upper, mix);
    }
    return mix;
  };

  const auto is_within = [](const Row<K>& norms, const Row<K>& limits, double scale) {
    bool is_within = true;
    for (int k = 0; k < K; ++k) is_within = is_within && norms.at[k] <= scale * limits.at[k];
    return is_within;
  };

  Row<K> limits = norms2(unit);
  limits.at *= tolerance * tolerance;
  Square<K> gram = changed([](long) {});
  Square<K> mix = orthonormalise(gram);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < rows; ++i) p[i].at = inverse[i] * r[i].at;

  Outcome outcome;
  while (outcome.iterations < iterations_max) {
    multiply(p.data()->data(), q.data()->data());
    const Square<K> pq =
        total<K>(rows, [&](long i, Square<K>& sum) { add_outer<K>(sum, p[i].data(), q[i]); });
    const Square<K> alpha = solved<K>(factor<K>(pq, false), gram);
    const Square<K> step = product<K>(alpha, mix);
    Square<K> minus_alpha;
    for (int k = 0; k < K; ++k) minus_alpha[k].at = -alpha[k].at;
    const Factor<K> gram_old = factor<K>(gram, false);
    gram = changed([&](long i) {
      fetch(q, i);
      add_product<K>(r[i], q[i].data(), minus_alpha);
    });

    // Norms weighted by D^-1 cost no pass. They tell when the norms cannot be small enough.
    Row<K> weighted;
    const Square<K> gram_mix = product<K>(gram, mix);
    for (int k = 0; k < K; ++k) weighted.at += mix[k].at * gram_mix[k].at;
    const bool is_done =
        is_within(weighted, limits, inverse_max) && is_within(norms2(mix), limits, 1);

    const Square<K> change = orthonormalise(gram);
    const Square<K> beta = solved<K>(gram_old, transposed_product<K>(change, gram));
    mix = product<K>(change, mix);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) {
      Row<K> next;
      for (const Rows<K>* const all : {&p, &r, &x}) fetch(*all, i);
      next.at = inverse[i] * r[i].at;
      add_product<K>(next, p[i].data(), beta);
      add_product<K>(x[i], p[i].data(), step);
      p[i] = next;
    }
    if (is_done) break;
    ++outcome.iterations;
  }
  const Row<K> norms = norms2(mix);
  for (int k = 0; k < K; ++k) {
    if (norms.at[k] > 0)
      outcome.residual =
          std::fmax(outcome.residual, tolerance * std::sqrt(norms.at[k] / limits.at[k]));
  }
  return outcome;
}

}  // namespace krylov
