// rocsparse_api_test: our prototypes and constants of rocSPARSE are those of AMD's headers, where
// there are any.
#include "runtime/hip/rocsparse_api.h"

#include <gtest/gtest.h>

#include "runtime/device/baseline_kernels.h"
#include "tests/support/same_call.h"

#ifdef ROCSPARSE_HEADERS
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__
#endif
#include <rocsparse/rocsparse.h>

#include <cstdio>

namespace alphasparse {
namespace {

constexpr int headers = rocsparse_version_number(ROCSPARSE_VERSION_MAJOR, ROCSPARSE_VERSION_MINOR,
                                                 ROCSPARSE_VERSION_PATCH);

static_assert(same_shape_of_call(rocsparse_create_handle, &RocsparseApi::create));
static_assert(same_shape_of_call(rocsparse_destroy_handle, &RocsparseApi::destroy));
static_assert(same_shape_of_call(rocsparse_get_version, &RocsparseApi::get_version));
static_assert(same_shape_of_call(rocsparse_set_stream, &RocsparseApi::set_stream));
static_assert(same_shape_of_call(rocsparse_create_csr_descr, &RocsparseApi::create_csr));
static_assert(same_shape_of_call(rocsparse_create_coo_descr, &RocsparseApi::create_coo));
static_assert(same_shape_of_call(rocsparse_create_ell_descr, &RocsparseApi::create_ell));
static_assert(same_shape_of_call(rocsparse_create_bsr_descr, &RocsparseApi::create_bsr));
static_assert(same_shape_of_call(rocsparse_destroy_spmat_descr, &RocsparseApi::destroy_matrix));
static_assert(same_shape_of_call(rocsparse_create_dnvec_descr, &RocsparseApi::create_vector));
static_assert(same_shape_of_call(rocsparse_destroy_dnvec_descr, &RocsparseApi::destroy_vector));
static_assert(same_shape_of_call(rocsparse_dnvec_set_values, &RocsparseApi::set_values));
#if ROCSPARSE_VERSION_MAJOR >= 3
static_assert(same_shape_of_call(rocsparse_spmv, &RocsparseApi::spmv));
static_assert(rocsparse_stage_buffer_size == rocsparse_spmv_stage_buffer_size);
static_assert(rocsparse_stage_preprocess == rocsparse_spmv_stage_preprocess);
static_assert(rocsparse_stage_compute == rocsparse_spmv_stage_compute);
#else
static_assert(same_shape_of_call(rocsparse_spmv, &RocsparseApi::spmv_without_stages));
#if ROCSPARSE_VERSION_MINOR >= 4
static_assert(same_shape_of_call(rocsparse_spmv_ex, &RocsparseApi::spmv));
static_assert(rocsparse_stage_buffer_size == rocsparse_spmv_stage_buffer_size);
static_assert(rocsparse_stage_preprocess == rocsparse_spmv_stage_preprocess);
static_assert(rocsparse_stage_compute == rocsparse_spmv_stage_compute);
#endif
#endif
#if ROCSPARSE_VERSION_MAJOR > 4 || (ROCSPARSE_VERSION_MAJOR == 4 && ROCSPARSE_VERSION_MINOR >= 2)
static_assert(same_shape_of_call(rocsparse_create_sell_descr, &RocsparseApi::create_sell));
static_assert(same_shape_of_call(rocsparse_create_spmv_descr, &RocsparseApi::create_product));
static_assert(same_shape_of_call(rocsparse_destroy_spmv_descr, &RocsparseApi::destroy_product));
static_assert(same_shape_of_call(rocsparse_spmv_set_input, &RocsparseApi::set_input));
static_assert(same_shape_of_call(rocsparse_v2_spmv_buffer_size, &RocsparseApi::v2_buffer_size));
static_assert(same_shape_of_call(rocsparse_v2_spmv, &RocsparseApi::v2_spmv));
static_assert(rocsparse_v2_analysis == rocsparse_v2_spmv_stage_analysis);
static_assert(rocsparse_v2_compute == rocsparse_v2_spmv_stage_compute);
static_assert(rocsparse_input_algorithm == rocsparse_spmv_input_alg);
static_assert(rocsparse_input_operation == rocsparse_spmv_input_operation);
static_assert(rocsparse_input_scalar_type == rocsparse_spmv_input_scalar_datatype);
static_assert(rocsparse_input_compute_type == rocsparse_spmv_input_compute_datatype);
#endif
static_assert(rocsparse_success == rocsparse_status_success);
static_assert(rocsparse_not_transposed == rocsparse_operation_none);
static_assert(rocsparse_index_32 == rocsparse_indextype_i32);
static_assert(rocsparse_base_zero == rocsparse_index_base_zero);
static_assert(rocsparse_rows_of_blocks == rocsparse_direction_row);
static_assert(rocsparse_data_type(Dtype::f32) == rocsparse_datatype_f32_r);
static_assert(rocsparse_data_type(Dtype::f64) == rocsparse_datatype_f64_r);
static_assert(rocsparse_data_type(Dtype::c64) == rocsparse_datatype_f32_c);
static_assert(rocsparse_data_type(Dtype::c128) == rocsparse_datatype_f64_c);

TEST(RocsparseApi, HasTheNumbersOfItsAlgorithms) {
  std::printf("compared with rocSPARSE %d in %s\n", headers, ROCSPARSE_HEADERS);
  const auto number = [](const char* name) { return find_baseline(name)->number; };
  EXPECT_EQ(number("rocsparse-coo"), rocsparse_spmv_alg_coo);
  EXPECT_EQ(number("rocsparse-coo-atomic"), rocsparse_spmv_alg_coo_atomic);
  EXPECT_EQ(number("rocsparse-csr-adaptive"), rocsparse_spmv_alg_csr_adaptive);
  EXPECT_EQ(number("rocsparse-csr-rowsplit"), rocsparse_spmv_alg_csr_stream);  // its older name
  EXPECT_EQ(number("rocsparse-ell"), rocsparse_spmv_alg_ell);
  EXPECT_EQ(number("rocsparse-bsr"), rocsparse_spmv_alg_bsr);
#if ROCSPARSE_VERSION_MAJOR > 4 || (ROCSPARSE_VERSION_MAJOR == 4 && ROCSPARSE_VERSION_MINOR >= 2)
  EXPECT_EQ(number("rocsparse-csr-lrb"), rocsparse_spmv_alg_csr_lrb);
  EXPECT_EQ(number("rocsparse-csr-nnzsplit"), rocsparse_spmv_alg_csr_nnzsplit);
  EXPECT_EQ(number("rocsparse-sell"), rocsparse_spmv_alg_sell);
#endif
}

}  // namespace
}  // namespace alphasparse
#else
TEST(RocsparseApi, HasTheNumbersOfItsAlgorithms) {
  GTEST_SKIP() << "skipped: no rocsparse/rocsparse.h to compare with";
}
#endif
