#include "generator/text/runtime_header.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "generator/text/emitted_file.h"
#include "generator/text/facts_text.h"
#include "generator/text/host_text.h"
#include "generator/text/provenance.h"

namespace alphasparse {

namespace {

/// The names of C functions in the templates.
constexpr std::string_view functions[] = {"message",
                                          "free",
                                          "load",
                                          "set_threads",
                                          "spmv",
                                          "spmv_with",
                                          "spmm",
                                          "spmm_columns",
                                          "workspace_bytes",
                                          "update_values",
                                          "update_values_device",
                                          "interface",
                                          "order",
                                          "to_own",
                                          "from_own"};

/// C functions by their macros, in literals too.
std::string with_literals(const std::string& text) {
  std::vector<std::string> pairs;
  for (const std::string_view name : functions) {
    pairs.push_back(fmt::format("\"PREFIX_{}\"", name));
    pairs.push_back(fmt::format("ALPHASPARSE_TEXT(PREFIX_{})", name));
  }
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    replacements.emplace_back(pairs[i], pairs[i + 1]);
  return replaced(text, replacements);
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
      write_literal(fmt::format("{} needs version {} of {}, not ", source_name(kernel, info),
                                info.generator_version, emitted_file(kernel).runtime_header)));
}

}  // namespace

std::string runtime_header(const std::string& version, Dialect dialect) {
  const EmittedFile& file = emitted_file(Target::gpu, dialect);
  const std::string name = "namespace alphasparse_runtime_" + version;
  const KnownMacros of_kernel = {{"ALPHASPARSE_STANDALONE", false},
                                 {"ALPHASPARSE_PLAIN_VALUES", false}};
  KnownMacros of_runtime = of_kernel;
  of_runtime.insert({{"ALPHASPARSE_KERNEL_VECTORS", false}, {"ALPHASPARSE_REAL_KERNEL", false}});
  const std::string text = join_namespaces(
      replaced(resolved(host_text("host/runtime.h.in"), of_runtime),
               {{"GENERATOR_VERSION", version}, {"namespace alphasparse::host", name}}) +
      with_literals(
          replaced(resolved(host_text("host/of_kernel.h.in"), of_kernel),
                   {{"#ifdef ALPHASPARSE_REAL_KERNEL", "#ifndef ALPHASPARSE_KERNEL_COMPLEX"},
                    {"#ifndef ALPHASPARSE_REAL_KERNEL", "#ifdef ALPHASPARSE_KERNEL_COMPLEX"}})));
  return file.replacements.empty() ? text : with_names(text, file.replacements);
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
  const std::string header = fmt::format("#include \"{}\"\n", file.runtime_header);
  const std::string directives = std::string(file.runtime_define) + write_includes(includes) +
                                 (includes.empty() ? "" : "\n") + header + "\n" +
                                 std::string(file.hide);
  std::string sections = own_sections(kernel, info);
  sections.pop_back();  // the empty line: the outer namespace ends there too
  return opening(kernel, info, directives, own) + std::string(file.show) +
         fmt::format("#if ALPHASPARSE_RUNTIME_VERSION == {}\n\n", info.generator_version) +
         "namespace {\n" + sections + "}  // namespace\n\n" +
         fmt::format(
             "{}{}{}{}#define ALPHASPARSE_FUNCTION(name) {}_##name\n{}",
             number_type(kernel.dtype).is_complex() ? "#define ALPHASPARSE_KERNEL_COMPLEX\n" : "",
             kernel.own_order ? "#define ALPHASPARSE_KERNEL_OWN_ORDER\n" : "",
             kernel.vectors > 1 ? "#define ALPHASPARSE_KERNEL_VECTORS\n" : "",
             kernel.has_copied_rows() ? "#define ALPHASPARSE_KERNEL_MIRRORED\n" : "",
             info.c_names_prefix(), header) +
         mismatch_text(kernel, info);
}

}  // namespace alphasparse
