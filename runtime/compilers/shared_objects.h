// shared_objects: kernels for CPUs to machine code, with the cache of this user in front.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// The compiler and those flags: "g++ 12.2.0 -O3 -march=native ...". Throws Error (exit 4) where
/// there is none.
std::string shared_object_compiler();

/// The text that is compiled: the kernel's source and the team of threads behind it
/// (templates/lanes/team.h), or the peer that is called in its place (templates/baselines).
std::string cpu_program(const Kernel& kernel);

/// The assembly of the kernel's own source, as g++ prints it. Failure: it does not compile.
Result<std::string> compile_cpu_assembly(const Kernel& kernel);

/// The bytes of the shared object that g++ makes of a CPU's kernel, of cpu_program(). The cache's
/// key holds the compiler and the processor with its flags (runtime/system/machine/processor.h),
/// which decide the meaning of -march=native. Failure: it does not compile, or the library that a
/// peer is made of is missing.
Result<std::string> compile_cpu_kernel_cached(const Kernel& kernel, const DeviceInfo& device,
                                              const std::vector<std::string>& extra = {});

/// Removes the kernel's entry from the cache, so that it is compiled once more: its code has ended
/// by an instruction that this processor does not have.
void forget_cpu_kernel(const Kernel& kernel, const DeviceInfo& device,
                       const std::vector<std::string>& extra = {});

}  // namespace alphasparse
