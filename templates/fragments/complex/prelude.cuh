// prelude: complex numbers, and the vectors of a launch.
#pragma once
#ifndef ALPHASPARSE_VALUE
#define ALPHASPARSE_VALUE float
#endif
using Real = ALPHASPARSE_VALUE;
constexpr int warp_size = 32;

/// One load or store takes both parts. A product is its four products of reals.
template <class Part>
struct Complex {
  alignas(2 * sizeof(Part)) Part re;
  Part im;

  Complex() = default;
  __host__ __device__ __forceinline__ Complex(Part real, Part imaginary = 0)
      : re(real), im(imaginary) {}
  template <class Narrow>
  __host__ __device__ __forceinline__ Complex(Complex<Narrow> narrow)
      : re(narrow.re), im(narrow.im) {}
  __host__ __device__ __forceinline__ Complex& operator+=(Complex other) {
    re += other.re;
    im += other.im;
    return *this;
  }
  [[maybe_unused]] friend __host__ __device__ __forceinline__ Complex operator*(Complex a,
                                                                                Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  [[maybe_unused]] friend __host__ __device__ __forceinline__ Complex operator*(Part factor,
                                                                                Complex a) {
    return {factor * a.re, factor * a.im};
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex operator+(Complex a, Complex b) {
    return a += b;
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex operator-(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex operator-(Complex a) {
    return {-a.re, -a.im};
  }
  [[maybe_unused]] friend __host__ __device__ __forceinline__ bool operator==(Complex a,
                                                                              Part real) {
    return a.re == real && a.im == 0;
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex conjugate(Complex a) {
    return {a.re, -a.im};
  }

  // CUDA's own, part by part: found for a Complex alone, they hide none of CUDA's.
  [[maybe_unused]] friend __device__ __forceinline__ void atomicAdd(Complex* sum, Complex more) {
    atomicAdd(&sum->re, more.re);
    atomicAdd(&sum->im, more.im);
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex __shfl_sync(unsigned lanes, Complex a,
                                                                         int lane, int width = 32) {
    return {__shfl_sync(lanes, a.re, lane, width), __shfl_sync(lanes, a.im, lane, width)};
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex __shfl_up_sync(unsigned lanes,
                                                                            Complex a, int step,
                                                                            int width = 32) {
    return {__shfl_up_sync(lanes, a.re, unsigned(step), width),
            __shfl_up_sync(lanes, a.im, unsigned(step), width)};
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex __shfl_down_sync(unsigned lanes,
                                                                              Complex a, int step,
                                                                              int width = 32) {
    return {__shfl_down_sync(lanes, a.re, unsigned(step), width),
            __shfl_down_sync(lanes, a.im, unsigned(step), width)};
  }
  [[maybe_unused]] friend __device__ __forceinline__ Complex __ldcs(const Complex* address) {
    if constexpr (sizeof(Part) == 4) {
      const float2 parts = __ldcs(reinterpret_cast<const float2*>(address));
      return {parts.x, parts.y};
    } else {
      const double2 parts = __ldcs(reinterpret_cast<const double2*>(address));
      return {parts.x, parts.y};
    }
  }
};
using Value = Complex<Real>;

/// Neighbours that are loaded at once.
struct Complex2 {
  alignas(16) Complex<float> x;
  Complex<float> y;

  [[maybe_unused]] friend __device__ __forceinline__ Complex2 __ldcs(const Complex2* address) {
    const float4 parts = __ldcs(reinterpret_cast<const float4*>(address));
    return {{parts.x, parts.y}, {parts.z, parts.w}};
  }
};

/// x: element [column] belongs to that column of A. An index times ld has 64 bits.
struct Input {
  const Value* __restrict__ x;
  static constexpr long long ld = 1;  // from one column's element to the next
  __device__ __forceinline__ const Value& operator[](long long col) const { return x[ld * col]; }
};

/// y = alpha * A * x + beta * y. beta == 0 never reads y.
struct Output {
  Value* __restrict__ y;
  Value alpha, beta;
  static constexpr long long ld = 1;  // from one row's element to the next
  __device__ __forceinline__ Value& operator[](long long row) const { return y[ld * row]; }
};
