// fake_cusparse: a fake of cuSPARSE's SpMV and SpMM on the "GPU" of the fakes, with memory on the
// host; a call is queued there and runs when the caller waits for it.
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "generator/arrays/number_type.h"
#include "runtime/cuda/cusparse_api.h"
#include "tests/fakes/fake_gpu_state.h"
#include "tests/fakes/fake_product.h"

using namespace alphasparse;

namespace alphasparse {
struct CusparseContextRecord {};
struct CusparseMatrixRecord : FakeMatrix {
  int sized = -1;                  // the algorithm of SpMM for which a buffer was sized
  const void* prepared = nullptr;  // by SpMM's preprocessing

  explicit CusparseMatrixRecord(const FakeMatrix& matrix) : FakeMatrix(matrix) {}
  int type() const { return number_type(dtype).cuda_data_type; }
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
};
struct CusparsePlanRecord {
  const CusparseOperationRecord& operation;
};
}  // namespace alphasparse

namespace {

using Format = FakeMatrix::Format;

#ifdef FAKE_CUSPARSE_12_1
constexpr int version[] = {12, 1, 0};  // major, minor, patch
#else
constexpr int version[] = {12, 9, 4};
#endif
constexpr int invalid_value = 3;
constexpr int driver_too_old = 1;    // CUSPARSE_STATUS_NOT_INITIALIZED
constexpr int execution_failed = 6;  // the status after which the context is of no use either

const int* ints(void* address) { return static_cast<const int*>(address); }

/// The row of a cudaDataType_t; null where we have no such numbers.
const NumberType* number_of(int type) {
  const auto* const row =
      std::find_if(number_types.begin(), number_types.end(),
                   [&](const NumberType& number) { return number.cuda_data_type == type; });
  return row == number_types.end() ? nullptr : row;
}

std::size_t bytes_of(int type) {
  const NumberType* const number = number_of(type);
  return number == nullptr ? 0 : static_cast<std::size_t>(number->bytes);
}

int made(CusparseMatrix* matrix, FakeMatrix record, int base, int type,
         std::initializer_list<int> index_types) {
  for (const int index_type : index_types) {
    if (index_type != cusparse_index_32) return cusparse_not_supported;
  }
  const NumberType* const number = number_of(type);
  if (number == nullptr) return cusparse_not_supported;
  record.dtype = number->dtype;
  if (base != cusparse_base_zero || !record.is_there()) return invalid_value;
  *matrix = new CusparseMatrixRecord(record);
  fake_count_matrices(1);
  return 0;
}

/// A copy under the name "refused.so" is newer than the driver.
bool is_rejected() {
  Dl_info here{};
  return dladdr(reinterpret_cast<void*>(&is_rejected), &here) != 0 &&
         std::string_view(here.dli_fname).ends_with("/refused.so");
}

constexpr std::size_t buffer_bytes = 100;

bool is_buffer(const void* buffer) {
  const auto address = reinterpret_cast<std::uintptr_t>(buffer);
  return address % 128 == 0 && fake_gpu()->is_allocated(address, buffer_bytes);
}

/// The status where the parts of a product do not fit together.
int refusal_of(const CusparseMatrixRecord& a, const CusparseVectorRecord& x,
               const CusparseVectorRecord& y, int operation, int type, int algorithm) {
  constexpr Format formats[] = {Format::coo, Format::csr,  Format::csr,
                                Format::coo, Format::sell, Format::bsr};  // from algorithm 1
  if (x.size != a.cols || y.size != a.rows) return invalid_value;
  if (algorithm < 0 || algorithm > 6) return invalid_value;
  const bool fits = algorithm == 0 || formats[algorithm - 1] == a.format;
  return fits && operation == cusparse_not_transposed && a.type() == type && x.type == type &&
                 y.type == type
             ? cusparse_success
             : cusparse_not_supported;
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
  return fits && is_plain && a.type() == type && x.type == type && y.type == type
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
  if (is_rejected()) return driver_too_old;
  *handle = new CusparseContextRecord;
  return fake_vendor_code("cusparseCreate");
}
int cusparseDestroy(CusparseHandle handle) {
  delete handle;
  return 0;
}
int cusparseSetStream(CusparseHandle, GpuStream) { return fake_vendor_code("cusparseSetStream"); }
int cusparseCreateCsr(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                      std::int64_t nnz, void* row, void* column, void* value, int row_type,
                      int column_type, int base, int type) {
  const int code = fake_vendor_code("cusparseCreateCsr");
  if (code != 0) return code;
  return made(matrix, {Format::csr, rows, cols, nnz, ints(row), ints(column), value, {}}, base,
              type, {row_type, column_type});
}
int cusparseCreateCoo(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                      std::int64_t nnz, void* row, void* column, void* value, int index_type,
                      int base, int type) {
  return made(matrix, {Format::coo, rows, cols, nnz, ints(row), ints(column), value, {}}, base,
              type, {index_type});
}
int cusparseCreateSlicedEll(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                            std::int64_t nnz, std::int64_t stored, std::int64_t slice_rows,
                            void* slice, void* column, void* value, int slice_type, int column_type,
                            int base, int type) {
  if (slice_rows < 1 || stored < nnz) return invalid_value;
  return made(matrix,
              {Format::sell, rows, cols, stored, ints(slice), ints(column), value, {}, slice_rows},
              base, type, {slice_type, column_type});
}
int cusparseCreateBsr(CusparseMatrix* matrix, std::int64_t block_rows, std::int64_t block_cols,
                      std::int64_t blocks, std::int64_t side, std::int64_t cols_a_block, void* row,
                      void* column, void* value, int row_type, int column_type, int base, int type,
                      int order) {
  if (order != cusparse_order_row || side != cols_a_block || side < 1) return invalid_value;
  return made(matrix,
              {Format::bsr,
               block_rows * side,
               block_cols * side,
               blocks * side * side,
               ints(row),
               ints(column),
               value,
               {},
               0,
               side},
              base, type, {row_type, column_type});
}
int cusparseDestroySpMat(CusparseMatrix matrix) {
  delete matrix;
  fake_count_matrices(-1);
  return 0;
}
int cusparseCreateDnVec(CusparseVector* vector, std::int64_t size, void* values, int type) {
  if (!fake_is_there(values, size, bytes_of(type))) return invalid_value;
  *vector = new CusparseVectorRecord{values, size, type};
  return 0;
}
int cusparseDestroyDnVec(CusparseVector vector) {
  delete vector;
  return 0;
}
int cusparseDnVecSetValues(CusparseVector vector, void* values) {
  if (!fake_is_there(values, vector->size, bytes_of(vector->type))) return invalid_value;
  vector->values = values;
  return fake_vendor_code("cusparseDnVecSetValues");
}
int cusparseCreateDnMat(CusparseDense* dense, std::int64_t rows, std::int64_t cols,
                        std::int64_t distance, void* values, int type, int order) {
  if (order != cusparse_order_row || distance < cols || cols < 1 ||
      !fake_is_there(values, rows * distance, bytes_of(type))) {
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
  return refusal != 0 ? refusal : fake_vendor_code("cusparseSpMM_preprocess");
}
int cusparseSpMM(CusparseHandle, int operation, int operation_of_x, const void* alpha,
                 CusparseMatrix matrix, CusparseDense x, const void* beta, CusparseDense y,
                 int type, int algorithm, void* buffer) {
  const int refusal = refusal_of_many(*matrix, *x, *y, operation, operation_of_x, type, algorithm);
  if (refusal != 0) return refusal;
  // A matrix is bound to the buffer and the algorithm that it was prepared with.
  if (!is_buffer(buffer) || matrix->sized != algorithm || matrix->prepared != buffer)
    return invalid_value;
  fake_multiply("cusparseSpMM", *matrix, alpha, x->values, beta, y->values, x->cols);
  return fake_vendor_code("cusparseSpMM");
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
  fake_vendor_prepares();
  if (!is_buffer(buffer)) return invalid_value;
  const int refusal = refusal_of(*matrix, *x, *y, operation, type, algorithm);
  return refusal != 0 ? refusal : fake_vendor_code("cusparseSpMV_preprocess");
}
#endif
int cusparseSpMV(CusparseHandle, int operation, const void* alpha, CusparseMatrix matrix,
                 CusparseVector x, const void* beta, CusparseVector y, int type, int algorithm,
                 void* buffer) {
  const int refusal = refusal_of(*matrix, *x, *y, operation, type, algorithm);
  if (refusal != 0) return refusal;
  if (!is_buffer(buffer)) return invalid_value;
  fake_multiply("cusparseSpMV", *matrix, alpha, x->values, beta, y->values);
  int code = fake_vendor_code("cusparseSpMV");
  if (code == 0 && fake_gpu()->recording) code = fake_vendor_code("cusparseSpMV in a capture");
  if (code == execution_failed) fake_gpu()->lost = gpu_error_illegal_address;
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
  *made = new CusparseOperationRecord{*matrix};
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
  return fake_vendor_code("cusparseSpMVOp_createPlan");
}
int cusparseSpMVOp_destroyPlan(CusparsePlan plan) {
  delete plan;
  return 0;
}
int cusparseSpMVOp(CusparseHandle, CusparsePlan plan, const void* alpha, const void* beta,
                   CusparseVector x, CusparseVector y, CusparseVector z) {
  if (y->values != z->values) return cusparse_not_supported;  // all that this fake can
  fake_multiply("cusparseSpMV", plan->operation.matrix, alpha, x->values, beta, z->values);
  return fake_vendor_code("cusparseSpMVOp");
}
#endif
}
