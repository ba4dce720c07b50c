// fake_cusparse: a fake of cuSPARSE's SpMV and SpMM on the "GPU" of fake_cuda, with memory on the
// host; a call is queued there and runs when the caller waits for it.
#include <dlfcn.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <thread>
#include <vector>

#include "generator/arrays/number_type.h"
#include "runtime/cuda/cusparse_api.h"
#include "tests/fakes/fake_cuda.h"

using namespace alphasparse;

namespace alphasparse {
struct CusparseContextRecord {};
struct CusparseMatrixRecord {
  static inline int alive = 0;

  enum class Format { csr, coo, sell, bsr } format;
  std::int64_t rows, cols, nnz, slice_rows;
  const int* row;
  const int* column;
  const void* value;
  int type;
  std::int64_t side = 1;           // of a block
  int sized = -1;                  // the algorithm of SpMM for which a buffer was sized
  const void* prepared = nullptr;  // by SpMM's preprocessing
};
struct CusparseVectorRecord {
  void* values;
  std::int64_t size;
  int type;
};
struct CusparseDenseRecord {
  std::int64_t rows, cols, distance;
  void* values;
  int type;
};
struct CusparseOperationRecord {
  const CusparseMatrixRecord& matrix;
  int type;
};
struct CusparsePlanRecord {
  const CusparseOperationRecord& operation;
};
}  // namespace alphasparse

