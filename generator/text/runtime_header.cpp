#include "generator/text/runtime_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "generator/text/emitted_file.h"
#include "generator/text/facts_text.h"
#include "generator/text/host_needs.h"
#include "generator/text/host_text.h"
#include "generator/text/provenance.h"

namespace alphasparse {

namespace {

constexpr std::string_view opening_comment =
    R"(// alphasparse_runtime.h: the code that kernels of alphasparse share, for GPUs and CPUs. It has the
// loader of format files, their checks, the C functions and a kernel's program.
//
// Kernels NAME.cu and NAME.cpu.cpp that include it lie beside it. One compiler command builds each:
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -c NAME.cu
//   g++ -std=c++17 -O3 -march=native -fopenmp -c NAME.cpu.cpp
//
// A project of many kernels compiles the loader once. Its kernels are compiled with
// -DALPHASPARSE_RUNTIME_COMPILED, and two further lines are a source beside them:
//
//   #define ALPHASPARSE_RUNTIME_IMPLEMENTATION  // and, in a .cu file, ALPHASPARSE_RUNTIME_CUDA
//   #include "alphasparse_runtime.h"
//
// The CMake function alphasparse_add_kernel does all of this.

)";

constexpr std::string_view choices =
    R"(#if defined(ALPHASPARSE_RUNTIME_COMPILED) && defined(ALPHASPARSE_MAIN)
#error "ALPHASPARSE_MAIN makes a program of one kernel: leave ALPHASPARSE_RUNTIME_COMPILED out"
#endif
#if !defined(ALPHASPARSE_RUNTIME_CUDA) && !defined(_OPENMP)
#error "OpenMP is missing: compile with -fopenmp"
#endif

// A file that shares its definitions has them in a namespace of this version. Another one has them
// for itself.
#if defined(ALPHASPARSE_RUNTIME_COMPILED) || defined(ALPHASPARSE_RUNTIME_IMPLEMENTATION)
#define ALPHASPARSE_RUNTIME_SHARED
#endif
#if !defined(ALPHASPARSE_RUNTIME_COMPILED) || defined(ALPHASPARSE_RUNTIME_IMPLEMENTATION)
#define ALPHASPARSE_RUNTIME_DEFINED
#endif

)";

/// The names of C functions in the templates.
constexpr std::string_view functions[] = {
    "message",         "free",          "load",
    "set_threads",     "spmv",          "spmv_with",
    "workspace_bytes", "update_values", "update_values_device",
    "interface"};

/// Templates with the lines that any kernel needs.
std::string all_lines(const HostParts::Paths& paths, Includes& includes) {
  return host_text(paths, HostNeeds{}, includes);
}

/// A stretch of templates for one target, or for both.
struct Stretch {
  HostParts::Paths gpu, cpu;
  bool both = false;
};

/// Two lists as stretches in their order: templates that both have stand once.
std::vector<Stretch> stretches(const HostParts::Paths& gpu, const HostParts::Paths& cpu) {
  std::vector<Stretch> all;
  auto next = cpu.begin();
  Stretch own;
  for (const std::string_view path : gpu) {
    const auto same = std::find(next, cpu.end(), path);
    if (same == cpu.end()) {
      own.gpu.push_back(path);
      continue;
    }
    own.cpu.assign(next, same);
    if (!own.gpu.empty() || !own.cpu.empty()) all.push_back(own);
    own = {};
    next = same + 1;
    all.push_back({{path}, {path}, true});
  }
  own.cpu.assign(next, cpu.end());
  if (!own.gpu.empty() || !own.cpu.empty()) all.push_back(own);
  return all;
}

/// A choice by the target; nothing where neither has text.
std::string by_target(const std::string& gpu, const std::string& cpu) {
  if (gpu.empty() && cpu.empty()) return "";
  if (cpu.empty()) return "#ifdef ALPHASPARSE_RUNTIME_CUDA\n" + gpu + "#endif\n\n";
  if (gpu.empty()) return "#ifndef ALPHASPARSE_RUNTIME_CUDA\n" + cpu + "#endif\n\n";
  return "#ifdef ALPHASPARSE_RUNTIME_CUDA\n" + gpu + "#else\n" + cpu + "#endif\n\n";
}

