// fake_cuda: a fake of the CUDA driver that records calls, for the tests of their callers.
#include "tests/fakes/fake_cuda.h"

#include <pthread.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/cuda/api.h"
#include "runtime/cuda/strided_copy.h"
#include "tests/fakes/fake_module.h"

using namespace alphasparse;

struct CUctx_st {};
struct CUfunc_st {
  std::string name;
  const FakeKernel* kernel = nullptr;  // of a module; null: the test's, by its name
};
struct CUmod_st {
  std::unique_ptr<FakeModule> module;  // null: the test's kernels
  std::map<std::string, CUfunc_st> functions;
};
struct CUstream_st {};
struct CUgraph_st {
  std::deque<std::function<void()>> nodes;
};
struct CUgraphExec_st {
  std::deque<std::function<void()>> nodes;
};
struct CUevent_st {
  double clock_us = -1;  // not reached
};

namespace {

std::unique_ptr<FakeCuda> state = std::make_unique<FakeCuda>();
CUctx_st the_context;
CUctx_st* current = nullptr;
std::vector<CUctx_st*> pushed;

/// The code that the test wants of a call; every call needs the context but those before there is
/// one.
int wanted(const std::string& call, bool needs_context = true) {
  if (state->lost != 0) return state->lost;
  const auto found = state->failures.find(call);
  if (found != state->failures.end()) return found->second;
  return needs_context && current == nullptr ? cuda_error_invalid_context : cuda_success;
}

/// Whether [address, address + bytes) lies in one live allocation.
bool is_allocated(CudaPointer address, std::size_t bytes) {
  auto after = state->allocations.upper_bound(address);
  if (after == state->allocations.begin()) return false;
  --after;
  return address + bytes <= after->first + after->second;
}

std::byte* memory(CudaPointer address) {
  return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

constexpr const char* own_arch = "sm_90";

/// The answer of the driver of a GPU of that architecture and CUDA 12 to a test's image. The image
/// names its target and, where that is newer than 12, the compiler: "image for sm_90 by 13".
int refusal_of(const std::string& image) {
  if (image.find("image for ") != 0) return cuda_success;
  if (image.find(" by ") != std::string::npos) return cuda_error_unsupported_ptx_version;
  return image == std::string("image for ") + own_arch ? cuda_success
                                                       : cuda_error_no_binary_for_gpu;
}

int drain(const char* call) {
  while (!state->queue.empty()) {
    const std::function<void()> work = std::move(state->queue.front());
    state->queue.pop_front();
    work();
  }
  return wanted(call);
}

}  // namespace

extern "C" {

FakeCuda* fake_cuda() { return state.get(); }
void fake_cuda_reset() {
  state = std::make_unique<FakeCuda>();
  current = nullptr;
}

int cuGetErrorName(int code, const char** text) {
  *text = code == cuda_error_invalid_value             ? "CUDA_ERROR_INVALID_VALUE"
          : code == cuda_error_not_initialized         ? "CUDA_ERROR_NOT_INITIALIZED"
          : code == cuda_error_no_binary_for_gpu       ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : code == cuda_error_unsupported_ptx_version ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
                                                       : "CUDA_ERROR_FAKED";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "a faked error";
  return 0;
}
/// As with NVIDIA's driver, a fork of a process that has initialised it cannot.
int cuInit(unsigned) {
  static bool forked = false;
  static const int handled = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return forked || handled != 0 ? cuda_error_not_initialized : wanted("cuInit", false);
}
int cuDriverGetVersion(int* version) {
  *version = state->driver_version;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = state->devices;
  return wanted("cuDeviceGetCount", false);
}
int cuDeviceGet(int* device, int ordinal) {
  *device = 70 + ordinal;
  return ordinal < state->devices ? wanted("cuDeviceGet", false) : 101;
}
int cuDeviceGetName(char* name, int name_bytes, int device) {
  std::strncpy(name, device == 70 ? "Fake GPU" : "Other fake GPU",
               static_cast<std::size_t>(name_bytes));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values = {
      {cuda_attribute_compute_capability_major, 9},
      {cuda_attribute_compute_capability_minor, 0},
      {cuda_attribute_l2_cache_size, 1 << 20},
      {cuda_attribute_multiprocessors, 4},
      {cuda_attribute_clock_khz, 1'500'000},
      {cuda_attribute_memory_clock_khz, 1'000'000},
      {cuda_attribute_memory_bus_bits, 4096},
      {cuda_attribute_shared_bytes_a_multiprocessor, 100 << 10},
  };
  const auto found = values.find(attribute);
  if (found == values.end()) return cuda_error_invalid_value;
  *value = found->second;
  return cuda_success;
}
int cuDeviceGetPCIBusId(char* text, int text_bytes, int) {
  std::strncpy(text, "0000:3b:00.0", static_cast<std::size_t>(text_bytes));
  return 0;
}
int cuDevicePrimaryCtxRetain(CudaContext* context, int) {
  *context = &the_context;
  ++state->contexts;
  return wanted("cuDevicePrimaryCtxRetain", false);
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state->contexts;
  return 0;
}
int cuCtxSetCurrent(CudaContext context) {
  current = context;
  return wanted("cuCtxSetCurrent", false);
}
int cuCtxPushCurrent_v2(CudaContext context) {
  pushed.push_back(current);
  return cuCtxSetCurrent(context);
}
int cuCtxPopCurrent_v2(CudaContext* context) {
  if (pushed.empty()) return cuda_error_invalid_context;
  *context = std::exchange(current, pushed.back());
  pushed.pop_back();
  return cuda_success;
}
int cuModuleLoadData(CudaModule* module, const void* image) {
  const bool compiled = FakeModule::is_image(image);
  state->calls.push_back(compiled ? "load a compiled image"
                                  : "load " + std::string(static_cast<const char*>(image)));
  *module = nullptr;
  const int code = wanted("cuModuleLoadData");
  if (code != 0) return code;
  const int refusal = compiled ? cuda_success : refusal_of(static_cast<const char*>(image));
  if (refusal != cuda_success) return refusal;
  std::unique_ptr<FakeModule> loaded = compiled ? FakeModule::load(image) : nullptr;
  if (compiled && !loaded) return cuda_error_invalid_image;
  if (compiled && loaded->arch() != own_arch) return cuda_error_no_binary_for_gpu;
  ++state->modules;
  *module = new CUmod_st{std::move(loaded), {}};
  return code;
}
int cuModuleUnload(CudaModule module) {
  if (module->module) drain("cuModuleUnload");
  delete module;
  --state->modules;
  return 0;
}
int cuModuleGetFunction(CudaFunction* function, CudaModule module, const char* name) {
  const FakeKernel* const kernel = module->module ? module->module->find(name) : nullptr;
  if (!kernel && (module->module || state->kernels.count(name) == 0)) return cuda_error_not_found;
  *function = &module->functions[name];
  **function = {name, kernel};
  return wanted("cuModuleGetFunction");
}
int cuMemGetInfo_v2(std::size_t* bytes_free, std::size_t* bytes_total) {
  *bytes_total = state->memory_bytes;
  *bytes_free = state->memory_bytes - std::min(state->others_bytes, state->memory_bytes);
  for (const auto& [address, bytes] : state->allocations)
    *bytes_free -= std::min(bytes, *bytes_free);
  return wanted("cuMemGetInfo");
}
int cuMemAlloc_v2(CudaPointer* address, std::size_t bytes) {
  if (bytes == 0) return cuda_error_invalid_value;
  if (const int code = wanted("cuMemAlloc"); code != 0) return code;
  std::size_t bytes_free = 0;
  std::size_t bytes_total = 0;
  cuMemGetInfo_v2(&bytes_free, &bytes_total);
  if (bytes > bytes_free) return cuda_error_out_of_memory;
  void* const block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  std::memset(block, 0xcd, bytes);
  *address = reinterpret_cast<std::uintptr_t>(block);
  state->allocations[*address] = bytes - std::min(bytes, state->bytes_lacking);
  return 0;
}
int cuMemFree_v2(CudaPointer address) {
  drain("cuMemFree");
  if (state->allocations.erase(address) == 0) return cuda_error_invalid_value;
  std::free(memory(address));
  return wanted("cuMemFree");
}
int cuMemcpyHtoDAsync_v2(CudaPointer to, const void* from, std::size_t bytes, CudaStream) {
  if (!is_allocated(to, bytes)) return cuda_error_invalid_value;
  const auto* const first = static_cast<const std::byte*>(from);
  state->uploaded_bytes += bytes;
  // Staged, as the driver does with pageable memory.
  state->enqueue([to, staged = std::vector<std::byte>(first, first + bytes)] {
    std::memcpy(memory(to), staged.data(), staged.size());
  });
  return wanted("cuMemcpyHtoDAsync");
}
int cuMemcpyDtoHAsync_v2(void* to, CudaPointer from, std::size_t bytes, CudaStream) {
  if (!is_allocated(from, bytes)) return cuda_error_invalid_value;
  const int code = wanted("cuMemcpyDtoHAsync");
  // A copy that is refused does not run later, when its caller's memory may be gone.
  if (code == cuda_success) state->enqueue([=] { std::memcpy(to, memory(from), bytes); });
  return code;
}
int cuMemcpyDtoDAsync_v2(CudaPointer to, CudaPointer from, std::size_t bytes, CudaStream) {
  if (!is_allocated(to, bytes) || !is_allocated(from, bytes)) return cuda_error_invalid_value;
  state->enqueue([=] {
    std::memcpy(memory(to), memory(from), bytes);
    state->clock_us += static_cast<double>(bytes) / 1e6;
  });
  return wanted("cuMemcpyDtoDAsync");
}
int cuMemcpy2DAsync_v2(const CudaRectangle* rectangle, CudaStream) {
  const CudaRectangle& all = *rectangle;
  const auto is_whole = [&](const CudaRectangleSide& side) {
    return side.memory == cuda_memory_device && side.device != 0 && side.pitch >= all.width_bytes;
  };
  if (!is_whole(all.from) || !is_whole(all.to)) return cuda_error_invalid_value;
  state->calls.push_back("copy of a rectangle");
  state->enqueue([all] {
    for (std::size_t line = 0; line < all.height; ++line) {
      std::memcpy(memory(all.to.device + line * all.to.pitch),
                  memory(all.from.device + line * all.from.pitch), all.width_bytes);
    }
  });
  return wanted("cuMemcpy2DAsync");
}
int cuMemsetD8Async(CudaPointer to, unsigned char byte, std::size_t bytes, CudaStream) {
  if (!is_allocated(to, bytes)) return cuda_error_invalid_value;
  state->calls.push_back("fill " + std::to_string(byte));
  state->fill_bytes = bytes;
  state->enqueue([=] {
    std::memset(memory(to), byte, bytes);
    state->clock_us += 1000;
  });
  return wanted("cuMemsetD8Async");
}
int cuStreamCreate(CudaStream* stream, unsigned) {
  *stream = new CUstream_st;
  ++state->streams;
  return wanted("cuStreamCreate");
}
int cuStreamSynchronize(CudaStream) { return drain("cuStreamSynchronize"); }
int cuStreamDestroy_v2(CudaStream stream) {
  delete stream;
  --state->streams;
  return 0;
}
int cuStreamBeginCapture_v2(CudaStream, int) {
  state->calls.push_back("begin capture");
  state->recording = new std::deque<std::function<void()>>;
  return wanted("cuStreamBeginCapture");
}
int cuStreamEndCapture(CudaStream, CudaGraphNodes* graph) {
  *graph = new CUgraph_st{std::move(*state->recording)};
  delete state->recording;
  state->recording = nullptr;
  state->calls.push_back("end capture");
  ++state->graphs;
  return wanted("cuStreamEndCapture");
}
int cuGraphInstantiateWithFlags(CudaGraphExec* exec, CudaGraphNodes graph, unsigned long long) {
  const int code = wanted("cuGraphInstantiate");
  if (code != 0) return code;
  *exec = new CUgraphExec_st{graph->nodes};
  ++state->graphs;
  return code;
}
int cuGraphLaunch(CudaGraphExec exec, CudaStream) {
  state->calls.push_back("launch graph of " + std::to_string(exec->nodes.size()));
  for (const auto& node : exec->nodes) state->enqueue(node);
  return wanted("cuGraphLaunch");
}
int cuGraphExecDestroy(CudaGraphExec exec) {
  delete exec;
  --state->graphs;
  return 0;
}
int cuGraphDestroy(CudaGraphNodes graph) {
  delete graph;
  --state->graphs;
  return 0;
}
int cuEventCreate(CudaEvent* event, unsigned) {
  *event = new CUevent_st;
  ++state->events;
  return wanted("cuEventCreate");
}
int cuEventRecord(CudaEvent event, CudaStream) {
  state->calls.push_back("record");
  event->clock_us = -1;
  state->enqueue([=] { event->clock_us = state->clock_us; });
  return wanted("cuEventRecord");
}
int cuEventSynchronize(CudaEvent) { return drain("cuEventSynchronize"); }
int cuEventElapsedTime(float* ms, CudaEvent first, CudaEvent last) {
  if (first->clock_us < 0 || last->clock_us < 0) return 600;
  *ms = static_cast<float>((last->clock_us - first->clock_us) / 1e3);
  return wanted("cuEventElapsedTime");
}
int cuEventDestroy_v2(CudaEvent event) {
  delete event;
  --state->events;
  return 0;
}
int cuLaunchKernel(CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                   CudaStream, void** parameters, void** extra) {
  if (grid_x == 0 || grid_y != 1 || grid_z != 1 || block_x == 0 || block_x > 1024 || block_y != 1 ||
      block_z != 1 || shared_bytes != 0 || extra != nullptr) {
    return cuda_error_invalid_value;
  }
  state->calls.push_back(function->name + " " + std::to_string(grid_x) + "x" +
                         std::to_string(block_x));
  const int code = wanted("cuLaunchKernel");
  if (code != 0) return code;
  const FakeKernel& kernel =
      function->kernel ? *function->kernel : state->kernels.at(function->name);
  if (block_x > kernel.threads_max) return cuda_error_invalid_value;
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t index = 0; index < kernel.parameter_bytes.size(); ++index) {
    const auto* const first = static_cast<const std::byte*>(parameters[index]);
    copies.emplace_back(first, first + kernel.parameter_bytes[index]);
  }
  state->enqueue([&kernel, grid_x, block_x, copies = std::move(copies)] {
    if (kernel.execute) kernel.execute(grid_x, block_x, copies);
    state->clock_us += kernel.time_us ? kernel.time_us() : 1;
  });
  return code;
}
}
