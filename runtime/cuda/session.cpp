#include "runtime/cuda/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/cuda/module.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/environment.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr std::int64_t l2_bytes_unknown = std::int64_t{128} << 20;  // that of the largest GPUs
constexpr std::int64_t read_bytes_a_block = own_threads * 8 * 16;   // of read_all, and of
constexpr std::int64_t discard_bytes_a_block = own_threads * 128;   // discard_all
static_assert(read_bytes_a_block == discard_bytes_a_block);

constexpr std::int64_t sum_blocks_max = 1024;

/// The sum that sum_bytes computes of them.
unsigned long long sum_of(std::span<const std::byte> bytes) {
  unsigned long long sum = 0, factor = 1;
  std::size_t at = 0;
  for (; at + sizeof(unsigned) <= bytes.size(); at += sizeof(unsigned), factor += 2) {
    unsigned word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum += word * factor;
  }
  for (; at < bytes.size(); ++at, factor += 2) sum += std::to_integer<unsigned>(bytes[at]) * factor;
  return sum;
}

/// An attribute of a GPU; 0 where the driver does not report it.
int attribute(const CudaApi& api, int number, int device) {
  int value = 0;
  return api.device_attribute(&value, number, device) == cuda_success ? value : 0;
}

GpuProperties properties_of(const CudaApi& api, int device) {
  const auto of = [&](int number) { return attribute(api, number, device); };
  return {of(cuda_attribute_multiprocessors), of(cuda_attribute_clock_khz) / 1000,
          of(cuda_attribute_memory_clock_khz) / 1000, of(cuda_attribute_memory_bus_bits),
          of(cuda_attribute_shared_bytes_a_multiprocessor)};
}

/// The peak by the clock of its memory and the width of its bus, two bits a line and clock.
double peak_dram_gb_per_s(const GpuProperties& gpu) {
  return 2e-3 * gpu.memory_mhz * gpu.memory_bus_bits / 8;
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
  gpu.reported = properties_of(api, gpu.device);
  gpu.dram_gb_per_s = peak_dram_gb_per_s(gpu.reported);
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
  std::size_t bytes_total = 0;
  if (api.memory_info(&session->bytes_free_at_open_, &bytes_total) != cuda_success)
    session->bytes_free_at_open_ = 0;
  Result<GpuMonitor> monitor = GpuMonitor::open(session->gpu_.bus_id);
  if (monitor) session->monitor_ = std::move(*monitor);
  return session;
}

CudaSession::CudaSession(CudaDriver driver, CudaGpu gpu)
    : driver_(std::move(driver)), gpu_(std::move(gpu)) {}

CudaSession::~CudaSession() {
  if (context_ == nullptr) return;
  api().set_context(context_);
  residents_.clear();
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
  Failure failure = driver_.failure(code, call, std::string(doing));
  const bool is_sticky = may_be_sticky(code) && !is_capturing_ && stream_ != nullptr &&
                         api().wait_for_stream(stream_) == code;
  if (is_sticky) {
    failure.status = Status::crash;
    failure.reason += "; a wait answers the same: this process has lost its CUDA context";
  }
  if ((is_sticky || context_is_lost(code)) && !lost_) lost_ = failure;
  return failure;
}

Fault CudaSession::check_copy(int code, const char* call, std::string_view doing) {
  Fault fault = check(code, call, doing);
  if (code == cuda_error_invalid_value) {
    fault->status = Status::crash;
    fault->reason += "; the copy does not fit the memory that was taken for it";
  }
  return fault;
}

Fault CudaSession::upload(CudaPointer to, std::span<const std::byte> from, std::string_view doing) {
  if (from.empty()) return std::nullopt;
  return check_copy(api().copy_to_device(to, from.data(), from.size(), stream_),
                    "cuMemcpyHtoDAsync", doing);
}

Fault CudaSession::download(std::span<std::byte> to, CudaPointer from, std::string_view doing) {
  if (to.empty()) return std::nullopt;
  return check_copy(api().copy_to_host(to.data(), from, to.size(), stream_), "cuMemcpyDtoHAsync",
                    doing);
}

Fault CudaSession::copy(CudaPointer to, CudaPointer from, std::size_t bytes,
                        std::string_view doing) {
  if (bytes == 0) return std::nullopt;
  return check(api().copy(to, from, bytes, stream_), "cuMemcpyDtoDAsync", doing);
}

