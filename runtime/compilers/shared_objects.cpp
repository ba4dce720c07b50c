#include "runtime/compilers/shared_objects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generator/arrays/operands.h"
#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/eigen.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/device/known_kernel.h"
#include "runtime/system/files/temporary_folder.h"
#include "runtime/system/machine/processor.h"
#include "runtime/system/processes/environment.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

const HostCompiler& compiler() {
  static const HostCompiler found = find_host_compiler(CompilerUse::cpu);
  return found;
}

Result<std::string> compile(const std::string& source, const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::filesystem::path text = folder.write("kernel.cpp", source);
  const auto object = compile_shared_object(compiler(), text, folder.path() / "kernel.so", options);
  if (!object) return object.failure();
  return read_made_file(*object);
}

/// A template without the lines that name other templates.
std::string without_own_includes(std::string_view text) {
  std::string rest;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.size());
    if (!line.starts_with("#include \"") && !line.starts_with("#pragma once")) rest += line;
  }
  return rest;
}

bool is_eigens(const Kernel& kernel) {
  const Baseline* const peer = find_baseline(kernel.vendor);
  return peer != nullptr && peer->library == "Eigen";
}

}  // namespace

std::string shared_object_compiler() {
  std::vector<std::string> options;
  for (const std::string& option : compiler().command) {
    if (option.starts_with('-')) options.push_back(option);
  }
  options.insert(options.end(), shared_object_flags().begin(), shared_object_flags().end());
  return fmt::format("g++ {} {}", compiler().version, fmt::join(options, " "));
}

std::string cpu_program(const Kernel& kernel) {
  if (const Baseline* const peer = find_baseline(kernel.vendor)) {
    const NumberType& type = number_type(kernel.dtype);
    return fmt::format(
        "{}#define ALPHASPARSE_VALUE {}\n#define ALPHASPARSE_COLUMNS {}\n{}{}{}",
        type.is_complex() ? "#include <complex>\n" : "",
        type.is_complex() ? fmt::format("std::complex<{}>", type.real_name()) : type.real_name(),
        columns_a_call(kernel), template_text("baselines/csr.h"),
        template_text(fmt::format("baselines/{}", peer->source)),
        template_text("baselines/exports.h"));
  }
  const char* const folder = Operands(kernel.dtype, kernel.vectors).fragment_folder();
  const char* const mirrored =
      kernel.has_copied_rows() ? "#define ALPHASPARSE_KERNEL_MIRRORED\n" : "";
  return kernel.source + "\n" + mirrored + without_own_includes(template_text("lanes/team.h")) +
         without_own_includes(template_text(fmt::format("lanes/{}multiply_rows.h", folder))) +
         without_own_includes(template_text("lanes/opened_team.h"));
}

Result<std::string> compile_cpu_assembly(const Kernel& kernel) {
  std::vector<std::string> options = shared_object_flags();
  options.insert(options.end(), {"-S", "-fverbose-asm"});
  return compile(cpu_program(kernel), options);
}

namespace {

/// The source of a kernel and the options of its compilation.
struct Compilation {
  std::string source;
  std::vector<std::string> options;
  std::string headers;  ///< the version of headers that the key does not contain

  std::string key(const DeviceInfo& device) const {
    return cache_key({strip(source),
                      device.gpu + device.arch + processor_text() + device.compiler + headers,
                      options, compiler().text()});
  }
};

Result<Compilation> make_compilation(const Kernel& kernel, const std::vector<std::string>& extra) {
  Compilation made{cpu_program(kernel), shared_object_flags(), ""};
  made.options.insert(made.options.end(), extra.begin(), extra.end());
  // As our kernels, other products of std::complex look for no Inf.
  if (number_type(kernel.dtype).is_complex()) made.options.emplace_back("-fcx-limited-range");
  if (!is_eigens(kernel)) return made;
  const Result<EigenHeaders>& eigen = eigen_headers();
  if (!eigen) return eigen.failure();
  made.options.insert(made.options.end(), {"-isystem", eigen->folder});
  made.headers = eigen->version;
  return made;
}

}  // namespace

Result<std::string> compile_cpu_kernel_cached(const Kernel& kernel, const DeviceInfo& device,
                                              const std::vector<std::string>& extra) {
  const Result<Compilation> wanted = make_compilation(kernel, extra);
  if (!wanted) return wanted.failure();
  KernelCache* const cache = user_kernel_cache();
  if (cache == nullptr || is_known_kernel(kernel)) return compile(wanted->source, wanted->options);
  return cache->code_or(wanted->key(device),
                        [&] { return compile(wanted->source, wanted->options); });
}

void forget_cpu_kernel(const Kernel& kernel, const DeviceInfo& device,
                       const std::vector<std::string>& extra) {
  const Result<Compilation> made = make_compilation(kernel, extra);
  KernelCache* const cache = user_kernel_cache();
  if (made && cache != nullptr && !is_known_kernel(kernel)) cache->forget(made->key(device));
}

}  // namespace alphasparse
