// api_test: our prototypes and constants of the CUDA driver and of NVRTC are those of NVIDIA's
// headers, where there are any.
#include "runtime/cuda/api.h"

#include <gtest/gtest.h>

#include "generator/arrays/number_type.h"
#include "runtime/compilers/nvrtc_api.h"
#include "runtime/cuda/cusparse_api.h"
#include "runtime/cuda/driver.h"
#include "runtime/device/baseline_kernels.h"
#include "tests/support/same_call.h"

#ifdef CUDA_HEADERS
#define CUSPARSE_ENABLE_EXPERIMENTAL_API  // SpMVOp
#include <cuda.h>
#include <cusparse.h>
#include <nvrtc.h>

#include <cstdlib>
#include <fstream>

namespace alphasparse {
namespace {

static_assert(same_shape_of_call(cusparseGetProperty, &CusparseApi::get_property));
static_assert(cusparse_major == MAJOR_VERSION);
static_assert(cusparse_minor == MINOR_VERSION);
static_assert(cusparse_patch == PATCH_LEVEL);
static_assert(same_shape_of_call(cusparseGetErrorString, &CusparseApi::error_string));
static_assert(same_shape_of_call(cusparseCreate, &CusparseApi::create));
static_assert(same_shape_of_call(cusparseDestroy, &CusparseApi::destroy));
static_assert(same_shape_of_call(cusparseSetStream, &CusparseApi::set_stream));
static_assert(same_shape_of_call(cusparseCreateCsr, &CusparseApi::create_csr));
static_assert(same_shape_of_call(cusparseCreateCoo, &CusparseApi::create_coo));
static_assert(same_shape_of_call(cusparseCreateSlicedEll, &CusparseApi::create_sell));
static_assert(same_shape_of_call(cusparseCreateBsr, &CusparseApi::create_bsr));
static_assert(same_shape_of_call(cusparseDestroySpMat, &CusparseApi::destroy_matrix));
static_assert(same_shape_of_call(cusparseCreateDnVec, &CusparseApi::create_vector));
static_assert(same_shape_of_call(cusparseDestroyDnVec, &CusparseApi::destroy_vector));
static_assert(same_shape_of_call(cusparseDnVecSetValues, &CusparseApi::set_values));
static_assert(same_shape_of_call(cusparseCreateDnMat, &CusparseApi::create_dense));
static_assert(same_shape_of_call(cusparseDestroyDnMat, &CusparseApi::destroy_dense));
static_assert(same_shape_of_call(cusparseSpMM_bufferSize, &CusparseApi::many_buffer_size));
static_assert(same_shape_of_call(cusparseSpMM_preprocess, &CusparseApi::preprocess_many));
static_assert(same_shape_of_call(cusparseSpMM, &CusparseApi::spmm));
static_assert(same_shape_of_call(cusparseSpMV_bufferSize, &CusparseApi::buffer_size));
static_assert(same_shape_of_call(cusparseSpMV_preprocess, &CusparseApi::preprocess));
static_assert(same_shape_of_call(cusparseSpMV, &CusparseApi::spmv));
#if CUSPARSE_VERSION >= 12801 && defined(CUSPARSE_ENABLE_EXPERIMENTAL_API)
static_assert(same_shape_of_call(cusparseSpMVOp_bufferSize, &CusparseApi::operation_buffer_size));
static_assert(same_shape_of_call(cusparseSpMVOp_createDescr, &CusparseApi::create_operation));
static_assert(same_shape_of_call(cusparseSpMVOp_destroyDescr, &CusparseApi::destroy_operation));
static_assert(same_shape_of_call(cusparseSpMVOp_createPlan, &CusparseApi::create_plan));
static_assert(same_shape_of_call(cusparseSpMVOp_destroyPlan, &CusparseApi::destroy_plan));
static_assert(same_shape_of_call(cusparseSpMVOp, &CusparseApi::run_plan));
#endif
static_assert(cusparse_success == CUSPARSE_STATUS_SUCCESS);
static_assert(cusparse_not_supported == CUSPARSE_STATUS_NOT_SUPPORTED);
static_assert(cusparse_not_transposed == CUSPARSE_OPERATION_NON_TRANSPOSE);
static_assert(cusparse_index_32 == CUSPARSE_INDEX_32I);
static_assert(cusparse_base_zero == CUSPARSE_INDEX_BASE_ZERO);
static_assert(cusparse_order_row == CUSPARSE_ORDER_ROW);
static_assert(number_type(Dtype::f32).cuda_data_type == CUDA_R_32F &&
              number_type(Dtype::f64).cuda_data_type == CUDA_R_64F);

static_assert(sizeof(CudaRectangle) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(CudaRectangle, from.device) == offsetof(CUDA_MEMCPY2D, srcDevice));
static_assert(offsetof(CudaRectangle, from.pitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
static_assert(offsetof(CudaRectangle, to.memory) == offsetof(CUDA_MEMCPY2D, dstMemoryType));
static_assert(offsetof(CudaRectangle, to.device) == offsetof(CUDA_MEMCPY2D, dstDevice));
static_assert(offsetof(CudaRectangle, to.pitch) == offsetof(CUDA_MEMCPY2D, dstPitch));
static_assert(offsetof(CudaRectangle, width_bytes) == offsetof(CUDA_MEMCPY2D, WidthInBytes));
static_assert(offsetof(CudaRectangle, height) == offsetof(CUDA_MEMCPY2D, Height));
static_assert(cuda_memory_device == CU_MEMORYTYPE_DEVICE);

TEST(CusparseApi, HasTheNumbersOfItsAlgorithms) {
  const auto number = [](const char* name) { return find_baseline(name)->number; };
  EXPECT_EQ(number("cusparse-csr-1"), CUSPARSE_SPMV_CSR_ALG1);
  EXPECT_EQ(number("cusparse-csr-2"), CUSPARSE_SPMV_CSR_ALG2);
  EXPECT_EQ(number("cusparse-coo-1"), CUSPARSE_SPMV_COO_ALG1);
  EXPECT_EQ(number("cusparse-coo-2"), CUSPARSE_SPMV_COO_ALG2);
  EXPECT_EQ(number("cusparse-sell"), CUSPARSE_SPMV_SELL_ALG1);
  EXPECT_EQ(number("cusparse-sell-16"), CUSPARSE_SPMV_SELL_ALG1);
  EXPECT_EQ(number("cusparse-sell-8"), CUSPARSE_SPMV_SELL_ALG1);
  EXPECT_EQ(number("cusparse-bsr"), CUSPARSE_SPMV_BSR_ALG1);
  EXPECT_EQ(number("cusparse-spmm-csr-1"), CUSPARSE_SPMM_CSR_ALG1);
  EXPECT_EQ(number("cusparse-spmm-csr-2"), CUSPARSE_SPMM_CSR_ALG2);
  EXPECT_EQ(number("cusparse-spmm-csr-3"), CUSPARSE_SPMM_CSR_ALG3);
  EXPECT_EQ(number("cusparse-spmm-coo-4"), CUSPARSE_SPMM_COO_ALG4);
  EXPECT_EQ(number("cusparse-spmm-bsr"), CUSPARSE_SPMM_BSR_ALG1);
}

// Macros of cuda.h give these names their versions: cuMemAlloc is cuMemAlloc_v2.
static_assert(same_call(cuGetErrorName, &GpuApi::error_name));
static_assert(same_call(cuGetErrorString, &GpuApi::error_string));
static_assert(same_call(cuInit, &GpuApi::init));
static_assert(same_call(cuDriverGetVersion, &GpuApi::driver_version));
static_assert(same_call(cuDeviceGetCount, &GpuApi::device_count));
static_assert(same_call(cuDeviceGet, &GpuApi::device));
static_assert(same_call(cuDeviceGetName, &GpuApi::device_name));
static_assert(same_call(cuDeviceGetAttribute, &GpuApi::attribute));
static_assert(same_call(cuDeviceGetPCIBusId, &GpuApi::bus_id));
static_assert(same_call(cuDevicePrimaryCtxRetain, &GpuApi::retain_context));
static_assert(same_call(cuDevicePrimaryCtxRelease, &GpuApi::release_context));
static_assert(same_call(cuCtxSetCurrent, &GpuApi::set_context));
static_assert(same_call(cuModuleLoadData, &GpuApi::load_module));
static_assert(same_call(cuModuleUnload, &GpuApi::unload_module));
static_assert(same_call(cuFuncGetAttribute, &GpuApi::function_attribute));
static_assert(gpu_function_registers == CU_FUNC_ATTRIBUTE_NUM_REGS);
static_assert(same_call(cuModuleGetFunction, &GpuApi::find_function));
static_assert(same_call(cuMemGetInfo, &GpuApi::memory_info));
static_assert(same_call(cuMemAlloc, &GpuApi::allocate));
static_assert(same_call(cuMemFree, &GpuApi::free));
static_assert(same_call(cuMemcpyHtoDAsync, &GpuApi::copy_to_device));
static_assert(same_call(cuMemcpyDtoHAsync, &GpuApi::copy_to_host));
static_assert(same_call(cuMemcpyDtoDAsync, &GpuApi::copy));
static_assert(same_call(cuMemsetD8Async, &GpuApi::fill));
static_assert(same_call(cuStreamCreate, &GpuApi::create_stream));
static_assert(same_call(cuStreamSynchronize, &GpuApi::wait_for_stream));
static_assert(same_call(cuStreamDestroy, &GpuApi::destroy_stream));
static_assert(same_call(cuStreamBeginCapture, &GpuApi::begin_capture));
static_assert(same_call(cuStreamEndCapture, &GpuApi::end_capture));
static_assert(same_call(cuGraphInstantiateWithFlags, &GpuApi::make_graph));
static_assert(same_call(cuGraphLaunch, &GpuApi::launch_graph));
static_assert(same_call(cuGraphExecDestroy, &GpuApi::destroy_graph));
static_assert(same_call(cuGraphDestroy, &GpuApi::destroy_graph_nodes));
static_assert(same_call(cuEventCreate, &GpuApi::create_event));
static_assert(same_call(cuEventRecord, &GpuApi::record_event));
static_assert(same_call(cuEventSynchronize, &GpuApi::wait_for_event));
static_assert(same_call(cuEventElapsedTime, &GpuApi::elapsed_ms));
static_assert(same_call(cuEventDestroy, &GpuApi::destroy_event));
static_assert(same_call(cuLaunchKernel, &GpuApi::launch));

static_assert(same_call(nvrtcGetErrorString, &NvrtcApi::error_string));
static_assert(same_call(nvrtcVersion, &NvrtcApi::version));
static_assert(same_call(nvrtcGetNumSupportedArchs, &NvrtcApi::arch_count));
static_assert(same_call(nvrtcGetSupportedArchs, &NvrtcApi::archs));
static_assert(same_call(nvrtcCreateProgram, &NvrtcApi::create_program));
static_assert(same_call(nvrtcDestroyProgram, &NvrtcApi::destroy_program));
static_assert(same_call(nvrtcCompileProgram, &NvrtcApi::compile_program));
static_assert(same_call(nvrtcGetProgramLogSize, &NvrtcApi::log_bytes));
static_assert(same_call(nvrtcGetProgramLog, &NvrtcApi::log));
static_assert(same_call(nvrtcGetCUBINSize, &NvrtcApi::code_bytes));
static_assert(same_call(nvrtcGetCUBIN, &NvrtcApi::code));
static_assert(same_call(nvrtcGetPTXSize, &NvrtcApi::ptx_bytes));
static_assert(same_call(nvrtcGetPTX, &NvrtcApi::ptx));

// The comparison tells calls apart.
static_assert(!same_call(cuMemAlloc, &GpuApi::free));
static_assert(!same_call(cuEventRecord, &GpuApi::wait_for_event));
static_assert(!same_call(cuMemcpyDtoHAsync, &GpuApi::copy_to_device));

static_assert(nvrtc_success == NVRTC_SUCCESS);
static_assert(nvrtc_error_out_of_memory == NVRTC_ERROR_OUT_OF_MEMORY);
static_assert(nvrtc_error_invalid_option == NVRTC_ERROR_INVALID_OPTION);
static_assert(nvrtc_error_compilation == NVRTC_ERROR_COMPILATION);

static_assert(gpu_success == CUDA_SUCCESS);
static_assert(gpu_error_invalid_value == CUDA_ERROR_INVALID_VALUE);
static_assert(gpu_error_out_of_memory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(gpu_error_stub_library == CUDA_ERROR_STUB_LIBRARY);
static_assert(gpu_error_no_device == CUDA_ERROR_NO_DEVICE);
static_assert(gpu_error_invalid_image == CUDA_ERROR_INVALID_IMAGE);
static_assert(gpu_error_unsupported_ptx_version == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(gpu_error_invalid_context == CUDA_ERROR_INVALID_CONTEXT);
static_assert(gpu_error_no_binary_for_gpu == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(gpu_error_ecc_uncorrectable == CUDA_ERROR_ECC_UNCORRECTABLE);
static_assert(gpu_error_not_found == CUDA_ERROR_NOT_FOUND);
static_assert(gpu_error_illegal_address == CUDA_ERROR_ILLEGAL_ADDRESS);
static_assert(gpu_error_launch_out_of_resources == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
static_assert(gpu_error_launch_timeout == CUDA_ERROR_LAUNCH_TIMEOUT);
static_assert(gpu_error_context_is_destroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED);
static_assert(gpu_error_assert == CUDA_ERROR_ASSERT);
static_assert(gpu_error_hardware_stack_error == CUDA_ERROR_HARDWARE_STACK_ERROR);
static_assert(gpu_error_illegal_instruction == CUDA_ERROR_ILLEGAL_INSTRUCTION);
static_assert(gpu_error_misaligned_address == CUDA_ERROR_MISALIGNED_ADDRESS);
static_assert(gpu_error_invalid_address_space == CUDA_ERROR_INVALID_ADDRESS_SPACE);
static_assert(gpu_error_invalid_pc == CUDA_ERROR_INVALID_PC);
static_assert(gpu_error_launch_failed == CUDA_ERROR_LAUNCH_FAILED);
static_assert(gpu_error_system_driver_mismatch == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
static_assert(gpu_error_unknown == CUDA_ERROR_UNKNOWN);

static_assert(gpu_error_not_initialized == CUDA_ERROR_NOT_INITIALIZED);
static_assert(cuda_attribute_clock_khz == CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
static_assert(cuda_attribute_multiprocessors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(cuda_attribute_shared_bytes_a_multiprocessor ==
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
static_assert(cuda_attribute_l2_cache_size == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(cuda_attribute_compute_capability_major ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(cuda_attribute_compute_capability_minor ==
              CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(gpu_capture_relaxed == CU_STREAM_CAPTURE_MODE_RELAXED);
static_assert(gpu_stream_non_blocking == CU_STREAM_NON_BLOCKING);
static_assert(gpu_event_default == CU_EVENT_DEFAULT);

TEST(GpuApi, MatchesTheHeaders) {
  std::printf("compared with cuda.h %d and nvrtc.h in %s\n", CUDA_VERSION, CUDA_HEADERS);
}

TEST(GpuApi, TheToolkitsStubHasEverySymbolAndIsToldFromADriver) {
  const std::string stub = CUDA_HEADERS "/../lib64/stubs/libcuda.so";
  if (!std::ifstream(stub)) GTEST_SKIP() << "skipped: no " << stub;
  setenv("ALPHASPARSE_LIBCUDA", stub.c_str(), 1);
  const Result<GpuDriver> driver = open_cuda_driver();
  ASSERT_FALSE(driver.ok());
  EXPECT_NE(driver.reason().find("stub"), std::string::npos) << driver.reason();
  EXPECT_EQ(driver.reason().find("lacks"), std::string::npos) << driver.reason();
}

}  // namespace
}  // namespace alphasparse
#else
TEST(GpuApi, MatchesTheHeaders) {
  GTEST_SKIP() << "skipped: no CUDA toolkit, so no cuda.h and nvrtc.h to compare with";
}
#endif
