// rocsparse_api: the few functions of rocSPARSE that an SpMV takes, as its library exports them.
// Descriptors are pointers that we never follow.
//
// Sources: rocsparse-types.h, rocsparse-auxiliary.h and rocsparse-functions.h of rocSPARSE 2.3.3
// (Debian's librocsparse-dev 5.3.0), to which a test holds this file. For later versions the same
// headers of rocSPARSE 4.2 and later (github.com/ROCm/rocm-libraries, projects/rocsparse), beside
// hipfort's hipfort_rocsparse_enums.
//
// The product has three forms:
//   2.3         rocsparse_spmv without stages: the first product prepares
//   2.4 to 2.5  rocsparse_spmv_ex, in stages
//   from 3.0    rocsparse_spmv, in stages: the form of rocsparse_spmv_ex under the older name
// None of them takes sliced ELL: rocsparse_spmv answers "not implemented" (rocsparse_spmv.cpp of
// 4.2). From 4.2 rocsparse_v2_spmv does.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "generator/arrays/number_type.h"
#include "runtime/gpu/api.h"

namespace alphasparse {

struct RocsparseContextRecord;
struct RocsparseMatrixRecord;
struct RocsparseVectorRecord;
struct RocsparseProductRecord;
struct RocsparseErrorRecord;
using RocsparseHandle = RocsparseContextRecord*;
using RocsparseMatrix = RocsparseMatrixRecord*;
using RocsparseVector = RocsparseVectorRecord*;
using RocsparseProduct = RocsparseProductRecord*;  // rocsparse_spmv_descr
using RocsparseError = RocsparseErrorRecord*;

inline constexpr int rocsparse_success = 0;
inline constexpr int rocsparse_not_transposed = 111;
inline constexpr int rocsparse_index_32 = 2;
inline constexpr int rocsparse_base_zero = 0;
inline constexpr int rocsparse_rows_of_blocks = 0;  // rocsparse_direction_row

/// rocsparse_datatype of each Dtype.
constexpr int rocsparse_data_type(Dtype dtype) {
  constexpr std::array types = {151, 152, 154, 155};
  return types[static_cast<std::size_t>(dtype)];
}

// rocsparse_spmv_stage; 2.4 and 2.5 also have 0, for any of them.
inline constexpr int rocsparse_stage_buffer_size = 1;
inline constexpr int rocsparse_stage_preprocess = 2;
inline constexpr int rocsparse_stage_compute = 3;

// rocsparse_v2_spmv_stage and rocsparse_spmv_input.
inline constexpr int rocsparse_v2_analysis = 0;
inline constexpr int rocsparse_v2_compute = 1;
inline constexpr int rocsparse_input_algorithm = 0;
inline constexpr int rocsparse_input_operation = 1;
inline constexpr int rocsparse_input_scalar_type = 2;
inline constexpr int rocsparse_input_compute_type = 3;

/// rocsparse_get_version's number: 400200 is 4.2.0.
constexpr int rocsparse_version_number(int major, int minor, int patch) {
  return major * 100000 + minor * 100 + patch;
}
inline constexpr int rocsparse_with_stages =
    rocsparse_version_number(3, 0, 0);  ///< in rocsparse_spmv

/// Every result is a rocsparse_status; enumerations are ints.
struct RocsparseApi {
  int (*create)(RocsparseHandle* handle) = nullptr;
  int (*destroy)(RocsparseHandle handle) = nullptr;
  int (*get_version)(RocsparseHandle handle, int* version) = nullptr;
  int (*set_stream)(RocsparseHandle handle, GpuStream stream) = nullptr;
  int (*create_csr)(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                    void* row, void* column, void* value, int row_type, int column_type, int base,
                    int value_type) = nullptr;
  int (*create_coo)(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols, std::int64_t nnz,
                    void* row, void* column, void* value, int index_type, int base,
                    int value_type) = nullptr;
  int (*create_ell)(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols, void* column,
                    void* value, std::int64_t width, int index_type, int base,
                    int value_type) = nullptr;
  int (*create_bsr)(RocsparseMatrix* matrix, std::int64_t block_rows, std::int64_t block_cols,
                    std::int64_t blocks, int direction, std::int64_t side, void* row, void* column,
                    void* value, int row_type, int column_type, int base, int value_type) = nullptr;
  int (*destroy_matrix)(RocsparseMatrix matrix) = nullptr;
  int (*create_vector)(RocsparseVector* vector, std::int64_t size, void* values,
                       int value_type) = nullptr;
  int (*destroy_vector)(RocsparseVector vector) = nullptr;
  int (*set_values)(RocsparseVector vector, void* values) = nullptr;

  /// In stages: rocsparse_spmv or rocsparse_spmv_ex; null before 2.4. A buffer of null asks for
  /// `bytes`, in the stage of that name.
  int (*spmv)(RocsparseHandle handle, int operation, const void* alpha, RocsparseMatrix matrix,
              RocsparseVector x, const void* beta, RocsparseVector y, int compute_type,
              int algorithm, int stage, std::size_t* bytes, void* buffer) = nullptr;
  /// rocsparse_spmv before 3.0; null from then on.
  int (*spmv_without_stages)(RocsparseHandle handle, int operation, const void* alpha,
                             RocsparseMatrix matrix, RocsparseVector x, const void* beta,
                             RocsparseVector y, int compute_type, int algorithm, std::size_t* bytes,
                             void* buffer) = nullptr;

  // Of sliced ELL, from 4.2; null where the library lacks one of them.
  int (*create_sell)(RocsparseMatrix* matrix, std::int64_t rows, std::int64_t cols,
                     std::int64_t nnz, std::int64_t slice_rows, std::int64_t stored, void* slice,
                     void* column, void* value, int slice_type, int column_type, int base,
                     int value_type) = nullptr;
  int (*create_product)(RocsparseProduct* product) = nullptr;
  int (*destroy_product)(RocsparseProduct product) = nullptr;
  int (*set_input)(RocsparseHandle handle, RocsparseProduct product, int input, const void* value,
                   std::size_t bytes, RocsparseError* error) = nullptr;
  int (*v2_buffer_size)(RocsparseHandle handle, RocsparseProduct product, RocsparseMatrix matrix,
                        RocsparseVector x, RocsparseVector y, int stage, std::size_t* bytes,
                        RocsparseError* error) = nullptr;
  int (*v2_spmv)(RocsparseHandle handle, RocsparseProduct product, const void* alpha,
                 RocsparseMatrix matrix, RocsparseVector x, const void* beta, RocsparseVector y,
                 int stage, std::size_t bytes, void* buffer, RocsparseError* error) = nullptr;
};

}  // namespace alphasparse
