// mkl_api_test: our prototypes and constants of MKL are those of Intel's headers, where there are
// any.
#include "runtime/cpu/mkl_api.h"

#include <gtest/gtest.h>

#include "tests/support/same_call.h"

#ifdef MKL_HEADERS
#include <mkl_service.h>
#include <mkl_spblas.h>

#include <cstddef>
#include <cstdio>

namespace alphasparse {
namespace {

using F32 = MklCalls<float>;
using F64 = MklCalls<double>;

static_assert(same_shape_of_call(mkl_sparse_s_create_csr, &F32::create_csr));
static_assert(same_shape_of_call(mkl_sparse_d_create_csr, &F64::create_csr));
static_assert(same_shape_of_call(mkl_sparse_s_create_bsr, &F32::create_bsr));
static_assert(same_shape_of_call(mkl_sparse_d_create_bsr, &F64::create_bsr));
static_assert(same_shape_of_call(mkl_sparse_s_mv, &F32::multiply));
static_assert(same_shape_of_call(mkl_sparse_d_mv, &F64::multiply));
static_assert(same_shape_of_call(mkl_sparse_s_mm, &F32::multiply_many));
static_assert(same_shape_of_call(mkl_sparse_d_mm, &F64::multiply_many));
static_assert(same_shape_of_call(mkl_sparse_set_mv_hint, &MklApi::hint));
static_assert(same_shape_of_call(mkl_sparse_set_mm_hint, &MklApi::hint_many));
static_assert(same_shape_of_call(mkl_sparse_optimize, &MklApi::optimize));
static_assert(same_shape_of_call(mkl_sparse_destroy, &MklApi::destroy));
static_assert(same_shape_of_call(MKL_Set_Interface_Layer, &MklApi::set_interface));
static_assert(same_shape_of_call(MKL_Set_Threading_Layer, &MklApi::set_threading));
static_assert(same_shape_of_call(MKL_Set_Num_Threads, &MklApi::set_threads));
static_assert(same_shape_of_call(MKL_Set_Dynamic, &MklApi::set_dynamic));
static_assert(same_shape_of_call(MKL_Get_Version, &MklApi::version));

// The comparison tells calls apart.
static_assert(!same_shape_of_call(mkl_sparse_s_mv, &F64::multiply));
static_assert(!same_shape_of_call(mkl_sparse_d_create_csr, &F64::create_bsr));
static_assert(!same_shape_of_call(MKL_Set_Dynamic, &MklApi::set_threading));

static_assert(mkl_success == SPARSE_STATUS_SUCCESS);
static_assert(mkl_not_transposed == SPARSE_OPERATION_NON_TRANSPOSE);
static_assert(mkl_general == SPARSE_MATRIX_TYPE_GENERAL);
static_assert(mkl_symmetric == SPARSE_MATRIX_TYPE_SYMMETRIC);
static_assert(mkl_upper == SPARSE_FILL_MODE_UPPER);
static_assert(mkl_diagonal_stored == SPARSE_DIAG_NON_UNIT);
static_assert(mkl_base_zero == SPARSE_INDEX_BASE_ZERO);
static_assert(mkl_order_row == SPARSE_LAYOUT_ROW_MAJOR);
static_assert(mkl_integers_32 == MKL_INTERFACE_LP64);
static_assert(mkl_sequential == MKL_THREADING_SEQUENTIAL);
static_assert(mkl_gnu_threads == MKL_THREADING_GNU);

static_assert(sizeof(MklVersion) == sizeof(MKLVersion));
static_assert(offsetof(MklVersion, update) == offsetof(MKLVersion, UpdateVersion));
static_assert(offsetof(MklVersion, processor) == offsetof(MKLVersion, Processor));
static_assert(offsetof(MklDescription, triangle) == offsetof(matrix_descr, mode));
static_assert(offsetof(MklDescription, diagonal) == offsetof(matrix_descr, diag));

TEST(MklApi, MatchesTheHeaders) {
  std::printf("compared with mkl_spblas.h and mkl_service.h in %s\n", MKL_HEADERS);
}

}  // namespace
}  // namespace alphasparse
#else
TEST(MklApi, MatchesTheHeaders) {
  GTEST_SKIP() << "skipped: no MKL, so no mkl_spblas.h and mkl_service.h to compare with";
}
#endif
