#include "runtime/compilers/hiprtc.h"

#include <fmt/format.h>

#include <filesystem>
#include <regex>

#include "runtime/compilers/compiler_program.h"
#include "runtime/system/machine/toolkit_paths.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {
namespace {

/// The symbol that a library lacks, or null.
const char* load_api(const DynamicLibrary& library, HiprtcApi& api) {
  const char* missing = nullptr;
  const auto load = [&](auto*& function, const char* symbol) {
    if (!library.load(function, symbol) && missing == nullptr) missing = symbol;
  };
  load(api.error_string, "hiprtcGetErrorString");
  load(api.version, "hiprtcVersion");
  load(api.create_program, "hiprtcCreateProgram");
  load(api.destroy_program, "hiprtcDestroyProgram");
  load(api.compile_program, "hiprtcCompileProgram");
  load(api.log_bytes, "hiprtcGetProgramLogSize");
  load(api.log, "hiprtcGetProgramLog");
  load(api.code_bytes, "hiprtcGetCodeSize");
  load(api.code, "hiprtcGetCode");
  return missing;
}

/// The first error of a log as "line 13: use of undeclared identifier 'b'"; else its first line.
std::string first_hiprtc_error(const std::string& log) {
  static const std::regex error(R"((?:^|\n)[^\n]*:(\d+):\d+: (?:fatal )?error: ([^\n]*))");
  std::smatch found;
  if (std::regex_search(log, found, error))
    return fmt::format("line {}: {}", found.str(1), found.str(2));
  return log.substr(0, log.find('\n'));
}

}  // namespace

std::vector<std::string> Hiprtc::paths() {
  return rocm_paths("ALPHASPARSE_LIBHIPRTC",
                    {"libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so", "libamdhip64.so.5"});
}

Result<Hiprtc> Hiprtc::open() {
  Result<DynamicLibrary> library = DynamicLibrary::open(paths());
  if (!library) {
    return Failure{
        library.failure().status,
        fmt::format("hiprtc is missing: {}; install ROCm (of its packages hip-runtime-amd "
                    "is enough) or set ROCM_PATH",
                    library.reason())};
  }
  HiprtcApi api;
  if (const char* const missing = load_api(*library, api)) {
    return Failure{
        Status::compile_error,
        fmt::format("{} lacks {}: it is no hiprtc of ROCm 5.2 or later; install ROCm, or "
                    "name another library in ALPHASPARSE_LIBHIPRTC",
                    library->name(), missing)};
  }
  Hiprtc result(std::move(*library), api);
  const int code = api.version(&result.major_, &result.minor_);
  if (code != hiprtc_success) {
    return Failure{Status::compile_error,
                   fmt::format("{}: hiprtcVersion: {}", result.library(), api.error_string(code))};
  }
  return result;
}

std::string Hiprtc::version() const {
  std::error_code unknown;
  const auto file = std::filesystem::canonical(library_.file(), unknown);
  return fmt::format("{}.{}, {}", major_, minor_, unknown ? library() : file.filename().string());
}

std::vector<std::string> Hiprtc::options(const std::string& arch) const {
  return {"--offload-arch=" + arch, "-std=c++17", "-O3", "-munsafe-fp-atomics"};
}

Result<CompiledKernel> Hiprtc::compile(const std::string& source, const std::string& arch) const {
  CompilerProgram<HiprtcApi> program(api_, "kernel.hip");
  const int code = program.compile(source, options(arch));
  CompiledKernel result;
  result.log = program.log();
  if (code == hiprtc_success) result.cubin = program.code();
  if (!result.cubin.empty()) return result;
  const std::string reason = first_hiprtc_error(result.log);
  if (code == hiprtc_error_compilation && !reason.empty()) {
    return Failure{Status::compile_error,
                   fmt::format("hiprtc {} for {}: {}", version(), arch, reason)};
  }
  const std::string text = code == hiprtc_success ? "it gave no code" : api_.error_string(code);
  throw environment_error(fmt::format(
      "hiprtc {} ({}) does not work: {}{}{}; install ROCm whole, or name another library "
      "in ALPHASPARSE_LIBHIPRTC",
      version(), library(), text, reason.empty() ? "" : ": ", reason));
}

const Result<Hiprtc>& hiprtc() {
  static const Result<Hiprtc> instance = Hiprtc::open();
  return instance;
}

}  // namespace alphasparse
