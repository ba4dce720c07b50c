// fake_cusparse: a fake of cuSPARSE's SpMV on the "GPU" of fake_cuda, with memory on the host; a
// call is queued there and runs when the caller waits for it.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "runtime/cuda/cusparse_api.h"
#include "tests/fakes/fake_cuda.h"

using namespace alphasparse;

namespace alphasparse {
struct CusparseContextRecord {};
struct CusparseMatrixRecord {
  static inline int alive = 0;

  enum class Format { csr, coo, sell, bsr } format;
  std::int64_t rows, nnz, slice_rows;
  const int* row;
  const int* column;
  const void* value;
  std::int64_t side = 1;  // of a block
  bool prepared = false;
};
struct CusparseVectorRecord {
  void* values;
  int type;
};
}  // namespace alphasparse

namespace {

using Format = CusparseMatrixRecord::Format;

constexpr int version[] = {12, 7, 3};  // major, minor, patch
constexpr int execution_failed = 6;    // the status after which the context is of no use either

const int* ints(void* address) { return static_cast<const int*>(address); }

template <class Value>
void multiply(const CusparseMatrixRecord& a, Value alpha, const Value* x, Value beta, Value* y) {
  const auto* const value = static_cast<const Value*>(a.value);
  std::vector<Value> sums(static_cast<std::size_t>(a.rows), 0);
  if (a.format == Format::coo) {
    for (std::int64_t i = 0; i < a.nnz; ++i) sums[a.row[i]] += value[i] * x[a.column[i]];
  }
  for (std::int64_t row = 0; row < a.rows && a.format == Format::bsr; ++row) {
    for (std::int64_t block = a.row[row / a.side]; block < a.row[row / a.side + 1]; ++block) {
      for (std::int64_t k = 0; k < a.side; ++k) {
        const std::int64_t at = (block * a.side + row % a.side) * a.side + k;
        sums[row] += value[at] * x[a.column[block] * a.side + k];
      }
    }
  }
  const bool by_rows = a.format == Format::csr || a.format == Format::sell;
  for (std::int64_t row = 0; row < a.rows && by_rows; ++row) {
    const std::int64_t unit = a.format == Format::csr ? row : row / a.slice_rows;
    const std::int64_t step = a.format == Format::csr ? 1 : a.slice_rows;
    const std::int64_t first = a.row[unit] + (a.format == Format::csr ? 0 : row % a.slice_rows);
    for (std::int64_t i = first; i < a.row[unit + 1]; i += step) {
      if (a.column[i] >= 0) sums[row] += value[i] * x[a.column[i]];
    }
  }
  for (std::int64_t row = 0; row < a.rows; ++row) {
    y[row] = alpha * sums[row] + (beta == 0 ? Value(0) : beta * y[row]);
  }
}

/// The extra time of a call while another matrix is there: as in finals, and not in trials.
double crowded_us() {
  const char* const us = std::getenv("FAKE_VENDOR_CROWDED_US");
  return us && CusparseMatrixRecord::alive > 1 ? std::atof(us) : 0;
}

int made(CusparseMatrix* matrix, CusparseMatrixRecord record) {
  *matrix = new CusparseMatrixRecord(record);
  ++CusparseMatrixRecord::alive;
  return 0;
}

template <class Value>
void queue(const CusparseMatrixRecord& a, const void* alpha, const void* x, const void* beta,
           void* y) {
  const Value scale = *static_cast<const Value*>(alpha), old = *static_cast<const Value*>(beta);
  fake_cuda()->calls.emplace_back("cusparseSpMV");
  fake_cuda()->enqueue([=] {
    multiply(a, scale, static_cast<const Value*>(x), old, static_cast<Value*>(y));
    // A large matrix takes longer than it takes here: else it would be timed by many calls.
    fake_cuda()->clock_us += 50 + a.nnz / 100'000 * 1000 + crowded_us();
  });
}

/// The code that the test wants of a call.
int wanted(const char* call) {
  const auto found = fake_cuda()->failures.find(call);
  return found == fake_cuda()->failures.end() ? cusparse_success : found->second;
}

}  // namespace

