// cusparse_api: the few functions of cuSPARSE that an SpMV or SpMM takes, as its library exports
// them; a test holds the prototypes against NVIDIA's header. Descriptors are pointers that we never
// follow.
#pragma once
#include <cstddef>
#include <cstdint>

#include "runtime/cuda/api.h"

namespace alphasparse {

struct CusparseContextRecord;
struct CusparseMatrixRecord;
struct CusparseVectorRecord;
struct CusparseDenseRecord;
struct CusparseOperationRecord;
struct CusparsePlanRecord;
using CusparseHandle = CusparseContextRecord*;
using CusparseMatrix = CusparseMatrixRecord*;
using CusparseVector = CusparseVectorRecord*;
using CusparseDense = CusparseDenseRecord*;
using CusparseOperation = CusparseOperationRecord*;
using CusparsePlan = CusparsePlanRecord*;

inline constexpr int cusparse_success = 0;
inline constexpr int cusparse_not_supported = 10;
inline constexpr int cusparse_not_transposed = 0;
inline constexpr int cusparse_index_32 = 2;
inline constexpr int cusparse_base_zero = 0;
inline constexpr int cusparse_order_row = 2;  // of the values of a block, and of X and Y

/// The parts of the version, as cusparseGetProperty numbers them.
inline constexpr int cusparse_major = 0;
inline constexpr int cusparse_minor = 1;
inline constexpr int cusparse_patch = 2;

/// Every result but the error text's is a cusparseStatus_t; enumerations are ints.
struct CusparseApi {
  int (*get_property)(int type, int* value) = nullptr;  ///< null where nobody knows the version
  const char* (*error_string)(int status) = nullptr;
  int (*create)(CusparseHandle* handle) = nullptr;
  int (*destroy)(CusparseHandle handle) = nullptr;
  int (*set_stream)(CusparseHandle handle, GpuStream stream) = nullptr;
  int (*create_csr)(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                    void* row, void* column, void* value, int row_type, int column_type, int base,
                    int value_type) = nullptr;
  int (*create_coo)(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                    void* row, void* column, void* value, int index_type, int base,
                    int value_type) = nullptr;
  int (*create_sell)(CusparseMatrix* matrix, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                     std::int64_t stored, std::int64_t slice_rows, void* slice, void* column,
                     void* value, int slice_type, int column_type, int base,
                     int value_type) = nullptr;
  int (*create_bsr)(CusparseMatrix* matrix, std::int64_t block_rows, std::int64_t block_cols,
                    std::int64_t blocks, std::int64_t rows_a_block, std::int64_t cols_a_block,
                    void* row, void* column, void* value, int row_type, int column_type, int base,
                    int value_type, int order) = nullptr;  ///< null before CUDA 12.1
  int (*destroy_matrix)(CusparseMatrix matrix) = nullptr;
  int (*create_vector)(CusparseVector* vector, std::int64_t size, void* values,
                       int value_type) = nullptr;
  int (*destroy_vector)(CusparseVector vector) = nullptr;
  int (*set_values)(CusparseVector vector, void* values) = nullptr;
  int (*buffer_size)(CusparseHandle handle, int operation, const void* alpha, CusparseMatrix matrix,
                     CusparseVector x, const void* beta, CusparseVector y, int compute_type,
                     int algorithm, std::size_t* bytes) = nullptr;
  int (*preprocess)(CusparseHandle handle, int operation, const void* alpha, CusparseMatrix matrix,
                    CusparseVector x, const void* beta, CusparseVector y, int compute_type,
                    int algorithm, void* buffer) = nullptr;
  int (*spmv)(CusparseHandle handle, int operation, const void* alpha, CusparseMatrix matrix,
              CusparseVector x, const void* beta, CusparseVector y, int compute_type, int algorithm,
              void* buffer) = nullptr;

  // SpMM, Y = alpha * A * X + beta * Y of several columns.
  int (*create_dense)(CusparseDense* dense, std::int64_t rows, std::int64_t cols,
                      std::int64_t distance, void* values, int value_type, int order) = nullptr;
  int (*destroy_dense)(CusparseDense dense) = nullptr;
  int (*many_buffer_size)(CusparseHandle handle, int operation, int operation_of_x,
                          const void* alpha, CusparseMatrix matrix, CusparseDense x,
                          const void* beta, CusparseDense y, int compute_type, int algorithm,
                          std::size_t* bytes) = nullptr;
  int (*preprocess_many)(CusparseHandle handle, int operation, int operation_of_x,
                         const void* alpha, CusparseMatrix matrix, CusparseDense x,
                         const void* beta, CusparseDense y, int compute_type, int algorithm,
                         void* buffer) = nullptr;
  int (*spmm)(CusparseHandle handle, int operation, int operation_of_x, const void* alpha,
              CusparseMatrix matrix, CusparseDense x, const void* beta, CusparseDense y,
              int compute_type, int algorithm, void* buffer) = nullptr;

  // SpMVOp, z = alpha * A * x + beta * y by a plan; without code of its own a plan computes that.
  int (*operation_buffer_size)(CusparseHandle handle, int operation, CusparseMatrix matrix,
                               CusparseVector x, CusparseVector y, CusparseVector z,
                               int compute_type, int algorithm, std::size_t* bytes) = nullptr;
  int (*create_operation)(CusparseHandle handle, CusparseOperation* made, int operation,
                          CusparseMatrix matrix, CusparseVector x, CusparseVector y,
                          CusparseVector z, int compute_type, int algorithm,
                          void* buffer) = nullptr;
  int (*destroy_operation)(CusparseOperation operation) = nullptr;
  int (*create_plan)(CusparseHandle handle, CusparseOperation operation, CusparsePlan* plan,
                     const void* code, std::size_t code_bytes) = nullptr;
  int (*destroy_plan)(CusparsePlan plan) = nullptr;
  int (*run_plan)(CusparseHandle handle, CusparsePlan plan, const void* alpha, const void* beta,
                  CusparseVector x, CusparseVector y,
                  CusparseVector z) = nullptr;  ///< null: no SpMVOp
};

}  // namespace alphasparse
