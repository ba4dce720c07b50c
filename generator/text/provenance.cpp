#include "generator/text/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/printable.h"
#include "generator/arrays/spelling.h"
#include "generator/text/emitted_file.h"
#include "generator/text/facts_text.h"
#include "generator/text/host_text.h"
#include "generator/text/kernel_order.h"

namespace alphasparse {

namespace {

/// One word for every POSIX shell; zsh expands a = in front.
std::string quote_shell(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./+-:").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  return "'" + replaced(text, {{"'", "'\\''"}}) + "'";
}

/// The option that makes the same names again, where they are not those that it would have anyway.
std::string prefix_option(const StandaloneInfo& info) {
  const std::string prefix = info.c_names_prefix();
  return prefix == c_prefix(info.name) ? "" : " --prefix " + prefix;
}

std::string build_line(const Kernel& kernel, const StandaloneInfo& info) {
  return build_command(find_spelling(kernel.target, kernel.dialect), info.arch,
                       source_name(kernel, info), info.name);
}

/// The command that makes the same files again.
std::string remake_line(const Kernel& kernel, const StandaloneInfo& info) {
  std::string line = "alphasparse emit " + quote_file(info.matrix);
  line += info.device.empty()
              ? fmt::format(fmt::runtime(emitted_file(kernel).remake_device), info.threads)
              : " --device " + quote_shell(info.device);
  if (info.transposed) line += " --transpose";
  if (kernel.own_order) line += " --vectors-order own";
  if (kernel.vectors > 1) line += fmt::format(" --vectors {}", kernel.vectors);
  if (!info.requested_name.empty()) line += " --name=" + quote_shell(info.requested_name);
  line += fmt::format(" --design {} --dtype {}{}{}", quote_shell(kernel.design),
                      dtype_name(kernel.dtype), prefix_option(info),
                      info.shared ? " --runtime shared" : "");
  return copied_command(line);
}

std::int64_t line_count(std::string_view text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// Lines of the file: the kernel [first, end), and behind it [end, helpers_end) its functions.
struct KernelLines {
  std::int64_t first = 0, end = 0, helpers_end = 0;
};

/// How many lines there are up to the last end of a function before a place.
std::int64_t lines_of_functions(const std::string& text, std::size_t offset) {
  return line_count(std::string_view(text).substr(0, text.rfind("}\n", offset) + 2));
}

std::string header_comment(const Kernel& kernel, const StandaloneInfo& info,
                           const KernelLines& lines) {
  std::string text = comment_text(fmt::format("// {}: {} for one sparse matrix.",
                                              source_name(kernel, info), product_formula(kernel))) +
                     "\n";
  text += "// clang-format off\n";
  text += write_comment(kernel_lines(
      kernel, info, {{"build", build_line(kernel, info)}, {"run", program_command(info.name)}}));
  text +=
      fmt::format("//   kernel   lines {} to {}{}\n", lines.first, lines.end - 1,
                  lines.end == lines.helpers_end
                      ? ""
                      : fmt::format("; the functions that it calls: to {}", lines.helpers_end - 1));
  text += comment_text(
      fmt::format("// Without ALPHASPARSE_MAIN it is a library with the C functions of {}.h: "
                  "{}_load and others.",
                  info.name, info.c_names_prefix()));
  return text + "\n\n";
}

/// Names are a kernel's own in its file alone.
constexpr std::string_view one_file =
    R"(#ifdef ALPHASPARSE_KERNEL_FILE
#error "two kernels in one unit: compile each file alone, in CMake by SKIP_UNITY_BUILD_INCLUSION"
#endif
#define ALPHASPARSE_KERNEL_FILE

)";

}  // namespace

std::string comment_text(std::string_view text) {
  std::string safe = printable(text);
  const std::string_view shown = std::string_view(safe).substr(0, safe.find_last_not_of(' ') + 1);
  if (shown.ends_with('\\') || shown.ends_with("?\?/")) safe[shown.size() - 1] = '?';
  return safe;
}

std::string copied_command(const std::string& command) {
  return printable(command) == command
             ? command
             : "none, for a name with characters that no line shows: rename the file";
}

std::string quote_file(const std::string& file) {
  return quote_shell(file.rfind('-', 0) == 0 && file != "-" ? "./" + file : file);
}

std::string matrix_line(const Kernel& kernel, const StandaloneInfo& info) {
  return fmt::format("{}: {} rows, {} columns, {} non-zeros, {}", info.matrix, kernel.rows,
                     kernel.cols, kernel.nnz, dtype_name(kernel.dtype));
}

std::string source_name(const Kernel& kernel, const StandaloneInfo& info) {
  return info.name + std::string(emitted_file(kernel).ending);
}

std::string write_comment(const CommentLines& lines) {
  std::string text;
  for (const auto& [what, line] : lines)
    text += comment_text(fmt::format("//   {:<9}{}", what, line)) + "\n";
  return text;
}

CommentLines kernel_lines(const Kernel& kernel, const StandaloneInfo& info,
                          const CommentLines& building) {
  const std::int64_t csr_bytes = alphasparse::csr_bytes(kernel.rows, kernel.nnz, kernel.dtype);
  CommentLines lines = {
      {"design", kernel.design},
      {"matrix", matrix_line(kernel, info)},
      {"pattern", info.fingerprints.pattern},
      {"values", info.fingerprints.values},
      {"format", fmt::format("{}.safetensors, of which kernels read {} bytes; as CSR {} bytes",
                             info.name, kernel.format_bytes(), csr_bytes)},
      {"results", kernel.adds_in_any_order ? "may differ in their last bits from run to run"
                                           : std::string(emitted_file(kernel).same_results)},
      {"inf, nan", nonfinite_doc(kernel.nonfinite())},
      {"made by",
       fmt::format("alphasparse {}, generator {}", info.release, info.generator_version)},
      {"remake", remake_line(kernel, info)},
  };
  if (kernel.vectors > 1)
    lines.push_back({"vectors", fmt::format("X and Y have {} columns, of which one pass over A "
                                            "takes {}",
                                            kernel.vectors, kernel.pass_columns)});
  if (kernel.own_order)
    lines.push_back({"order", fmt::format("x and y are in an order of the kernel's own: {}.h has "
                                          "the functions that move them",
                                          info.name)});
  lines.insert(lines.end(), building.begin(), building.end());
  if (!info.time_kind.empty())
    lines.push_back(
        {"device", fmt::format("{}, whose times are {}", info.processor, info.time_kind)});
  if (!info.compiled_by.empty()) lines.push_back({"compiled", "by " + info.compiled_by});
  if (!info.checked_by.empty()) lines.push_back({"checked", "by " + info.checked_by});
  if (kernel.value_error > 0) {
    const std::string loss = fmt::format(
        "values are stored as float, largest relative error {:.2g}", kernel.value_error);
    lines.insert(lines.begin() + 4, {"rounded", loss});
  }
  return lines;
}

std::string opening(const Kernel& kernel, const StandaloneInfo& info, const std::string& behind,
                    const std::string& kernel_text) {
  const std::string directives = std::string(one_file) + behind;
  KernelLines lines;
  lines.first = line_count(header_comment(kernel, info, lines) + directives) + 1;
  lines.end = lines.first + lines_of_functions(kernel_text, end_of_kernels(kernel_text));
  lines.helpers_end = lines.first + lines_of_functions(kernel_text, std::string::npos);
  return header_comment(kernel, info, lines) + directives + kernel_text;
}

std::string build_command(const Spelling& spelling, const std::string& arch,
                          const std::string& source, const std::string& program) {
  const std::string compiler = fmt::format(fmt::runtime(spelling.compiler), arch);
  return copied_command(fmt::format("{} -DALPHASPARSE_MAIN {} -o {}", compiler, quote_file(source),
                                    quote_file(program)));
}

std::string program_command(const std::string& name) {
  return copied_command(quote_shell("./" + name) + " " + quote_file(name + ".safetensors"));
}

}  // namespace alphasparse
