#include "search/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <utility>

#include "runtime/content_key.h"
#include "runtime/memory.h"
#include "runtime/stopwatch.h"
#include "runtime/vendor_kernels.h"
#include "runtime/verify.h"

namespace alphasparse {

namespace {

// A format this much larger than CSR cannot win, however it is read.
constexpr double format_growth_max = 12;

constexpr int short_samples = 3;

/// Why a format cannot take the place of another whose values differ, as any values may; empty: it
/// can.
std::string why_not_varying(const Kernel& kernel) {
  if (kernel.mirrored) {
    return "stores one triangle, which --values varying forbids: other values need not be "
           "symmetric";
  }
  for (const Array& array : kernel.arrays) {
    if (array.is_dictionary()) {
      return "codes values, which --values varying forbids: others may differ where these are "
             "equal";
    }
    if (array.is_single(kernel.dtype)) {
      return "stores values as float, which --values varying forbids: others need not be exact so";
    }
  }
  return "";
}

bool rounds(const Kernel& kernel) {
  return std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                     [](const Array& array) { return array.rounded; });
}

/// Equal where two kernels do the same: source without comment lines, launches, arrays.
std::string content_of(const Kernel& kernel) {
  ContentKey key;
  std::istringstream source(kernel.source);
  for (std::string line; std::getline(source, line);) {
    if (!line.starts_with("//")) key.add(line);
  }
  key.add(kernel.vendor);
  for (const Launch& launch : kernel.launches)
    key.add(fmt::format("{} {} {}", launch.kernel, launch.blocks, launch.threads));
  for (const Array& array : kernel.arrays) {
    key.add(array.name);
    key.add({reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size()});
  }
  return key.text();
}

}  // namespace

void fail(Measurement& outcome, const Failure& failure) {
  outcome.status = failure.status;
  outcome.reason = failure.reason;
  outcome.verified = false;
  outcome.timing.reset();
}

Trial::Trial(const Matrix& matrix, Device& device, const TuneOptions& options)
    : matrix_(matrix), designer_(matrix), device_(device), options_(options) {
  limits_.csr_bytes_ratio_max = format_growth_max;
}

Result<Kernel> Trial::build(const std::string& design, Measurement& facts) {
  const Stopwatch clock;
  const VendorAlgorithm* const vendor = find_vendor_algorithm(design);
  Result<Kernel> kernel = vendor ? vendor_kernel(*vendor, matrix_, options_.dtype)
                                 : designer_.build(design, options_.dtype, limits_);
  facts.design = design;
  if (!kernel) return kernel;
  facts.convert_us = 1e6 * clock.seconds();
  facts.format_bytes = kernel->format_bytes();
  return kernel;
}

Result<std::unique_ptr<LoadedKernel>> Trial::load(const Kernel& kernel, Measurement& facts) {
  const Stopwatch clock;
  auto loaded = device_.load(kernel);
  if (loaded) facts.load_us = 1e6 * clock.seconds();
  return loaded;
}

Result<std::unique_ptr<ReadyKernel>> Trial::load(const std::string& design, Measurement& facts) {
  Result<Kernel> kernel = build(design, facts);
  if (!kernel) return kernel.failure();
  auto ready = std::make_unique<ReadyKernel>(ReadyKernel{std::move(*kernel), nullptr});
  auto loaded = load(ready->kernel, facts);
  if (!loaded) return loaded.failure();
  ready->loaded = std::move(*loaded);
  return ready;
}

Result<Timing> Trial::time_shortly(ReadyKernel& ready) {
  return ready.loaded->time(rounded_case(ready.kernel, 1), {options_.regime, 0, short_samples});
}

std::optional<Failure> Trial::verify_again(ReadyKernel& ready) {
  const auto verified = verify(ready.kernel, *ready.loaded, matrix_);
  return verified ? std::nullopt : std::optional(verified.failure());
}

Measurement Trial::run(const std::string& design, const Patience& patience, double incumbent_us) {
  device_.wait_with(patience);
  Measurement outcome;
  try {
    const Result<Kernel> kernel = build(design, outcome);
    if (!kernel) return fail(outcome, kernel.failure()), outcome;
    if (const auto why = why_not_allowed(*kernel)) return fail(outcome, *why), outcome;
    const auto [entry, first] = by_content_.try_emplace(content_of(*kernel));
    if (!first) {
      outcome = entry->second;
      outcome.design = design;
      outcome.status = Status::duplicate;
      outcome.reason = fmt::format("the kernel of {}", entry->second.design);
      return outcome;
    }
    entry->second = outcome;
    verify_and_time(*kernel, incumbent_us, entry->second);
    outcome = entry->second;
  } catch (const std::bad_alloc&) {
    fail(outcome, {Status::out_of_memory, "this machine's memory does not hold it"});
  }
  return outcome;
}

/// Why the options rule a kernel out, or this machine's memory.
std::optional<Failure> Trial::why_not_allowed(const Kernel& kernel) const {
  if (options_.deterministic && kernel.adds_in_any_order) {
    return Failure{Status::pruned, "adds in any order, which --deterministic forbids"};
  }
  if (options_.values_vary) {
    if (const std::string why = why_not_varying(kernel); !why.empty()) {
      return Failure{Status::pruned, why};
    }
  }
  if (!options_.may_round && rounds(kernel)) {
    return Failure{Status::pruned, "rounds values, which only a design that is asked for may do"};
  }
  if (kernel.format_bytes() > available_memory_bytes() / 2) {
    return Failure{Status::out_of_memory,
                   fmt::format("its format of {} is more than half of the memory available",
                               byte_count_text(kernel.format_bytes()))};
  }
  return std::nullopt;
}

void Trial::verify_and_time(const Kernel& kernel, double incumbent_us, Measurement& outcome) {
  const bool emulated = device_.info().kind == TimeKind::modelled;
  const Result<std::unique_ptr<LoadedKernel>> loaded = load(kernel, outcome);
  if (!loaded) return fail(outcome, loaded.failure());
  const auto verified = verify(kernel, **loaded, matrix_);
  if (!verified) return fail(outcome, verified.failure());
  outcome.verified = true;
  Result<Timing> timing = (*loaded)->time(rounded_case(kernel, 1), {options_.regime, incumbent_us});
  if (timing) {
    outcome.timing = std::move(*timing);
  } else if (emulated && timing.failure().status != Status::compile_error) {
    // right, but not modelled
    outcome.reason = timing.reason();
  } else {
    fail(outcome, timing.failure());
  }
  if (timing && !emulated) {  // a GPU may go wrong under load
    const auto again = verify(kernel, **loaded, matrix_);
    if (!again) fail(outcome, again.failure());
  }
}

}  // namespace alphasparse