namespace {

using Format = CusparseMatrixRecord::Format;

#ifdef FAKE_CUSPARSE_12_1
constexpr int version[] = {12, 1, 0};  // major, minor, patch
#else
constexpr int version[] = {12, 9, 4};
#endif
constexpr int invalid_value = 3;
constexpr int driver_too_old = 1;    // CUSPARSE_STATUS_NOT_INITIALIZED
constexpr int execution_failed = 6;  // the status after which the context is of no use either

const int* ints(void* address) { return static_cast<const int*>(address); }

/// One column of X and Y, of which so many stand side by side.
template <class Value>
void multiply(const CusparseMatrixRecord& a, Value alpha, const Value* x, Value beta, Value* y,
              std::int64_t columns) {
  const auto* const value = static_cast<const Value*>(a.value);
  std::vector<Value> sums(static_cast<std::size_t>(a.rows), 0);
  if (a.format == Format::coo) {
    for (std::int64_t i = 0; i < a.nnz; ++i) sums[a.row[i]] += value[i] * x[a.column[i] * columns];
  }
  for (std::int64_t row = 0; row < a.rows && a.format == Format::bsr; ++row) {
    for (std::int64_t block = a.row[row / a.side]; block < a.row[row / a.side + 1]; ++block) {
      for (std::int64_t k = 0; k < a.side; ++k) {
        const std::int64_t at = (block * a.side + row % a.side) * a.side + k;
        sums[row] += value[at] * x[(a.column[block] * a.side + k) * columns];
      }
    }
  }
  const bool by_rows = a.format == Format::csr || a.format == Format::sell;
  for (std::int64_t row = 0; row < a.rows && by_rows; ++row) {
    const std::int64_t unit = a.format == Format::csr ? row : row / a.slice_rows;
    const std::int64_t step = a.format == Format::csr ? 1 : a.slice_rows;
    const std::int64_t first = a.row[unit] + (a.format == Format::csr ? 0 : row % a.slice_rows);
    for (std::int64_t i = first; i < a.row[unit + 1]; i += step) {
      if (a.column[i] >= 0) sums[row] += value[i] * x[a.column[i] * columns];
    }
  }
  for (std::int64_t row = 0; row < a.rows; ++row) {
    Value& to = y[row * columns];
    to = alpha * sums[row] + (beta == 0 ? Value(0) : beta * to);
  }
}

/// The extra time of a call while another matrix is there: as in finals, and not in trials.
double crowded_us() {
  const char* const us = std::getenv("FAKE_VENDOR_CROWDED_US");
  return us && CusparseMatrixRecord::alive > 1 ? std::atof(us) : 0;
}

/// Whether `count` elements of so many bytes lie there, aligned.
bool are_there(const void* address, std::int64_t count, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  return count >= 0 && first % bytes == 0 &&
         (count == 0 || fake_cuda()->is_allocated(first, static_cast<std::size_t>(count) * bytes));
}

std::size_t bytes_of(int type) {
  return type == number_type(Dtype::f32).cuda_data_type ? sizeof(float) : sizeof(double);
}

struct Counts {
  std::int64_t rows, columns, values;  // of its arrays
};

int made(CusparseMatrix* matrix, CusparseMatrixRecord record, Counts counts, int base, int type,
         std::initializer_list<int> index_types) {
  for (const int index_type : index_types) {
    if (index_type != cusparse_index_32) return cusparse_not_supported;
  }
  if (base != cusparse_base_zero || record.rows < 0 || record.cols < 0 ||
      !are_there(record.row, counts.rows, sizeof(int)) ||
      !are_there(record.column, counts.columns, sizeof(int)) ||
      !are_there(record.value, counts.values, bytes_of(type))) {
    return invalid_value;
  }
  record.type = type;
  *matrix = new CusparseMatrixRecord(record);
  ++CusparseMatrixRecord::alive;
  return 0;
}

template <class Value>
void queue(const CusparseMatrixRecord& a, const void* alpha, const void* x, const void* beta,
           void* y, std::int64_t columns) {
  const Value scale = *static_cast<const Value*>(alpha), old = *static_cast<const Value*>(beta);
  fake_cuda()->calls.emplace_back(columns == 1 ? "cusparseSpMV" : "cusparseSpMM");
  fake_cuda()->enqueue([=] {
    for (std::int64_t k = 0; k < columns; ++k)
      multiply(a, scale, static_cast<const Value*>(x) + k, old, static_cast<Value*>(y) + k,
               columns);
    // A large matrix takes longer than it takes here: else it would be timed by many calls.
    fake_cuda()->clock_us += 50 + a.nnz / 100'000 * 1000 + crowded_us();
  });
}

/// A copy under the name "refused.so" is newer than the driver.
bool is_refused() {
  Dl_info here{};
  return dladdr(reinterpret_cast<void*>(&is_refused), &here) != 0 &&
         std::string_view(here.dli_fname).ends_with("/refused.so");
}

/// The code that the test wants of a call.
int wanted(const char* call) {
  const auto found = fake_cuda()->failures.find(call);
  return found == fake_cuda()->failures.end() ? cusparse_success : found->second;
}

constexpr std::size_t buffer_bytes = 100;

bool is_buffer(const void* buffer) {
  const auto address = reinterpret_cast<std::uintptr_t>(buffer);
  return address % 128 == 0 && fake_cuda()->is_allocated(address, buffer_bytes);
}

/// The status where the parts of a product do not fit together.
int refusal_of(const CusparseMatrixRecord& a, const CusparseVectorRecord& x,
               const CusparseVectorRecord& y, int operation, int type, int algorithm) {
  constexpr Format formats[] = {Format::coo, Format::csr,  Format::csr,
                                Format::coo, Format::sell, Format::bsr};  // from algorithm 1
  if (x.size != a.cols || y.size != a.rows) return invalid_value;
  if (algorithm < 0 || algorithm > 6) return invalid_value;
  const bool fits = algorithm == 0 || formats[algorithm - 1] == a.format;
  return fits && operation == cusparse_not_transposed && a.type == type && x.type == type &&
                 y.type == type
             ? cusparse_success
             : cusparse_not_supported;
}

void queue(const CusparseMatrixRecord& a, int type, const void* alpha, const void* x,
           const void* beta, void* y, std::int64_t columns = 1) {
  if (type == number_type(Dtype::f32).cuda_data_type) {
    queue<float>(a, alpha, x, beta, y, columns);
  } else {
    queue<double>(a, alpha, x, beta, y, columns);
  }
}

/// The same of SpMM, on rows without gaps: all that this fake can.
int refusal_of_many(const CusparseMatrixRecord& a, const CusparseDenseRecord& x,
                    const CusparseDenseRecord& y, int operation, int operation_of_x, int type,
                    int algorithm) {
  if (x.rows != a.cols || y.rows != a.rows || x.cols != y.cols) return invalid_value;
  const bool is_csr = algorithm == 4 || algorithm == 6 || algorithm == 12;
  const bool fits = (a.format == Format::csr && is_csr) ||
                    (a.format == Format::coo && algorithm == 5) ||
                    (a.format == Format::bsr && algorithm == 14 && version[1] > 1);
  const bool is_plain = operation == cusparse_not_transposed && operation_of_x == operation &&
                        x.distance == x.cols && y.distance == y.cols;
  return fits && is_plain && a.type == type && x.type == type && y.type == type
             ? cusparse_success
             : cusparse_not_supported;
}

}  // namespace

