#include "generator/text/standalone.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/wrapped.h"
#include "generator/text/computed_checks.h"
#include "generator/text/host_needs.h"
#include "generator/text/kernel_digest.h"
#include "generator/text/provenance.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

/// A literal of C++: of printable ASCII, and everything else as octal numbers.
std::string literal_of(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte > '~') {
      literal += fmt::format("\\{:03o}", byte);
    } else {
      if (c == '"' || c == '\\') literal += '\\';
      literal += c;
    }
  }
  return literal + "\"";
}

/// A word of a template, and the text that takes its place.
using Replacement = std::pair<std::string_view, std::string_view>;

/// The text with all words replaced at once: a text that takes a word's place may hold such words,
/// as a matrix may have the name of one.
std::string replaced(std::string_view text, const std::vector<Replacement>& replacements) {
  std::string result;
  while (!text.empty()) {
    std::size_t first = text.size();
    const Replacement* found = nullptr;
    for (const Replacement& one : replacements) {
      const std::size_t at = text.find(one.first);
      if (at >= first) continue;
      first = at;
      found = &one;
    }
    result += text.substr(0, first);
    text.remove_prefix(first);
    if (!found) break;
    result += found->second;
    text.remove_prefix(found->first.size());
  }
  return result;
}

/// A text without its lines of #include and #pragma once. System includes go into `includes`.
std::string without_includes(std::string_view rest, std::set<std::string>& includes) {
  std::string text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (line.starts_with("#include <")) {
      includes.emplace(line);
    } else if (!line.starts_with("#include \"") && !line.starts_with("#pragma once")) {
      if (line != "\n" || !text.ends_with("\n\n")) text += line;
    }
  }
  return text;
}

/// A template of the host part, for a kernel with these needs; its system includes go into
/// `includes`.
std::string host_text(std::string_view path, std::string_view prefix, const HostNeeds& needs,
                      std::set<std::string>& includes) {
  const std::string text = needed_lines(template_text(path), needs);
  return replaced(without_includes(text, includes), {{"PREFIX", prefix}}) + "\n";
}

/// The members of ArrayFacts for value arrays alone, as far as they are not the defaults.
const char* value_flags(const Array& array) {
  if (array.rounded) return ", false, true";
  return array.is_dictionary() ? ", true" : "";
}

std::string array_table(const Kernel& kernel) {
  std::string text =
      fmt::format("constexpr std::array<ArrayFacts, {}> arrays = {{{{\n", kernel.arrays.size());
  for (const Array& array : kernel.arrays) {
    text +=
        fmt::format("    // {}\n    {{{}, \"{}\", {}, {}, {}, {}{}}},\n", comment_text(array.doc),
                    literal_of(array.name), element_safetensors_name(array.type), array.count,
                    array.least, array.most, array.ascending, value_flags(array));
  }
  return text + "}};\n\n";
}

std::string workspace_table(const Kernel& kernel) {
  std::string text = fmt::format("constexpr std::array<WorkspaceFacts, {}> workspaces = {{{{\n",
                                 kernel.workspaces.size());
  for (const Workspace& scratch : kernel.workspaces) {
    text += fmt::format("    // {}: {}\n    {{{}, {}}},\n", scratch.name, comment_text(scratch.doc),
                        scratch.bytes(), scratch.pointer);
  }
  return text + "}};\n\n";
}

/// The members of the facts behind the arrays, up to the last that is there.
std::string later_facts(const Kernel& kernel) {
  const char* const check = computes_arrays(kernel) ? ", check_computed" : "";
  if (!kernel.workspaces.empty()) {
    return fmt::format(", workspaces.data(), workspaces.size(){}", check);
  }
  return *check ? fmt::format(", nullptr, 0{}", check) : "";
}

