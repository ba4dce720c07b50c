#include "runtime/cpu/kernel.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

using Fault = std::optional<Failure>;

constexpr std::size_t guard_bytes = 256;  // around y
constexpr std::byte guard{0xa5};
constexpr std::size_t huge_bytes = std::size_t{2} << 20;

/// Memory of our own, zeros at first; large ones on huge pages where the system has them.
class HostArray {
 public:
  HostArray() = default;
  explicit HostArray(std::size_t bytes) {
    const std::size_t alignment = bytes >= huge_bytes ? huge_bytes : 64;
    const std::size_t size = (bytes + slack_bytes + alignment - 1) / alignment * alignment;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, size)));
    if (!memory_) throw std::bad_alloc();
    if (alignment == huge_bytes) madvise(memory_.get(), size, MADV_HUGEPAGE);
    std::memset(memory_.get(), 0, size);
  }
  std::byte* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

/// A vector that ends where its page does; the next one is not there.
class GuardedVector {
 public:
  explicit GuardedVector(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t pages = (bytes + page - 1) / page * page;
    size_ = pages + page;
    void* const mapped =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    memory_ = static_cast<std::byte*>(mapped);
    mprotect(memory_ + pages, page, PROT_NONE);
    data_ = memory_ + pages - bytes;
  }
  ~GuardedVector() { munmap(memory_, size_); }
  GuardedVector(const GuardedVector&) = delete;
  GuardedVector& operator=(const GuardedVector&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* memory_ = nullptr;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The shared object and what it exports (templates/lanes/team.h).
class Module {
 public:
  static Result<Module> open(const std::filesystem::path& object) {
    Module module;
    module.handle_.reset(dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!module.handle_) return Failure{Status::launch_error, dlerror()};
    if (!module.find(module.open_team, "alphasparse_open_team") ||
        !module.find(module.run_team, "alphasparse_run_team") ||
        !module.find(module.close_team, "alphasparse_close_team")) {
      return Failure{Status::launch_error, "the compiled kernel has no team"};
    }
    return module;
  }

  void* (*open_team)(const void* pointers, int threads) = nullptr;
  void (*run_team)(const void* team, double alpha, const void* x, double beta, void* y) = nullptr;
  void (*close_team)(void* team) = nullptr;

 private:
  template <class Function>
  bool find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(handle_.get(), name));
    return function != nullptr;
  }
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  std::unique_ptr<void, Close> handle_;
};

class CpuKernel : public LoadedKernel {
 public:
  CpuKernel(CpuSession& session, const Kernel& kernel, Module module)
      : session_(session), kernel_(kernel), module_(std::move(module)) {}

  ~CpuKernel() override {
    if (team_ != nullptr) module_.close_team(team_);
  }

