#include "search/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <sstream>
#include <utility>

#include "runtime/content_key.h"
#include "runtime/memory.h"
#include "runtime/vendor_kernels.h"
#include "runtime/verify.h"

namespace alphasparse {

namespace {

// A format this much larger than CSR cannot win, however it is read.
constexpr double format_growth_max = 12;

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

void fail(Measurement& outcome, const Failure& failure) {
  outcome.status = failure.status;
  outcome.reason = failure.reason;
  outcome.verified = false;
  outcome.timing.reset();
}

}  // namespace

Trial::Trial(const Matrix& matrix, Device& device, const TuneOptions& options)
    : matrix_(matrix), designer_(matrix), device_(device), options_(options) {
  limits_.csr_bytes_ratio_max = format_growth_max;
}

Measurement Trial::run(const std::string& design, const Patience& patience) {
  device_.wait_with(patience);
  Measurement outcome;
  outcome.design = design;
  try {
    const VendorAlgorithm* const vendor = find_vendor_algorithm(design);
    const Result<Kernel> kernel = vendor ? vendor_kernel(*vendor, matrix_, options_.dtype)
                                         : designer_.build(design, options_.dtype, limits_);
    if (!kernel) {
      fail(outcome, kernel.failure());
      return outcome;
    }
    outcome = run_kernel(*kernel);
    outcome.design = design;
  } catch (const std::bad_alloc&) {
    fail(outcome, {Status::out_of_memory, "this machine's memory does not hold it"});
  }
  return outcome;
}

Measurement Trial::run_kernel(const Kernel& kernel) {
  Measurement outcome;
  outcome.format_bytes = kernel.format_bytes();
  if (options_.deterministic && kernel.adds_in_any_order) {
    fail(outcome, {Status::pruned, "adds in any order, which --deterministic forbids"});
    return outcome;
  }
  if (options_.values_vary) {
    if (const std::string why = why_not_varying(kernel); !why.empty()) {
      fail(outcome, {Status::pruned, why});
      return outcome;
    }
  }
  if (!options_.may_round && rounds(kernel)) {
    fail(outcome, {Status::pruned, "rounds values, which only a design that is asked for may do"});
    return outcome;
  }
  if (outcome.format_bytes > available_memory_bytes() / 2) {
    fail(outcome, {Status::out_of_memory,
                   fmt::format("its format of {} is more than half of the memory available",
                               byte_count_text(outcome.format_bytes))});
    return outcome;
  }
  const auto [entry, first] = by_content_.try_emplace(content_of(kernel));
  if (!first) {
    outcome = entry->second;
    outcome.status = Status::duplicate;
    outcome.reason = fmt::format("the kernel of {}", entry->second.design);
    return outcome;
  }
  Measurement& known = entry->second;
  known = outcome;
  known.design = kernel.design;

  const bool emulated = device_.info().kind == TimeKind::modelled;
  Result<std::unique_ptr<LoadedKernel>> loaded = device_.load(kernel);
  if (!loaded) return fail(known, loaded.failure()), known;
  const auto verified = verify(kernel, **loaded, matrix_);
  if (!verified) return fail(known, verified.failure()), known;
  known.verified = true;
  Result<Timing> timing = (*loaded)->time(rounded_case(kernel, 1), options_.regime);
  if (timing) {
    known.timing = std::move(*timing);
  } else if (emulated && timing.failure().status != Status::compile_error) {
    // right, but not modelled
    known.reason = timing.reason();
  } else {
    fail(known, timing.failure());
  }
  if (timing && !emulated) {  // a GPU may go wrong under load
    const auto again = verify(kernel, **loaded, matrix_);
    if (!again) fail(known, again.failure());
  }
  return known;
}

}  // namespace alphasparse