std::string facts_text(const Kernel& kernel, const StandaloneInfo& info) {
  return fmt::format(
      "// facts of {}.safetensors.\n\n"
      "namespace alphasparse::host {{\n\n{}{}"
      "constexpr FormatFacts facts = {{\n"
      "    {},\n"
      "    \"{}\", {}, {}, {}, {},\n"
      "    \"{}\", \"{}\", {}, \"{}\",\n    \"{}\",\n"
      "    arrays.data(), arrays.size(){}}};\n\n"
      "}}  // namespace alphasparse::host\n\n",
      comment_text(info.name), array_table(kernel),
      kernel.workspaces.empty() ? "" : workspace_table(kernel), literal_of(kernel.design),
      dtype_name(kernel.dtype), kernel.rows, kernel.cols, kernel.nnz, kernel.mirrored,
      info.fingerprints.pattern, info.fingerprints.values, literal_of(info.generator_version),
      info.c_names_prefix(), kernel_digest(kernel), later_facts(kernel));
}

std::string place_text(const StandaloneInfo& info) {
  return fmt::format(
      "// format_file: where the program looks for its format.\n\n"
      "namespace alphasparse::host {{\n\n"
      "constexpr const char* format_file = {};\n\n"
      "}}  // namespace alphasparse::host\n\n",
      literal_of(info.name + ".safetensors"));
}

std::string launches_text(const Kernel& kernel) {
  std::string launches;
  std::string loads;
  std::set<std::string> loaded;
  for (const Launch& launch : kernel.launches) {
    launches += fmt::format(
        "{}cudaLaunchKernel({}, {}, {}, arguments, 0, stream);\n",
        launches.empty() ? "  cudaError_t status = " : "  if (status == cudaSuccess) status = ",
        launch.kernel, launch.blocks, launch.threads);
    if (!loaded.insert(launch.kernel).second) continue;
    loads += fmt::format(
        "  check_cuda(cudaFuncGetAttributes(&attributes, {}), \"loading the kernel {}\");\n",
        launch.kernel, launch.kernel);
  }
  std::string pointers;
  for (const FormatPointer& pointer : kernel.pointers())
    pointers += fmt::format("&format.{}, ", pointer.member());
  return fmt::format(
      "// launches of one SpMV, in order, each after the one before has ended.\n\n"
      "namespace alphasparse::host {{\n\n"
      "/// Gives what CUDA says of these launches alone: whatever error was there before stays.\n"
      "inline cudaError_t launch_all(Format format, const Value* x, Output out, "
      "cudaStream_t stream) {{\n"
      "  Value* y = out.y;\n{}{}  return status;\n}}\n\n"
      "/// Asking for a kernel's attributes loads it, which its first launch would do otherwise.\n"
      "inline void load_kernels() {{\n  cudaFuncAttributes attributes;\n{}}}\n\n"
      "}}  // namespace alphasparse::host\n\n",
      wrapped(1, fmt::format("void* arguments[] = {{{}&x, &y, &out.alpha, &out.beta}};", pointers)),
      launches, loads);
}

/// No array leaves the host part guessing, and no two tensors share a name.
void check_arrays(const Kernel& kernel) {
  CHECK(!kernel.launches.empty());
  for (const Array& array : kernel.arrays) {
    CHECK(array.count * element_bytes(array.type) == static_cast<std::int64_t>(array.bytes.size()));
    if (!array.is_value()) continue;
    CHECK(static_cast<std::int64_t>(array.value_source.size()) == array.count);
    CHECK(array.type == value_element_type(kernel.dtype) || array.is_single(kernel.dtype));
  }
}

std::string unnamed(const std::string& text) {
  return "namespace {\n\n" + text + (text.ends_with("\n\n") ? "" : "\n") + "}  // namespace\n\n";
}

/// The kernel's source with nothing in it that another file sees. Its kernels are static outside of
/// the unnamed namespace, because nvcc makes kernels inside one global.
std::string internal_source(const Kernel& kernel) {
  const std::string_view keyword = "extern \"C\" __global__";
  std::string text = kernel.source;
  if (!text.ends_with('\n')) text += "\n";
  const std::size_t before_first = text.rfind("\n\n", text.find(keyword));
  CHECK(before_first != std::string::npos);
  text.insert(before_first + 2, "}  // namespace\n\n");
  return "namespace {\n\n" + replaced(text, {{keyword, "static __global__"}});
}

