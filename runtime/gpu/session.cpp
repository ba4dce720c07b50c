#include "runtime/gpu/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/gpu/module.h"
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
unsigned long long sum_up(std::span<const std::byte> bytes) {
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

GpuProperties read_properties(const GpuDriver& driver, int device) {
  const auto of = [&](int number) {  // 0 where the driver does not report it
    int value = 0;
    return driver.api().attribute(&value, number, device) == gpu_success ? value : 0;
  };
  const GpuAttributes& numbers = driver.kind().attributes;
  return {of(numbers.multiprocessors), of(numbers.clock_khz) / 1000,
          of(numbers.memory_clock_khz) / 1000, of(numbers.memory_bus_bits),
          of(numbers.shared_bytes_a_multiprocessor)};
}

/// The peak by the clock of its memory and the width of its bus, two bits a line and clock.
double peak_dram_gb_per_s(const GpuProperties& gpu) {
  return 2e-3 * gpu.memory_mhz * gpu.memory_bus_bits / 8;
}

}  // namespace

Result<GpuDescription> describe_gpu(const GpuDriver& driver, int ordinal) {
  const GpuApi& api = driver.api();
  GpuDescription gpu;
  gpu.ordinal = ordinal;
  MaybeFailure failure;
  const auto ask = [&](const auto& call, auto... parameters) {
    if (failure) return;
    if (const int code = call(parameters...); code != gpu_success)
      failure = driver.failure(code, call.name, "asking for " + driver.device_name(ordinal));
  };
  char name[256] = {};
  int l2_bytes = 0;
  ask(api.device, &gpu.device, ordinal);
  ask(api.device_name, name, static_cast<int>(sizeof name - 1), gpu.device);
  ask(api.arch, &gpu.arch, gpu.device);
  ask(api.attribute, &l2_bytes, driver.kind().attributes.l2_cache_size, gpu.device);
  if (failure) return *failure;
  gpu.name = name;
  gpu.l2_bytes = gpu.cache_bytes = l2_bytes;
  if (const auto behind = driver.kind().cache_behind_l2)
    gpu.cache_bytes = std::max(gpu.cache_bytes, behind(gpu.arch));
  char bus_id[32] = {};
  if (api.bus_id(bus_id, sizeof bus_id - 1, gpu.device) == gpu_success) gpu.bus_id = bus_id;
  gpu.reported = read_properties(driver, gpu.device);
  gpu.dram_gb_per_s = peak_dram_gb_per_s(gpu.reported);
  return gpu;
}

Result<std::shared_ptr<GpuSession>> GpuSession::open(GpuDriver driver, int ordinal,
                                                     const MakeMonitor& make_monitor) {
  Result<GpuDescription> gpu = describe_gpu(driver, ordinal);
  if (!gpu) return gpu.failure();
  const std::shared_ptr<GpuSession> session(new GpuSession(std::move(driver), std::move(*gpu)));
  const GpuApi& api = session->api();
  const std::string doing = "opening " + session->driver_.device_name(ordinal);
  if (auto failure =
          session->call(doing, api.retain_context, &session->context_, session->gpu_.device)) {
    return *failure;
  }
  if (auto failure = session->enter()) return *failure;
  if (auto failure =
          session->call(doing, api.create_stream, &session->stream_, gpu_stream_non_blocking)) {
    return *failure;
  }
  std::size_t bytes_total = 0;
  if (api.memory_info(&session->bytes_free_at_open_, &bytes_total) != gpu_success)
    session->bytes_free_at_open_ = 0;
  session->monitor_ = make_monitor(session->gpu_);
  return session;
}

GpuSession::GpuSession(GpuDriver driver, GpuDescription gpu)
    : driver_(std::move(driver)), gpu_(std::move(gpu)) {}

GpuSession::~GpuSession() {
  if (context_ == nullptr) return;
  api().set_context(context_);
  residents_.clear();
  written_ = {};
  read_ = {};
  own_module_.reset();
  if (stream_ != nullptr) api().destroy_stream(stream_);
  api().release_context(gpu_.device);
}

