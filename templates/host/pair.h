// pair: the complex number of a runtime that kernels of all types share. The kernels have their
// own.
#pragma once

#ifdef ALPHASPARSE_RUNTIME_CUDA
#define ALPHASPARSE_ANYWHERE __host__ __device__
#else
#define ALPHASPARSE_ANYWHERE
#endif

namespace alphasparse::host {

template <class Part>
struct Pair {
  Part re, im;

  ALPHASPARSE_ANYWHERE Pair(Part real = 0, Part imaginary = 0) : re(real), im(imaginary) {}
  template <class Narrow>
  Pair(Pair<Narrow> narrow) : re(narrow.re), im(narrow.im) {}
  friend ALPHASPARSE_ANYWHERE Pair operator*(Pair a, Pair b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend ALPHASPARSE_ANYWHERE bool operator==(Pair a, Part real) {
    return a.re == real && a.im == 0;
  }
};

}  // namespace alphasparse::host

#undef ALPHASPARSE_ANYWHERE
