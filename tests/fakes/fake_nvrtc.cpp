// fake_nvrtc: a fake of NVRTC that compiles CUDA source for the fake of the driver.
#include "tests/fakes/fake_nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "runtime/compilers/host_compiler.h"
#include "runtime/compilers/nvrtc_api.h"
#include "runtime/emulated/source.h"
#include "runtime/system/files/temporary_folder.h"
#include "tests/fakes/fake_faults.h"

using namespace alphasparse;

struct _nvrtcProgram {
  std::string source;
  std::string log;
  std::string cubin;
  std::string ptx;
};

namespace {

constexpr int internal_error = 11;
constexpr int registers_of_a_block = 65536;
constexpr int archs[] = {80, 86, 89, 90, 100};

/// The file that we were loaded from: by its name a test has another NVRTC.
std::string own_file() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&own_file), &here) == 0) return "";
  const std::string path = here.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

/// A function that a host may launch.
struct Entry {
  std::string name;
  int threads_max = 1024;          ///< of a block, where the source has a number; else the driver's
  int registers = fake_registers;  ///< fewer where a block of its bounds would not find as many
};

/// The kernels of a source; one may stand in a macro, over several lines.
std::vector<Entry> entries_of(const std::string& source) {
  static const std::regex head(
      R"(extern\s+"C"\s+__global__\s+void\s+(?:__launch_bounds__\((\d*)[^)]*\)[\s\\]+)?(\w+)\s*\()");
  std::vector<Entry> entries;
  for (std::sregex_iterator match(source.begin(), source.end(), head), none; match != none;
       ++match) {
    Entry& entry = entries.emplace_back();
    entry.name = (*match)[2];
    if ((*match)[1].length() == 0) continue;
    entry.threads_max = std::stoi((*match)[1]);
    entry.registers = std::min(fake_registers, registers_of_a_block / entry.threads_max / 8 * 8);
  }
  return entries;
}

/// The line that a source begins with, where it is a comment.
std::string design_of(const std::string& source) {
  if (!source.starts_with("// ")) return "";
  return source.substr(3, source.find('\n') - 3);
}

/// The exports that the driver looks for, as module_exports.h describes them.
std::string exports_of(const std::string& source, const std::vector<Entry>& kernels,
                       const std::string& arch) {
  std::string text = "#include \"" FAKE_MODULE_EXPORTS "\"\n";
  std::string table;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    text += fmt::format("FAKE_LAUNCH({}, {})\n", i, kernels[i].name);
    table += fmt::format("FAKE_KERNEL({}, {}, {}), ", kernels[i].name, kernels[i].threads_max,
                         kernels[i].registers);
  }
  text += "#define EXPORTED extern \"C\" __attribute__((visibility(\"default\")))\n";
  text +=
      fmt::format("EXPORTED const FakeModuleKernel fake_module_kernels[] = {{{}{{}}}};\n", table);
  text += fmt::format("EXPORTED const char fake_module_design[] = R\"design({})design\";\n",
                      design_of(source));
  text += fmt::format("EXPORTED const char fake_module_arch[] = \"{}\";\n", arch);
  return text;
}

/// The output of ptxas -v, as far as it is read.
std::string ptxas_log(const std::vector<Entry>& kernels, const std::string& arch) {
  std::string log = "ptxas info    : 0 bytes gmem\n";
  for (const Entry& kernel : kernels) {
    log += fmt::format(
        "ptxas info    : Compiling entry function '{0}' for '{1}'\n"
        "ptxas info    : Function properties for {0}\n"
        "ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used {2} registers, used 0 barriers\n",
        kernel.name, arch, kernel.registers);
  }
  return log;
}

/// "kernel.cu:7:3: error: TEXT" as NVRTC puts it; anything else as an error of the whole.
std::string error_log(const std::string& text) {
  static const std::regex place(R"(kernel\.cu:(\d+):\d+: (?:fatal )?error: (.*))");
  std::smatch match;
  if (!std::regex_search(text, match, place)) return "nvrtc: error: " + text + "\n";
  return fmt::format("kernel.cu({}): error: {}\n", match[1].str(), match[2].str());
}

std::string file_contents(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int compile(_nvrtcProgram& program, const std::string& arch) {
  if (scripted_fault(design_of(program.source)) == FakeFault::compile_error) {
    program.log = "kernel.cu(1): error: the test wants it\n";
    return nvrtc_error_compilation;
  }
  static const HostCompiler compiler = find_host_compiler();
  const std::vector<Entry> kernels = entries_of(program.source);
  const TemporaryFolder folder;
  const auto source = folder.write(
      "kernel.cpp", emulated_source(program.source, exports_of(program.source, kernels, arch)));
  std::vector<std::string> flags = emulated_flags(EmulatedBuild::plain);
  flags.insert(flags.end(), {"-fsanitize=alignment", "-fsanitize-recover=alignment"});
  const auto object = compile_shared_object(compiler, source, folder.path() / "kernel.so", flags);
  if (!object) {
    program.log = error_log(object.reason());
    return nvrtc_error_compilation;
  }
  program.cubin = file_contents(*object);
  if (own_file() == fake_nvrtc_refused) program.cubin[4] = 0;  // of no class of ELF
  program.log = ptxas_log(kernels, arch);
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
  const std::string file = own_file();
  *major = fake_nvrtc_major + (file == fake_nvrtc_newer) - (file == fake_nvrtc_refused);
  *minor = 0;
  return nvrtc_success;
}
int nvrtcGetNumSupportedArchs(int* count) {
  if (own_file() == fake_nvrtc_silent) return internal_error;
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
    program->log = error_log(error.what());
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