MaybeFailure GpuSession::enter() {
  if (lost_) {
    return Failure{Status::crash, fmt::format("the {} context of this process was lost before: {}",
                                              driver_.kind().name, lost_->reason)};
  }
  return call("entering the context", api().set_context, context_);
}

MaybeFailure GpuSession::check(int code, const char* call, std::string_view doing) {
  if (code == gpu_success) return std::nullopt;
  Failure failure = driver_.failure(code, call, std::string(doing));
  const bool is_sticky = may_be_sticky(code) && !is_capturing_ && stream_ != nullptr &&
                         api().wait_for_stream(stream_) == code;
  if (is_sticky) {
    failure.status = Status::crash;
    failure.reason += fmt::format("; a wait answers the same: this process has lost its {} context",
                                  driver_.kind().name);
  }
  if ((is_sticky || context_is_lost(code)) && !lost_) lost_ = failure;
  return failure;
}

MaybeFailure GpuSession::check_copy(int code, const char* call, std::string_view doing) {
  auto failure = check(code, call, doing);
  if (code == gpu_error_invalid_value) {
    failure->status = Status::crash;
    failure->reason += "; the copy does not fit the memory that was taken for it";
  }
  return failure;
}

MaybeFailure GpuSession::upload(GpuPointer to, std::span<const std::byte> from,
                                std::string_view doing) {
  if (from.empty()) return std::nullopt;
  const auto& copy = api().copy_to_device;
  return check_copy(copy(to, from.data(), from.size(), stream_), copy.name, doing);
}

MaybeFailure GpuSession::download(std::span<std::byte> to, GpuPointer from,
                                  std::string_view doing) {
  if (to.empty()) return std::nullopt;
  const auto& copy = api().copy_to_host;
  return check_copy(copy(to.data(), from, to.size(), stream_), copy.name, doing);
}

MaybeFailure GpuSession::copy(GpuPointer to, GpuPointer from, std::size_t bytes,
                              std::string_view doing) {
  if (bytes == 0) return std::nullopt;
  return call(doing, api().copy, to, from, bytes, stream_);
}

MaybeFailure GpuSession::queue_in_capture(const std::function<MaybeFailure()>& queue) {
  is_capturing_ = true;
  auto failure = queue();
  is_capturing_ = false;
  return failure;
}

MaybeFailure GpuSession::wait(std::string_view doing) {
  if (is_capturing_) return std::nullopt;
  const Stopwatch clock;
  const int code = api().wait_for_stream(stream_);
  waited_seconds_ += clock.seconds();
  return check(code, api().wait_for_stream.name, doing);
}

MaybeFailure GpuSession::load_own_kernels(const std::vector<std::byte>& cubin) {
  own_module_ = std::make_unique<LoadedModule>(*this);
  if (auto failure = own_module_->load(cubin)) return failure;
  for (const char* const name :
       {"read_all", "discard_all", "permute_f32", "permute_f64", "sum_bytes"}) {
    if (auto failure = own_module_->find(own_kernels_[name], name)) return failure;
  }
  return std::nullopt;
}

MaybeFailure GpuSession::launch_own(const std::string& kernel, std::int64_t blocks,
                                    void** parameters) {
  return call("launching " + kernel, api().launch, own_kernels_.at(kernel),
              static_cast<unsigned>(blocks), 1, 1, own_threads, 1, 1, 0, stream_, parameters,
              nullptr);
}

std::int64_t GpuSession::cache_blocks() const {
  const std::int64_t bytes = gpu_.cache_bytes > 0 ? gpu_.cache_bytes : l2_bytes_unknown;
  return (2 * bytes + read_bytes_a_block - 1) / read_bytes_a_block;
}

