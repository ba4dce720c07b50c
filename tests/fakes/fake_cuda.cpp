// fake_cuda: the names of CUDA's driver over the fake of a GPU's driver - its devices and contexts,
// and all other calls as the fake has them.
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "runtime/cuda/api.h"
#include "tests/fakes/fake_driver_state.h"
#include "tests/fakes/fake_gpu_state.h"

using namespace alphasparse;

namespace {

constexpr int first_handle = 70;  // of a device
constexpr int invalid_device = 101;
GpuContextHandle contexts[] = {{0}, {1}, {2}, {3}};
thread_local std::vector<int> pushed;

/// "sm_90" of its own family and not newer, or PTX ("compute_90") that is not newer.
bool runs(const std::string& arch) {
  if (!arch.starts_with("sm_") && !arch.starts_with("compute_")) return false;
  const int number = std::atoi(arch.c_str() + arch.find('_') + 1);
  const int own = fake_gpu()->compute_capability;
  return number <= own && (arch.starts_with("compute_") || number / 10 == own / 10);
}

constexpr FakeDriver driver = {-1, runs, gpu_error_invalid_value, gpu_error_misaligned_address, 0};

constexpr FakeCall call(const char* name) { return {name, driver}; }

/// The last to release the context has given back all else before.
void check_that_nothing_is_left() {
  const FakeGpuState& state = *fake_gpu();
  const std::pair<const char*, std::size_t> left[] = {
      {"memory", state.allocations.size()},
      {"modules", static_cast<std::size_t>(state.modules)},
      {"graphs", static_cast<std::size_t>(state.graphs)},
      {"events", static_cast<std::size_t>(state.events)},
      {"streams", static_cast<std::size_t>(state.streams)}};
  for (const auto& [kind, count] : left) {
    if (count > 0) fake_broken(std::string("the context is released before ") + kind);
  }
}

}  // namespace

