// fake_nvrtc: a fake of NVRTC that compiles CUDA source for the fake of the driver.
#include "tests/fakes/fake_nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/compilers/nvrtc_api.h"
#include "tests/fakes/fake_compiler.h"

using namespace alphasparse;

struct _nvrtcProgram {
  std::string source;
  std::string log;
  std::string cubin;
  std::string ptx;
};

namespace {

constexpr int internal_error = 11;
constexpr int archs[] = {80, 86, 89, 90, 100};

/// The output of ptxas -v, as far as it is read.
std::string ptxas_log(const std::vector<FakeEntry>& kernels, const std::string& arch) {
  std::string log = "ptxas info    : 0 bytes gmem\n";
  for (const FakeEntry& kernel : kernels) {
    log += fmt::format(
        "ptxas info    : Compiling entry function '{0}' for '{1}'\n"
        "ptxas info    : Function properties for {0}\n"
        "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used {2} registers, used 0 barriers\n",
        kernel.name, arch, kernel.registers);
  }
  return log;
}

/// An error as NVRTC puts it.
std::string error_log(const FakeError& error) {
  return error.line == 0 ? "nvrtc: error: " + error.text + "\n"
                         : fmt::format("kernel.cu({}): error: {}\n", error.line, error.text);
}

int compile(_nvrtcProgram& program, const std::string& arch) {
  FakeError error;
  std::optional<FakeImage> image = fake_compile(program.source, arch, error);
  if (!image) {
    program.log = error_log(error);
    return nvrtc_error_compilation;
  }
  program.cubin = std::move(image->bytes);
  if (fake_compiler_file() == fake_nvrtc_refused) program.cubin[4] = 0;  // of no class of ELF
  program.log = ptxas_log(image->kernels, arch);
  return nvrtc_success;
}

std::string arch_of(const std::vector<std::string>& options) {
  const std::string word = "--gpu-architecture=";
  const auto found = std::find_if(options.begin(), options.end(), [&](const std::string& option) {
    return option.starts_with(word);
  });
  return found == options.end() ? "" : found->substr(word.size());
}

int copy_text(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return nvrtc_success;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* nvrtcGetErrorString(int code) {
  return code == nvrtc_error_compilation ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_FAKED";
}
int nvrtcVersion(int* major, int* minor) {
  const std::string file = fake_compiler_file();
  *major = fake_nvrtc_major + (file == fake_nvrtc_newer) - (file == fake_nvrtc_refused);
  *minor = 0;
  return nvrtc_success;
}
int nvrtcGetNumSupportedArchs(int* count) {
  if (fake_compiler_file() == fake_nvrtc_silent) return internal_error;
  *count = static_cast<int>(std::size(archs));
  return nvrtc_success;
}
int nvrtcGetSupportedArchs(int* numbers) {
  std::copy(std::begin(archs), std::end(archs), numbers);
  return nvrtc_success;
}
int nvrtcCreateProgram(NvrtcProgram* program, const char* source, const char*, int,
                       const char* const*, const char* const*) {
  *program = new _nvrtcProgram{source, "", "", ""};
  return nvrtc_success;
}
int nvrtcDestroyProgram(NvrtcProgram* program) {
  delete *program;
  *program = nullptr;
  return nvrtc_success;
}
int nvrtcCompileProgram(NvrtcProgram program, int option_count, const char* const* options) {
  const std::string arch = arch_of({options, options + option_count});
  const bool is_known = std::any_of(std::begin(archs), std::end(archs), [&](int number) {
    return arch == fmt::format("sm_{}", number) || arch == fmt::format("compute_{}", number);
  });
  if (!is_known) {
    program->log = "nvrtc: error: invalid value for --gpu-architecture (-arch)\n";
    return nvrtc_error_invalid_option;
  }
  try {
    const int code = compile(*program, arch);
    if (arch.starts_with("compute_")) program->ptx.swap(program->cubin);
    return code;
  } catch (const std::exception& error) {
    program->log = error_log({0, 0, error.what()});
    return internal_error;
  }
}
int nvrtcGetProgramLogSize(NvrtcProgram program, std::size_t* bytes) {
  *bytes = program->log.size() + 1;
  return nvrtc_success;
}
int nvrtcGetProgramLog(NvrtcProgram program, char* text) { return copy_text(program->log, text); }
int nvrtcGetCUBINSize(NvrtcProgram program, std::size_t* bytes) {
  *bytes = program->cubin.size();
  return nvrtc_success;
}
int nvrtcGetCUBIN(NvrtcProgram program, char* image) {
  std::memcpy(image, program->cubin.data(), program->cubin.size());
  return nvrtc_success;
}
int nvrtcGetPTXSize(NvrtcProgram program, std::size_t* bytes) {
  *bytes = program->ptx.size() + 1;
  return nvrtc_success;
}
int nvrtcGetPTX(NvrtcProgram program, char* text) { return copy_text(program->ptx, text); }
}
#pragma GCC visibility pop