MaybeFailure GpuSession::take_cache_buffer(GpuBuffer& buffer) {
  if (buffer.bytes() > 0) return std::nullopt;
  const auto bytes = static_cast<std::size_t>(cache_blocks() * read_bytes_a_block);
  Result<GpuBuffer> taken = GpuBuffer::allocate(*this, bytes, "flushing the L2 cache");
  if (!taken) return taken.failure();
  buffer = std::move(*taken);
  return std::nullopt;
}

MaybeFailure GpuSession::fill_cache() {
  if (auto failure = take_cache_buffer(written_)) return failure;
  return call("flushing the L2 cache", api().fill, written_.address(), ++byte_, written_.bytes(),
              stream_);
}

MaybeFailure GpuSession::empty_cache() {
  if (auto failure = fill_cache()) return failure;
  GpuPointer bytes = written_.address();
  void* parameters[] = {&bytes};
  return launch_own("discard_all", cache_blocks(), parameters);
}

MaybeFailure GpuSession::flush_cache() {
  if (auto failure = take_cache_buffer(read_)) return failure;
  if (auto failure = fill_cache()) return failure;
  GpuPointer from = read_.address();
  GpuPointer kept = read_.address();
  void* parameters[] = {&from, &kept};
  return launch_own("read_all", cache_blocks(), parameters);
}

Result<std::shared_ptr<GpuVectors>> GpuSession::vectors(std::size_t x_bytes, std::size_t y_bytes) {
  std::shared_ptr<GpuVectors> shared = vectors_.lock();
  if (shared && shared->x_bytes == x_bytes && shared->y_bytes == y_bytes) return shared;
  Result<GpuBuffer> x = GpuBuffer::allocate(*this, x_bytes, "x");
  if (!x) return x.failure();
  Result<GpuBuffer> y = GpuBuffer::allocate(*this, y_bytes + 2 * y_guard_bytes, "y");
  if (!y) return y.failure();
  shared = std::make_shared<GpuVectors>(GpuVectors{x_bytes, y_bytes, std::move(*x), std::move(*y)});
  vectors_ = shared;
  return shared;
}

Result<GpuPointer> GpuSession::resident(const SharedBytes& bytes, std::string_view doing) {
  std::erase_if(residents_, [](const auto& entry) { return entry.second.bytes.expired(); });
  const auto known = residents_.find(bytes.identity());
  if (known != residents_.end()) return known->second.buffer.address();
  Result<GpuBuffer> buffer = GpuBuffer::try_allocate(*this, bytes.size(), std::string(doing));
  if (!buffer) return buffer.failure();
  if (auto failure = upload(buffer->address(), bytes, doing)) return *failure;
  const GpuPointer address = buffer->address();
  residents_.emplace(bytes.identity(), Resident{bytes.watch(), std::move(*buffer), sum_up(bytes)});
  return address;
}

MaybeFailure GpuSession::queue_copy(GpuPointer to, const SharedBytes& from,
                                    std::string_view doing) {
  if (from.empty()) return std::nullopt;
  const Result<GpuPointer> kept = resident(from, doing);
  if (kept) return copy(to, *kept, from.size(), doing);
  return kept.failure().status == Status::out_of_memory ? upload(to, from, doing)
                                                        : MaybeFailure(kept.failure());
}

Result<bool> GpuSession::residents_are_whole() {
  constexpr const char* doing = "looking at the resident kernels";
  if (residents_.empty()) return true;
  std::vector<unsigned long long> sums(residents_.size());
  const auto bytes = std::as_writable_bytes(std::span(sums));
  const Result<GpuBuffer> found = GpuBuffer::try_allocate(*this, bytes.size(), doing);
  if (!found || residents_.empty()) return true;  // without memory for it, they are gone
  if (auto failure = call(doing, api().fill, found->address(), 0, bytes.size(), stream_))
    return *failure;
  GpuPointer to = found->address();
  for (const auto& [identity, resident] : residents_) {
    GpuPointer from = resident.buffer.address();
    auto count = static_cast<long long>(resident.buffer.bytes());
    void* parameters[] = {&from, &count, &to};
    const std::int64_t blocks =
        std::clamp<std::int64_t>(count / 4 / own_threads, 1, sum_blocks_max);
    if (auto failure = launch_own("sum_bytes", blocks, parameters)) return *failure;
    to += sizeof(unsigned long long);
  }
  if (auto failure = download(bytes, found->address(), doing)) return *failure;
  if (auto failure = wait(doing)) return *failure;
  const bool whole =
      std::equal(residents_.begin(), residents_.end(), sums.begin(),
                 [](const auto& entry, unsigned long long sum) { return entry.second.sum == sum; });
  if (!whole) residents_.clear();
  return whole;
}