  Fault prepare() {
    std::vector<const void*> pointers;
    std::size_t next = 0;
    for (const FormatPointer& pointer : kernel_.pointers()) {
      const std::size_t bytes = pointer.array
                                    ? pointer.array->bytes.size()
                                    : static_cast<std::size_t>(pointer.workspace->bytes());
      memory_.emplace_back(bytes);
      if (pointer.array) {
        const Array& array = *pointer.array;
        CHECK(array.bytes.size() ==
              static_cast<std::size_t>(array.count * element_bytes(array.type)));
        std::memcpy(memory_.back().data(), array.bytes.data(), bytes);
        if (array.is_value()) values_.push_back({next, &array});
      }
      pointers.push_back(memory_.back().data());
      ++next;
    }
    if (pointers.empty()) pointers.push_back(nullptr);  // an empty struct still takes a byte
    session_.conductor.run([&] { team_ = module_.open_team(pointers.data(), session_.threads); });
    if (team_ == nullptr) return Failure{Status::out_of_memory, "no memory for a team of threads"};
    return std::nullopt;
  }

  Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
    std::vector<SpmvOutcome> outcomes;
    for (const SpmvCase& one : cases) {
      Result<SpmvOutcome> outcome = run_one(one);
      if (!outcome) {
        return Failure{outcome.failure().status,
                       fmt::format("case {}: {}", one.name, outcome.reason())};
      }
      outcomes.push_back(std::move(*outcome));
    }
    return outcomes;
  }

  Result<Timing> time(const SpmvCase& input, const TimingRequest& request) override {
    place_values({});
    x_ = HostArray(input.x.size());
    y_ = HostArray(input.y.size());
    std::memcpy(x_.data(), input.x.data(), input.x.size());
    sampler_.emplace([this] { module_.run_team(team_, 1, x_.data(), 0, y_.data()); },
                     session_.threads, request.regime, session_.flush);
    Timing timing;
    session_.conductor.run([&] { timing = sampler_->time(request); });
    return timing;
  }

  Result<std::vector<double>> sample(int count) override {
    if (!sampler_) return Failure{Status::launch_error, "samples were asked for before a time"};
    std::vector<double> us;
    session_.conductor.run([&] { us = sampler_->sample(count); });
    return us;
  }

 private:
  struct ValueArray {
    std::size_t pointer;
    const Array* array;
  };

  /// Puts a case's values where they are not those of the case before.
  void place_values(const SharedBytes& integers) {
    if (integers.is(placed_)) return;
    for (const ValueArray& value : values_) {
      const std::vector<std::byte> from =
          integers.empty() ? value.array->bytes : values_of(*value.array, integers);
      CHECK(from.size() == value.array->bytes.size());
      std::memcpy(memory_[value.pointer].data(), from.data(), from.size());
    }
    placed_ = integers;
  }

  Result<SpmvOutcome> run_one(const SpmvCase& one) {
    const auto element = static_cast<std::size_t>(dtype_bytes(kernel_.dtype));
    CHECK(one.x.size() == static_cast<std::size_t>(kernel_.cols) * element);
    CHECK(one.y.size() == static_cast<std::size_t>(kernel_.rows) * element);
    place_values(one.integers);
    const GuardedVector x(one.x.size());
    std::memcpy(x.data(), one.x.data(), one.x.size());
    std::vector<std::byte> guarded(one.y.size() + 2 * guard_bytes, guard);
    std::byte* const y = guarded.data() + guard_bytes;
    std::memcpy(y, one.y.data(), one.y.size());
    double seconds = 0;
    session_.conductor.run([&] {
      const Stopwatch clock;
      module_.run_team(team_, one.alpha, x.data(), one.beta, y);
      seconds = clock.seconds();
    });
    const auto is_guard = [](std::byte byte) { return byte == guard; };
    const std::byte* const end = y + one.y.size();
    if (!std::all_of(guarded.data(), guarded.data() + guard_bytes, is_guard) ||
        !std::all_of(end, end + guard_bytes, is_guard)) {
      return Failure{Status::wrong_result, "y was written outside its rows"};
    }
    return SpmvOutcome{std::vector<std::byte>(y, y + one.y.size()), seconds};
  }

  CpuSession& session_;
  const Kernel& kernel_;
  Module module_;
  std::vector<HostArray> memory_;  // one a pointer of Format
  std::vector<ValueArray> values_;
  SharedBytes placed_;  // whose values are in the arrays; empty: the real ones
  void* team_ = nullptr;
  HostArray x_, y_;
  std::optional<CpuSampler> sampler_;
};

}  // namespace

/// OpenMP's threads outlive the kernel that they ran: their code must not go with it.
CpuSession::CpuSession(int team_threads, std::int64_t cache_bytes)
    : threads(team_threads), flush(cache_bytes) {
  (void)dlopen("libgomp.so.1", RTLD_NOW | RTLD_NODELETE);
}

Result<std::unique_ptr<LoadedKernel>> load_cpu_kernel(CpuSession& session, const Kernel& kernel,
                                                      const std::filesystem::path& object) {
  Result<Module> module = Module::open(object);
  if (!module) return module.failure();
  auto loaded = std::make_unique<CpuKernel>(session, kernel, std::move(*module));
  if (Fault fault = loaded->prepare()) return *fault;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
