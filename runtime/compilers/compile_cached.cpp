#include "runtime/compilers/compile_cached.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <memory>
#include <set>

#include "runtime/compilers/hip_clang.h"
#include "runtime/compilers/hiprtc.h"
#include "runtime/device/known_kernel.h"
#include "runtime/system/processes/environment.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

const Nvrtc& working_nvrtc(const std::string& library) {
  const Result<Nvrtc>& compiler = nvrtc(library);
  if (!compiler) throw environment_error(compiler.reason());
  return *compiler;
}

const Hiprtc& working_hiprtc() {
  const Result<Hiprtc>& compiler = hiprtc();
  if (!compiler) throw environment_error(compiler.reason());
  return *compiler;
}

/// The source as hiprtc compiles it; lines are counted behind the words.
std::string with_cuda_names(const std::string& source) {
  return fmt::format("{}#line 1\n{}", template_text("hip/cuda_names.cuh"), source);
}

}  // namespace

KernelCache* user_kernel_cache() {
  static const std::unique_ptr<KernelCache> cache =
      open_user_cache([](const std::string& text) { spdlog::warn(text); });
  return cache.get();
}

Result<CompiledKernel> compile_cached(const std::string& source, const std::string& arch,
                                      const std::vector<std::string>& extra,
                                      const std::string& library) {
  const Nvrtc& compiler = working_nvrtc(library);
  KernelCache* const cache = user_kernel_cache();
  const auto make = [&] { return compiler.compile(source, arch, extra); };
  if (cache == nullptr) return make();
  return cache->find_or(
      cache_key({strip(source), arch, compiler.options(arch, extra), compiler.version()}), make);
}

Result<CompiledKernel> compile_anew(const std::string& source, const std::string& arch,
                                    const std::string& library) {
  return working_nvrtc(library).compile(source, arch);
}

Result<CompiledKernel> compile_by_hiprtc(const std::string& source, const std::string& arch) {
  const Hiprtc& compiler = working_hiprtc();
  KernelCache* const cache = user_kernel_cache();
  const std::string text = with_cuda_names(source);
  const auto make = [&] { return compiler.compile(text, arch); };
  if (cache == nullptr) return make();
  return cache->find_or(
      cache_key({strip(text), arch, compiler.options(arch), "hiprtc " + compiler.version()}), make);
}

Result<CompiledKernel> compile_anew_by_hiprtc(const std::string& source, const std::string& arch) {
  return working_hiprtc().compile(with_cuda_names(source), arch);
}

KernelFacts launched_facts(const Kernel& kernel, const CompiledKernel& compiled) {
  KernelFacts total;
  std::set<std::string> seen;
  for (const Launch& launch : kernel.launches) {
    const KernelFacts* const facts = compiled.find(launch.kernel);
    if (facts == nullptr || !seen.insert(launch.kernel).second) continue;
    if (total.name.empty() || facts->registers > total.registers) total.name = facts->name;
    for (const auto field : {&KernelFacts::registers, &KernelFacts::stack_bytes,
                             &KernelFacts::shared_bytes, &KernelFacts::constant_bytes}) {
      total.*field = std::max(total.*field, facts->*field);
    }
    for (const auto field : {&KernelFacts::spill_store_bytes, &KernelFacts::spill_load_bytes}) {
      if (facts->*field >= 0) total.*field = std::max(total.*field, 0) + facts->*field;
    }
  }
  return total;
}

bool has_no_compiler_for(std::string_view arch) {
  return find_dialect(arch) == Dialect::hip ? !hip_clang().ok() : has_no_nvrtc_for(arch);
}

Result<KernelFacts> compile_facts(const Kernel& kernel, const std::string& arch) {
  const bool is_hip = find_dialect(arch) == Dialect::hip;
  const Result<CompiledKernel> compiled = is_hip ? compile_hip_cached(kernel.source, arch)
                                          : is_known_kernel(kernel)
                                              ? compile_anew(kernel.source, arch)
                                              : compile_cached(kernel.source, arch);
  if (!compiled) return compiled.failure();
  return launched_facts(kernel, *compiled);
}

void add_facts(const KernelFacts& facts, Timing& timing) {
  if (facts.registers >= 0) timing.registers = facts.registers;
  if (facts.spill_store_bytes < 0 || facts.spill_load_bytes < 0) return;
  timing.spill_bytes = facts.spill_store_bytes + facts.spill_load_bytes;
}

}  // namespace alphasparse
