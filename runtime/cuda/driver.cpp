#include "runtime/cuda/driver.h"

#include <fmt/format.h>

#include "runtime/cuda/api.h"

namespace alphasparse {
namespace {

constexpr const char* cuda_nodes[] = {"/dev/nvidiactl", "/dev/dxg"};  // the other one is WSL's
constexpr const char* older_than_nvrtc = "is the driver older than NVRTC?";
constexpr GpuAdvice cuda_advice[] = {
    {gpu_error_stub_library,
     "this is the toolkit's stub, not a driver: take it out of LD_LIBRARY_PATH"},
    {gpu_error_device_unavailable,
     "another process has the GPU for itself, or its mode lets none compute (nvidia-smi -q): end "
     "that process, or set the mode by nvidia-smi -c DEFAULT"},
    {gpu_error_invalid_image, older_than_nvrtc},
    {gpu_error_no_binary_for_gpu, older_than_nvrtc},
    {gpu_error_unsupported_ptx_version, older_than_nvrtc},
    {gpu_error_system_not_ready,
     "the machine is not ready for CUDA yet: start nvidia-fabricmanager where NVSwitch joins its "
     "GPUs, or wait until the machine is up"},
    {gpu_error_system_driver_mismatch,
     "kernel module and library differ in version: restart the machine"},
};

}  // namespace

const GpuDriverKind cuda_driver_kind = {
    .device = "cuda",
    .variable = "ALPHASPARSE_LIBCUDA",
    .nodes = cuda_nodes,
    .name = "CUDA",
    .hint = "install NVIDIA's driver",
    .too_old = "NVIDIA's driver is too old, CUDA 11.4 or later is needed",
    .major_unit = 1000,
    .minor_unit = 10,
    .attributes = {.clock_khz = cuda_attribute_clock_khz,
                   .multiprocessors = cuda_attribute_multiprocessors,
                   .memory_clock_khz = cuda_attribute_memory_clock_khz,
                   .memory_bus_bits = cuda_attribute_memory_bus_bits,
                   .l2_cache_size = cuda_attribute_l2_cache_size,
                   .shared_bytes_a_multiprocessor = cuda_attribute_shared_bytes_a_multiprocessor},
    .advice = cuda_advice,
};

namespace {

using CudaCopyRectangle = int (*)(const CudaRectangle*, GpuStream);

GpuCall<const GpuRectangle&, GpuStream> cuda_rectangle_call(CudaCopyRectangle copy,
                                                            const char* name) {
  const auto call = [copy](const GpuRectangle& lines, GpuStream stream) {
    CudaRectangle cuda;
    cuda.from.device = lines.from;
    cuda.from.pitch = lines.from_pitch;
    cuda.to.device = lines.to;
    cuda.to.pitch = lines.to_pitch;
    cuda.width_bytes = lines.width_bytes;
    cuda.height = lines.height;
    return copy(&cuda, stream);
  };
  return {call, name};
}

/// "sm_90", by the two numbers of the compute capability.
GpuCall<std::string*, int> cuda_arch_call(const GpuCall<int*, int, int>& attribute) {
  const auto call = [attribute](std::string* arch, int device) {
    int major = 0, minor = 0;
    int code = attribute(&major, cuda_attribute_compute_capability_major, device);
    if (code == gpu_success)
      code = attribute(&minor, cuda_attribute_compute_capability_minor, device);
    *arch = fmt::format("sm_{}{}", major, minor);
    return code;
  };
  return {call, attribute.name};
}

const char* load_cuda_api(const DynamicLibrary& library, GpuApi& api) {
  const char* missing = nullptr;
  const auto load = [&](auto& call, const char* name, const char* version = "") {
    if (!load_call(library, call, name, version) && missing == nullptr) missing = name;
  };
  load(api.error_name, "cuGetErrorName");
  load(api.error_string, "cuGetErrorString");
  load(api.init, "cuInit");
  load(api.driver_version, "cuDriverGetVersion");
  load(api.device_count, "cuDeviceGetCount");
  load(api.device, "cuDeviceGet");
  load(api.device_name, "cuDeviceGetName");
  load(api.attribute, "cuDeviceGetAttribute");
  load(api.bus_id, "cuDeviceGetPCIBusId");
  load(api.retain_context, "cuDevicePrimaryCtxRetain");
  load(api.release_context, "cuDevicePrimaryCtxRelease", "_v2");
  load(api.set_context, "cuCtxSetCurrent");
  load(api.push_context, "cuCtxPushCurrent", "_v2");
  load(api.pop_context, "cuCtxPopCurrent", "_v2");
  load(api.load_module, "cuModuleLoadData");
  load(api.unload_module, "cuModuleUnload");
  load(api.find_function, "cuModuleGetFunction");
  load(api.function_attribute, "cuFuncGetAttribute");
  load(api.memory_info, "cuMemGetInfo", "_v2");
  load(api.allocate, "cuMemAlloc", "_v2");
  load(api.free, "cuMemFree", "_v2");
  load(api.copy_to_device, "cuMemcpyHtoDAsync", "_v2");
  load(api.copy_to_host, "cuMemcpyDtoHAsync", "_v2");
  load(api.copy, "cuMemcpyDtoDAsync", "_v2");
  load(api.fill, "cuMemsetD8Async");
  load(api.create_stream, "cuStreamCreate");
  load(api.wait_for_stream, "cuStreamSynchronize");
  load(api.destroy_stream, "cuStreamDestroy", "_v2");
  load(api.begin_capture, "cuStreamBeginCapture", "_v2");
  load(api.end_capture, "cuStreamEndCapture");
  load(api.make_graph, "cuGraphInstantiateWithFlags");
  load(api.launch_graph, "cuGraphLaunch");
  load(api.destroy_graph, "cuGraphExecDestroy");
  load(api.destroy_graph_nodes, "cuGraphDestroy");
  load(api.create_event, "cuEventCreate");
  load(api.record_event, "cuEventRecord");
  load(api.wait_for_event, "cuEventSynchronize");
  load(api.elapsed_ms, "cuEventElapsedTime");
  load(api.destroy_event, "cuEventDestroy", "_v2");
  load(api.launch, "cuLaunchKernel");
  CudaCopyRectangle copy = nullptr;
  if (!library.load(copy, "cuMemcpy2DAsync_v2") && missing == nullptr) missing = "cuMemcpy2DAsync";
  api.copy_rectangle = cuda_rectangle_call(copy, "cuMemcpy2DAsync");
  api.arch = cuda_arch_call(api.attribute);
  return missing;
}

}  // namespace

Result<GpuDriver> open_cuda_driver() {
  return GpuDriver::open(cuda_driver_kind,
                         driver_libraries(cuda_driver_kind.variable,
                                          {"libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1",
                                           "/usr/lib/wsl/lib/libcuda.so.1", "libcuda.so"}),
                         load_cuda_api);
}

}  // namespace alphasparse
