#include "runtime/cuda_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace alphasparse {

Result<CudaGpu> describe_gpu(const CudaDriver& driver, int ordinal) {
  const CudaApi& api = driver.api();
  const std::string doing = fmt::format("asking for cuda:{}", ordinal);
  CudaGpu gpu;
  int code = api.device(&gpu.device, ordinal);
  if (code != cuda_success) return driver.failure(code, "cuDeviceGet", doing);
  char name[256] = {};
  code = api.device_name(name, sizeof name - 1, gpu.device);
  if (code != cuda_success) return driver.failure(code, "cuDeviceGetName", doing);
  gpu.name = name;
  int values[3] = {};
  constexpr int attributes[3] = {cuda_attribute_compute_capability_major,
                                 cuda_attribute_compute_capability_minor,
                                 cuda_attribute_l2_cache_size};
  for (int index = 0; index < 3; ++index) {
    code = api.device_attribute(&values[index], attributes[index], gpu.device);
    if (code != cuda_success) return driver.failure(code, "cuDeviceGetAttribute", doing);
  }
  gpu.arch = fmt::format("sm_{}{}", values[0], values[1]);
  gpu.l2_bytes = values[2];
  return gpu;
}

Result<std::shared_ptr<CudaSession>> CudaSession::open(CudaDriver driver, int ordinal) {
  Result<CudaGpu> gpu = describe_gpu(driver, ordinal);
  if (!gpu) return gpu.failure();
  const std::shared_ptr<CudaSession> session(new CudaSession(std::move(driver), std::move(*gpu)));
  const CudaApi& api = session->api();
  const std::string doing = fmt::format("opening cuda:{}", ordinal);
  if (Fault fault = session->check(api.retain_context(&session->context_, session->gpu_.device),
                                   "cuDevicePrimaryCtxRetain", doing)) {
    return *fault;
  }
  if (Fault fault = session->enter()) return *fault;
  if (Fault fault = session->check(api.create_stream(&session->stream_, cuda_stream_non_blocking),
                                   "cuStreamCreate", doing)) {
    return *fault;
  }
  return session;
}

CudaSession::~CudaSession() {
  if (context_ == nullptr) return;
  api().set_context(context_);
  if (stream_ != nullptr) api().destroy_stream(stream_);
  api().release_context(gpu_.device);
}

Fault CudaSession::enter() {
  if (lost_) {
    return Failure{
        Status::crash,
        fmt::format("the CUDA context of this process was lost before: {}", lost_->reason)};
  }
  return check(api().set_context(context_), "cuCtxSetCurrent", "entering the context");
}

Fault CudaSession::check(int code, const char* call, std::string_view doing) {
  if (code == cuda_success) return std::nullopt;
  const Failure failure = driver_.failure(code, call, std::string(doing));
  if (context_is_lost(code) && !lost_) lost_ = failure;
  return failure;
}

Fault CudaSession::upload(CudaPointer to, std::span<const std::byte> from, std::string_view doing) {
  if (from.empty()) return std::nullopt;
  return check(api().copy_to_device(to, from.data(), from.size(), stream_), "cuMemcpyHtoDAsync",
               doing);
}

Fault CudaSession::download(std::span<std::byte> to, CudaPointer from, std::string_view doing) {
  if (to.empty()) return std::nullopt;
  return check(api().copy_to_host(to.data(), from, to.size(), stream_), "cuMemcpyDtoHAsync", doing);
}

Fault CudaSession::wait(std::string_view doing) {
  return check(api().wait_for_stream(stream_), "cuStreamSynchronize", doing);
}

Result<CudaBuffer> CudaBuffer::allocate(CudaSession& session, std::size_t bytes,
                                        const std::string& what) {
  CudaBuffer buffer;
  const int code = session.api().allocate(&buffer.address_, std::max<std::size_t>(bytes, 1));
  if (Fault fault =
          session.check(code, "cuMemAlloc", fmt::format("taking {} bytes for {}", bytes, what))) {
    std::size_t bytes_free = 0;
    std::size_t bytes_total = 0;
    if (fault->status == Status::out_of_memory &&
        session.api().memory_info(&bytes_free, &bytes_total) == cuda_success) {
      fault->reason += fmt::format("; {} of {} bytes are free", bytes_free, bytes_total);
    }
    return *fault;
  }
  buffer.session_ = &session;
  buffer.bytes_ = bytes;
  return buffer;
}

CudaBuffer::~CudaBuffer() {
  if (session_ != nullptr) session_->api().free(address_);
}

void CudaBuffer::swap(CudaBuffer& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
}

}  // namespace alphasparse