/// The program at the end of a file.
std::string program_text(const std::string& report, const std::string& main_text,
                         const std::set<std::string>& includes,
                         const std::set<std::string>& main_includes) {
  std::string text = "#ifdef ALPHASPARSE_MAIN\n\n";
  for (const std::string& line : main_includes) {
    if (!includes.contains(line)) text += line;
  }
  return text + "\n" + unnamed(report) + main_text + "#endif  // ALPHASPARSE_MAIN\n";
}

/// The loader and the facts by which it checks: kernels that compute arrays check those too.
template <class Host>
std::string loader_text(const Kernel& kernel, const StandaloneInfo& info, const HostNeeds& needs,
                        const Host& host) {
  std::string text = host("host/format_reader.h");
  if (needs.mirrored) text += host("host/mirror.h");
  for (const char* path : {"host/entry_checks.h", "host/loaded_format.h", "host/loader.h"}) {
    text += host(path);
  }
  if (computes_arrays(kernel)) {
    text += host("host/checked.h") + host("host/computed_check.h") + computed_checks(kernel);
  }
  return text + facts_text(kernel, info);
}

std::string cpu_source(const Kernel& kernel, const StandaloneInfo& info) {
  const std::string prefix = info.c_names_prefix();
  std::set<std::string> includes = {"#include <array>\n"}, main_includes;
  const HostNeeds needs = host_needs(kernel);
  const auto host = [&](std::string_view path) { return host_text(path, prefix, needs, includes); };
  const std::string declarations = host("host/alphasparse_kernel.h") + host("host/any_handle.h");
  const std::string source = without_includes(kernel.source, includes);
  const std::string team = without_includes(template_text("lanes/team.h"), includes);
  std::string internal = host("host/facts.h") + host("host/safetensors.h") + host("host/status.h") +
                         loader_text(kernel, info, needs, host);
  for (const char* path :
       {"host/pointers.h", "host/values.h", "host/forked.h", "host/handle.h", "host/calls.h"}) {
    internal += host(path);
  }
  const std::string interface = host("host/interface.h");
  std::string report =
      place_text(info) +
      fmt::format(
          "// tuned_on: where it was verified and, by tune, timed.\n\n"
          "namespace alphasparse::host {{\n\nconstexpr const char* tuned_on = {};\n"
          "constexpr int tuned_threads = {};\n\n}}  // namespace alphasparse::host\n\n",
          literal_of(info.processor), info.threads);
  for (const char* path :
       {"host/vectors.h", "host/product.h", "host/check.h", "host/samples.h", "host/report.h"}) {
    report += host_text(path, prefix, needs, main_includes);
  }
  const std::string main_text = host_text("host/main.h", prefix, needs, main_includes);
  std::string directives =
      "#ifndef _OPENMP\n#error \"OpenMP is missing: compile with -fopenmp\"\n#endif\n\n";
  for (const std::string& line : includes) directives += line;
  return opening(kernel, info, directives + "\n", unnamed(source)) + declarations +
         unnamed(team + "\n" + internal) + interface +
         program_text(report, main_text, includes, main_includes);
}

}  // namespace

std::string standalone_source(const Kernel& kernel, const StandaloneInfo& info) {
  check_arrays(kernel);
  if (is_cpu(kernel)) return cpu_source(kernel, info);
  const std::string prefix = info.c_names_prefix();
  std::set<std::string> includes = {"#include <array>\n"};
  const HostNeeds needs = host_needs(kernel);
  const auto host = [&](std::string_view path) { return host_text(path, prefix, needs, includes); };
  const std::string declarations = host("host/alphasparse_kernel.h") + host("host/any_handle.h");
  std::string internal = host("host/facts.h") + host("host/safetensors.h") + host("host/status.h") +
                         host("host/cuda_error.cuh") + launches_text(kernel) +
                         loader_text(kernel, info, needs, host);
  for (const char* path : {"host/pointers.h", "host/values.h", "host/handle.cuh", "host/values.cuh",
                           "host/calls.h", "host/calls.cuh"}) {
    internal += host(path);
  }
  const std::string interface = host("host/interface.cuh");
  const std::string place_values = host("host/place_values.cuh");
  std::set<std::string> main_includes;
  std::string report = place_text(info);
  for (const char* path : {"host/vectors.h", "host/product.cuh", "host/check.h", "host/samples.h",
                           "host/timing.cuh", "host/report.cuh"}) {
    report += host_text(path, prefix, needs, main_includes);
  }
  const std::string main_text = host_text("host/main.h", prefix, needs, main_includes);
  std::string directives;
  for (const std::string& line : includes) directives += line;
  const std::string hide =
      "#pragma GCC visibility push(hidden)  // nvcc gives an unnamed namespace a name\n\n";
  const std::string show = "#pragma GCC visibility pop\n\n";
  return opening(kernel, info, directives + "\n" + hide, internal_source(kernel) + "\n") + show +
         declarations + hide + place_values + unnamed(internal) + show + interface +
         program_text(report, main_text, includes, main_includes);
}

