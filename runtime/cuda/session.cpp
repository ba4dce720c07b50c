#include "runtime/cuda/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/cuda/module.h"

namespace alphasparse {

namespace {

constexpr std::int64_t l2_bytes_unknown = std::int64_t{128} << 20;  // that of the largest GPUs
constexpr std::int64_t read_bytes_a_block = own_threads * 8 * 16;   // of read_all

/// By its clock and the width of its bus, two bits a line and clock; 0 where it does not tell.
double peak_dram_gb_per_s(const CudaApi& api, int device) {
  int khz = 0, bits = 0;
  if (api.device_attribute(&khz, cuda_attribute_memory_clock_khz, device) != cuda_success) return 0;
  if (api.device_attribute(&bits, cuda_attribute_memory_bus_bits, device) != cuda_success) return 0;
  return 2e-6 * khz * bits / 8;
}

}  // namespace

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
  char bus_id[32] = {};
  if (api.bus_id(bus_id, sizeof bus_id - 1, gpu.device) == cuda_success) gpu.bus_id = bus_id;
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
  gpu.dram_gb_per_s = peak_dram_gb_per_s(api, gpu.device);
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
  Result<GpuMonitor> monitor = GpuMonitor::open(session->gpu_.bus_id);
  if (monitor) session->monitor_ = std::move(*monitor);
  return session;
}

CudaSession::CudaSession(CudaDriver driver, CudaGpu gpu)
    : driver_(std::move(driver)), gpu_(std::move(gpu)) {}

CudaSession::~CudaSession() {
  if (context_ == nullptr) return;
  api().set_context(context_);
  written_ = {};
  read_ = {};
  own_module_.reset();
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

Fault CudaSession::load_own_kernels(const std::vector<std::byte>& cubin) {
  own_module_ = std::make_unique<LoadedModule>(*this);
  if (Fault fault = own_module_->load(cubin)) return fault;
  for (const char* const name : {"read_all"}) {
    if (Fault fault = own_module_->find(own_kernels_[name], name)) return fault;
  }
  return std::nullopt;
}

Fault CudaSession::launch_own(const std::string& kernel, std::int64_t blocks, void** parameters) {
  const int code = api().launch(own_kernels_.at(kernel), static_cast<unsigned>(blocks), 1, 1,
                                own_threads, 1, 1, 0, stream_, parameters, nullptr);
  return check(code, "cuLaunchKernel", "launching " + kernel);
}

Fault CudaSession::flush_cache() {
  const std::int64_t l2_bytes = gpu_.l2_bytes > 0 ? gpu_.l2_bytes : l2_bytes_unknown;
  const std::int64_t blocks = (2 * l2_bytes + read_bytes_a_block - 1) / read_bytes_a_block;
  for (CudaBuffer* const buffer : {&written_, &read_}) {
    if (buffer->bytes() > 0) continue;
    Result<CudaBuffer> taken = CudaBuffer::allocate(
        *this, static_cast<std::size_t>(blocks * read_bytes_a_block), "flushing the L2 cache");
    if (!taken) return taken.failure();
    *buffer = std::move(*taken);
  }
  const int code = api().fill(written_.address(), ++byte_, written_.bytes(), stream_);
  if (Fault fault = check(code, "cuMemsetD8Async", "flushing the L2 cache")) return fault;
  CudaPointer from = read_.address();
  CudaPointer kept = read_.address();
  void* parameters[] = {&from, &kept};
  return launch_own("read_all", blocks, parameters);
}

Result<std::shared_ptr<CudaVectors>> CudaSession::vectors(std::size_t x_bytes,
                                                          std::size_t y_bytes) {
  std::shared_ptr<CudaVectors> shared = vectors_.lock();
  if (shared && shared->x_bytes == x_bytes && shared->y_bytes == y_bytes) return shared;
  Result<CudaBuffer> x = CudaBuffer::allocate(*this, x_bytes, "x");
  if (!x) return x.failure();
  Result<CudaBuffer> y = CudaBuffer::allocate(*this, y_bytes + 2 * y_guard_bytes, "y");
  if (!y) return y.failure();
  shared =
      std::make_shared<CudaVectors>(CudaVectors{x_bytes, y_bytes, std::move(*x), std::move(*y)});
  vectors_ = shared;
  return shared;
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
