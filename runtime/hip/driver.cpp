#include "runtime/hip/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/hip/api.h"
#include "runtime/system/machine/toolkit_paths.h"

namespace alphasparse {
namespace {

constexpr const char* hip_nodes[] = {"/dev/kfd"};
constexpr GpuAdvice hip_advice[] = {
    {gpu_error_invalid_image, "do hiprtc and the driver come from one ROCm?"},
    {gpu_error_no_binary_for_gpu, "do hiprtc and the driver come from one ROCm?"},
};

/// A context stands for a device, which HIP selects for a thread by its number.
GpuContext find_context(int device) {
  return reinterpret_cast<GpuContext>(static_cast<std::uintptr_t>(device) + 1);
}
int find_device(GpuContext context) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1;
}

/// The devices that were selected before those that this thread has pushed.
thread_local std::vector<int> selected_before;

/// HIP has no contexts: threads select devices.
void fill_contexts(GpuApi& api, int (*select)(int), int (*selected)(int*)) {
  api.retain_context = {[](GpuContext* context, int device) {
                          *context = find_context(device);
                          return gpu_success;
                        },
                        "hipSetDevice"};
  api.release_context = {[](int) { return gpu_success; }, "hipSetDevice"};
  api.set_context = {[select](GpuContext context) { return select(find_device(context)); },
                     "hipSetDevice"};
  api.push_context = {[select, selected](GpuContext context) {
                        int before = 0;
                        int code = selected(&before);
                        if (code == gpu_success) code = select(find_device(context));
                        if (code == gpu_success) selected_before.push_back(before);
                        return code;
                      },
                      "hipSetDevice"};
  api.pop_context = {[select](GpuContext*) {
                       const int before = selected_before.back();
                       selected_before.pop_back();
                       return select(before);
                     },
                     "hipSetDevice"};
}

/// A text of HIP's that is a result, not an argument.
GpuCall<int, const char**> text_call(const char* (*text_of)(int), const char* name) {
  const auto call = [text_of](int code, const char** text) {
    *text = text_of(code);
    return gpu_success;
  };
  return {call, name};
}

/// The architecture with its features, which HIP tells in its properties. Their layout changes with
/// releases: but for the name, which is first, no other text there begins so.
GpuCall<std::string*, int> hip_arch_call(int (*properties)(void*, int), const char* name) {
  const auto call = [properties](std::string* arch, int device) {
    std::vector<char> bytes(hip_properties_bytes_most);
    const int code = properties(bytes.data(), device);
    const std::string_view behind_name(bytes.data() + hip_name_bytes,
                                       bytes.size() - hip_name_bytes);
    const std::size_t at = behind_name.find("gfx");
    if (at != std::string_view::npos) *arch = behind_name.data() + at;
    return code == gpu_success && arch->empty() ? gpu_error_not_found : code;
  };
  return {call, name};
}

using HipCopyRectangle = int (*)(GpuPointer to, std::size_t to_pitch, GpuPointer from,
                                 std::size_t from_pitch, std::size_t width_bytes,
                                 std::size_t height, int kind, GpuStream stream);

GpuCall<const GpuRectangle&, GpuStream> hip_rectangle_call(HipCopyRectangle copy,
                                                           const char* name) {
  const auto call = [copy](const GpuRectangle& lines, GpuStream stream) {
    return copy(lines.to, lines.to_pitch, lines.from, lines.from_pitch, lines.width_bytes,
                lines.height, hip_copy_on_device, stream);
  };
  return {call, name};
}

const char* load_hip_api(const DynamicLibrary& library, GpuApi& api) {
  const char* missing = nullptr;
  const auto load = [&](auto& call, const char* name) {
    if (!load_call(library, call, name) && missing == nullptr) missing = name;
  };
  const auto load_function = [&](auto*& function, const char* symbol) {
    if (!library.load(function, symbol) && missing == nullptr) missing = symbol;
    return function;
  };
  load(api.init, "hipInit");
  load(api.driver_version, "hipDriverGetVersion");
  load(api.device_count, "hipGetDeviceCount");
  load(api.device, "hipDeviceGet");
  load(api.device_name, "hipDeviceGetName");
  load(api.attribute, "hipDeviceGetAttribute");
  load(api.bus_id, "hipDeviceGetPCIBusId");
  load(api.load_module, "hipModuleLoadData");
  load(api.unload_module, "hipModuleUnload");
  load(api.find_function, "hipModuleGetFunction");
  load(api.function_attribute, "hipFuncGetAttribute");
  load(api.memory_info, "hipMemGetInfo");
  load(api.allocate, "hipMalloc");
  load(api.free, "hipFree");
  load(api.copy_to_device, "hipMemcpyHtoDAsync");
  load(api.copy_to_host, "hipMemcpyDtoHAsync");
  load(api.copy, "hipMemcpyDtoDAsync");
  load(api.fill, "hipMemsetD8Async");
  load(api.create_stream, "hipStreamCreateWithFlags");
  load(api.wait_for_stream, "hipStreamSynchronize");
  load(api.destroy_stream, "hipStreamDestroy");
  load(api.begin_capture, "hipStreamBeginCapture");
  load(api.end_capture, "hipStreamEndCapture");
  load(api.make_graph, "hipGraphInstantiateWithFlags");
  load(api.launch_graph, "hipGraphLaunch");
  load(api.destroy_graph, "hipGraphExecDestroy");
  load(api.destroy_graph_nodes, "hipGraphDestroy");
  load(api.create_event, "hipEventCreateWithFlags");
  load(api.record_event, "hipEventRecord");
  load(api.wait_for_event, "hipEventSynchronize");
  load(api.elapsed_ms, "hipEventElapsedTime");
  load(api.destroy_event, "hipEventDestroy");
  load(api.launch, "hipModuleLaunchKernel");
  const char* (*name_of)(int) = nullptr;
  const char* (*text_of)(int) = nullptr;
  int (*select)(int) = nullptr;
  int (*selected)(int*) = nullptr;
  int (*properties)(void*, int) = nullptr;
  HipCopyRectangle copy = nullptr;
  api.error_name = text_call(load_function(name_of, "hipGetErrorName"), "hipGetErrorName");
  api.error_string = text_call(load_function(text_of, "hipGetErrorString"), "hipGetErrorString");
  fill_contexts(api, load_function(select, "hipSetDevice"),
                load_function(selected, "hipGetDevice"));
  api.copy_rectangle =
      hip_rectangle_call(load_function(copy, "hipMemcpy2DAsync"), "hipMemcpy2DAsync");
  const char* const name = "hipGetDeviceProperties";
  if (!library.load(properties, "hipGetDevicePropertiesR0600")) load_function(properties, name);
  api.arch = hip_arch_call(properties, name);
  return missing;
}

/// The Infinity Cache: MI300's has 256 MiB (AMD's CDNA 3 white paper, 2023), those of GPUs for
/// graphics less. MI200 and older ones of CDNA and GCN have none.
std::int64_t infinity_cache_bytes(const std::string& arch) {
  const bool has_none = arch.starts_with("gfx8") || arch.starts_with("gfx90");
  return has_none ? 0 : std::int64_t{256} << 20;
}

std::string no_amd_gpu_reason() { return no_hip_gpu_reason(hip_nodes[0]); }

}  // namespace