bool GpuSession::forget_residents() {
  if (residents_.empty() || wait("giving up the resident kernels")) return false;
  residents_.clear();
  return true;
}

void GpuSession::blame_others(std::size_t bytes) const {
  constexpr double share_without_others = 0.9;  // contexts and the driver have the rest
  std::size_t bytes_free = 0, bytes_total = 0;
  if (bytes_free_at_open_ == 0 || api().memory_info(&bytes_free, &bytes_total) != gpu_success)
    return;
  const auto could_have =
      static_cast<std::size_t>(share_without_others * static_cast<double>(bytes_total));
  const std::size_t most = std::min(std::max(bytes_free_at_open_, could_have), bytes_total);
  if (bytes <= bytes_free || bytes_taken_ + bytes > most) return;
  throw environment_error(fmt::format(
      "{} is full: {} are needed, {} of {} are free, and other programs have the rest; end them",
      gpu_.name, byte_count_text(static_cast<std::int64_t>(bytes)),
      byte_count_text(static_cast<std::int64_t>(bytes_free)),
      byte_count_text(static_cast<std::int64_t>(bytes_total))));
}

MaybeFailure GpuSession::checked_room(MaybeFailure failure) const {
  std::size_t bytes_free = 0, bytes_total = 0;
  if (!failure || failure->status != Status::out_of_memory ||
      api().memory_info(&bytes_free, &bytes_total) != gpu_success)
    return failure;
  if (bytes_free + bytes_taken_ >= bytes_free_at_open_ / 2) return failure;
  throw environment_error(fmt::format("{}; other programs have taken most of {}: end them",
                                      failure->reason, gpu_.name));
}

Result<GpuBuffer> GpuBuffer::allocate(GpuSession& session, std::size_t bytes,
                                      const std::string& what) {
  Result<GpuBuffer> buffer = try_allocate(session, bytes, what);
  if (!buffer && buffer.failure().status == Status::out_of_memory) session.blame_others(bytes);
  return buffer;
}

Result<GpuBuffer> GpuBuffer::try_allocate(GpuSession& session, std::size_t bytes,
                                          const std::string& what) {
  GpuBuffer buffer;
  const auto take = [&] {
    return session.api().allocate(&buffer.address_, std::max<std::size_t>(bytes, 1));
  };
  int code = take();
  if (code == gpu_error_out_of_memory && session.forget_residents()) code = take();
  if (auto failure = session.check(code, session.api().allocate.name,
                                   fmt::format("taking {} bytes for {}", bytes, what))) {
    std::size_t bytes_free = 0;
    std::size_t bytes_total = 0;
    if (failure->status == Status::out_of_memory &&
        session.api().memory_info(&bytes_free, &bytes_total) == gpu_success) {
      failure->reason += fmt::format("; {} of {} bytes are free", bytes_free, bytes_total);
    }
    return *failure;
  }
  buffer.session_ = &session;
  buffer.bytes_ = bytes;
  session.count_taken(static_cast<std::ptrdiff_t>(bytes));
  return buffer;
}

GpuBuffer::~GpuBuffer() {
  if (session_ == nullptr) return;
  session_->count_taken(-static_cast<std::ptrdiff_t>(bytes_));
  session_->api().free(address_);
}

void GpuBuffer::swap(GpuBuffer& other) noexcept {
  std::swap(session_, other.session_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
}

}  // namespace alphasparse
