#include "runtime/compilers/nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <mutex>

#include "runtime/compilers/compiler_program.h"
#include "runtime/system/machine/toolkit_paths.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {
namespace {

constexpr const char* source_name = "kernel.cu";  // error lines begin with it
constexpr int static_shared_bytes_max = 48 * 1024;

using Program = CompilerProgram<NvrtcApi>;

std::string ptx_text(const Program& program) {
  return program.text(&NvrtcApi::ptx_bytes, &NvrtcApi::ptx);
}

/// PTX as a driver takes it, with a closing zero.
std::vector<std::byte> ptx_image(const Program& program) {
  const std::string text = ptx_text(program);
  const auto* const first = reinterpret_cast<const std::byte*>(text.c_str());
  return {first, first + text.size() + 1};
}

template <class Visit>
void each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The number that stands right before `words`, as 24 in "Used 24 registers"; -1 where none does.
int number_before(std::string_view line, std::string_view label) {
  const std::size_t end = line.find(label);
  if (end == std::string_view::npos) return -1;
  std::size_t first = end;
  while (first > 0 && line[first - 1] >= '0' && line[first - 1] <= '9') --first;
  int number = -1;
  std::from_chars(line.data() + first, line.data() + end, number);
  return number;
}

/// The text between the first `open` and the `close` after it; empty where they are not there.
std::string_view between(std::string_view line, std::string_view open, std::string_view close) {
  const std::size_t start = line.find(open);
  if (start == std::string_view::npos) return {};
  line.remove_prefix(start + open.size());
  return line.substr(0, line.find(close));
}

/// All "N bytes cmem[k]" of a line together; -1 where there are none.
int constant_bytes(std::string_view line) {
  constexpr std::string_view label = " bytes cmem[";
  int total = -1;
  for (std::size_t at = line.find(label); at != std::string_view::npos; at = line.find(label)) {
    total = std::max(total, 0) + std::max(number_before(line, label), 0);
    line.remove_prefix(at + label.size());
  }
  return total;
}

/// The first error of a log as "line 13: identifier "b" is undefined"; empty where none stands out.
std::string first_nvrtc_error(std::string_view log) {
  std::string found;
  each_line(log, [&](std::string_view line) {
    if (!found.empty()) return;
    const std::string_view number = between(line, "kernel.cu(", ")");
    const std::string_view text = between(line, "): ", "\n");
    const bool is_error = text.starts_with("error") || text.starts_with("catastrophic error");
    const std::size_t colon = text.find(": ");
    if (!number.empty() && is_error && colon != std::string_view::npos) {
      found = fmt::format("line {}: {}", number, text.substr(colon + 2));
    } else if (line.starts_with("nvrtc: error") || line.starts_with("ptxas error") ||
               line.starts_with("ptxas fatal")) {
      found = std::string(line);
    }
  });
  return found;
}

/// The reason of a failed compilation with a log that names no error: ptxas refuses too much shared
/// memory in this way.
std::string unnamed_error(std::string_view log, const std::string& code) {
  for (const KernelFacts& kernel : parse_ptxas_log(log)) {
    if (kernel.shared_bytes > static_shared_bytes_max) {
      return fmt::format("{} takes {} bytes of shared memory, at most {} are there", kernel.name,
                         kernel.shared_bytes, static_shared_bytes_max);
    }
  }
  return code;
}

/// 90 of "sm_90a".
int arch_number(std::string_view arch) {
  int number = 0;
  std::from_chars(arch.data() + arch.find('_') + 1, arch.data() + arch.size(), number);
  return number;
}

bool load_api(const DynamicLibrary& library, NvrtcApi& api) {
  return library.load(api.error_string, "nvrtcGetErrorString") &&
         library.load(api.version, "nvrtcVersion") &&
         library.load(api.arch_count, "nvrtcGetNumSupportedArchs") &&
         library.load(api.archs, "nvrtcGetSupportedArchs") &&
         library.load(api.create_program, "nvrtcCreateProgram") &&
         library.load(api.destroy_program, "nvrtcDestroyProgram") &&
         library.load(api.compile_program, "nvrtcCompileProgram") &&
         library.load(api.log_bytes, "nvrtcGetProgramLogSize") &&
         library.load(api.log, "nvrtcGetProgramLog") &&
         library.load(api.code_bytes, "nvrtcGetCUBINSize") &&
         library.load(api.code, "nvrtcGetCUBIN") &&
         library.load(api.ptx_bytes, "nvrtcGetPTXSize") && library.load(api.ptx, "nvrtcGetPTX");
}

/// Loads the builtins of an NVRTC from the folder that holds it. NVRTC itself asks the loader for
/// them by their bare name, which finds nothing where NVRTC was loaded by its path; a library of
/// that name that is loaded already serves it. Without such a file the loader has its own way.
void load_builtins(const std::string& nvrtc_file, const std::string& version) {
  const std::filesystem::path folder = std::filesystem::path(nvrtc_file).parent_path();
  if (folder.empty()) return;
  const std::array<std::string, 1> file = {(folder / ("libnvrtc-builtins.so." + version)).string()};
  (void)DynamicLibrary::open(file);
}

}  // namespace

