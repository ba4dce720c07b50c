// fake_mkl: a fake of MKL's sparse SpMV and SpMM, slow and right. A product of an optimised matrix
// must be the one that was hinted. Where FAKE_MKL_FAULT is "wrong", "crash"
// or "status", an optimised matrix in CSR adds wrongly, ends the process or returns a status. Where
// it is "slow", every SpMV takes a fifth of a second of the processor.
#include <complex>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cpu/mkl_api.h"

using namespace alphasparse;

namespace alphasparse {
struct MklMatrixRecord {
  int rows = 0, side = 1;  // of blocks
  const int *first = nullptr, *end = nullptr, *column = nullptr;
  const void* value = nullptr;
  int hinted = 0;  // columns of the product
  bool optimised = false;
};
}  // namespace alphasparse

namespace {

constexpr int execution_failed = 5;
constexpr int invalid_value = 3;

int hint(MklMatrix matrix, int operation, int columns) {
  if (operation != mkl_not_transposed || matrix->optimised) return invalid_value;
  matrix->hinted = columns;
  return mkl_success;
}

void waste_time() {
  const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 5;
  while (std::clock() < end) {
  }
}

template <class Value>
int create(MklMatrix* matrix, int rows, int side, int* first, int* end, int* column, Value* value) {
  *matrix = new MklMatrixRecord{rows, side, first, end, column, value};
  return mkl_success;
}

template <class Part>
std::complex<Part> conjugate(std::complex<Part> number) {
  return std::conj(number);
}
template <class Real>
Real conjugate(Real number) {
  return number;
}

/// X and Y row by row.
template <class Value>
int multiply(int operation, Value alpha, MklMatrix matrix, MklDescription description, int order,
             const Value* x, int columns, int ldx, Value beta, Value* y, int ldy) {
  const MklMatrixRecord& a = *matrix;
  if (operation != mkl_not_transposed) return execution_failed;
  if (order != mkl_order_row || ldx < columns || ldy < columns) return invalid_value;
  if (a.optimised && a.hinted != columns) return invalid_value;
  const char* const told = std::getenv("FAKE_MKL_FAULT");
  const bool may_fail = a.optimised && a.side == 1 && description.type == mkl_general;
  const std::string fault = told != nullptr && may_fail ? told : "";
  if (told != nullptr && std::string(told) == "slow") waste_time();
  if (fault == "crash") std::abort();
  if (fault == "status") return execution_failed;
  const auto* const value = static_cast<const Value*>(a.value);
  for (int k = 0; k < columns; ++k, ++x, ++y) {
    std::vector<Value> sums(static_cast<std::size_t>(a.rows) * a.side, 0);
    for (int row = 0; row < a.rows; ++row) {
      for (int block = a.first[row]; block < a.end[row]; ++block) {
        for (int i = 0; i < a.side * a.side; ++i) {
          const int y_index = row * a.side + i / a.side,
                    x_index = a.column[block] * a.side + i % a.side;
          const Value entry = value[block * a.side * a.side + i];
          sums[y_index] += entry * x[x_index * ldx];
          const bool mirrors = description.type != mkl_general && x_index != y_index;
          const bool turned = description.type == mkl_hermitian;
          if (mirrors) sums[x_index] += (turned ? conjugate(entry) : entry) * x[y_index * ldx];
        }
      }
    }
    if (fault == "wrong" && !sums.empty()) sums.back() += 1;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      Value& to = y[i * ldy];
      to = beta == Value(0) ? alpha * sums[i] : alpha * sums[i] + beta * to;
    }
  }
  return mkl_success;
}

}  // namespace

extern "C" {

#define FAKE_CALLS(letter, Value)                                                                  \
  int mkl_sparse_##letter##_create_csr(MklMatrix* matrix, int, int rows, int, int* first,          \
                                       int* end, int* column, Value* value) {                      \
    return create(matrix, rows, 1, first, end, column, value);                                     \
  }                                                                                                \
  int mkl_sparse_##letter##_create_bsr(MklMatrix* matrix, int, int, int rows, int, int side,       \
                                       int* first, int* end, int* column, Value* value) {          \
    return create(matrix, rows, side, first, end, column, value);                                  \
  }                                                                                                \
  int mkl_sparse_##letter##_mv(int operation, Value alpha, MklMatrix matrix,                       \
                               MklDescription description, const Value* x, Value beta, Value* y) { \
    return multiply(operation, alpha, matrix, description, mkl_order_row, x, 1, 1, beta, y, 1);    \
  }                                                                                                \
  int mkl_sparse_##letter##_mm(int operation, Value alpha, MklMatrix matrix,                       \
                               MklDescription description, int order, const Value* x, int columns, \
                               int ldx, Value beta, Value* y, int ldy) {                           \
    return multiply(operation, alpha, matrix, description, order, x, columns, ldx, beta, y, ldy);  \
  }

FAKE_CALLS(s, float)
FAKE_CALLS(d, double)
FAKE_CALLS(c, std::complex<float>)
FAKE_CALLS(z, std::complex<double>)

int mkl_sparse_set_mv_hint(MklMatrix matrix, int operation, MklDescription, int) {
  return hint(matrix, operation, 1);
}
int mkl_sparse_set_mm_hint(MklMatrix matrix, int operation, MklDescription, int order, int columns,
                           int) {
  return order == mkl_order_row ? hint(matrix, operation, columns) : invalid_value;
}
int mkl_sparse_optimize(MklMatrix matrix) {
  if (matrix->hinted == 0) return invalid_value;
  matrix->optimised = true;
  return mkl_success;
}
int mkl_sparse_destroy(MklMatrix matrix) {
  delete matrix;
  return mkl_success;
}
int MKL_Set_Interface_Layer(int layer) { return layer; }
int MKL_Set_Threading_Layer(int layer) { return layer; }
void MKL_Set_Num_Threads(int) {}
void MKL_Set_Dynamic(int) {}
void MKL_Get_Version(MklVersion* version) {
  *version = {2099, 0, 1, "Double", "", "Processors of our own making", ""};
}
}
