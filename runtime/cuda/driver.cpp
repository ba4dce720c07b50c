#include "runtime/cuda/driver.h"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

namespace alphasparse {
namespace {

/// The meaning of a code here; codes that are not in the table are launch errors.
struct Meaning {
  int code;
  Status status;
  bool context_lost;
  const char* advice;  // may be empty
};

constexpr Meaning meanings[] = {
    {cuda_error_out_of_memory, Status::out_of_memory, false, ""},
    {cuda_error_stub_library, Status::launch_error, false,
     "this is the toolkit's stub, not a driver: take it out of LD_LIBRARY_PATH"},
    {cuda_error_device_unavailable, Status::launch_error, false,
     "another process has the GPU for itself, or its mode lets none compute (nvidia-smi -q): end "
     "that process, or set the mode by nvidia-smi -c DEFAULT"},
    {cuda_error_invalid_image, Status::launch_error, false, "is the driver older than NVRTC?"},
    {cuda_error_no_binary_for_gpu, Status::launch_error, false, "is the driver older than NVRTC?"},
    {cuda_error_unsupported_ptx_version, Status::launch_error, false,
     "is the driver older than NVRTC?"},
    {cuda_error_system_not_ready, Status::launch_error, false,
     "the machine is not ready for CUDA yet: start nvidia-fabricmanager where NVSwitch joins its "
     "GPUs, or wait until the machine is up"},
    {cuda_error_system_driver_mismatch, Status::launch_error, false,
     "kernel module and library differ in version: restart the machine"},
    {cuda_error_ecc_uncorrectable, Status::crash, true, ""},
    {cuda_error_contained, Status::crash, true, ""},
    {cuda_error_illegal_address, Status::crash, true, ""},
    {cuda_error_launch_timeout, Status::timeout, true, ""},
    {cuda_error_context_is_destroyed, Status::crash, true, ""},
    {cuda_error_assert, Status::crash, true, ""},
    {cuda_error_hardware_stack_error, Status::crash, true, ""},
    {cuda_error_illegal_instruction, Status::crash, true, ""},
    {cuda_error_misaligned_address, Status::crash, true, ""},
    {cuda_error_invalid_address_space, Status::crash, true, ""},
    {cuda_error_invalid_pc, Status::crash, true, ""},
    {cuda_error_launch_failed, Status::crash, true, ""},
    {cuda_error_tensor_memory_leak, Status::crash, true, ""},
    {cuda_error_mps_client_terminated, Status::crash, true, ""},
    {cuda_error_unknown, Status::crash, true, ""},
};

/// Of a code in the table; else null.
const Meaning* known_meaning_of(int code) {
  for (const Meaning& meaning : meanings) {
    if (meaning.code == code) return &meaning;
  }
  return nullptr;
}

Meaning meaning_of(int code) {
  const Meaning* const known = known_meaning_of(code);
  return known != nullptr ? *known : Meaning{code, Status::launch_error, false, ""};
}

std::vector<std::string> driver_names() {
  const char* const path = std::getenv("ALPHASPARSE_LIBCUDA");
  if (path != nullptr && *path != '\0') return {path};
  return {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
          "libcuda.so"};
}

/// The symbol that a library lacks, or nullptr.
const char* load_api(const DynamicLibrary& library, CudaApi& api) {
  const char* missing = nullptr;
  const auto load = [&](auto*& function, const char* symbol) {
    if (!library.load(function, symbol) && missing == nullptr) missing = symbol;
  };
  load(api.error_name, "cuGetErrorName");
  load(api.error_string, "cuGetErrorString");
  load(api.init, "cuInit");
  load(api.driver_version, "cuDriverGetVersion");
  load(api.device_count, "cuDeviceGetCount");
  load(api.device, "cuDeviceGet");
  load(api.device_name, "cuDeviceGetName");
  load(api.device_attribute, "cuDeviceGetAttribute");
  load(api.bus_id, "cuDeviceGetPCIBusId");
  load(api.retain_context, "cuDevicePrimaryCtxRetain");
  load(api.release_context, "cuDevicePrimaryCtxRelease_v2");
  load(api.set_context, "cuCtxSetCurrent");
  load(api.push_context, "cuCtxPushCurrent_v2");
  load(api.pop_context, "cuCtxPopCurrent_v2");
  load(api.load_module, "cuModuleLoadData");
  load(api.unload_module, "cuModuleUnload");
  load(api.find_function, "cuModuleGetFunction");
  load(api.memory_info, "cuMemGetInfo_v2");
  load(api.allocate, "cuMemAlloc_v2");
  load(api.free, "cuMemFree_v2");
  load(api.copy_to_device, "cuMemcpyHtoDAsync_v2");
  load(api.copy_to_host, "cuMemcpyDtoHAsync_v2");
  load(api.copy, "cuMemcpyDtoDAsync_v2");
  load(api.copy_rectangle, "cuMemcpy2DAsync_v2");
  load(api.fill, "cuMemsetD8Async");
  load(api.create_stream, "cuStreamCreate");
  load(api.wait_for_stream, "cuStreamSynchronize");
  load(api.destroy_stream, "cuStreamDestroy_v2");
  load(api.begin_capture, "cuStreamBeginCapture_v2");
  load(api.end_capture, "cuStreamEndCapture");
  load(api.make_graph, "cuGraphInstantiateWithFlags");
  load(api.launch_graph, "cuGraphLaunch");
  load(api.destroy_graph, "cuGraphExecDestroy");
  load(api.destroy_graph_nodes, "cuGraphDestroy");
  load(api.create_event, "cuEventCreate");
  load(api.record_event, "cuEventRecord");
  load(api.wait_for_event, "cuEventSynchronize");
  load(api.elapsed_ms, "cuEventElapsedTime");
  load(api.destroy_event, "cuEventDestroy_v2");
  load(api.launch, "cuLaunchKernel");
  return missing;
}

}  // namespace

bool context_is_lost(int code) { return meaning_of(code).context_lost; }

bool may_be_sticky(int code) {
  return code != cuda_error_invalid_value && known_meaning_of(code) == nullptr;
}

Result<CudaDriver> CudaDriver::open() {
  Result<DynamicLibrary> library = DynamicLibrary::open(driver_names());
  if (!library) {
    return Failure{Status::launch_error,
                   fmt::format("no CUDA driver: {}; install NVIDIA's driver", library.reason())};
  }
  CudaApi api;
  if (const char* const missing = load_api(*library, api)) {
    return Failure{
        Status::launch_error,
        fmt::format("{} lacks {}: NVIDIA's driver is too old, CUDA 11.4 or later is needed",
                    library->name(), missing)};
  }
  CudaDriver driver(std::move(*library), api);
  int code = api.init(0);
  if (code != cuda_success) return driver.failure(code, "cuInit", "starting the CUDA driver");
  code = api.device_count(&driver.device_count_);
  if (code != cuda_success) return driver.failure(code, "cuDeviceGetCount", "counting the GPUs");
  if (driver.device_count_ < 1) {
    return Failure{Status::launch_error, "the CUDA driver sees no GPU"};
  }
  return driver;
}

std::string CudaDriver::version() const {
  int version = 0;
  if (api_.driver_version(&version) != cuda_success) return "unknown";
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

int CudaDriver::major() const {
  int version = 0;
  return api_.driver_version(&version) == cuda_success ? version / 1000 : 0;
}

Failure CudaDriver::failure(int code, const char* call, const std::string& doing) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api_.error_name(code, &name) != cuda_success || name == nullptr) name = "unknown code";
  if (api_.error_string(code, &text) != cuda_success || text == nullptr) text = "no explanation";
  const Meaning meaning = meaning_of(code);
  std::string reason = fmt::format("{}: {} ({} {}, {})", doing, text, call, name, code);
  if (*meaning.advice != '\0') reason += fmt::format("; {}", meaning.advice);
  if (meaning.context_lost) reason += "; this process has lost its CUDA context";
  return {meaning.status, reason};
}

}  // namespace alphasparse