extern "C" {

int cusparseGetProperty(int type, int* value) {
  if (type < cusparse_major || type > cusparse_patch) return 3;
  *value = version[type];
  return 0;
}
const char* cusparseGetErrorString(int) { return "a faked error"; }
int cusparseCreate(CusparseHandle* handle) {
  *handle = new CusparseContextRecord;
  return wanted("cusparseCreate");
}
int cusparseDestroy(CusparseHandle handle) {
  delete handle;
  return 0;
}
int cusparseSetStream(CusparseHandle, CudaStream) { return wanted("cusparseSetStream"); }
int cusparseCreateCsr(CusparseMatrix* matrix, std::int64_t rows, std::int64_t, std::int64_t nnz,
                      void* row, void* column, void* value, int, int, int, int) {
  const int code = wanted("cusparseCreateCsr");
  return code != 0 ? code
                   : made(matrix, {Format::csr, rows, nnz, 0, ints(row), ints(column), value});
}
int cusparseCreateCoo(CusparseMatrix* matrix, std::int64_t rows, std::int64_t, std::int64_t nnz,
                      void* row, void* column, void* value, int, int, int) {
  return made(matrix, {Format::coo, rows, nnz, 0, ints(row), ints(column), value});
}
int cusparseCreateSlicedEll(CusparseMatrix* matrix, std::int64_t rows, std::int64_t,
                            std::int64_t nnz, std::int64_t, std::int64_t slice_rows, void* slice,
                            void* column, void* value, int, int, int, int) {
  return made(matrix, {Format::sell, rows, nnz, slice_rows, ints(slice), ints(column), value});
}
int cusparseCreateBsr(CusparseMatrix* matrix, std::int64_t block_rows, std::int64_t,
                      std::int64_t blocks, std::int64_t side, std::int64_t cols_a_block, void* row,
                      void* column, void* value, int, int, int, int, int order) {
  if (order != cusparse_order_row || side != cols_a_block) return 3;
  return made(matrix, {Format::bsr, block_rows * side, blocks * side * side, 0, ints(row),
                       ints(column), value, side});
}
int cusparseDestroySpMat(CusparseMatrix matrix) {
  delete matrix;
  --CusparseMatrixRecord::alive;
  return 0;
}
int cusparseCreateDnVec(CusparseVector* vector, std::int64_t, void* values, int type) {
  *vector = new CusparseVectorRecord{values, type};
  return 0;
}
int cusparseDestroyDnVec(CusparseVector vector) {
  delete vector;
  return 0;
}
int cusparseSpMV_bufferSize(CusparseHandle, int, const void*, CusparseMatrix, CusparseVector,
                            const void*, CusparseVector, int, int, std::size_t* bytes) {
  *bytes = 100;
  return 0;
}
int cusparseSpMV_preprocess(CusparseHandle, int, const void*, CusparseMatrix matrix, CusparseVector,
                            const void*, CusparseVector, int, int, void*) {
  if (const char* const seconds = std::getenv("FAKE_VENDOR_SECONDS")) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
  }
  matrix->prepared = true;  // or needs none
  return wanted("cusparseSpMV_preprocess");
}
int cusparseSpMV(CusparseHandle, int, const void* alpha, CusparseMatrix matrix, CusparseVector x,
                 const void* beta, CusparseVector y, int type, int, void*) {
  if (!matrix->prepared || x->type != type) return 3;
  if (type == cuda_real_32) {
    queue<float>(*matrix, alpha, x->values, beta, y->values);
  } else {
    queue<double>(*matrix, alpha, x->values, beta, y->values);
  }
  const int code = wanted("cusparseSpMV");
  if (code == execution_failed) fake_cuda()->lost = cuda_error_illegal_address;
  return code;
}
}
