// api: the few prototypes and codes of the CUDA driver API that we call, so that building
// needs no CUDA header and running no driver.
//
// Source: cuda.h of CUDA 11 to 13, in which they are the same; tests/runtime/cuda/api_test.cpp
// holds them against the installed header. Handles have NVIDIA's own tags, so that the types are
// the same.
#pragma once
#include <cstddef>

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace alphasparse {

struct CudaRectangle;  // strided_copy.h

using CudaContext = CUctx_st*;
using CudaModule = CUmod_st*;
using CudaFunction = CUfunc_st*;
using CudaStream = CUstream_st*;
using CudaEvent = CUevent_st*;
using CudaGraphNodes = CUgraph_st*;
using CudaGraphExec = CUgraphExec_st*;
using CudaPointer = unsigned long long;  // an address on the GPU

inline constexpr int cuda_success = 0;
inline constexpr int cuda_error_invalid_value = 1;
inline constexpr int cuda_error_out_of_memory = 2;
inline constexpr int cuda_error_not_initialized = 3;
inline constexpr int cuda_error_stub_library = 34;
inline constexpr int cuda_error_device_unavailable = 46;
inline constexpr int cuda_error_no_device = 100;
inline constexpr int cuda_error_invalid_image = 200;
inline constexpr int cuda_error_invalid_context = 201;
inline constexpr int cuda_error_no_binary_for_gpu = 209;
inline constexpr int cuda_error_ecc_uncorrectable = 214;
inline constexpr int cuda_error_unsupported_ptx_version = 222;
inline constexpr int cuda_error_contained = 226;
inline constexpr int cuda_error_not_found = 500;
inline constexpr int cuda_error_illegal_address = 700;
inline constexpr int cuda_error_launch_out_of_resources = 701;
inline constexpr int cuda_error_launch_timeout = 702;
inline constexpr int cuda_error_context_is_destroyed = 709;
inline constexpr int cuda_error_assert = 710;
inline constexpr int cuda_error_hardware_stack_error = 714;
inline constexpr int cuda_error_illegal_instruction = 715;
inline constexpr int cuda_error_misaligned_address = 716;
inline constexpr int cuda_error_invalid_address_space = 717;
inline constexpr int cuda_error_invalid_pc = 718;
inline constexpr int cuda_error_launch_failed = 719;
inline constexpr int cuda_error_tensor_memory_leak = 721;
inline constexpr int cuda_error_system_not_ready = 802;
inline constexpr int cuda_error_system_driver_mismatch = 803;
inline constexpr int cuda_error_mps_client_terminated = 810;
inline constexpr int cuda_error_unknown = 999;

inline constexpr int cuda_attribute_clock_khz = 13;
inline constexpr int cuda_attribute_multiprocessors = 16;
inline constexpr int cuda_attribute_memory_clock_khz = 36;
inline constexpr int cuda_attribute_memory_bus_bits = 37;
inline constexpr int cuda_attribute_l2_cache_size = 38;
inline constexpr int cuda_attribute_compute_capability_major = 75;
inline constexpr int cuda_attribute_compute_capability_minor = 76;
inline constexpr int cuda_attribute_shared_bytes_a_multiprocessor = 81;

inline constexpr int cuda_capture_relaxed = 2;  // only work queued on the stream itself is recorded
inline constexpr unsigned cuda_stream_non_blocking = 1;
inline constexpr unsigned cuda_event_default = 0;

/// The driver's functions, every result a CUresult. The comment names the exported symbol where it
/// carries a version.
struct CudaApi {
  int (*error_name)(int result, const char** text) = nullptr;
  int (*error_string)(int result, const char** text) = nullptr;
  int (*init)(unsigned flags) = nullptr;
  int (*driver_version)(int* version) = nullptr;  ///< 13000 for CUDA 13.0
  int (*device_count)(int* count) = nullptr;
  int (*device)(int* device, int ordinal) = nullptr;
  int (*device_name)(char* name, int name_bytes, int device) = nullptr;
  int (*device_attribute)(int* value, int attribute, int device) = nullptr;
  int (*bus_id)(char* text, int text_bytes, int device) = nullptr;  ///< cuDeviceGetPCIBusId
  int (*retain_context)(CudaContext* context, int device) = nullptr;
  int (*release_context)(int device) = nullptr;  ///< cuDevicePrimaryCtxRelease_v2
  int (*set_context)(CudaContext context) = nullptr;
  int (*push_context)(CudaContext context) = nullptr;  ///< cuCtxPushCurrent_v2
  int (*pop_context)(CudaContext* context) = nullptr;  ///< cuCtxPopCurrent_v2
  int (*load_module)(CudaModule* module, const void* image) = nullptr;
  int (*unload_module)(CudaModule module) = nullptr;
  int (*find_function)(CudaFunction* function, CudaModule module, const char* name) = nullptr;
  int (*memory_info)(std::size_t* bytes_free, std::size_t* bytes_total) = nullptr;  ///< _v2
  int (*allocate)(CudaPointer* address, std::size_t bytes) = nullptr;               ///< _v2
  int (*free)(CudaPointer address) = nullptr;                                       ///< _v2
  int (*copy_to_device)(CudaPointer to, const void* from, std::size_t bytes,
                        CudaStream stream) = nullptr;  ///< cuMemcpyHtoDAsync_v2
  int (*copy_to_host)(void* to, CudaPointer from, std::size_t bytes,
                      CudaStream stream) = nullptr;  ///< cuMemcpyDtoHAsync_v2
  int (*copy)(CudaPointer to, CudaPointer from, std::size_t bytes,
              CudaStream stream) = nullptr;  ///< cuMemcpyDtoDAsync_v2
  int (*copy_rectangle)(const CudaRectangle* rectangle,
                        CudaStream stream) = nullptr;  ///< cuMemcpy2DAsync_v2
  int (*fill)(CudaPointer to, unsigned char byte, std::size_t bytes, CudaStream stream) = nullptr;
  int (*create_stream)(CudaStream* stream, unsigned flags) = nullptr;
  int (*wait_for_stream)(CudaStream stream) = nullptr;
  int (*destroy_stream)(CudaStream stream) = nullptr;           ///< cuStreamDestroy_v2
  int (*begin_capture)(CudaStream stream, int mode) = nullptr;  ///< cuStreamBeginCapture_v2
  int (*end_capture)(CudaStream stream, CudaGraphNodes* graph) = nullptr;
  int (*make_graph)(CudaGraphExec* exec, CudaGraphNodes graph,
                    unsigned long long flags) = nullptr;  ///< cuGraphInstantiateWithFlags
  int (*launch_graph)(CudaGraphExec exec, CudaStream stream) = nullptr;
  int (*destroy_graph)(CudaGraphExec exec) = nullptr;          ///< cuGraphExecDestroy
  int (*destroy_graph_nodes)(CudaGraphNodes graph) = nullptr;  ///< cuGraphDestroy
  int (*create_event)(CudaEvent* event, unsigned flags) = nullptr;
  int (*record_event)(CudaEvent event, CudaStream stream) = nullptr;
  int (*wait_for_event)(CudaEvent event) = nullptr;
  int (*elapsed_ms)(float* ms, CudaEvent first, CudaEvent last) = nullptr;
  int (*destroy_event)(CudaEvent event) = nullptr;  ///< cuEventDestroy_v2
  int (*launch)(CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                CudaStream stream, void** parameters, void** extra) = nullptr;
};

}  // namespace alphasparse
