#include "runtime/gpu/library_spmv.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "runtime/device/baseline_library.h"

namespace alphasparse {

namespace {

const Baseline& find_algorithm(const Kernel& kernel) {
  const Baseline* const algorithm = find_baseline(kernel.vendor);
  CHECK(algorithm != nullptr);
  return *algorithm;
}

}  // namespace

LibrarySpmv::LibrarySpmv(std::shared_ptr<GpuSession> session, const Kernel& kernel,
                         std::string version)
    : GpuSpmv(std::move(session), kernel),
      algorithm_(find_algorithm(kernel)),
      columns_(columns_a_call(kernel)),
      version_(std::move(version)) {}

void* LibrarySpmv::pointer(GpuPointer address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

MaybeFailure LibrarySpmv::prepare() {
  if (auto failure = allocate()) return failure;
  if (auto failure = describe()) return failure;
  return analyse();
}

MaybeFailure LibrarySpmv::analyse() {
  const std::string preprocessing = fmt::format("{}'s preprocessing", algorithm_.library);
  const NumberBytes one = number_bytes(kernel().dtype, 1), zero = number_bytes(kernel().dtype, 0);
  std::size_t bytes = 0;
  if (auto failure = check(size_buffer(one.data(), zero.data(), bytes), "the size of the buffer"))
    return failure;
  if (auto failure = take(buffer_, bytes, fmt::format("{}'s buffer", algorithm_.library)))
    return failure;
  const auto start = std::chrono::steady_clock::now();
  bool is_preprocessed = true;
  const int status = preprocess(one.data(), zero.data(), is_preprocessed);
  if (auto failure = check(status, "preprocessing")) return failure;
  if (auto failure = session().wait(preprocessing)) return failure;
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  note_ = is_preprocessed ? fmt::format("preprocessed in {:.1f} us", took.count())
                          : std::string("not preprocessed");
  note_ += fmt::format(", buffer of {} bytes", bytes);
  return std::nullopt;
}

/// Where X and Y lie column by column, each column is chosen for its call.
MaybeFailure LibrarySpmv::queue(const Scaling& scaling, const RowDistances&, bool wait) {
  const NumberBytes alpha = number_bytes(kernel().dtype, scaling.alpha),
                    beta = number_bytes(kernel().dtype, scaling.beta);
  const bool by_columns = columns_ < kernel().vectors;
  for (int first = 0; first < kernel().vectors; first += columns_) {
    const auto bytes = static_cast<GpuPointer>(first * number_type(kernel().dtype).bytes);
    const int chosen = by_columns ? set_vectors(pointer(x_address() + bytes * kernel().cols),
                                                pointer(y_address() + bytes * kernel().rows))
                                  : 0;
    if (auto failure = check(chosen, "choosing a column")) return failure;
    if (auto failure = check(multiply(alpha.data(), beta.data()), "the product")) return failure;
  }
  return wait ? session().wait(fmt::format("{}'s product", algorithm_.library)) : std::nullopt;
}

void LibrarySpmv::add_facts_to(Timing& timing) const {
  const std::string library = library_note({version_, ""});
  if (!library.empty()) add_note(timing, library);
  add_note(timing, note_);
}

MaybeFailure LibrarySpmv::check(int status, const char* doing) const {
  if (status == 0) return std::nullopt;
  const std::string reason = fmt::format("{}: {}", doing, error_text(status));
  const auto failure = session().wait(doing);
  if (!failure) return Failure{Status::launch_error, reason};
  return Failure{failure->status, fmt::format("{}; {}", reason, failure->reason)};
}

}  // namespace alphasparse
