// arithmetic: loads and stores with cache hints (plain here), bit operations, minimum and maximum,
// reinterpretation, and the mathematics of math.h without its header.
#pragma once

template <class T>
EMULATOR_INLINE T __ldcs(const T* address) {
  return *address;
}
template <class T>
EMULATOR_INLINE T __ldcg(const T* address) {
  return *address;
}
template <class T>
EMULATOR_INLINE T __ldca(const T* address) {
  return *address;
}
template <class T>
EMULATOR_INLINE T __ldlu(const T* address) {
  return *address;
}
template <class T>
EMULATOR_INLINE void __stcs(T* address, T value) {
  *address = value;
}
template <class T>
EMULATOR_INLINE void __stcg(T* address, T value) {
  *address = value;
}
template <class T>
EMULATOR_INLINE void __stwb(T* address, T value) {
  *address = value;
}
template <class T>
EMULATOR_INLINE void __stwt(T* address, T value) {
  *address = value;
}

EMULATOR_INLINE int __popc(unsigned bits) { return __builtin_popcount(bits); }
EMULATOR_INLINE int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
EMULATOR_INLINE int __clz(int bits) {
  return bits ? __builtin_clz(static_cast<unsigned>(bits)) : 32;
}
EMULATOR_INLINE int __clzll(long long bits) {
  return bits ? __builtin_clzll(static_cast<unsigned long long>(bits)) : 64;
}
EMULATOR_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32) | low) >>
                               (shift & 31));
}
EMULATOR_INLINE int __ffs(int bits) { return __builtin_ffs(bits); }
EMULATOR_INLINE int __ffsll(long long bits) { return __builtin_ffsll(bits); }
EMULATOR_INLINE unsigned __brev(unsigned bits) {
  bits = __builtin_bswap32(bits);
  bits = (bits >> 4 & 0x0f0f0f0fu) | (bits & 0x0f0f0f0fu) << 4;
  bits = (bits >> 2 & 0x33333333u) | (bits & 0x33333333u) << 2;
  return (bits >> 1 & 0x55555555u) | (bits & 0x55555555u) << 1;
}
EMULATOR_INLINE unsigned long long __brevll(unsigned long long bits) {
  const unsigned long long low = __brev(static_cast<unsigned>(bits));
  return low << 32 | __brev(static_cast<unsigned>(bits >> 32));
}

template <class A, class B>
EMULATOR_INLINE auto min(A a, B b) -> decltype(true ? A() : B()) {
  using T = decltype(true ? A() : B());
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
EMULATOR_INLINE auto max(A a, B b) -> decltype(true ? A() : B()) {
  using T = decltype(true ? A() : B());
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

EMULATOR_INLINE int __float_as_int(float value) { return __builtin_bit_cast(int, value); }
EMULATOR_INLINE unsigned __float_as_uint(float value) {
  return __builtin_bit_cast(unsigned, value);
}
EMULATOR_INLINE float __int_as_float(int bits) { return __builtin_bit_cast(float, bits); }
EMULATOR_INLINE float __uint_as_float(unsigned bits) { return __builtin_bit_cast(float, bits); }
EMULATOR_INLINE long long __double_as_longlong(double value) {
  return __builtin_bit_cast(long long, value);
}
EMULATOR_INLINE double __longlong_as_double(long long bits) {
  return __builtin_bit_cast(double, bits);
}

EMULATOR_INLINE float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMULATOR_INLINE double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
EMULATOR_INLINE float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMULATOR_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
EMULATOR_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
EMULATOR_INLINE int abs(int value) { return __builtin_abs(value); }
EMULATOR_INLINE float fabsf(float value) { return __builtin_fabsf(value); }
EMULATOR_INLINE float fabs(float value) { return __builtin_fabsf(value); }
EMULATOR_INLINE double fabs(double value) { return __builtin_fabs(value); }
EMULATOR_INLINE float fminf(float a, float b) { return __builtin_fminf(a, b); }
EMULATOR_INLINE float fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
template <class T>
EMULATOR_INLINE bool isnan(T value) {
  return __builtin_isnan(value);
}
template <class T>
EMULATOR_INLINE bool isinf(T value) {
  return __builtin_isinf(value);
}
template <class T>
EMULATOR_INLINE bool isfinite(T value) {
  return __builtin_isfinite(value);
}