extern "C" {

int cuGetErrorName(int code, const char** text) {
  *text = code == gpu_error_invalid_value             ? "CUDA_ERROR_INVALID_VALUE"
          : code == gpu_error_not_initialized         ? "CUDA_ERROR_NOT_INITIALIZED"
          : code == gpu_error_no_binary_for_gpu       ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : code == gpu_error_unsupported_ptx_version ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
                                                      : "CUDA_ERROR_FAKED";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "a faked error";
  return 0;
}
int cuInit(unsigned) {
  if (const char* const arch = std::getenv("FAKE_GPU_ARCH"))
    fake_gpu()->compute_capability = std::atoi(arch);
  fake_watch_forks();
  return fake_wanted(call("cuInit"), false);
}
int cuDriverGetVersion(int* version) {
  *version = fake_gpu()->driver_version;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = fake_gpu()->devices;
  return fake_wanted(call("cuDeviceGetCount"), false);
}
int cuDeviceGet(int* device, int ordinal) {
  *device = first_handle + ordinal;
  return ordinal < fake_gpu()->devices ? fake_wanted(call("cuDeviceGet"), false) : invalid_device;
}
int cuDeviceGetName(char* name, int name_bytes, int device) {
  std::strncpy(name, device == first_handle ? "Fake GPU" : "Other fake GPU",
               static_cast<std::size_t>(name_bytes));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  const std::map<int, int> values = {
      {cuda_attribute_compute_capability_major, fake_gpu()->compute_capability / 10},
      {cuda_attribute_compute_capability_minor, fake_gpu()->compute_capability % 10},
      {cuda_attribute_l2_cache_size, 1 << 20},
      {cuda_attribute_multiprocessors, 4},
      {cuda_attribute_clock_khz, 1'500'000},
      {cuda_attribute_memory_clock_khz, 1'000'000},
      {cuda_attribute_memory_bus_bits, 4096},
      {cuda_attribute_shared_bytes_a_multiprocessor, 100 << 10},
  };
  const auto found = values.find(attribute);
  if (found == values.end()) return gpu_error_invalid_value;
  *value = found->second;
  return gpu_success;
}
int cuDeviceGetPCIBusId(char* text, int text_bytes, int) {
  std::strncpy(text, "0000:3b:00.0", static_cast<std::size_t>(text_bytes));
  return 0;
}
int cuDevicePrimaryCtxRetain(GpuContext* context, int device) {
  if (device < first_handle || device >= first_handle + fake_gpu()->devices) return invalid_device;
  *context = &contexts[device - first_handle];
  ++fake_gpu()->contexts;
  return fake_wanted(call("cuDevicePrimaryCtxRetain"), false);
}
int cuDevicePrimaryCtxRelease_v2(int) {
  if (--fake_gpu()->contexts == 0 && fake_gpu()->lost == 0) check_that_nothing_is_left();
  return 0;
}
int cuCtxSetCurrent(GpuContext context) {
  fake_thread_device() = context == nullptr ? -1 : context->device;
  return fake_wanted(call("cuCtxSetCurrent"), context != nullptr);
}
int cuCtxPushCurrent_v2(GpuContext context) {
  pushed.push_back(fake_thread_device());
  return cuCtxSetCurrent(context);
}
int cuCtxPopCurrent_v2(GpuContext* context) {
  if (pushed.empty()) return gpu_error_invalid_context;
  const int device = std::exchange(fake_thread_device(), pushed.back());
  *context = device < 0 ? nullptr : &contexts[device];
  pushed.pop_back();
  return gpu_success;
}

int cuMemGetInfo_v2(std::size_t* bytes_free, std::size_t* bytes_total) {
  return fake_memory_info(call("cuMemGetInfo"), bytes_free, bytes_total);
}
int cuMemAlloc_v2(GpuPointer* address, std::size_t bytes) {
  if (bytes == 0) return gpu_error_invalid_value;
  return fake_allocate(call("cuMemAlloc"), address, bytes);
}
int cuMemFree_v2(GpuPointer address) { return fake_free(call("cuMemFree"), address); }
int cuMemcpyHtoDAsync_v2(GpuPointer to, const void* from, std::size_t bytes, GpuStream) {
  return fake_copy_to_device(call("cuMemcpyHtoDAsync"), to, from, bytes);
}
int cuMemcpyDtoHAsync_v2(void* to, GpuPointer from, std::size_t bytes, GpuStream) {
  return fake_copy_to_host(call("cuMemcpyDtoHAsync"), to, from, bytes);
}
int cuMemcpyDtoDAsync_v2(GpuPointer to, GpuPointer from, std::size_t bytes, GpuStream) {
  return fake_copy(call("cuMemcpyDtoDAsync"), to, from, bytes);
}
int cuMemcpy2DAsync_v2(const CudaRectangle* rectangle, GpuStream) {
  const auto& [from, to, width_bytes, height] = *rectangle;
  if (from.memory != cuda_memory_device || to.memory != cuda_memory_device)
    return gpu_error_invalid_value;
  return fake_copy_rectangle(call("cuMemcpy2DAsync"),
                             {to.device, to.pitch, from.device, from.pitch, width_bytes, height});
}
int cuMemsetD8Async(GpuPointer to, unsigned char byte, std::size_t bytes, GpuStream) {
  return fake_fill(call("cuMemsetD8Async"), to, byte, bytes);
}

int cuModuleLoadData(GpuModule* module, const void* image) {
  return fake_load_module(call("cuModuleLoadData"), module, image);
}
int cuModuleUnload(GpuModule module) { return fake_unload_module(call("cuModuleUnload"), module); }
int cuFuncGetAttribute(int* value, int attribute, GpuFunction function) {
  return fake_function_attribute(call("cuFuncGetAttribute"), value, attribute, function);
}
int cuModuleGetFunction(GpuFunction* function, GpuModule module, const char* name) {
  return fake_find_function(call("cuModuleGetFunction"), function, module, name);
}
int cuStreamCreate(GpuStream* stream, unsigned flags) {
  return fake_create_stream(call("cuStreamCreate"), stream, flags);
}
int cuStreamSynchronize(GpuStream stream) {
  return fake_wait_for_stream(call("cuStreamSynchronize"), stream);
}
int cuStreamDestroy_v2(GpuStream stream) { return fake_destroy_stream(stream); }
int cuStreamBeginCapture_v2(GpuStream stream, int mode) {
  return fake_begin_capture(call("cuStreamBeginCapture"), stream, mode);
}
int cuStreamEndCapture(GpuStream stream, GpuGraphNodes* graph) {
  return fake_end_capture(call("cuStreamEndCapture"), stream, graph);
}
int cuGraphInstantiateWithFlags(GpuGraphExec* exec, GpuGraphNodes graph, unsigned long long) {
  return fake_make_graph(call("cuGraphInstantiateWithFlags"), exec, graph);
}
int cuGraphLaunch(GpuGraphExec exec, GpuStream) {
  return fake_launch_graph(call("cuGraphLaunch"), exec);
}
int cuGraphExecDestroy(GpuGraphExec exec) {
  return fake_destroy_graph(call("cuGraphExecDestroy"), exec);
}
int cuGraphDestroy(GpuGraphNodes graph) { return fake_destroy_graph_nodes(graph); }
int cuEventCreate(GpuEvent* event, unsigned) {
  return fake_create_event(call("cuEventCreate"), event);
}
int cuEventRecord(GpuEvent event, GpuStream) {
  return fake_record_event(call("cuEventRecord"), event);
}
int cuEventSynchronize(GpuEvent) { return fake_wait_for_event(call("cuEventSynchronize")); }
int cuEventElapsedTime(float* ms, GpuEvent first, GpuEvent last) {
  return fake_elapsed_ms(call("cuEventElapsedTime"), ms, first, last);
}
int cuEventDestroy_v2(GpuEvent event) { return fake_destroy_event(call("cuEventDestroy"), event); }
int cuLaunchKernel(GpuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   GpuStream stream, void** parameters, void** extra) {
  return fake_launch(call("cuLaunchKernel"), function,
                     {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes}, stream,
                     parameters, extra);
}
}