const KernelFacts* CompiledKernel::find(std::string_view name) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const KernelFacts& kernel) { return kernel.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

std::vector<KernelFacts> parse_ptxas_log(std::string_view log) {
  std::vector<KernelFacts> kernels;
  std::string_view described;  // the function that the next line of properties is about
  each_line(log, [&](std::string_view line) {
    const std::string_view entry = between(line, "Compiling entry function '", "'");
    if (!entry.empty()) {
      kernels.push_back({});
      kernels.back().name = entry;
      return;
    }
    if (kernels.empty()) return;
    KernelFacts& kernel = kernels.back();
    const std::string_view function = between(line, "Function properties for ", " ");
    if (!function.empty()) described = function;
    if (number_before(line, " bytes stack frame") >= 0 && described == kernel.name) {
      kernel.stack_bytes = number_before(line, " bytes stack frame");
      kernel.spill_store_bytes = number_before(line, " bytes spill stores");
      kernel.spill_load_bytes = number_before(line, " bytes spill loads");
    }
    if (number_before(line, " registers") >= 0) {
      kernel.registers = number_before(line, " registers");
      kernel.shared_bytes = std::max(number_before(line, " bytes smem"), 0);
      kernel.constant_bytes = constant_bytes(line);
    }
  });
  return kernels;
}

std::vector<std::string> Nvrtc::paths() {
  return toolkit_paths("ALPHASPARSE_LIBNVRTC", {"libnvrtc.so.13", "libnvrtc.so", "libnvrtc.so.12"});
}

Result<Nvrtc> Nvrtc::open() { return open(paths()); }

Result<Nvrtc> Nvrtc::open(const std::vector<std::string>& names) {
  Result<DynamicLibrary> library = DynamicLibrary::open(names);
  if (!library) {
    return Failure{library.failure().status,
                   fmt::format("NVRTC is missing: {}; install a CUDA toolkit of version 12 or 13 "
                               "(of its packages cuda-nvrtc is enough) or set CUDA_HOME",
                               library.reason())};
  }
  NvrtcApi api;
  if (!load_api(*library, api)) {
    return Failure{Status::compile_error,
                   fmt::format("{} lacks functions of NVRTC 11.2 or later; install CUDA 12 or 13",
                               library->name())};
  }
  Nvrtc result(std::move(*library), api);
  const int code = api.version(&result.major_, &result.minor_);
  if (code != nvrtc_success) {
    return Failure{Status::compile_error,
                   fmt::format("{}: nvrtcVersion: {}", result.library(), api.error_string(code))};
  }
  load_builtins(result.file(), result.version());
  return result;
}

std::string Nvrtc::version() const { return fmt::format("{}.{}", major_, minor_); }

bool Nvrtc::at_least(int major, int minor) const {
  return major_ != major ? major_ > major : minor_ >= minor;
}

/// Those that it tells; none where it does not.
std::vector<int> Nvrtc::archs() const {
  int count = 0;
  if (api_.arch_count(&count) != nvrtc_success || count <= 0) return {};
  std::vector<int> numbers(static_cast<std::size_t>(count));
  if (api_.archs(numbers.data()) != nvrtc_success) return {};
  return numbers;
}

bool Nvrtc::lacks(std::string_view arch) const {
  if (!arch.starts_with("sm_")) return true;
  const std::vector<int> known = archs();
  return !known.empty() && std::find(known.begin(), known.end(), arch_number(arch)) == known.end();
}

std::string Nvrtc::find_target(const std::string& arch) const {
  if (!lacks(arch)) return arch;
  const int wanted = arch_number(arch);
  int newest = 0;
  for (const int number : archs()) {
    if (number < wanted) newest = std::max(newest, number);
  }
  if (newest == 0) return "";
  return fmt::format("{}_{}", newest / 10 == wanted / 10 ? "sm" : "compute", newest);
}

std::vector<std::string> Nvrtc::options(const std::string& arch,
                                        const std::vector<std::string>& extra) const {
  std::vector<std::string> result = {"--gpu-architecture=" + arch, "--std=c++17"};
  if (!arch.starts_with("compute_")) result.push_back("--ptxas-options=-v");
  // Since 12.9 NVRTC keeps a cache of its own, which ours makes needless; before, the option is an
  // error.
  if (at_least(12, 9)) result.push_back("--no-cache");
  result.insert(result.end(), extra.begin(), extra.end());
  return result;
}

Result<CompiledKernel> Nvrtc::compile(const std::string& source, const std::string& arch,
                                      const std::vector<std::string>& extra) const {
  Program program(api_, source_name);
  const int code = program.compile(source, options(arch, extra));
  CompiledKernel result;
  result.log = program.log();
  if (code == nvrtc_success) {
    result.cubin = arch.starts_with("compute_") ? ptx_image(program) : program.code();
    result.kernels = parse_ptxas_log(result.log);
    if (!result.cubin.empty()) return result;
  }
  return compile_failure(code, result.log, arch);
}

/// Only a compilation's own error is the source's.
Failure Nvrtc::compile_failure(int code, const std::string& log, const std::string& arch) const {
  std::string reason = first_nvrtc_error(log);
  if (code == nvrtc_error_compilation) {
    if (reason.empty()) reason = unnamed_error(log, api_.error_string(code));
    return {Status::compile_error, fmt::format("NVRTC {} for {}: {}", version(), arch, reason)};
  }
  const std::string text = code == nvrtc_success ? "it gave no code" : api_.error_string(code);
  throw environment_error(fmt::format(
      "NVRTC {} ({}) does not work: {}{}{}; install it whole, with libnvrtc-builtins of "
      "its version beside it, or name another in ALPHASPARSE_LIBNVRTC",
      version(), library(), text, reason.empty() ? "" : ": ", reason));
}

Result<std::string> Nvrtc::compile_ptx(const std::string& source, const std::string& arch,
                                       const std::vector<std::string>& extra) const {
  const std::string target = arch.starts_with("sm_") ? "compute_" + arch.substr(3) : arch;
  Program program(api_, source_name);
  const int code = program.compile(source, options(target, extra));
  if (code == nvrtc_success) return ptx_text(program);
  return compile_failure(code, program.log(), target);
}

Result<CompiledKernel> Nvrtc::compile_nothing(const std::string& arch) const {
  return compile(nothing_kernel, arch);
}

const Result<Nvrtc>& nvrtc() {
  static const Result<Nvrtc> instance = Nvrtc::open();
  return instance;
}

bool has_no_nvrtc_for(std::string_view arch) {
  const Result<Nvrtc>& found = nvrtc();
  return found ? found->lacks(arch) : found.failure().status == Status::pruned;
}

const Result<Nvrtc>& nvrtc(const std::string& library) {
  if (library.empty()) return nvrtc();
  static std::mutex mutex;
  static std::map<std::string, Result<Nvrtc>> opened;
  const std::lock_guard<std::mutex> lock(mutex);
  auto found = opened.find(library);
  if (found == opened.end()) found = opened.emplace(library, Nvrtc::open({library})).first;
  return found->second;
}

}  // namespace alphasparse
