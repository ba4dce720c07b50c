#include "runtime/gpu/spmv.h"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <utility>

#include "runtime/device/columns.h"

namespace alphasparse {
namespace {

constexpr std::byte guard{0xa5};

}  // namespace

GpuSpmv::GpuSpmv(std::shared_ptr<GpuSession> session, const Kernel& kernel)
    : session_(std::move(session)), kernel_(kernel), guard_(y_guard_bytes, guard) {}

GpuSpmv::~GpuSpmv() { session_->api().set_context(session_->context()); }

GpuPointer GpuSpmv::y_address() const { return vectors_->guarded_y.address() + y_guard_bytes; }

std::size_t GpuSpmv::vector_bytes(std::int64_t length) const {
  return static_cast<std::size_t>(length) *
         static_cast<std::size_t>(number_type(kernel_.dtype).bytes);
}

MaybeFailure GpuSpmv::take(GpuBuffer& buffer, std::size_t bytes, const std::string& what) {
  Result<GpuBuffer> taken = GpuBuffer::allocate(*session_, bytes, what);
  if (!taken) return taken.failure();
  buffer = std::move(*taken);
  return std::nullopt;
}

/// The vectors have room for the rows of all cases, and keep their addresses: graphs have them.
MaybeFailure GpuSpmv::allocate() {
  const std::int64_t distance = distance_most(kernel_);
  auto vectors = session_->vectors(vector_bytes(kernel_.cols * distance),
                                   vector_bytes(kernel_.rows * distance));
  if (!vectors) return vectors.failure();
  vectors_ = std::move(*vectors);
  for (const Array& array : kernel_.arrays) {
    arrays_.emplace_back();
    const auto bytes = static_cast<std::size_t>(array.stored_bytes());
    if (auto failure = take(arrays_.back(), bytes, "array " + array.name)) return failure;
    format_.push_back(arrays_.back().address());
    if (auto failure = upload_array(array, format_.back(), "copying array " + array.name))
      return failure;
  }
  for (const Workspace& scratch : kernel_.workspaces) {
    workspaces_.emplace_back();
    const auto bytes = static_cast<std::size_t>(scratch.bytes());
    if (auto failure = take(workspaces_.back(), bytes, "workspace " + scratch.name)) return failure;
    format_.insert(format_.begin() + scratch.pointer, workspaces_.back().address());
  }
  real_values_.resize(arrays_.size());
  return session_->wait("copying the format");
}

/// A part that was made for the copy must live until it is on the GPU.
MaybeFailure GpuSpmv::upload_array(const Array& array, GpuPointer to, const std::string& doing) {
  MaybeFailure failure;
  std::size_t copied = 0;
  for_bytes(array, [&](std::span<const std::byte> part) {
    if (failure) return;
    failure = session_->upload(to + copied, part, doing);
    if (!failure && array.made_from) failure = session_->wait(doing);
    copied += part.size();
  });
  CHECK(failure || copied == static_cast<std::size_t>(array.stored_bytes()));
  return failure;
}

/// Brings x and y of a case to their places, and values where they are not those of the case
/// before.
MaybeFailure GpuSpmv::prepare_case(const SpmvCase& one) {
  CHECK(one.x.size() == vector_bytes(kernel_.cols * one.distances.x) &&
        one.y.size() == vector_bytes(kernel_.rows * one.distances.y));
  if (auto failure = put_values(one.integers)) return failure;
  if (auto failure = session_->queue_copy(x_address(), one.x, "copying x")) return failure;
  return session_->queue_copy(y_address(), one.y, "copying y");
}

MaybeFailure GpuSpmv::put_values(const SharedBytes& integers) {
  if (integers.is(integers_)) return std::nullopt;
  for (std::size_t index = 0; index < arrays_.size(); ++index) {
    if (!kernel_.arrays[index].is_value() || kernel_.arrays[index].count == 0) continue;
    if (auto failure = integers.empty() ? restore_values(index) : replace_values(index, integers)) {
      return failure;
    }
  }
  integers_ = integers;
  return std::nullopt;
}

/// On the GPU as far as its memory allows; arrays that do not lie there come from the host once
/// more.
MaybeFailure GpuSpmv::replace_values(std::size_t index, const SharedBytes& integers) {
  const Array& array = kernel_.arrays[index];
  CHECK(array.value_source.size() == static_cast<std::size_t>(array.count));
  CHECK(integers.size() == static_cast<std::size_t>(kernel_.nnz * kernel_.value_parts()));
  if (integers_.empty()) {
    const auto bytes = static_cast<std::size_t>(array.stored_bytes());
    auto real = GpuBuffer::try_allocate(*session_, bytes, "keeping values");
    if (real) {
      real_values_[index] = std::move(*real);
      if (auto failure = session_->copy(real_values_[index].address(), arrays_[index].address(),
                                        bytes, "keeping values")) {
        return failure;
      }
    } else if (real.failure().status != Status::out_of_memory) {
      return real.failure();
    }
  }
  auto failure = permute_values(index, integers);
  if (!failure || failure->status != Status::out_of_memory) return failure;
  return session_->upload(arrays_[index].address(), make_values(array, integers), "copying values");
}

MaybeFailure GpuSpmv::permute_values(std::size_t index, const SharedBytes& integers) {
  constexpr const char* doing = "permuting values";
  const Array& array = kernel_.arrays[index];
  const auto source_bytes = std::as_bytes(std::span(array.value_source));
  const auto source =
      GpuBuffer::try_allocate(*session_, source_bytes.size(), "the order of values");
  if (!source) return source.failure();
  const Result<GpuPointer> kept = session_->resident(integers, "integers for values");
  if (!kept) return kept.failure();
  if (auto failure = session_->upload(source->address(), source_bytes, doing)) return failure;
  GpuPointer to = arrays_[index].address(), order = source->address(), from = *kept;
  const NumberType& type = array.find_number(kernel_.dtype);
  const bool floats = type.real == Dtype::f32 || array.is_single(kernel_.dtype);
  int parts = type.parts;
  long long count = array.count * parts;
  void* parameters[] = {&to, &order, &from, &count, &parts};
  const char* const kernel = floats ? "permute_f32" : "permute_f64";
  const std::int64_t blocks = (count + own_threads - 1) / own_threads;
  if (auto failure = session_->launch_own(kernel, blocks, parameters)) return failure;
  return session_->wait(doing);  // before the order is given back
}

MaybeFailure GpuSpmv::restore_values(std::size_t index) {
  constexpr const char* doing = "putting values back";
  const Array& array = kernel_.arrays[index];
  GpuBuffer& real = real_values_[index];
  if (real.bytes() == 0) return upload_array(array, arrays_[index].address(), doing);
  if (auto failure =
          session_->copy(arrays_[index].address(), real.address(), real.bytes(), doing)) {
    return failure;
  }
  if (auto failure = session_->wait(doing)) return failure;
  real = GpuBuffer();
  return std::nullopt;
}

Result<std::vector<SpmvOutcome>> GpuSpmv::run(std::span<const SpmvCase> cases) {
  if (auto failure = session_->enter()) return *failure;
  double waited_seconds = session_->waited_seconds();
  // A timed kernel since the last check may have spoilt it: none of ours.
  if (const auto known = session_->residents_are_whole(); !known) return known.failure();
  std::vector<SpmvOutcome> outcomes;
  for (const SpmvCase& one : cases) {
    Result<SpmvOutcome> outcome = run_one(one);
    if (!outcome) {
      return Failure{outcome.failure().status,
                     fmt::format("case {}: {}", one.name, outcome.reason())};
    }
    outcomes.push_back(std::move(*outcome));
    outcomes.back().device_seconds =
        session_->waited_seconds() - std::exchange(waited_seconds, session_->waited_seconds());
  }
  const Result<bool> whole = session_->residents_are_whole();
  if (!whole) return whole.failure();
  if (!*whole) return Failure{Status::wrong_result, "memory beside its arrays was written"};
  if (!outcomes.empty())
    outcomes.back().device_seconds += session_->waited_seconds() - waited_seconds;
  return outcomes;
}

Result<SpmvOutcome> GpuSpmv::run_one(const SpmvCase& one) {
  const std::size_t y_bytes = one.y.size();
  if (auto failure = prepare_case(one)) return *failure;
  if (auto failure = session_->upload(vectors_->guarded_y.address(), guard_, "guarding y"))
    return *failure;
  if (auto failure = session_->upload(y_address() + y_bytes, guard_, "guarding y")) return *failure;
  if (auto failure = session_->wait("copying a case")) return *failure;
  if (auto failure = queue(one.scaling, one.distances, true)) return *failure;
  std::vector<std::byte> guarded(y_bytes + 2 * y_guard_bytes);
  if (auto failure = session_->download(guarded, vectors_->guarded_y.address(), "copying y back")) {
    return *failure;
  }
  if (auto failure = session_->wait("copying y back")) return *failure;
  const std::byte* const y = guarded.data() + y_guard_bytes;
  if (std::memcmp(guarded.data(), guard_.data(), y_guard_bytes) != 0 ||
      std::memcmp(y + y_bytes, guard_.data(), y_guard_bytes) != 0) {
    return Failure{Status::wrong_result, "y was written outside its rows"};
  }
  return SpmvOutcome{std::vector<std::byte>(y, y + y_bytes), 0};
}

Result<Timing> GpuSpmv::time(const SpmvCase& input, const TimingRequest& request) {
  if (auto failure = session_->enter()) return *failure;
  SpmvCase plain;
  plain.x = input.x;
  plain.y = input.y;
  plain.distances = input.distances;
  if (auto failure = prepare_case(plain)) return *failure;
  if (auto failure = queue({}, plain.distances, false)) return *failure;
  if (auto failure = session_->wait("the warm-up run")) return *failure;
  sampler_.emplace(
      *session_, [this, distances = plain.distances] { return queue({}, distances, false); },
      request.regime);
  Result<Timing> timing = sampler_->time(request);
  if (timing) add_facts_to(*timing);
  return timing;
}

Result<std::vector<double>> GpuSpmv::sample(int count) {
  if (auto failure = session_->enter()) return *failure;
  if (!sampler_) return Failure{Status::launch_error, "samples were asked for before a time"};
  return sampler_->sample(count);
}

}  // namespace alphasparse