Fault CudaSession::queue_in_capture(const std::function<Fault()>& queue) {
  is_capturing_ = true;
  Fault fault = queue();
  is_capturing_ = false;
  return fault;
}

Fault CudaSession::wait(std::string_view doing) {
  if (is_capturing_) return std::nullopt;
  const Stopwatch clock;
  const int code = api().wait_for_stream(stream_);
  waited_seconds_ += clock.seconds();
  return check(code, "cuStreamSynchronize", doing);
}

Fault CudaSession::load_own_kernels(const std::vector<std::byte>& cubin) {
  own_module_ = std::make_unique<LoadedModule>(*this);
  if (Fault fault = own_module_->load(cubin)) return fault;
  for (const char* const name :
       {"read_all", "discard_all", "permute_f32", "permute_f64", "sum_bytes"}) {
    if (Fault fault = own_module_->find(own_kernels_[name], name)) return fault;
  }
  return std::nullopt;
}

Fault CudaSession::launch_own(const std::string& kernel, std::int64_t blocks, void** parameters) {
  const int code = api().launch(own_kernels_.at(kernel), static_cast<unsigned>(blocks), 1, 1,
                                own_threads, 1, 1, 0, stream_, parameters, nullptr);
  return check(code, "cuLaunchKernel", "launching " + kernel);
}

std::int64_t CudaSession::cache_blocks() const {
  const std::int64_t l2_bytes = gpu_.l2_bytes > 0 ? gpu_.l2_bytes : l2_bytes_unknown;
  return (2 * l2_bytes + read_bytes_a_block - 1) / read_bytes_a_block;
}

Fault CudaSession::take_cache_buffer(CudaBuffer& buffer) {
  if (buffer.bytes() > 0) return std::nullopt;
  const auto bytes = static_cast<std::size_t>(cache_blocks() * read_bytes_a_block);
  Result<CudaBuffer> taken = CudaBuffer::allocate(*this, bytes, "flushing the L2 cache");
  if (!taken) return taken.failure();
  buffer = std::move(*taken);
  return std::nullopt;
}

Fault CudaSession::fill_cache() {
  if (Fault fault = take_cache_buffer(written_)) return fault;
  const int code = api().fill(written_.address(), ++byte_, written_.bytes(), stream_);
  return check(code, "cuMemsetD8Async", "flushing the L2 cache");
}

Fault CudaSession::empty_cache() {
  if (Fault fault = fill_cache()) return fault;
  CudaPointer bytes = written_.address();
  void* parameters[] = {&bytes};
  return launch_own("discard_all", cache_blocks(), parameters);
}