std::string loader_source(const Kernel& kernel, const StandaloneInfo& info) {
  std::set<std::string> includes = {"#include <array>\n"};
  const HostNeeds needs;
  const auto host = [&](std::string_view path) {
    return host_text(path, info.c_names_prefix(), needs, includes);
  };
  const std::string text =
      host("host/facts.h") + host("host/safetensors.h") + loader_text(kernel, info, needs, host);
  std::string directives;
  for (const std::string& line : includes) directives += line;
  return directives + "\n" + unnamed(text);
}

std::string kernels_source(const Kernel& kernel, const StandaloneInfo& info) {
  CHECK(!is_cpu(kernel) && !kernel.launches.empty());
  const std::string file = info.name + ".kernel.cu";
  const std::string build = fmt::format(
      "nvcc -std=c++17 -arch={} -cubin {}, or NVRTC with --std=c++17", info.arch, file_word(file));
  CommentLines lines = {};
  for (const Launch& launch : kernel.launches) {
    lines.push_back({"launch", fmt::format("{} with {} blocks of {} threads", launch.kernel,
                                           launch.blocks, launch.threads)});
  }
  return comment_text(fmt::format("// {}: the kernels of {} alone, for whoever loads its format "
                                  "and launches them.",
                                  file, source_name(kernel, info))) +
         "\n//\n" + comment_of(kernel_lines(kernel, info, {{"build", build}})) +
         "//\n// One SpMV is these launches, in order, each after the one before has ended:\n" +
         comment_of(lines) +
         "// All take the same parameters: a pointer to each array of the format in the order of "
         "its\n// metadata \"arrays\", with each of its \"workspaces\" at the place that it "
         "names, then x, y,\n// alpha and beta.\n\n" +
         kernel.source;
}

std::string_view kernel_header() { return template_text("host/alphasparse_kernel.h"); }

std::string standalone_header(const Kernel& kernel, const StandaloneInfo& info) {
  std::int64_t workspace_bytes = 0;
  for (const Workspace& scratch : kernel.workspaces) {
    workspace_bytes += (scratch.bytes() + 255) / 256 * 256;
  }
  const std::string note = kernel.workspaces.empty()
                               ? ""
                               : " A handle has one workspace: its SpMVs run one at a time,\n"
                                 "// unless they are given others.";
  const std::string bytes = std::to_string(workspace_bytes), cols = std::to_string(kernel.cols),
                    rows = std::to_string(kernel.rows), nnz = std::to_string(kernel.nnz),
                    prefix = info.c_names_prefix(),
                    format_file = comment_text(info.name) + ".safetensors";
  const std::string text =
      replaced(template_text(is_cpu(kernel) ? "host/named_cpu_kernel.h" : "host/named_kernel.h"),
               {{"WORKSPACE_NOTE", note},
                {"WORKSPACE_BYTES", bytes},
                {"COLS", cols},
                {"ROWS", rows},
                {"NNZ", nnz},
                {"VALUE", dtype_cuda_name(kernel.dtype)},
                {"PREFIX", prefix},
                {"FORMAT_FILE", format_file}});
  return comment_text(fmt::format("// {0}.h: y = alpha * A * x + beta * y for one sparse matrix, "
                                  "in C; {1} defines it.",
                                  info.name, source_name(kernel, info))) +
         "\n" + comment_text("//   matrix   " + matrix_line(kernel, info)) + "\n//\n" + text;
}

}  // namespace alphasparse
