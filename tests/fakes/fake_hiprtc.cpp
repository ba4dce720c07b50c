// fake_hiprtc: a fake of hiprtc that compiles HIP source for the fake of the driver. FAKE_ROCM_5
// makes it that of ROCm 5.
//
// As hiprtc does, it gives the log without a closing zero, and an error stands in a file of its
// own folder but where #line names another. Its image has a code object's note on the kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "templates/templates.h"
#include "tests/fakes/fake_compiler.h"
#include "tests/fakes/fake_nvrtc.h"

using namespace alphasparse;

namespace {

constexpr int invalid_input = 3;
constexpr int compilation_failed = 6;

struct Program {
  std::string source;
  std::string name;
  std::string log;
  std::string code;
};

/// The options that clang knows, as regular expressions.
constexpr const char* known_options[] = {"--(offload-arch|gpu-architecture)=.+",
                                         "-std=(c|gnu)\\+\\+(11|14|17|20)",
                                         "-O[0-3]",
                                         "-m(no-)?unsafe-fp-atomics",
                                         "-f(no-)?fast-math",
                                         "-ffp-contract=\\w+",
                                         "-f(no-)?declspec",
                                         "-nogpu(inc|lib)",
                                         "-W.*",
                                         "-w",
                                         "-g",
                                         "-D\\w+(=.*)?"};

constexpr std::string_view processors[] = {"gfx906",  "gfx908",  "gfx90a",  "gfx940",
                                           "gfx941",  "gfx942",  "gfx950",  "gfx1030",
                                           "gfx1100", "gfx1101", "gfx1200", "gfx1201"};

/// The first option that clang does not know; empty: it knows all.
std::string unknown_option(const std::vector<std::string>& options) {
  const auto is_known = [](const std::string& option) {
    return std::any_of(std::begin(known_options), std::end(known_options), [&](const char* known) {
      return std::regex_match(option, std::regex(known));
    });
  };
  const auto found = std::find_if_not(options.begin(), options.end(), is_known);
  return found == options.end() ? "" : *found;
}

std::string arch_of(const std::vector<std::string>& options) {
  std::string arch;
  for (const std::string& option : options) {
    if (option.find("arch") != std::string::npos) arch = option.substr(option.find('=') + 1);
  }
  return arch;
}

/// The source without the words of templates/hip, which the emulator's shim has, and with as many
/// lines.
std::string without_words(std::string source) {
  const std::string_view words = template_text("hip/cuda_names.cuh");
  const std::string_view end =
      words.substr(words.size() - std::min<std::size_t>(words.size(), 200));
  const std::size_t at = source.find(end);
  if (at == std::string::npos) return source;
  const auto last = source.begin() + static_cast<std::ptrdiff_t>(at + end.size());
  const auto lines = static_cast<std::size_t>(std::count(source.begin(), last, '\n'));
  return std::string(lines, '\n') + std::string(last, source.end());
}

int compile(Program& program, const std::vector<std::string>& options) {
  const std::string arch = arch_of(options);
  const std::string processor = arch.substr(0, arch.find(':'));
  const auto failed = [&](const std::string& text) {
    program.log = fmt::format("{}\n1 error generated when compiling for {}.\n", text, processor);
    return compilation_failed;
  };
  if (std::find(std::begin(processors), std::end(processors), processor) == std::end(processors))
    return compilation_failed;  // with an empty log
  if (const std::string option = unknown_option(options); !option.empty())
    return failed(fmt::format("error: unknown argument: '{}'", option));
  std::string source = without_words(program.source);
#ifdef FAKE_ROCM_5
  std::string file = "/tmp/comgr-fa4e00/input/CompileSource";
#else
  std::string file = "/tmp/comgr-fa4e00/input/" + program.name;
#endif
  static const std::regex line_number("#line (\\d+)(?: \"([^\"]*)\")?\n");
  if (std::smatch match; std::regex_search(source, match, line_number)) {
    if (match[2].matched) file = match[2];
    source =
        std::string(std::stoul(match[1]) - 1, '\n') + std::string(match[0].second, source.cend());
  }
  FakeError error;
  const std::optional<FakeImage> image = fake_compile(source, arch, error);
  if (!image && error.line == 0) return failed("error: " + error.text);
  if (!image)
    return failed(fmt::format("{}:{}:{}: error: {}", file, error.line, error.column, error.text));
  program.code = image->bytes;
  if (fake_compiler_file() == fake_nvrtc_refused) program.code[4] = 0;  // of no class of ELF
  return 0;
}

Program& program_of(void* handle) { return *static_cast<Program*>(handle); }

int copy_bytes(const std::string& bytes, char* to) {
  std::memcpy(to, bytes.data(), bytes.size());
  return 0;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* hiprtcGetErrorString(int code) {
  return code == compilation_failed ? "HIPRTC_ERROR_COMPILATION" : "HIPRTC_ERROR_FAKED";
}
int hiprtcVersion(int* major, int* minor) {
#ifdef FAKE_ROCM_5
  *major = 9;  // as every one of ROCm 5 says
#else
  *major = fake_nvrtc_major + (fake_compiler_file() == fake_nvrtc_newer);
#endif
  *minor = 0;
  return 0;
}
int hiprtcCreateProgram(void** program, const char* source, const char* name, int header_count,
                        const char* const*, const char* const*) {
  if (*source == '\0' || header_count < 0) return invalid_input;
  const bool is_named = name != nullptr && *name != '\0';
  *program = new Program{source, is_named ? name : "CompileSource", "", ""};
  return 0;
}
int hiprtcDestroyProgram(void** program) {
  if (program == nullptr) return invalid_input;
  delete static_cast<Program*>(*program);
  return 0;
}
int hiprtcCompileProgram(void* program, int option_count, const char* const* options) {
  try {
    return compile(program_of(program), {options, options + option_count});
  } catch (const std::exception& error) {
    program_of(program).log = fmt::format("error: {}\n", error.what());
    return compilation_failed;
  }
}
int hiprtcGetProgramLogSize(void* program, std::size_t* bytes) {
  *bytes = program_of(program).log.size();
  return 0;
}
int hiprtcGetProgramLog(void* program, char* text) {
  return copy_bytes(program_of(program).log, text);
}
int hiprtcGetCodeSize(void* program, std::size_t* bytes) {
  *bytes = program_of(program).code.size();
  return 0;
}
int hiprtcGetCode(void* program, char* image) {
  return copy_bytes(program_of(program).code, image);
}
}
#pragma GCC visibility pop
