#include "runtime/cpu/kernel.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/device/baseline_kernels.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr std::size_t guard_bytes = 256;  // around y
constexpr std::byte guard{0xa5};

class CpuKernel : public LoadedKernel {
 public:
  CpuKernel(CpuSession& session, const Kernel& kernel, std::unique_ptr<CpuSpmv> spmv)
      : session_(session), kernel_(kernel), spmv_(std::move(spmv)) {}

  /// The conductor made it, and so the conductor ends it.
  ~CpuKernel() override {
    session_.conductor.run([&] { spmv_.reset(); });
  }

  MaybeFailure prepare() {
    std::size_t next = 0;
    for (const FormatPointer& pointer : kernel_.pointers()) {
      const std::int64_t bytes =
          pointer.array ? pointer.array->stored_bytes() : pointer.workspace->bytes();
      memory_.emplace_back(static_cast<std::size_t>(bytes));
      if (pointer.array) {
        std::byte* end = memory_.back().data();
        for_bytes(*pointer.array, [&](std::span<const std::byte> part) {
          end = std::copy(part.begin(), part.end(), end);
        });
        CHECK(end - memory_.back().data() == bytes);
        if (pointer.array->is_value()) values_.push_back({next, pointer.array, {}});
      }
      pointers_.push_back(memory_.back().data());
      ++next;
    }
    if (pointers_.empty()) pointers_.push_back(nullptr);  // an empty struct still takes a byte
    return hand_over();
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
    if (auto failure = set_values({})) return *failure;
    x_ = session_.inputs.timed(input.x);
    y_ = HostArray(input.y.size());
    sampler_.emplace(
        [this, distances = input.distances] { multiply({}, x_->data(), y_.data(), distances); },
        session_.threads, request.regime, session_.flush);
    Timing timing;
    session_.conductor.run([&] { timing = sampler_->time(request); });
    if (auto failure = spmv_->failure()) return *failure;
    add_note(timing, spmv_->note());
    return timing;
  }

  StillRead still_reads() const override { return StillRead::sources; }

  Result<std::vector<double>> sample(int count) override {
    if (!sampler_) return Failure{Status::launch_error, "samples were asked for before a time"};
    std::vector<double> us;
    session_.conductor.run([&] { us = sampler_->sample(count); });
    if (auto failure = spmv_->failure()) return *failure;
    return us;
  }

 private:
  void multiply(const Scaling& scaling, const std::byte* x, std::byte* y,
                const RowDistances& distances) {
    for (int call = 0; call < calls_; ++call) {
      spmv_->run(scaling, x + call * kernel_.cols * element_, y + call * kernel_.rows * element_,
                 distances);
    }
  }

  struct ValueArray {
    std::size_t pointer;
    const Array* array;
    std::vector<std::byte> real;  ///< its values, while a case's are in their place
  };

  /// Tells the code where its arrays are and which values they hold.
  MaybeFailure hand_over() {
    MaybeFailure failure;
    session_.conductor.run([&] { failure = spmv_->take(pointers_, session_.threads); });
    return failure;
  }

  /// Puts a case's values where they are not those of the case before. Meanwhile the real ones are
  /// kept, and only then: of a large matrix several kernels wait for their turn.
  MaybeFailure set_values(const SharedBytes& integers) {
    if (integers.is(placed_)) return std::nullopt;
    for (ValueArray& value : values_) {
      HostArray& placed = memory_[value.pointer];
      const auto bytes = static_cast<std::size_t>(value.array->stored_bytes());
      const std::byte* const first = placed.data();
      if (placed_.empty()) value.real.assign(first, first + bytes);
      const std::vector<std::byte> from =
          integers.empty() ? std::exchange(value.real, {}) : make_values(*value.array, integers);
      CHECK(from.size() == bytes);
      std::memcpy(placed.data(), from.data(), bytes);
    }
    placed_ = integers;
    return hand_over();
  }

  Result<SpmvOutcome> run_one(const SpmvCase& one) {
    CHECK(std::ssize(one.x) == kernel_.cols * one.distances.x * element_);
    CHECK(std::ssize(one.y) == kernel_.rows * one.distances.y * element_);
    if (auto failure = set_values(one.integers)) return *failure;
    const auto x = session_.inputs.guarded(one.x);
    std::vector<std::byte> guarded(one.y.size() + 2 * guard_bytes, guard);
    std::byte* const y = guarded.data() + guard_bytes;
    std::memcpy(y, one.y.data(), one.y.size());
    double seconds = 0;
    session_.conductor.run([&] {
      const Stopwatch clock;
      multiply(one.scaling, x->data(), y, one.distances);
      seconds = clock.seconds();
    });
    if (auto failure = spmv_->failure()) return *failure;
    const auto is_guard = [](std::byte byte) { return byte == guard; };
    const std::byte* const end = y + one.y.size();
    if (!std::all_of(guarded.data(), guarded.data() + guard_bytes, is_guard) ||
        !std::all_of(end, end + guard_bytes, is_guard)) {
      return Failure{Status::wrong_result, "y was written outside its rows"};
    }
    guarded.resize(guarded.size() - guard_bytes);  // y alone, where it lies
    guarded.erase(guarded.begin(), guarded.begin() + guard_bytes);
    return SpmvOutcome{std::move(guarded), seconds};
  }

  CpuSession& session_;
  const Kernel& kernel_;
  const std::int64_t element_ = number_type(kernel_.dtype).bytes;
  const int calls_ = kernel_.vectors / columns_a_call(kernel_);
  std::vector<HostArray> memory_;  // one a pointer of Format
  std::vector<const void*> pointers_;
  std::vector<ValueArray> values_;
  SharedBytes placed_;  // the values in the arrays; empty: the real ones
  std::unique_ptr<CpuSpmv> spmv_;
  std::shared_ptr<const HostArray> x_;  // to be timed with
  HostArray y_;
  std::optional<CpuSampler> sampler_;
};

/// Of the x of a matrix with 55 million columns there are five, 222 MB each in float.
std::size_t kept_bytes_most() {
  constexpr std::int64_t least = std::int64_t{1} << 30;
  return static_cast<std::size_t>(std::max(least, available_memory_bytes() / 6));
}

}  // namespace

/// OpenMP's threads outlive the kernel that they ran: their code must not go with it.
CpuSession::CpuSession(int team_threads, std::int64_t cache_bytes)
    : threads(team_threads), flush(cache_bytes), inputs(kept_bytes_most()) {
  (void)dlopen("libgomp.so.1", RTLD_NOW | RTLD_NODELETE);
}

Result<std::unique_ptr<LoadedKernel>> load_cpu_kernel(CpuSession& session, const Kernel& kernel,
                                                      std::unique_ptr<CpuSpmv> spmv) {
  auto loaded = std::make_unique<CpuKernel>(session, kernel, std::move(spmv));
  if (auto failure = loaded->prepare()) return *failure;
  return std::unique_ptr<LoadedKernel>(std::move(loaded));
}

}  // namespace alphasparse