const GpuDriverKind hip_driver_kind = {
    .device = "hip",
    .variable = "ALPHASPARSE_LIBAMDHIP64",
    .nodes = hip_nodes,
    .name = "HIP",
    .hint = "install AMD's driver and ROCm",
    .too_old =
        "it is no HIP of ROCm 5.2 or later; install one, or name another library in "
        "ALPHASPARSE_LIBAMDHIP64",
    .major_unit = 10'000'000,
    .minor_unit = 100'000,
    .attributes = {.clock_khz = hip_attribute_clock_khz,
                   .multiprocessors = hip_attribute_multiprocessors,
                   .memory_clock_khz = hip_attribute_memory_clock_khz,
                   .memory_bus_bits = hip_attribute_memory_bus_bits,
                   .l2_cache_size = hip_attribute_l2_cache_size,
                   .shared_bytes_a_multiprocessor = hip_attribute_shared_bytes_a_block},
    .advice = hip_advice,
    .cache_behind_l2 = infinity_cache_bytes,
    .no_gpu_reason = no_amd_gpu_reason,
};

std::string no_hip_gpu_reason(const std::string& device) {
  if (access(device.c_str(), F_OK) != 0) {
    return fmt::format(
        "{} is missing: load the kernel module amdgpu; a container is given {} and /dev/dri",
        device, device);
  }
  if (access(device.c_str(), R_OK | W_OK) != 0) {
    return fmt::format(
        "{} may not be used: join its groups (usermod -aG render,video USER), and log in anew",
        device);
  }
  for (const char* const variable : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"}) {
    if (const char* const value = std::getenv(variable))
      return fmt::format("{}=\"{}\" hides GPUs: unset it", variable, value);
  }
  return "";
}

Result<GpuDriver> open_hip_driver() {
  return GpuDriver::open(
      hip_driver_kind,
      rocm_paths(hip_driver_kind.variable,
                 {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}),
      load_hip_api);
}

}  // namespace alphasparse
