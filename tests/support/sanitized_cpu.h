// sanitized_cpu: a device that runs each kernel for CPUs in a program of its own, under sanitizers.
// A shared object that has them does not go into a process that has not.
//
// An array ends with its slack, which is NaN where values are; x and y end without slack. A read or
// a write behind them is a fault, and so is a result that slack got into.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cpu/kernel.h"
#include "runtime/device/device.h"

namespace alphasparse {

enum class Sanitizers {
  address_undefined,  ///< AddressSanitizer and UBSan, over OpenMP's threads
  thread              ///< ThreadSanitizer, over threads that it knows
};

struct SanitizedCpu {
  Sanitizers sanitizers = Sanitizers::address_undefined;
  int threads = 1;
  std::vector<std::string> flags = {};  ///< of the compiler, behind those of every kernel
  std::size_t slack = slack_bytes;
  /// A part of every program and its replacement, for a fault that must be found; empty: none.
  std::pair<std::string, std::string> planted = {};
};

/// A failed run has the sanitizer's message as its reason. Nothing is timed.
std::unique_ptr<Device> open_sanitized_cpu(const SanitizedCpu& how);

}  // namespace alphasparse
