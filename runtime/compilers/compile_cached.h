// compile_cached: source to cubin and facts by way of the cache, for devices and reports.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "runtime/compilers/kernel_cache.h"
#include "runtime/compilers/nvrtc.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// The cache of this user, or nullptr (and a warning, once) where there is no place for one.
KernelCache* user_kernel_cache();

/// Compiles with nvrtc(library), with the cache of this user in front. Failure: the source does not
/// compile. Throws environment_error where NVRTC is missing or does not work.
Result<CompiledKernel> compile_cached(const std::string& source, const std::string& arch,
                                      const std::vector<std::string>& extra = {},
                                      const std::string& library = "");

/// The same without the cache, so that the compiler shows that it works.
Result<CompiledKernel> compile_anew(const std::string& source, const std::string& arch,
                                    const std::string& library = "");

/// The same two by hiprtc, for a GPU ("gfx90a:sramecc+:xnack-"), with the words of templates/hip in
/// front of the source. The kernels' facts are not known.
Result<CompiledKernel> compile_by_hiprtc(const std::string& source, const std::string& arch);
Result<CompiledKernel> compile_anew_by_hiprtc(const std::string& source, const std::string& arch);

/// The facts of the kernels that a design launches: the most registers, stack, shared and constant
/// bytes of one, and the spills of all together. They are named after the kernel with the most
/// registers. -1 where the compiler did not tell.
KernelFacts launched_facts(const Kernel& kernel, const CompiledKernel& compiled);

/// Whether no compiler is here that tells the facts for an architecture: NVRTC, or clang for AMD's.
bool has_no_compiler_for(std::string_view arch);

/// launched_facts on a GPU that need not be there (arch "sm_90", "gfx90a"). Failure as
/// compile_cached, or compile_hip_cached.
Result<KernelFacts> compile_facts(const Kernel& kernel, const std::string& arch);

/// Puts registers and spills beside a time.
void add_facts(const KernelFacts& facts, Timing& timing);

}  // namespace alphasparse
