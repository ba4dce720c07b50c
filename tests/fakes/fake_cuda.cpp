// fake_cuda: a fake of the CUDA driver that records calls, for the tests of their callers - its
// state, devices and contexts.
#include "tests/fakes/fake_cuda.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/cuda/api.h"
#include "tests/fakes/fake_driver_state.h"

using namespace alphasparse;

namespace {

std::unique_ptr<FakeCuda> state = std::make_unique<FakeCuda>();
GpuContextHandle the_context;
thread_local GpuContextHandle* current = nullptr;
thread_local std::vector<GpuContextHandle*> pushed;

/// The last to release the context has given back all else before.
void check_that_nothing_is_left() {
  const std::pair<const char*, std::size_t> left[] = {
      {"memory", state->allocations.size()},
      {"modules", static_cast<std::size_t>(state->modules)},
      {"graphs", static_cast<std::size_t>(state->graphs)},
      {"events", static_cast<std::size_t>(state->events)},
      {"streams", static_cast<std::size_t>(state->streams)}};
  for (const auto& [kind, count] : left) {
    if (count > 0) fake_broken(std::string("the context is released before ") + kind);
  }
}

}  // namespace

bool fake_has_context() { return current != nullptr; }

int fake_wanted(const std::string& call, bool needs_context) {
  if (state->lost != 0) return state->lost;
  const auto found = state->failures.find(call);
  if (found != state->failures.end()) return found->second;
  return needs_context && current == nullptr ? gpu_error_invalid_context : gpu_success;
}

void fake_broken(const std::string& rule) {
  state->broken_rules.push_back(rule);
  const char* const file = std::getenv("FAKE_GPU_BROKEN");
  FILE* const log = file == nullptr ? nullptr : std::fopen(file, "a");
  if (log == nullptr) return;
  std::fprintf(log, "%d %s\n", getpid(), rule.c_str());
  std::fclose(log);
}

void fake_needs_context(const char* call) {
  if (current == nullptr) fake_broken(std::string(call) + " without a context");
}

bool fake_runs(const std::string& arch) {
  const int number = std::atoi(arch.c_str() + arch.find('_') + 1), own = state->compute_capability;
  return number <= own && (arch.starts_with("compute_") || number / 10 == own / 10);
}

extern "C" {

FakeCuda* fake_cuda() { return state.get(); }
void fake_cuda_reset() {
  state = std::make_unique<FakeCuda>();
  current = nullptr;
}

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
/// As with NVIDIA's driver, a fork of a process that has initialised it cannot.
int cuInit(unsigned) {
  if (const char* const arch = std::getenv("FAKE_GPU_ARCH"))
    state->compute_capability = std::atoi(arch);
  static bool forked = false;
  static const int handled = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return forked || handled != 0 ? gpu_error_not_initialized : fake_wanted("cuInit", false);
}
int cuDriverGetVersion(int* version) {
  *version = state->driver_version;
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = state->devices;
  return fake_wanted("cuDeviceGetCount", false);
}
int cuDeviceGet(int* device, int ordinal) {
  *device = 70 + ordinal;
  return ordinal < state->devices ? fake_wanted("cuDeviceGet", false) : 101;
}
int cuDeviceGetName(char* name, int name_bytes, int device) {
  std::strncpy(name, device == 70 ? "Fake GPU" : "Other fake GPU",
               static_cast<std::size_t>(name_bytes));
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  const std::map<int, int> values = {
      {cuda_attribute_compute_capability_major, state->compute_capability / 10},
      {cuda_attribute_compute_capability_minor, state->compute_capability % 10},
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
int cuDevicePrimaryCtxRetain(GpuContext* context, int) {
  *context = &the_context;
  ++state->contexts;
  return fake_wanted("cuDevicePrimaryCtxRetain", false);
}
int cuDevicePrimaryCtxRelease_v2(int) {
  if (--state->contexts == 0 && state->lost == 0) check_that_nothing_is_left();
  return 0;
}
int cuCtxSetCurrent(GpuContext context) {
  current = context;
  return fake_wanted("cuCtxSetCurrent", false);
}
int cuCtxPushCurrent_v2(GpuContext context) {
  pushed.push_back(current);
  return cuCtxSetCurrent(context);
}
int cuCtxPopCurrent_v2(GpuContext* context) {
  if (pushed.empty()) return gpu_error_invalid_context;
  *context = std::exchange(current, pushed.back());
  pushed.pop_back();
  return gpu_success;
}
}