Fault CudaSession::flush_cache() {
  if (Fault fault = take_cache_buffer(read_)) return fault;
  if (Fault fault = fill_cache()) return fault;
  CudaPointer from = read_.address();
  CudaPointer kept = read_.address();
  void* parameters[] = {&from, &kept};
  return launch_own("read_all", cache_blocks(), parameters);
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

Result<CudaPointer> CudaSession::resident(const SharedBytes& bytes, std::string_view doing) {
  std::erase_if(residents_, [](const auto& entry) { return entry.second.bytes.expired(); });
  const auto known = residents_.find(bytes.identity());
  if (known != residents_.end()) return known->second.buffer.address();
  Result<CudaBuffer> buffer = CudaBuffer::try_allocate(*this, bytes.size(), std::string(doing));
  if (!buffer) return buffer.failure();
  if (Fault fault = upload(buffer->address(), bytes, doing)) return *fault;
  const CudaPointer address = buffer->address();
  residents_.emplace(bytes.identity(), Resident{bytes.watch(), std::move(*buffer), sum_of(bytes)});
  return address;
}

Fault CudaSession::place(CudaPointer to, const SharedBytes& from, std::string_view doing) {
  if (from.empty()) return std::nullopt;
  const Result<CudaPointer> kept = resident(from, doing);
  if (kept) return copy(to, *kept, from.size(), doing);
  return kept.failure().status == Status::out_of_memory ? upload(to, from, doing)
                                                        : Fault(kept.failure());
}

Result<bool> CudaSession::residents_are_whole() {
  constexpr const char* doing = "looking at the resident kernels";
  if (residents_.empty()) return true;
  std::vector<unsigned long long> sums(residents_.size());
  const auto bytes = std::as_writable_bytes(std::span(sums));
  const Result<CudaBuffer> found = CudaBuffer::try_allocate(*this, bytes.size(), doing);
  if (!found || residents_.empty()) return true;  // without memory for it, they are gone
  const int code = api().fill(found->address(), 0, bytes.size(), stream_);
  if (Fault fault = check(code, "cuMemsetD8Async", doing)) return *fault;
  CudaPointer to = found->address();
  for (const auto& [identity, resident] : residents_) {
    CudaPointer from = resident.buffer.address();
    auto count = static_cast<long long>(resident.buffer.bytes());
    void* parameters[] = {&from, &count, &to};
    const std::int64_t blocks =
        std::clamp<std::int64_t>(count / 4 / own_threads, 1, sum_blocks_max);
    if (Fault fault = launch_own("sum_bytes", blocks, parameters)) return *fault;
    to += sizeof(unsigned long long);
  }
  if (Fault fault = download(bytes, found->address(), doing)) return *fault;
  if (Fault fault = wait(doing)) return *fault;
  const bool whole =
      std::equal(residents_.begin(), residents_.end(), sums.begin(),
                 [](const auto& entry, unsigned long long sum) { return entry.second.sum == sum; });
  if (!whole) residents_.clear();
  return whole;
}

bool CudaSession::forget_residents() {
  if (residents_.empty() || wait("giving up the resident kernels")) return false;
  residents_.clear();
  return true;
}

void CudaSession::blame_others(std::size_t bytes) const {
  constexpr double share_without_others = 0.9;  // contexts and the driver have the rest
  std::size_t bytes_free = 0, bytes_total = 0;
  if (bytes_free_at_open_ == 0 || api().memory_info(&bytes_free, &bytes_total) != cuda_success)
    return;
  const auto could_have =
      static_cast<std::size_t>(share_without_others * static_cast<double>(bytes_total));
  const std::size_t most = std::min(std::max(bytes_free_at_open_, could_have), bytes_total);
  if (bytes <= bytes_free || bytes_taken_ + bytes > most) return;
  throw environment_fault(fmt::format(
      "{} is full: {} are needed, {} of {} are free, and other programs have the rest; end them",
      gpu_.name, byte_count_text(static_cast<std::int64_t>(bytes)),
      byte_count_text(static_cast<std::int64_t>(bytes_free)),
      byte_count_text(static_cast<std::int64_t>(bytes_total))));
}

Fault CudaSession::checked_room(Fault fault) const {
  std::size_t bytes_free = 0, bytes_total = 0;
  if (!fault || fault->status != Status::out_of_memory ||
      api().memory_info(&bytes_free, &bytes_total) != cuda_success)
    return fault;
  if (bytes_free + bytes_taken_ >= bytes_free_at_open_ / 2) return fault;
  throw environment_fault(
      fmt::format("{}; other programs have taken most of {}: end them", fault->reason, gpu_.name));
}

Result<CudaBuffer> CudaBuffer::allocate(CudaSession& session, std::size_t bytes,
                                        const std::string& what) {
  Result<CudaBuffer> buffer = try_allocate(session, bytes, what);
  if (!buffer && buffer.failure().status == Status::out_of_memory) session.blame_others(bytes);
  return buffer;
}

Result<CudaBuffer> CudaBuffer::try_allocate(CudaSession& session, std::size_t bytes,
                                            const std::string& what) {
  CudaBuffer buffer;
  const auto take = [&] {
    return session.api().allocate(&buffer.address_, std::max<std::size_t>(bytes, 1));
  };
  int code = take();
  if (code == cuda_error_out_of_memory && session.forget_residents()) code = take();
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
  session.count_taken(static_cast<std::ptrdiff_t>(bytes));
  return buffer;
}

CudaBuffer::~CudaBuffer() {
  if (session_ == nullptr) return;
  session_->count_taken(-static_cast<std::ptrdiff_t>(bytes_));
  session_->api().free(address_);
}

void CudaBuffer::swap(CudaBuffer& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
}

}  // namespace alphasparse
