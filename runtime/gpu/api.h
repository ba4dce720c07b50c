// api: the functions of a GPU's driver that we call, as a table. NVIDIA's driver fills it, or AMD's
// HIP: both have functions of the same shape (runtime/cuda/driver.cpp, runtime/hip/driver.cpp).
#pragma once
#include <cstddef>
#include <functional>
#include <string>

// Behind the handles that a driver gives; nobody looks there.
struct GpuContextHandle;
struct GpuModuleHandle;
struct GpuFunctionHandle;
struct GpuStreamHandle;
struct GpuEventHandle;
struct GpuGraphNodesHandle;
struct GpuGraphExecHandle;

namespace alphasparse {

using GpuContext = GpuContextHandle*;
using GpuModule = GpuModuleHandle*;
using GpuFunction = GpuFunctionHandle*;
using GpuStream = GpuStreamHandle*;
using GpuEvent = GpuEventHandle*;
using GpuGraphNodes = GpuGraphNodesHandle*;
using GpuGraphExec = GpuGraphExecHandle*;
using GpuPointer = unsigned long long;  // an address on the GPU

// A driver's codes: those of cuda.h (CUDA 11 to 13), which HIP's are equal to where it has them
// (hip_runtime_api.h of ROCm 5 to 7).
inline constexpr int gpu_success = 0;
inline constexpr int gpu_error_invalid_value = 1;
inline constexpr int gpu_error_out_of_memory = 2;
inline constexpr int gpu_error_not_initialized = 3;
inline constexpr int gpu_error_stub_library = 34;
inline constexpr int gpu_error_device_unavailable = 46;
inline constexpr int gpu_error_no_device = 100;
inline constexpr int gpu_error_invalid_image = 200;
inline constexpr int gpu_error_invalid_context = 201;
inline constexpr int gpu_error_no_binary_for_gpu = 209;
inline constexpr int gpu_error_ecc_uncorrectable = 214;
inline constexpr int gpu_error_unsupported_ptx_version = 222;
inline constexpr int gpu_error_contained = 226;
inline constexpr int gpu_error_not_found = 500;
inline constexpr int gpu_error_illegal_address = 700;
inline constexpr int gpu_error_launch_out_of_resources = 701;
inline constexpr int gpu_error_launch_timeout = 702;
inline constexpr int gpu_error_context_is_destroyed = 709;
inline constexpr int gpu_error_assert = 710;
inline constexpr int gpu_error_hardware_stack_error = 714;
inline constexpr int gpu_error_illegal_instruction = 715;
inline constexpr int gpu_error_misaligned_address = 716;
inline constexpr int gpu_error_invalid_address_space = 717;
inline constexpr int gpu_error_invalid_pc = 718;
inline constexpr int gpu_error_launch_failed = 719;
inline constexpr int gpu_error_tensor_memory_leak = 721;
inline constexpr int gpu_error_system_not_ready = 802;
inline constexpr int gpu_error_system_driver_mismatch = 803;
inline constexpr int gpu_error_mps_client_terminated = 810;
inline constexpr int gpu_error_unknown = 999;

inline constexpr int gpu_capture_relaxed = 2;  // only work queued on the stream itself is recorded
inline constexpr unsigned gpu_stream_non_blocking = 1;
inline constexpr unsigned gpu_event_default = 0;
inline constexpr int gpu_function_registers = 4;  // of a thread: the attribute's number

/// Lines of so many bytes, which begin a pitch apart: one column of a matrix, the real parts of
/// complex numbers.
struct GpuRectangle {
  GpuPointer to = 0;
  std::size_t to_pitch = 0;
  GpuPointer from = 0;
  std::size_t from_pitch = 0;
  std::size_t width_bytes = 0;
  std::size_t height = 0;
};

/// A function of the driver, and its name in messages. Its result is the driver's code.
template <class... Parameters>
struct GpuCall {
  std::function<int(Parameters...)> function;
  const char* name = "";

  int operator()(Parameters... parameters) const { return function(parameters...); }
};

struct GpuApi {
  GpuCall<int, const char**> error_name, error_string;
  GpuCall<unsigned> init;
  GpuCall<int*> driver_version;
  GpuCall<int*> device_count;
  GpuCall<int*, int> device;             ///< handle, ordinal
  GpuCall<char*, int, int> device_name;  ///< text, bytes of it, device
  GpuCall<int*, int, int> attribute;     ///< value, number (GpuAttributes), device
  GpuCall<std::string*, int> arch;       ///< "sm_90", "gfx90a:sramecc+:xnack-"
  GpuCall<char*, int, int> bus_id;       ///< text, bytes of it, device
  GpuCall<GpuContext*, int> retain_context;
  GpuCall<int> release_context;     ///< device
  GpuCall<GpuContext> set_context;  ///< of this thread
  GpuCall<GpuContext> push_context;
  GpuCall<GpuContext*> pop_context;
  GpuCall<GpuModule*, const void*> load_module;
  GpuCall<GpuModule> unload_module;
  GpuCall<GpuFunction*, GpuModule, const char*> find_function;
  GpuCall<int*, int, GpuFunction> function_attribute;  ///< value, number
  GpuCall<std::size_t*, std::size_t*> memory_info;     ///< bytes that are free, all bytes
  GpuCall<GpuPointer*, std::size_t> allocate;
  GpuCall<GpuPointer> free;
  GpuCall<GpuPointer, const void*, std::size_t, GpuStream> copy_to_device;
  GpuCall<void*, GpuPointer, std::size_t, GpuStream> copy_to_host;
  GpuCall<GpuPointer, GpuPointer, std::size_t, GpuStream> copy;  ///< to, from
  GpuCall<const GpuRectangle&, GpuStream> copy_rectangle;
  GpuCall<GpuPointer, unsigned char, std::size_t, GpuStream> fill;
  GpuCall<GpuStream*, unsigned> create_stream;
  GpuCall<GpuStream> wait_for_stream;
  GpuCall<GpuStream> destroy_stream;
  GpuCall<GpuStream, int> begin_capture;
  GpuCall<GpuStream, GpuGraphNodes*> end_capture;
  GpuCall<GpuGraphExec*, GpuGraphNodes, unsigned long long> make_graph;
  GpuCall<GpuGraphExec, GpuStream> launch_graph;
  GpuCall<GpuGraphExec> destroy_graph;
  GpuCall<GpuGraphNodes> destroy_graph_nodes;
  GpuCall<GpuEvent*, unsigned> create_event;
  GpuCall<GpuEvent, GpuStream> record_event;
  GpuCall<GpuEvent> wait_for_event;
  GpuCall<float*, GpuEvent, GpuEvent> elapsed_ms;  ///< first, last
  GpuCall<GpuEvent> destroy_event;
  /// Grid x, y, z, block x, y, z, bytes of shared memory; the last one is null.
  GpuCall<GpuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          GpuStream, void**, void**>
      launch;
};

/// The driver's numbers of attributes.
struct GpuAttributes {
  int clock_khz, multiprocessors, memory_clock_khz, memory_bus_bits, l2_cache_size,
      shared_bytes_a_multiprocessor;
};

}  // namespace alphasparse
