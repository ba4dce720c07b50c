// fake_hip: the names of AMD's HIP runtime over the fake of a GPU's driver - its devices, and all
// other calls as the fake has them. FAKE_ROCM_5 makes it the library of ROCm 5. That has the
// compiler too, one layout of properties, and ends the process at an access to nobody's memory.
//
// Source of the rules: hip_runtime_api.h of ROCm 5.2.3, and the HIP documentation of ROCm 7.
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "runtime/hip/api.h"
#include "tests/fakes/fake_driver_state.h"

using namespace alphasparse;

namespace {

constexpr int invalid_pitch = 12;
constexpr int invalid_direction = 21;
constexpr int invalid_handle = 400;
constexpr unsigned event_flags_none = 0x1ffffff8;  // those that no event has

/// "gfx90a:sramecc+:xnack-": the processor, and how its features are set.
std::string own_arch() {
  const char* const named = std::getenv("FAKE_GPU_ARCH");
  return named != nullptr && std::strncmp(named, "gfx", 3) == 0 ? named : "gfx90a:sramecc+:xnack-";
}

/// Whether code for `arch` runs: code for the processor, with those of the features that the code
/// names.
bool runs(const std::string& arch) {
  const std::string own = own_arch() + ":";
  for (std::size_t first = 0; first <= arch.size();) {
    const std::size_t end = std::min(arch.find(':', first), arch.size());
    const std::string part = arch.substr(first, end - first) + ":";
    const bool is_there = first == 0 ? own.starts_with(part) : own.find(":" + part) != own.npos;
    if (!is_there) return false;
    first = end + 1;
  }
  return true;
}

#ifdef FAKE_ROCM_5
constexpr int fault_signal = SIGABRT;
constexpr int start_without_gpu = hip_error_invalid_device;
#else
constexpr int fault_signal = 0;
constexpr int start_without_gpu = gpu_error_no_device;
#endif
constexpr FakeDriver driver = {0, runs, gpu_error_launch_failed, gpu_error_launch_failed,
                               fault_signal};

/// Any call starts the runtime.
FakeCall call(const char* name) {
  fake_watch_forks();
  return {name, driver};
}

/// The GPUs that HIP_VISIBLE_DEVICES leaves: those of its list before the first that is not there.
std::vector<int> visible_devices() {
  std::vector<int> devices;
  const char* list = std::getenv("HIP_VISIBLE_DEVICES");
  for (int device = 0; list == nullptr && device < fake_gpu()->devices; ++device)
    devices.push_back(device);
  while (list != nullptr && *list != '\0') {
    char* end = nullptr;
    const long device = std::strtol(list, &end, 10);
    if (end == list || device < 0 || device >= fake_gpu()->devices) break;
    devices.push_back(static_cast<int>(device));
    list = *end == ',' ? end + 1 : end;
  }
  return devices;
}

bool is_there(int device) {
  return device >= 0 && device < static_cast<int>(visible_devices().size());
}

void set_text(char* to, std::size_t bytes, const std::string& text) {
  std::strncpy(to, text.c_str(), bytes - 1);
  to[bytes - 1] = '\0';
}

std::string name_of(int device) {
  return visible_devices().at(device) == 0 ? "Fake MI250X" : "Other fake MI250X";
}

/// Properties of so many bytes, with the name in front and the architecture somewhere behind it.
int fill_properties(const char* name, char* properties, std::size_t bytes, std::size_t arch_at,
                    int device) {
  if (properties == nullptr) return gpu_error_invalid_value;
  if (!is_there(device)) return hip_error_invalid_device;
  constexpr std::size_t text_bytes = 256;
  std::memset(properties, 1, bytes);  // numbers
  std::memset(properties, 0, text_bytes);
  std::memset(properties + arch_at, 0, text_bytes);
  set_text(properties, text_bytes, name_of(device));
  set_text(properties + arch_at, text_bytes, own_arch());
  return fake_wanted(call(name));
}

GpuPointer address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

extern "C" {

const char* hipGetErrorName(int code) {
  const std::map<int, const char*> names = {
      {gpu_success, "hipSuccess"},
      {gpu_error_invalid_value, "hipErrorInvalidValue"},
      {gpu_error_out_of_memory, "hipErrorOutOfMemory"},
      {gpu_error_not_initialized, "hipErrorNotInitialized"},
      {gpu_error_no_device, "hipErrorNoDevice"},
      {gpu_error_invalid_image, "hipErrorInvalidImage"},
      {gpu_error_no_binary_for_gpu, "hipErrorNoBinaryForGpu"}};
  const auto found = names.find(code);
  return found == names.end() ? "hipErrorFaked" : found->second;
}
const char* hipGetErrorString(int) { return "a faked error"; }
int hipInit(unsigned flags) {
  if (flags != 0) return gpu_error_invalid_value;
  return visible_devices().empty() ? start_without_gpu : fake_wanted(call("hipInit"));
}
int hipDriverGetVersion(int* version) {
  *version = fake_gpu()->driver_version * 10'000;
  return 0;
}
int hipRuntimeGetVersion(int* version) { return hipDriverGetVersion(version); }
int hipGetDeviceCount(int* count) {
  *count = static_cast<int>(visible_devices().size());
  return *count == 0 ? gpu_error_no_device : fake_wanted(call("hipGetDeviceCount"));
}
int hipDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return is_there(ordinal) ? fake_wanted(call("hipDeviceGet")) : hip_error_invalid_device;
}
int hipDeviceGetName(char* name, int name_bytes, int device) {
  if (!is_there(device)) return hip_error_invalid_device;
  set_text(name, static_cast<std::size_t>(name_bytes), name_of(device));
  return 0;
}
int hipDeviceGetAttribute(int* value, int attribute, int device) {
  const std::map<int, int> values = {
      {hip_attribute_clock_khz, 1'500'000},  {hip_attribute_l2_cache_size, 1 << 20},
      {hip_attribute_memory_bus_bits, 4096}, {hip_attribute_memory_clock_khz, 1'000'000},
      {hip_attribute_multiprocessors, 4},    {hip_attribute_shared_bytes_a_block, 64 << 10},
  };
  const auto found = values.find(attribute);
  if (!is_there(device)) return hip_error_invalid_device;
  if (found == values.end()) return gpu_error_invalid_value;
  *value = found->second;
  return gpu_success;
}
int hipDeviceGetPCIBusId(char* text, int text_bytes, int device) {
  if (!is_there(device)) return hip_error_invalid_device;
  set_text(text, static_cast<std::size_t>(text_bytes), "0000:3b:00.0");
  return 0;
}
int hipGetDeviceProperties(char* properties, int device) {
  return fill_properties("hipGetDeviceProperties", properties, 792, 396, device);
}
#ifndef FAKE_ROCM_5
int hipGetDevicePropertiesR0600(char* properties, int device) {
  return fill_properties("hipGetDevicePropertiesR0600", properties, 1472, 1160, device);
}
#endif
int hipSetDevice(int device) {
  if (!is_there(device)) return hip_error_invalid_device;
  fake_thread_device() = device;
  return fake_wanted(call("hipSetDevice"));
}
int hipGetDevice(int* device) {
  *device = fake_device(call("hipGetDevice"));
  return fake_wanted(call("hipGetDevice"));
}

int hipMemGetInfo(std::size_t* bytes_free, std::size_t* bytes_total) {
  return fake_memory_info(call("hipMemGetInfo"), bytes_free, bytes_total);
}
/// No bytes are no error, and have no address.
int hipMalloc(void** pointer, std::size_t bytes) {
  GpuPointer address = 0;
  const int code = bytes == 0 ? fake_wanted(call("hipMalloc"))
                              : fake_allocate(call("hipMalloc"), &address, bytes);
  *pointer = fake_memory(address);
  return code;
}
int hipFree(void* pointer) {
  if (pointer == nullptr) return fake_wanted(call("hipFree"));
  return fake_free(call("hipFree"), address_of(pointer));
}
int hipMemcpyHtoDAsync(void* to, const void* from, std::size_t bytes, GpuStream) {
  return fake_copy_to_device(call("hipMemcpyHtoDAsync"), address_of(to), from, bytes);
}
int hipMemcpyDtoHAsync(void* to, void* from, std::size_t bytes, GpuStream) {
  return fake_copy_to_host(call("hipMemcpyDtoHAsync"), to, address_of(from), bytes);
}
int hipMemcpyDtoDAsync(void* to, void* from, std::size_t bytes, GpuStream) {
  return fake_copy(call("hipMemcpyDtoDAsync"), address_of(to), address_of(from), bytes);
}
int hipMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                     std::size_t width_bytes, std::size_t height, int kind, GpuStream) {
  if (kind != hip_copy_on_device) return invalid_direction;
  if (to_pitch < width_bytes || from_pitch < width_bytes) return invalid_pitch;
  return fake_copy_rectangle(call("hipMemcpy2DAsync"), {address_of(to), to_pitch, address_of(from),
                                                        from_pitch, width_bytes, height});
}
int hipMemsetD8Async(void* to, unsigned char byte, std::size_t bytes, GpuStream) {
  return fake_fill(call("hipMemsetD8Async"), address_of(to), byte, bytes);
}