/// Templates of both targets, and their includes.
struct Section {
  std::string includes, text;
};

Section section(const HostParts::Paths& gpu, const HostParts::Paths& cpu) {
  Section result;
  Includes common, gpu_own, cpu_own;
  for (const Stretch& stretch : stretches(gpu, cpu)) {
    if (stretch.both) {
      result.text += all_lines(stretch.gpu, common);
      continue;
    }
    const std::string gpu_text = all_lines(stretch.gpu, gpu_own),
                      cpu_text = all_lines(stretch.cpu, cpu_own);
    result.text +=
        by_target(gpu_text.empty() ? "" : "\n" + gpu_text, cpu_text.empty() ? "" : "\n" + cpu_text);
  }
  for (const std::string& line : common) gpu_own.erase(line), cpu_own.erase(line);
  const std::string chosen = by_target(lines_of(gpu_own), lines_of(cpu_own));
  result.includes = lines_of(common) + (chosen.empty() ? "\n" : chosen);
  return result;
}

Section section(HostParts::Paths HostParts::*part) {
  return section(emitted_file(Target::cuda).parts.*part, emitted_file(Target::cpu).parts.*part);
}

/// The text in the runtime's own namespace, of which other libraries see nothing.
std::string in_runtime(const std::string& version, const std::string& text) {
  const std::string name = "namespace alphasparse_runtime_" + version;
  return "#pragma GCC visibility push(hidden)  // nvcc gives an unnamed namespace a name\n"
         "#ifndef ALPHASPARSE_RUNTIME_SHARED\nnamespace {\n#endif\n\n" +
         replaced(in_one_namespace(text), {{"namespace alphasparse::host", name}}) +
         "#ifndef ALPHASPARSE_RUNTIME_SHARED\n}  // namespace\n#endif\n"
         "#pragma GCC visibility pop\n\n";
}

std::string declarations(const std::string& version) {
  const Section interface = section(&HostParts::interface);
  const Section functions = section(&HostParts::declarations);
  return functions.includes + interface.includes + interface.text +
         in_runtime(version, functions.text) +
         fmt::format(
             "namespace {{\nnamespace alphasparse::host {{\n"
             "using namespace alphasparse_runtime_{};\n"
             "}}  // namespace alphasparse::host\n}}  // namespace\n\n",
             version);
}

std::string definitions(const std::string& version) {
  const Section loading = section(&HostParts::loading), places = section(&HostParts::place_values);
  return "#ifdef ALPHASPARSE_RUNTIME_DEFINED\n\n" + loading.includes + places.text +
         in_runtime(version, loading.text) + "#endif\n\n";
}

/// Their macros. The names are joined before they are expanded: a prefix may be a macro of others.
std::string function_names(bool define) {
  std::string text;
  for (const std::string_view name : functions) {
    text += define ? fmt::format("#define PREFIX_{0} ALPHASPARSE_FUNCTION({0})\n", name)
                   : fmt::format("#undef PREFIX_{}\n", name);
  }
  return text;
}

/// C functions by their macros, in literals too.
std::string with_literals(const std::string& text) {
  std::vector<std::string> words;
  for (const std::string_view name : functions) {
    words.push_back(fmt::format("\"PREFIX_{}\"", name));
    words.push_back(fmt::format("ALPHASPARSE_TEXT(PREFIX_{})", name));
  }
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; i < words.size(); i += 2)
    replacements.emplace_back(words[i], words[i + 1]);
  return replaced(text, replacements);
}

