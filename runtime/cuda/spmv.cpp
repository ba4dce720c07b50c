#include "runtime/cuda/spmv.h"

#include <fmt/format.h>

#include <cstring>

#include "runtime/system/stopwatch.h"

namespace alphasparse {
namespace {

constexpr std::byte guard{0xa5};

}  // namespace

CudaSpmv::CudaSpmv(std::shared_ptr<CudaSession> session, const Kernel& kernel)
    : session_(std::move(session)), kernel_(kernel), guard_(y_guard_bytes, guard) {}

CudaSpmv::~CudaSpmv() { session_->api().set_context(session_->context()); }

CudaPointer CudaSpmv::y_address() const { return vectors_->guarded_y.address() + y_guard_bytes; }

std::size_t CudaSpmv::vector_bytes(std::int32_t length) const {
  return static_cast<std::size_t>(length) * static_cast<std::size_t>(dtype_bytes(kernel_.dtype));
}

Fault CudaSpmv::take(CudaBuffer& buffer, std::size_t bytes, const std::string& what) {
  Result<CudaBuffer> taken = CudaBuffer::allocate(*session_, bytes, what);
  if (!taken) return taken.failure();
  buffer = std::move(*taken);
  return std::nullopt;
}

Fault CudaSpmv::allocate() {
  auto vectors = session_->vectors(vector_bytes(kernel_.cols), vector_bytes(kernel_.rows));
  if (!vectors) return vectors.failure();
  vectors_ = std::move(*vectors);
  for (const Array& array : kernel_.arrays) {
    CHECK(array.bytes.size() == static_cast<std::size_t>(array.count * element_bytes(array.type)));
    arrays_.emplace_back();
    if (Fault fault = take(arrays_.back(), array.bytes.size(), "array " + array.name)) {
      return fault;
    }
    format_.push_back(arrays_.back().address());
    const std::string doing = "copying array " + array.name;
    if (Fault fault = session_->upload(format_.back(), array.bytes, doing)) return fault;
  }
  for (const Workspace& scratch : kernel_.workspaces) {
    workspaces_.emplace_back();
    const auto bytes = static_cast<std::size_t>(scratch.bytes());
    if (Fault fault = take(workspaces_.back(), bytes, "workspace " + scratch.name)) return fault;
    format_.insert(format_.begin() + scratch.pointer, workspaces_.back().address());
  }
  if (format_.empty()) format_.push_back(0);  // an empty struct still takes a byte
  return session_->wait("copying the format");
}

/// Copies values, x and y of a case; values where they are not those of the case before.
Fault CudaSpmv::upload_case(const SpmvCase& one) {
  CHECK(one.x.size() == vector_bytes(kernel_.cols) && one.y.size() == vector_bytes(kernel_.rows));
  std::size_t value_index = 0;
  for (std::size_t index = 0; index < arrays_.size(); ++index) {
    const Array& array = kernel_.arrays[index];
    if (!array.is_value()) continue;
    if (!one.values.is(values_)) {
      const std::vector<std::byte>& values =
          one.values.empty() ? array.bytes : one.values[value_index];
      CHECK(values.size() == array.bytes.size());
      if (Fault fault = session_->upload(arrays_[index].address(), values, "copying values"))
        return fault;
    }
    ++value_index;
  }
  values_ = one.values;
  if (Fault fault = session_->upload(x_address(), one.x, "copying x")) return fault;
  return session_->upload(y_address(), one.y, "copying y");
}

Result<std::vector<SpmvOutcome>> CudaSpmv::run(std::span<const SpmvCase> cases) {
  if (Fault fault = session_->enter()) return *fault;
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

Result<SpmvOutcome> CudaSpmv::run_one(const SpmvCase& one) {
  const std::size_t y_bytes = vector_bytes(kernel_.rows);
  if (Fault fault = upload_case(one)) return *fault;
  if (Fault fault = session_->upload(vectors_->guarded_y.address(), guard_, "guarding y"))
    return *fault;
  if (Fault fault = session_->upload(y_address() + y_bytes, guard_, "guarding y")) return *fault;
  if (Fault fault = session_->wait("copying a case")) return *fault;
  const Stopwatch clock;
  if (Fault fault = queue(one.alpha, one.beta, true)) return *fault;
  const double kernel_seconds = clock.seconds();
  std::vector<std::byte> guarded(y_bytes + 2 * y_guard_bytes);
  if (Fault fault = session_->download(guarded, vectors_->guarded_y.address(), "copying y back")) {
    return *fault;
  }
  if (Fault fault = session_->wait("copying y back")) return *fault;
  const std::byte* const y = guarded.data() + y_guard_bytes;
  if (std::memcmp(guarded.data(), guard_.data(), y_guard_bytes) != 0 ||
      std::memcmp(y + y_bytes, guard_.data(), y_guard_bytes) != 0) {
    return Failure{Status::wrong_result, "y was written outside its rows"};
  }
  return SpmvOutcome{std::vector<std::byte>(y, y + y_bytes), kernel_seconds};
}

Result<Timing> CudaSpmv::time(const SpmvCase& input, const TimingRequest& request) {
  if (Fault fault = session_->enter()) return *fault;
  SpmvCase plain;
  plain.x = input.x;
  plain.y = input.y;
  if (Fault fault = upload_case(plain)) return *fault;
  if (Fault fault = queue(1, 0, false)) return *fault;
  if (Fault fault = session_->wait("the warm-up run")) return *fault;
  sampler_.emplace(
      *session_, [this] { return queue(1, 0, false); }, request.regime);
  Result<Timing> timing = sampler_->time(request);
  if (timing) add_facts_to(*timing);
  return timing;
}

Result<std::vector<double>> CudaSpmv::sample(int count) {
  if (Fault fault = session_->enter()) return *fault;
  if (!sampler_) return Failure{Status::launch_error, "samples were asked for before a time"};
  return sampler_->sample(count);
}

}  // namespace alphasparse
