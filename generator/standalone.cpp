#include "generator/standalone.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/result.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

/// Text for a comment's line: control characters would end it, a backslash may join the next one.
std::string comment_text(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  if (!safe.empty() && safe.back() == '\\') safe.back() = '?';
  return safe;
}

/// One word for a POSIX shell.
std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./=+-").find(c) != std::string_view::npos;
  };
  bool quoted = text.empty();
  std::string word;
  for (const char c : text) {
    quoted |= !plain(c);
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return quoted ? "'" + word + "'" : word;
}

std::string cuda_string(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return literal + "\"";
}

std::string header_comment(const Kernel& kernel, const StandaloneInfo& info) {
  const std::int64_t csr_bytes =
      kernel.nnz * (dtype_bytes(kernel.dtype) + 4) + (std::int64_t{kernel.rows} + 1) * 4;
  const std::string dtype = dtype_name(kernel.dtype);
  std::vector<std::pair<const char*, std::string>> lines = {
      {"design", kernel.design},
      {"matrix", fmt::format("{}: {} rows, {} columns, {} non-zeros, {}", info.matrix, kernel.rows,
                             kernel.cols, kernel.nnz, dtype)},
      {"pattern", info.fingerprints.pattern},
      {"values", info.fingerprints.values},
      {"format", fmt::format("{}.safetensors, of which kernels read {} bytes; as CSR {} bytes",
                             info.name, kernel.format_bytes(), csr_bytes)},
      {"results", kernel.adds_in_any_order ? "may differ in their last bits from run to run"
                                           : "are the same bits in every run"},
      {"made by", "alphasparse " + info.release},
      {"remake", fmt::format("alphasparse emit {} --design {} --dtype {}", shell_word(info.matrix),
                             shell_word(kernel.design), dtype)},
      {"build", fmt::format("nvcc -std=c++17 -O3 -arch={} -DALPHASPARSE_MAIN {} -o {}", info.arch,
                            shell_word(info.name + ".cu"), shell_word(info.name))},
      {"run",
       fmt::format("{} {}", shell_word("./" + info.name), shell_word(info.name + ".safetensors"))},
  };
  if (kernel.value_error > 0) {
    const std::string loss = fmt::format(
        "values are stored as float, largest relative error {:.2g}", kernel.value_error);
    lines.insert(lines.begin() + 4, {"rounded", loss});
  }
  std::string text =
      comment_text(
          fmt::format("// {}.cu: y = alpha * A * x + beta * y for one sparse matrix.", info.name)) +
      "\n//\n";
  for (const auto& [what, line] : lines) {
    text += comment_text(fmt::format("//   {:<9}{}", what, line)) + "\n";
  }
  return text +
         "//\n// Without ALPHASPARSE_MAIN it is a library of C functions: alphasparse_load, "
         "alphasparse_spmv,\n// alphasparse_update_values, alphasparse_free and "
         "alphasparse_message, at the end of this file.\n\n";
}

/// Templates of the host part; their system includes go into `includes`.
std::string host_text(std::string_view path, std::set<std::string>& includes) {
  std::string_view rest = template_text(path);
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
  return text + "\n";
}

/// What ArrayFacts says of value arrays alone, as far as it is not the default.
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
                    cuda_string(array.name), element_safetensors_name(array.type), array.count,
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

std::string facts_text(const Kernel& kernel, const StandaloneInfo& info) {
  return fmt::format(
      "// facts of {}.safetensors, and where the program looks for it.\n\n"
      "namespace alphasparse::host {{\n\n{}{}"
      "constexpr FormatFacts facts = {{\n"
      "    {},\n"
      "    \"{}\", {}, {}, {}, {},\n"
      "    \"{}\", \"{}\", {},\n"
      "    arrays.data(), arrays.size(){}}};\n\n"
      "inline constexpr const char* format_file = {};\n\n"
      "}}  // namespace alphasparse::host\n\n",
      comment_text(info.name), array_table(kernel),
      kernel.workspaces.empty() ? "" : workspace_table(kernel), cuda_string(kernel.design),
      dtype_name(kernel.dtype), kernel.rows, kernel.cols, kernel.nnz, kernel.mirrored,
      info.fingerprints.pattern, info.fingerprints.values, cuda_string(info.generator_version),
      kernel.workspaces.empty() ? "" : ", workspaces.data(), workspaces.size()",
      cuda_string(info.name + ".safetensors"));
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
  return fmt::format(
      "// launches of one SpMV, in order, each after the one before has ended.\n\n"
      "namespace alphasparse::host {{\n\n"
      "/// Gives what CUDA says of these launches alone: whatever error was there before stays.\n"
      "inline cudaError_t launch_all(Format format, const Value* x, Output out, "
      "cudaStream_t stream) {{\n"
      "  void* arguments[] = {{&format, &x, &out}};\n{}  return status;\n}}\n\n"
      "/// Asking for a kernel's attributes loads it, which its first launch would do otherwise.\n"
      "inline void load_kernels() {{\n  cudaFuncAttributes attributes;\n{}}}\n\n"
      "}}  // namespace alphasparse::host\n\n",
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

}  // namespace

std::string standalone_source(const Kernel& kernel, const StandaloneInfo& info) {
  check_arrays(kernel);
  std::set<std::string> includes = {"#include <array>\n"};
  const std::string facts = host_text("host/facts.h", includes) + facts_text(kernel, info);
  const std::string launches = host_text("host/cuda_error.cuh", includes) + launches_text(kernel);
  std::string host;
  for (const char* path : {"host/safetensors.h", "host/format_reader.h", "host/mirror.h",
                           "host/loader.h", "host/interface.cuh"}) {
    host += host_text(path, includes);
  }
  std::set<std::string> main_includes;
  std::string main_text;
  for (const char* path : {"host/check.cuh", "host/timing.cuh", "host/main.cuh"}) {
    main_text += host_text(path, main_includes);
  }
  std::string text = header_comment(kernel, info);
  for (const std::string& line : includes) text += line;
  text += "\n" + facts + kernel.source;
  if (!kernel.source.ends_with('\n')) text += "\n";
  text += "\n" + launches + host + "#ifdef ALPHASPARSE_MAIN\n\n";
  for (const std::string& line : main_includes) {
    if (!includes.contains(line)) text += line;
  }
  return text + "\n" + main_text + "#endif  // ALPHASPARSE_MAIN\n";
}

}  // namespace alphasparse
