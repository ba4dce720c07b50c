// mkl_api: the few functions of Intel's MKL that an SpMV or SpMM takes, as its one dynamic library
// exports them (mkl_spblas.h, mkl_service.h; MKL's own integers are int by the layer that we ask
// for).
#pragma once

#include <tuple>

#include "base/complex.h"

namespace alphasparse {

struct MklMatrixRecord;
using MklMatrix = MklMatrixRecord*;

/// The arguments by value: a kind of matrix, which triangle, which diagonal.
struct MklDescription {
  int type = 0;
  int triangle = 0;
  int diagonal = 0;
};

struct MklVersion {
  int major = 0;
  int minor = 0;
  int update = 0;
  const char* status = nullptr;
  const char* build = nullptr;
  const char* processor = nullptr;  ///< for which its code is that runs here
  const char* platform = nullptr;
};

inline constexpr int mkl_success = 0;
inline constexpr int mkl_not_transposed = 10;
inline constexpr int mkl_general = 20;
inline constexpr int mkl_symmetric = 21;
inline constexpr int mkl_hermitian = 22;
inline constexpr int mkl_upper = 41;
inline constexpr int mkl_diagonal_stored = 50;
inline constexpr int mkl_base_zero = 0;
inline constexpr int mkl_order_row = 101;  // of the values of a block, and of X and Y
inline constexpr int mkl_integers_32 = 0;  // the interface's layer
inline constexpr int mkl_sequential = 1;   // layers of threads
inline constexpr int mkl_gnu_threads = 3;

/// The functions for one type of values.
template <class Value>
struct MklCalls {
  int (*create_csr)(MklMatrix* matrix, int base, int rows, int cols, int* first, int* end,
                    int* column, Value* value) = nullptr;
  int (*create_bsr)(MklMatrix* matrix, int base, int order, int block_rows, int block_cols,
                    int side, int* first, int* end, int* column, Value* value) = nullptr;
  int (*multiply)(int operation, Value alpha, MklMatrix matrix, MklDescription description,
                  const Value* x, Value beta, Value* y) = nullptr;
  int (*multiply_many)(int operation, Value alpha, MklMatrix matrix, MklDescription description,
                       int order, const Value* x, int columns, int ldx, Value beta, Value* y,
                       int ldy) = nullptr;
};

/// Results are sparse_status_t where they are ints; enumerations are ints.
struct MklApi {
  std::tuple<MklCalls<float>, MklCalls<double>, MklCalls<Complex<float>>, MklCalls<Complex<double>>>
      calls;
  int (*hint)(MklMatrix matrix, int operation, MklDescription description, int calls) = nullptr;
  int (*hint_many)(MklMatrix matrix, int operation, MklDescription description, int order,
                   int columns, int calls) = nullptr;
  int (*optimize)(MklMatrix matrix) = nullptr;
  int (*destroy)(MklMatrix matrix) = nullptr;
  int (*set_interface)(int layer) = nullptr;
  int (*set_threading)(int layer) = nullptr;
  void (*set_threads)(int threads) = nullptr;
  void (*set_dynamic)(int may_take_fewer) = nullptr;
  void (*version)(MklVersion* version) = nullptr;
};

}  // namespace alphasparse
