// krylov: conjugate gradients and BiCGSTAB with the matrix' diagonal as preconditioner, for any
// product y = A x. Iterates and the criterion are those of Eigen 3.4, |r| <= tolerance * |b|, so
// that both can be held against each other: only rounding differs.
//
// Vectors have `rows` entries and are worked on by OpenMP's threads, several steps in one pass.
#pragma once
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace krylov {

using Vector = std::vector<double>;
using Product = std::function<void(const double* x, double* y)>;  ///< y = A x

struct Outcome {
  int iterations = 0;
  double residual = 0;  ///< |r| / |b|, by the recurrence
};

inline double dot(const Vector& a, const Vector& b) {
  const long rows = static_cast<long>(a.size());
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
  for (long i = 0; i < rows; ++i) sum += a[i] * b[i];
  return sum;
}

/// Solves A x = b from x = 0 for a symmetric positive definite A. `inverse` is 1 over its diagonal.
inline Outcome conjugate_gradients(const Product& multiply, const Vector& inverse, const Vector& b,
                                   Vector& x, double tolerance, int iterations_max) {
  const long rows = static_cast<long>(b.size());
  Vector r = b, p(b.size()), q(b.size());
  x.assign(b.size(), 0);
  const double b_norm2 = dot(b, b);
  if (b_norm2 == 0) return {};
  const double least = std::numeric_limits<double>::min();
  const double threshold = std::fmax(tolerance * tolerance * b_norm2, least);
  for (long i = 0; i < rows; ++i) p[i] = inverse[i] * r[i];
  double rz = dot(r, p), rr = b_norm2;
  Outcome outcome;
  while (outcome.iterations < iterations_max) {
    multiply(p.data(), q.data());
    const double alpha = rz / dot(p, q);
    double rr_new = 0, rz_new = 0;
#pragma omp parallel for reduction(+ : rr_new, rz_new) schedule(static)
    for (long i = 0; i < rows; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      rr_new += r[i] * r[i];
      rz_new += r[i] * r[i] * inverse[i];
    }
    rr = rr_new;
    if (rr < threshold) break;
    const double beta = rz_new / rz;
    rz = rz_new;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) p[i] = inverse[i] * r[i] + beta * p[i];
    ++outcome.iterations;
  }
  outcome.residual = std::sqrt(rr / b_norm2);
  return outcome;
}

/// Solves A x = b from x = 0 for any A.
inline Outcome bicgstab(const Product& multiply, const Vector& inverse, const Vector& b, Vector& x,
                        double tolerance, int iterations_max) {
  const long rows = static_cast<long>(b.size());
  const std::size_t size = b.size();
  Vector r = b, r0 = b, v(size), p(size), y(size), z(size), s(size), t(size);
  x.assign(size, 0);
  const double b_norm2 = dot(b, b);
  if (b_norm2 == 0) return {};
  const double eps = std::numeric_limits<double>::epsilon();
  const double threshold = tolerance * tolerance * b_norm2;
  double r0_norm2 = dot(r0, r0), rho = 1, alpha = 1, w = 1, rr = b_norm2;
  Outcome outcome;
  while (rr > threshold && outcome.iterations < iterations_max) {
    const double rho_old = rho;
    rho = dot(r0, r);
    if (std::abs(rho) < eps * eps * r0_norm2) {  // almost orthogonal: begin anew
      multiply(x.data(), t.data());
      for (long i = 0; i < rows; ++i) r[i] = b[i] - t[i];
      r0 = r;
      rho = r0_norm2 = dot(r, r);
    }
    const double beta = rho / rho_old * (alpha / w);
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
    double tt = 0, ts = 0;
#pragma omp parallel for reduction(+ : tt, ts) schedule(static)
    for (long i = 0; i < rows; ++i) {
      tt += t[i] * t[i];
      ts += t[i] * s[i];
    }
    w = tt > 0 ? ts / tt : 0;
    rr = 0;
#pragma omp parallel for reduction(+ : rr) schedule(static)
    for (long i = 0; i < rows; ++i) {
      x[i] += alpha * y[i] + w * z[i];
      r[i] = s[i] - w * t[i];
      rr += r[i] * r[i];
    }
    ++outcome.iterations;
  }
  outcome.residual = std::sqrt(rr / b_norm2);
  return outcome;
}

}  // namespace krylov