/// The part over a kernel's names, at the end of its file.
std::string kernel_part() {
  const Section own = section(&HostParts::kernel), functions = section(&HostParts::functions),
                report = section(&HostParts::report);
  const EmittedFile& gpu = emitted_file(Target::cuda);
  Includes main_includes;
  const std::string main_text = all_lines({"host/main.h"}, main_includes);
  return "#ifdef ALPHASPARSE_FUNCTION  // of a kernel, which stands before\n\n" + own.includes +
         "#define ALPHASPARSE_QUOTE(name) #name\n"
         "#define ALPHASPARSE_TEXT(name) ALPHASPARSE_QUOTE(name)\n" +
         function_names(true) + "\n" + std::string(gpu.hide) + unnamed(in_one_namespace(own.text)) +
         std::string(gpu.show) + with_literals(functions.text) + "#ifdef ALPHASPARSE_MAIN\n\n" +
         report.includes + lines_of(main_includes) + "\n" + unnamed(in_one_namespace(report.text)) +
         main_text + "#endif  // ALPHASPARSE_MAIN\n\n" + function_names(false) +
         "#undef ALPHASPARSE_QUOTE\n#undef ALPHASPARSE_TEXT\n#undef ALPHASPARSE_FUNCTION\n"
         "#endif  // ALPHASPARSE_FUNCTION\n";
}

/// The words behind `mark` in its line, which may end as Windows has it; empty: the text has none.
std::string after(const std::string& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t first = at + mark.size();
  return text.substr(first, text.find_first_of("\r\n", first) - first);
}

/// The end of a kernel's file, where the header has another version than the kernel needs.
std::string mismatch_text(const Kernel& kernel, const StandaloneInfo& info) {
  return fmt::format(
      "#else\nstatic_assert(ALPHASPARSE_RUNTIME_VERSION == {},\n"
      "              {} ALPHASPARSE_RUNTIME_VERSION_TEXT\n"
      "              \": emit the kernel again, or put its own header beside it\");\n#endif\n",
      info.generator_version,
      literal_of(fmt::format("{} needs version {} of alphasparse_runtime.h, not ",
                             source_name(kernel, info), info.generator_version)));
}

}  // namespace

std::string runtime_header(const std::string& version) {
  return std::string(opening_comment) + "#ifndef ALPHASPARSE_RUNTIME_VERSION\n" +
         fmt::format(
             "#define ALPHASPARSE_RUNTIME_VERSION {0}\n"
             "#define ALPHASPARSE_RUNTIME_VERSION_TEXT \"{0}\"\n\n",
             version) +
         std::string(choices) + declarations(version) + definitions(version) +
         "#endif  // ALPHASPARSE_RUNTIME_VERSION\n\n" + kernel_part();
}

std::string runtime_version(const std::string& text) {
  const std::string needed = after(text, "\n#if ALPHASPARSE_RUNTIME_VERSION == ");
  return needed.empty() ? after(text, "\n#define ALPHASPARSE_RUNTIME_VERSION ") : needed;
}

std::string shared_source(const Kernel& kernel, const StandaloneInfo& info) {
  check_arrays(kernel);
  const EmittedFile& file = emitted_file(kernel);
  Includes includes;
  const std::string own = file.kernel(kernel, includes);
  includes.erase("#include <cuda_runtime.h>\n");  // the header has it
  const std::string directives = std::string(file.runtime_define) + lines_of(includes) +
                                 (includes.empty() ? "" : "\n") +
                                 "#include \"alphasparse_runtime.h\"\n\n" + std::string(file.hide);
  std::string sections = own_sections(kernel, info);
  sections.pop_back();  // the empty line: the outer namespace ends there too
  return opening(kernel, info, directives, own) + std::string(file.show) + as_written +
         fmt::format("#if ALPHASPARSE_RUNTIME_VERSION == {}\n\n", info.generator_version) +
         "namespace {\n" + sections + "}  // namespace\n\n" +
         fmt::format(
             "#define ALPHASPARSE_FUNCTION(name) {}_##name\n#include \"alphasparse_runtime.h\"\n",
             info.c_names_prefix()) +
         mismatch_text(kernel, info);
}

}  // namespace alphasparse
