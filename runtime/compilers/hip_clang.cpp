#include "runtime/compilers/hip_clang.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "runtime/compilers/compile_cached.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/processes/child_process.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

constexpr const char* variable = "ALPHASPARSE_HIP_CLANG";

/// hipcc's options for a GPU's code, and those by which clang needs no header of ROCm.
std::vector<std::string> list_options(const std::string& arch) {
  return {"-x",
          "hip",
          "-std=c++17",
          "-O3",
          "-nogpuinc",
          "-nogpulib",
          "-fdeclspec",
          "-munsafe-fp-atomics",
          "-S",
          "-Wno-unused-command-line-argument",
          "--cuda-device-only",
          "--offload-arch=" + arch};
}

Result<HostCompiler> find_hip_clang() {
  const char* const named = std::getenv(variable);
  const std::string name = named && *named ? named : "clang-19";
  const auto file = find_program(name);
  if (!file)
    return Failure{Status::pruned,
                   fmt::format("clang for AMD's GPUs is missing: install clang-19 and lld-19 "
                               "(Debian, Ubuntu: apt-get install clang-19 lld-19), or name a clang "
                               "of version 15 or later in {}",
                               variable)};
  const ChildResult answer = run_child({*file, "--version"}, {});
  return HostCompiler{{*file}, answer.output.substr(0, answer.output.find('\n')), variable};
}

/// The number behind ".KEY:" of a line "    .KEY:     12"; -1 where the line is another.
int parse_number(std::string_view line, std::string_view key) {
  line.remove_prefix(std::min(line.find('.'), line.size()));
  if (!line.starts_with(key)) return -1;
  line.remove_prefix(key.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  int number = -1;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

}  // namespace

const Result<HostCompiler>& hip_clang() {
  static const Result<HostCompiler> found = find_hip_clang();
  return found;
}

Result<std::string> compile_hip_assembly(const std::string& source, const std::string& arch) {
  const Result<HostCompiler>& compiler = hip_clang();
  if (!compiler) return compiler.failure();
  const TemporaryFolder folder;
  const auto text =
      folder.write("kernel.hip", std::string(template_text("hip/cuda_names.cuh")) + source);
  const auto assembly =
      compile_shared_object(*compiler, text, folder.path() / "kernel.s", list_options(arch));
  if (!assembly) return assembly.failure();
  return read_made_file(*assembly);
}

std::vector<KernelFacts> parse_amd_metadata(std::string_view assembly) {
  std::vector<KernelFacts> kernels;
  assembly.remove_prefix(std::min(assembly.find("\namdhsa.kernels:"), assembly.size()));
  constexpr std::string_view begins = "  - .", name = "    .name: ";
  constexpr int word_bytes = 4;
  while (!assembly.empty()) {
    const std::string_view line = assembly.substr(0, assembly.find('\n'));
    assembly.remove_prefix(std::min(line.size() + 1, assembly.size()));
    if (line.starts_with(begins)) kernels.emplace_back();
    if (kernels.empty()) continue;
    KernelFacts& kernel = kernels.back();
    if (line.starts_with(name)) kernel.name = line.substr(line.rfind(' ') + 1);
    const auto take = [&](std::string_view key, int& number, int bytes = 1) {
      if (const int found = parse_number(line, key); found >= 0) number = found * bytes;
    };
    take(".vgpr_count:", kernel.registers);
    take(".vgpr_spill_count:", kernel.spill_store_bytes, word_bytes);
    take(".vgpr_spill_count:", kernel.spill_load_bytes, word_bytes);
    take(".private_segment_fixed_size:", kernel.stack_bytes);
    take(".group_segment_fixed_size:", kernel.shared_bytes);
  }
  return kernels;
}

Result<CompiledKernel> compile_hip_cached(const std::string& source, const std::string& arch) {
  const Result<HostCompiler>& compiler = hip_clang();
  if (!compiler) return compiler.failure();
  const auto make = [&]() -> Result<CompiledKernel> {
    const Result<std::string> assembly = compile_hip_assembly(source, arch);
    if (!assembly) return assembly.failure();
    return CompiledKernel{{}, "", parse_amd_metadata(*assembly)};
  };
  KernelCache* const cache = user_kernel_cache();
  if (cache == nullptr) return make();
  const std::string names(template_text("hip/cuda_names.cuh"));
  return cache->find_or(
      cache_key({strip(names + source), arch, list_options(arch), compiler->version}), make);
}

}  // namespace alphasparse
