#include "runtime/compilers/shared_objects.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/compilers/compile_cached.h"
#include "runtime/compilers/eigen.h"
#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/kernel_cache.h"
#include "runtime/device/known_kernel.h"
#include "runtime/device/vendor_kernels.h"
#include "runtime/system/environment.h"
#include "runtime/system/temporary_folder.h"
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

bool is_eigens(const Kernel& kernel) {
  const VendorAlgorithm* const peer = find_vendor_algorithm(kernel.vendor);
  return peer != nullptr && peer->library == "Eigen";
}

}  // namespace

const std::vector<std::string>& shared_object_flags() {
  static const std::vector<std::string> all = {"-std=c++17", "-O3", "-march=native", "-fopenmp",
                                               "-fPIC"};
  return all;
}

std::string shared_object_compiler() {
  return fmt::format("g++ {} {}", compiler().version, fmt::join(shared_object_flags(), " "));
}

std::string cpu_program(const Kernel& kernel) {
  if (const VendorAlgorithm* const peer = find_vendor_algorithm(kernel.vendor)) {
    return fmt::format(
        "#define ALPHASPARSE_VALUE {}\n{}{}{}", element_cuda_name(value_element_type(kernel.dtype)),
        template_text("peers/csr.h"), template_text(fmt::format("peers/{}", peer->source)),
        template_text("peers/exports.h"));
  }
  std::string text = kernel.source + "\n" + std::string(template_text("lanes/team.h"));
  std::string_view exports = template_text("lanes/opened_team.h");
  const std::string_view include = "#include \"team.h\"\n";
  return text.append("\n")
      .append(exports.substr(0, exports.find(include)))
      .append(exports.substr(exports.find(include) + include.size()));
}

Result<std::string> compile_cpu_assembly(const Kernel& kernel) {
  std::vector<std::string> options = shared_object_flags();
  options.insert(options.end(), {"-S", "-fverbose-asm"});
  return compile(cpu_program(kernel), options);
}

Result<std::string> compile_cpu_kernel_cached(const Kernel& kernel, const DeviceInfo& device,
                                              const std::vector<std::string>& extra) {
  std::vector<std::string> options = shared_object_flags();
  options.insert(options.end(), extra.begin(), extra.end());
  std::string headers;
  if (is_eigens(kernel)) {
    const Result<EigenHeaders>& eigen = eigen_headers();
    if (!eigen) return eigen.failure();
    options.insert(options.end(), {"-isystem", eigen->folder});
    headers = eigen->version;  // the cache does not see what is included
  }
  const std::string source = cpu_program(kernel);
  KernelCache* const cache = user_kernel_cache();
  if (cache == nullptr || is_known_kernel(kernel)) return compile(source, options);
  const std::string key =
      cache_key({code_of(source), device.gpu + device.arch + device.compiler + headers, options,
                 compiler().path});
  if (const auto found = cache->find(key)) {
    const auto* const bytes = reinterpret_cast<const char*>(found->cubin.data());
    return std::string(bytes, found->cubin.size());
  }
  Result<std::string> object = compile(source, options);
  if (!object) return object;
  CompiledKernel entry;
  const auto* const bytes = reinterpret_cast<const std::byte*>(object->data());
  entry.cubin.assign(bytes, bytes + object->size());
  cache->store(key, entry);
  return object;
}

}  // namespace alphasparse