extern "C" {

int cusparseGetProperty(int type, int* value) {
  if (type < cusparse_major || type > cusparse_patch) return invalid_value;
  *value = version[type];
  return 0;
}
const char* cusparseGetErrorString(int) { return "a faked error"; }
int cusparseCreate(CusparseHandle* handle) {
  if (is_refused()) return driver_too_old;
  *handle = new CusparseContextRecord;
  return wanted("cusparseCreate");
}
int cusparseDestroy(CusparseHandle handle) {
  delete handle;
  return 0;
}
int cusparseSetStream(CusparseHandle, GpuStream) { return wanted("cusparseSetStream"); }
int cusparseCreateCsr(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                      std::int64_t nnz, void* row, void* column, void* value, int row_type,
                      int column_type, int base, int type) {
  const int code = wanted("cusparseCreateCsr");
  if (code != 0) return code;
  return made(matrix, {Format::csr, rows, cols, nnz, 0, ints(row), ints(column), value, type},
              {rows + 1, nnz, nnz}, base, type, {row_type, column_type});
}
int cusparseCreateCoo(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                      std::int64_t nnz, void* row, void* column, void* value, int index_type,
                      int base, int type) {
  return made(matrix, {Format::coo, rows, cols, nnz, 0, ints(row), ints(column), value, type},
              {nnz, nnz, nnz}, base, type, {index_type});
}
int cusparseCreateSlicedEll(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                            std::int64_t nnz, std::int64_t stored, std::int64_t slice_rows,
                            void* slice, void* column, void* value, int slice_type, int column_type,
                            int base, int type) {
  if (slice_rows < 1 || stored < nnz) return invalid_value;
  return made(matrix,
              {Format::sell, rows, cols, nnz, slice_rows, ints(slice), ints(column), value, type},
              {(rows + slice_rows - 1) / slice_rows + 1, stored, stored}, base, type,
              {slice_type, column_type});
}
int cusparseCreateBsr(CusparseMatrix* matrix, std::int64_t block_rows, std::int64_t block_cols,
                      std::int64_t blocks, std::int64_t side, std::int64_t cols_a_block, void* row,
                      void* column, void* value, int row_type, int column_type, int base, int type,
                      int order) {
  if (order != cusparse_order_row || side != cols_a_block || side < 1) return invalid_value;
  return made(matrix,
              {Format::bsr, block_rows * side, block_cols * side, blocks * side * side, 0,
               ints(row), ints(column), value, type, side},
              {block_rows + 1, blocks, blocks * side * side}, base, type, {row_type, column_type});
}
int cusparseDestroySpMat(CusparseMatrix matrix) {
  delete matrix;
  --CusparseMatrixRecord::alive;
  return 0;
}
int cusparseCreateDnVec(CusparseVector* vector, std::int64_t size, void* values, int type) {
  if (!are_there(values, size, bytes_of(type))) return invalid_value;
  *vector = new CusparseVectorRecord{values, size, type};
  return 0;
}
int cusparseDestroyDnVec(CusparseVector vector) {
  delete vector;
  return 0;
}
int cusparseDnVecSetValues(CusparseVector vector, void* values) {
  if (!are_there(values, vector->size, bytes_of(vector->type))) return invalid_value;
  vector->values = values;
  return wanted("cusparseDnVecSetValues");
}
int cusparseCreateDnMat(CusparseDense* dense, std::int64_t rows, std::int64_t cols,
                        std::int64_t distance, void* values, int type, int order) {
  if (order != cusparse_order_row || distance < cols || cols < 1 ||
      !are_there(values, rows * distance, bytes_of(type))) {
    return invalid_value;
  }
  *dense = new CusparseDenseRecord{rows, cols, distance, values, type};
  return 0;
}
int cusparseDestroyDnMat(CusparseDense dense) {
  delete dense;
  return 0;
}
int cusparseSpMM_bufferSize(CusparseHandle, int operation, int operation_of_x, const void*,
                            CusparseMatrix matrix, CusparseDense x, const void*, CusparseDense y,
                            int type, int algorithm, std::size_t* bytes) {
  *bytes = buffer_bytes;
  matrix->sized = algorithm;
  return refusal_of_many(*matrix, *x, *y, operation, operation_of_x, type, algorithm);
}
int cusparseSpMM_preprocess(CusparseHandle, int operation, int operation_of_x, const void*,
                            CusparseMatrix matrix, CusparseDense x, const void*, CusparseDense y,
                            int type, int algorithm, void* buffer) {
  if (!is_buffer(buffer) || matrix->sized != algorithm) return invalid_value;
  matrix->prepared = buffer;
  const int refusal = refusal_of_many(*matrix, *x, *y, operation, operation_of_x, type, algorithm);
  return refusal != 0 ? refusal : wanted("cusparseSpMM_preprocess");
}
int cusparseSpMM(CusparseHandle, int operation, int operation_of_x, const void* alpha,
                 CusparseMatrix matrix, CusparseDense x, const void* beta, CusparseDense y,
                 int type, int algorithm, void* buffer) {
  const int refusal = refusal_of_many(*matrix, *x, *y, operation, operation_of_x, type, algorithm);
  if (refusal != 0) return refusal;
  // A matrix is bound to the buffer and the algorithm that it was prepared with.
  if (!is_buffer(buffer) || matrix->sized != algorithm || matrix->prepared != buffer)
    return invalid_value;
  queue(*matrix, type, alpha, x->values, beta, y->values, x->cols);
  return wanted("cusparseSpMM");
}
int cusparseSpMV_bufferSize(CusparseHandle, int operation, const void*, CusparseMatrix matrix,
                            CusparseVector x, const void*, CusparseVector y, int type,
                            int algorithm, std::size_t* bytes) {
  *bytes = buffer_bytes;
  return refusal_of(*matrix, *x, *y, operation, type, algorithm);
}
#ifndef FAKE_CUSPARSE_12_1
int cusparseSpMV_preprocess(CusparseHandle, int operation, const void*, CusparseMatrix matrix,
                            CusparseVector x, const void*, CusparseVector y, int type,
                            int algorithm, void* buffer) {
  if (const char* const seconds = std::getenv("FAKE_VENDOR_SECONDS")) {
    std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
  }
  if (!is_buffer(buffer)) return invalid_value;
  const int refusal = refusal_of(*matrix, *x, *y, operation, type, algorithm);
  return refusal != 0 ? refusal : wanted("cusparseSpMV_preprocess");
}
#endif
int cusparseSpMV(CusparseHandle, int operation, const void* alpha, CusparseMatrix matrix,
                 CusparseVector x, const void* beta, CusparseVector y, int type, int algorithm,
                 void* buffer) {
  const int refusal = refusal_of(*matrix, *x, *y, operation, type, algorithm);
  if (refusal != 0) return refusal;
  if (!is_buffer(buffer)) return invalid_value;
  queue(*matrix, type, alpha, x->values, beta, y->values);
  int code = wanted("cusparseSpMV");
  if (code == 0 && fake_cuda()->recording) code = wanted("cusparseSpMV in a capture");
  if (code == execution_failed) fake_cuda()->lost = gpu_error_illegal_address;
  return code;
}
#ifndef FAKE_CUSPARSE_12_1
int cusparseSpMVOp_bufferSize(CusparseHandle, int operation, CusparseMatrix matrix,
                              CusparseVector x, CusparseVector y, CusparseVector z, int type,
                              int algorithm, std::size_t* bytes) {
  *bytes = buffer_bytes;
  if (z->size != y->size || algorithm < 0 || algorithm > 2) return invalid_value;
  return matrix->format == Format::csr ? refusal_of(*matrix, *x, *y, operation, type, 0)
                                       : cusparse_not_supported;
}
int cusparseSpMVOp_createDescr(CusparseHandle handle, CusparseOperation* made, int operation,
                               CusparseMatrix matrix, CusparseVector x, CusparseVector y,
                               CusparseVector z, int type, int algorithm, void* buffer) {
  std::size_t bytes = 0;
  const int refusal =
      cusparseSpMVOp_bufferSize(handle, operation, matrix, x, y, z, type, algorithm, &bytes);
  if (refusal != 0) return refusal;
  if (!is_buffer(buffer)) return invalid_value;
  *made = new CusparseOperationRecord{*matrix, type};
  return 0;
}
int cusparseSpMVOp_destroyDescr(CusparseOperation operation) {
  delete operation;
  return 0;
}
int cusparseSpMVOp_createPlan(CusparseHandle, CusparseOperation operation, CusparsePlan* plan,
                              const void* code, std::size_t code_bytes) {
  if (code != nullptr || code_bytes != 0) return invalid_value;
  *plan = new CusparsePlanRecord{*operation};
  return wanted("cusparseSpMVOp_createPlan");
}
int cusparseSpMVOp_destroyPlan(CusparsePlan plan) {
  delete plan;
  return 0;
}
int cusparseSpMVOp(CusparseHandle, CusparsePlan plan, const void* alpha, const void* beta,
                   CusparseVector x, CusparseVector y, CusparseVector z) {
  if (y->values != z->values) return cusparse_not_supported;  // all that this fake can
  const CusparseOperationRecord& operation = plan->operation;
  queue(operation.matrix, operation.type, alpha, x->values, beta, z->values);
  return wanted("cusparseSpMVOp");
}
#endif
}