int hipModuleLoadData(GpuModule* module, const void* image) {
  return fake_load_module(call("hipModuleLoadData"), module, image);
}
int hipModuleUnload(GpuModule module) {
  return fake_unload_module(call("hipModuleUnload"), module);
}
int hipFuncGetAttribute(int* value, int attribute, GpuFunction function) {
  return fake_function_attribute(call("hipFuncGetAttribute"), value, attribute, function);
}
int hipModuleGetFunction(GpuFunction* function, GpuModule module, const char* name) {
  return fake_find_function(call("hipModuleGetFunction"), function, module, name);
}
int hipStreamCreateWithFlags(GpuStream* stream, unsigned flags) {
  return fake_create_stream(call("hipStreamCreateWithFlags"), stream, flags);
}
int hipStreamSynchronize(GpuStream stream) {
  return fake_wait_for_stream(call("hipStreamSynchronize"), stream);
}
int hipStreamDestroy(GpuStream stream) {
  return stream == nullptr ? invalid_handle : fake_destroy_stream(stream);
}
int hipStreamBeginCapture(GpuStream stream, int mode) {
  return fake_begin_capture(call("hipStreamBeginCapture"), stream, mode);
}
int hipStreamEndCapture(GpuStream stream, GpuGraphNodes* graph) {
  return fake_end_capture(call("hipStreamEndCapture"), stream, graph);
}
int hipGraphInstantiate(GpuGraphExec* exec, GpuGraphNodes graph, void*, char*, std::size_t) {
  return fake_make_graph(call("hipGraphInstantiate"), exec, graph);
}
int hipGraphInstantiateWithFlags(GpuGraphExec* exec, GpuGraphNodes graph, unsigned long long) {
  return fake_make_graph(call("hipGraphInstantiateWithFlags"), exec, graph);
}
int hipGraphLaunch(GpuGraphExec exec, GpuStream) {
  return fake_launch_graph(call("hipGraphLaunch"), exec);
}
int hipGraphExecDestroy(GpuGraphExec exec) {
  return fake_destroy_graph(call("hipGraphExecDestroy"), exec);
}
int hipGraphDestroy(GpuGraphNodes graph) { return fake_destroy_graph_nodes(graph); }
int hipEventCreateWithFlags(GpuEvent* event, unsigned flags) {
  if ((flags & event_flags_none) != 0) return gpu_error_invalid_value;
  return fake_create_event(call("hipEventCreateWithFlags"), event);
}
int hipEventRecord(GpuEvent event, GpuStream) {
  return fake_record_event(call("hipEventRecord"), event);
}
int hipEventSynchronize(GpuEvent) { return fake_wait_for_event(call("hipEventSynchronize")); }
int hipEventElapsedTime(float* ms, GpuEvent first, GpuEvent last) {
  return fake_elapsed_ms(call("hipEventElapsedTime"), ms, first, last);
}
int hipEventDestroy(GpuEvent event) { return fake_destroy_event(call("hipEventDestroy"), event); }
/// A grid has fewer than 2^32 threads.
int hipModuleLaunchKernel(GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z,
                          unsigned shared_bytes, GpuStream stream, void** parameters,
                          void** extra) {
  if (std::uint64_t{grid_x} * block_x >> 32 != 0) return gpu_error_invalid_value;
  return fake_launch(call("hipModuleLaunchKernel"), function,
                     {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream,
                     parameters, extra);
}
}
