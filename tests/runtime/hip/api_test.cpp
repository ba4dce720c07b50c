// api_test: our prototypes and constants of HIP and of hiprtc are those of AMD's headers, where
// there are any, and its library has the functions.
#include "runtime/hip/api.h"

#include <gtest/gtest.h>

#include "runtime/compilers/hiprtc_api.h"
#include "runtime/hip/driver.h"
#include "runtime/system/processes/dynamic_library.h"
#include "tests/support/same_call.h"

#ifdef HIP_HEADERS
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#include <hip/hiprtc.h>

#include <array>
#include <cstddef>
#include <cstdlib>

namespace alphasparse {
namespace {

static_assert(same_call(hipInit, &GpuApi::init));
static_assert(same_call(hipDriverGetVersion, &GpuApi::driver_version));
static_assert(same_call(hipGetDeviceCount, &GpuApi::device_count));
static_assert(same_call(hipDeviceGet, &GpuApi::device));
static_assert(same_call(hipDeviceGetName, &GpuApi::device_name));
static_assert(same_call(hipDeviceGetAttribute, &GpuApi::attribute));
static_assert(same_call(hipModuleLoadData, &GpuApi::load_module));
static_assert(same_call(hipModuleUnload, &GpuApi::unload_module));
static_assert(same_call(hipFuncGetAttribute, &GpuApi::function_attribute));
static_assert(gpu_function_registers == HIP_FUNC_ATTRIBUTE_NUM_REGS);
static_assert(same_call(hipModuleGetFunction, &GpuApi::find_function));
static_assert(same_call(hipMemGetInfo, &GpuApi::memory_info));
static_assert(same_call(hipFree, &GpuApi::free));
static_assert(same_call(hipMemcpyDtoHAsync, &GpuApi::copy_to_host));
static_assert(same_call(hipMemcpyDtoDAsync, &GpuApi::copy));
static_assert(same_call(hipMemsetD8Async, &GpuApi::fill));
static_assert(same_call(hipStreamCreateWithFlags, &GpuApi::create_stream));
static_assert(same_call(hipStreamSynchronize, &GpuApi::wait_for_stream));
static_assert(same_call(hipStreamDestroy, &GpuApi::destroy_stream));
static_assert(same_call(hipStreamBeginCapture, &GpuApi::begin_capture));
static_assert(same_call(hipStreamEndCapture, &GpuApi::end_capture));
static_assert(same_call(hipGraphInstantiateWithFlags, &GpuApi::make_graph));
static_assert(same_call(hipGraphLaunch, &GpuApi::launch_graph));
static_assert(same_call(hipGraphExecDestroy, &GpuApi::destroy_graph));
static_assert(same_call(hipGraphDestroy, &GpuApi::destroy_graph_nodes));
static_assert(same_call(hipEventCreateWithFlags, &GpuApi::create_event));
static_assert(same_call(hipEventRecord, &GpuApi::record_event));
static_assert(same_call(hipEventSynchronize, &GpuApi::wait_for_event));
static_assert(same_call(hipEventElapsedTime, &GpuApi::elapsed_ms));
static_assert(same_call(hipEventDestroy, &GpuApi::destroy_event));
static_assert(same_call(hipModuleLaunchKernel, &GpuApi::launch));

// Overloads in C++ hide some behind them: these are the functions of the library.
static_assert(same_call(static_cast<hipError_t (*)(void**, std::size_t)>(hipMalloc),
                        &GpuApi::allocate));
static_assert(same_call(static_cast<hipError_t (*)(char*, int, int)>(hipDeviceGetPCIBusId),
                        &GpuApi::bus_id));
// ROCm 5's takes a source that is not const, which it does not change.
static_assert(same_shape_of_call(hipMemcpyHtoDAsync, &GpuApi::copy_to_device));

static_assert(!same_call(hipEventRecord, &GpuApi::wait_for_event));
static_assert(!same_call(hipMemcpyDtoHAsync, &GpuApi::copy_to_device));

// Those that a call of the table stands around.
static_assert(std::is_same_v<decltype(hipGetErrorName), const char*(hipError_t)>);
static_assert(std::is_same_v<decltype(hipGetErrorString), const char*(hipError_t)>);
static_assert(std::is_same_v<decltype(hipSetDevice), hipError_t(int)>);
static_assert(std::is_same_v<decltype(hipGetDevice), hipError_t(int*)>);
static_assert(std::is_same_v<decltype(hipGetDeviceProperties), hipError_t(hipDeviceProp_t*, int)>);
static_assert(std::is_same_v<decltype(hipMemcpy2DAsync),
                             hipError_t(void*, std::size_t, const void*, std::size_t, std::size_t,
                                        std::size_t, hipMemcpyKind, hipStream_t)>);

static_assert(same_call(hiprtcGetErrorString, &HiprtcApi::error_string));
static_assert(same_call(hiprtcVersion, &HiprtcApi::version));
static_assert(same_shape_of_call(hiprtcCreateProgram, &HiprtcApi::create_program));
static_assert(same_call(hiprtcDestroyProgram, &HiprtcApi::destroy_program));
static_assert(same_shape_of_call(hiprtcCompileProgram, &HiprtcApi::compile_program));
static_assert(same_call(hiprtcGetProgramLogSize, &HiprtcApi::log_bytes));
static_assert(same_call(hiprtcGetProgramLog, &HiprtcApi::log));
static_assert(same_call(hiprtcGetCodeSize, &HiprtcApi::code_bytes));
static_assert(same_call(hiprtcGetCode, &HiprtcApi::code));
static_assert(hiprtc_success == HIPRTC_SUCCESS);
static_assert(hiprtc_error_compilation == HIPRTC_ERROR_COMPILATION);

static_assert(gpu_success == hipSuccess);
static_assert(gpu_error_invalid_value == hipErrorInvalidValue);
static_assert(gpu_error_out_of_memory == hipErrorOutOfMemory);
static_assert(gpu_error_not_initialized == hipErrorNotInitialized);
static_assert(gpu_error_no_device == hipErrorNoDevice);
static_assert(gpu_error_invalid_image == hipErrorInvalidImage);
static_assert(gpu_error_invalid_context == hipErrorInvalidContext);
static_assert(gpu_error_no_binary_for_gpu == hipErrorNoBinaryForGpu);
static_assert(gpu_error_ecc_uncorrectable == hipErrorECCNotCorrectable);
static_assert(gpu_error_not_found == hipErrorNotFound);
static_assert(gpu_error_illegal_address == hipErrorIllegalAddress);
static_assert(gpu_error_launch_out_of_resources == hipErrorLaunchOutOfResources);
static_assert(gpu_error_launch_timeout == hipErrorLaunchTimeOut);
static_assert(gpu_error_context_is_destroyed == hipErrorContextIsDestroyed);
static_assert(gpu_error_assert == hipErrorAssert);
static_assert(gpu_error_launch_failed == hipErrorLaunchFailure);
static_assert(gpu_error_unknown == hipErrorUnknown);
static_assert(hip_error_invalid_device == hipErrorInvalidDevice);

static_assert(gpu_capture_relaxed == hipStreamCaptureModeRelaxed);
static_assert(gpu_stream_non_blocking == hipStreamNonBlocking);
static_assert(gpu_event_default == hipEventDefault);
static_assert(hip_copy_on_device == hipMemcpyDeviceToDevice);

static_assert(hip_attribute_clock_khz == hipDeviceAttributeClockRate);
static_assert(hip_attribute_l2_cache_size == hipDeviceAttributeL2CacheSize);
static_assert(hip_attribute_memory_bus_bits == hipDeviceAttributeMemoryBusWidth);
static_assert(hip_attribute_memory_clock_khz == hipDeviceAttributeMemoryClockRate);
static_assert(hip_attribute_multiprocessors == hipDeviceAttributeMultiprocessorCount);
static_assert(hip_attribute_shared_bytes_a_block == hipDeviceAttributeMaxSharedMemoryPerBlock);

static_assert(offsetof(hipDeviceProp_t, name) == 0);
static_assert(sizeof(hipDeviceProp_t::name) == hip_name_bytes);
static_assert(sizeof(hipDeviceProp_t) <= hip_properties_bytes_most);

TEST(HipApi, MatchesTheHeaders) {
  std::printf("compared with hip_runtime_api.h %d.%d and hiprtc.h in %s\n", HIP_VERSION_MAJOR,
              HIP_VERSION_MINOR, HIP_HEADERS);
}

// Its layout is that of the headers.
TEST(HipApi, TheFakesPropertiesAreWhereTheHeadersHaveThem) {
  const char* const symbol =
      HIP_VERSION_MAJOR < 6 ? "hipGetDeviceProperties" : "hipGetDevicePropertiesR0600";
  Result<DynamicLibrary> fake = DynamicLibrary::open(std::array{std::string(FAKE_HIP)});
  ASSERT_TRUE(fake.ok()) << fake.reason();
  hipError_t (*properties)(hipDeviceProp_t*, int) = nullptr;
  ASSERT_TRUE(fake->load(properties, symbol));
  hipDeviceProp_t found;
  ASSERT_EQ(properties(&found, 0), hipSuccess);
  EXPECT_STREQ(found.name, "Fake MI250X");
  EXPECT_STREQ(found.gcnArchName, "gfx90a:sramecc+:xnack-");
}

TEST(HipApi, TheLibraryHasEverySymbol) {
  const std::string name = "libamdhip64.so." + std::to_string(HIP_VERSION_MAJOR);
  const auto library = DynamicLibrary::open(std::array{name});
  if (!library) GTEST_SKIP() << "skipped: " << library.reason();
  setenv(hip_driver_kind.variable, name.c_str(), 1);
  const Result<GpuDriver> driver = open_hip_driver();
  unsetenv(hip_driver_kind.variable);
  const std::string reason = driver ? "" : driver.reason();
  EXPECT_EQ(reason.find("lacks"), std::string::npos) << reason;
}

}  // namespace
}  // namespace alphasparse
#else
TEST(HipApi, MatchesTheHeaders) {
  GTEST_SKIP() << "skipped: no ROCm, so no hip_runtime_api.h and hiprtc.h to compare with";
}
#endif
