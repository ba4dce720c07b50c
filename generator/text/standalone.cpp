#include "generator/text/standalone.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "generator/text/emitted_file.h"
#include "generator/text/facts_text.h"
#include "generator/text/host_text.h"
#include "generator/text/kernel_order.h"
#include "generator/text/provenance.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

/// Whether values share places, as codes and mirror images do, or are stored as floats.
bool has_tied_values(const Kernel& kernel) {
  return kernel.mirror != Mirror::none ||
         std::any_of(kernel.arrays.begin(), kernel.arrays.end(), [&](const Array& array) {
           return array.is_dictionary() || array.is_single(kernel.dtype);
         });
}

/// The macro that leaves out what only kernels of complex numbers need.
std::pair<const std::string_view, bool> real_kernel(const Kernel& kernel) {
  return {"ALPHASPARSE_REAL_KERNEL", !number_type(kernel.dtype).is_complex()};
}

/// The macros of a runtime that one kernel has for itself.
KnownMacros own_runtime(const Kernel& kernel) {
  return {{"ALPHASPARSE_STANDALONE", true},
          {"ALPHASPARSE_RUNTIME_VERSION", false},
          {"ALPHASPARSE_RUNTIME_SHARED", false},
          {"ALPHASPARSE_RUNTIME_DEFINED", true},
          {"ALPHASPARSE_FUNCTION", true},
          {"ALPHASPARSE_RUNTIME_CUDA", kernel.target == Target::gpu},
          {"ALPHASPARSE_PLAIN_VALUES", !has_tied_values(kernel)},
          {"ALPHASPARSE_KERNEL_OWN_ORDER", kernel.own_order != nullptr},
          {"ALPHASPARSE_KERNEL_VECTORS", kernel.vectors > 1},
          {"ALPHASPARSE_KERNEL_MIRRORED", kernel.has_copied_rows()},
          real_kernel(kernel)};
}

/// The text without its lines of #include that stand before it, or stand in it twice.
std::string without_repeated(std::string_view text, Includes seen) {
  std::string result;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.starts_with("#include <") || seen.emplace(line).second) result += line;
  }
  return result;
}

}  // namespace

std::string standalone_source(const Kernel& kernel, const StandaloneInfo& info) {
  check_arrays(kernel);
  const EmittedFile& file = emitted_file(kernel);
  Includes of_kernel;
  const std::string own = file.kernel(kernel, of_kernel);
  const std::string directives =
      write_includes(of_kernel) + (file.hide.empty() ? "\n" : std::string(file.hide));
  const KnownMacros known = own_runtime(kernel);
  const std::string prefix = info.c_names_prefix();
  std::vector<Replacement> names = number_names(kernel);
  names.emplace_back("PREFIX", prefix);
  const auto host_part = [&](std::string_view name) {
    return replaced(resolved(host_text(name), known), file.replacements);
  };
  const std::string host = with_names(host_part("host/runtime.h.in"), names) + "namespace {\n\n" +
                           own_sections(kernel, info) + "}  // namespace\n\n" +
                           with_names(host_part("host/of_kernel.h.in"), names);
  return opening(kernel, info, directives, own) + std::string(file.show) +
         join_namespaces(without_repeated(host, of_kernel));
}

std::string loader_source(const Kernel& kernel, const StandaloneInfo& info) {
  Includes includes;
  std::string text;
  for (const char* const name : {"mirror_kind", "facts", "digest", "safetensors", "format_reader",
                                 "loaded_format", "loader"}) {
    const std::string own =
        resolved(template_text(fmt::format("host/{}.h", name)), {real_kernel(kernel)});
    text += without_includes(own, includes) + "\n";
  }
  return write_includes(includes) + "\n" + unnamed(text + wrap_in_host(facts_text(kernel, info)));
}

std::string kernels_source(const Kernel& kernel, const StandaloneInfo& info) {
  CHECK(!kernel.starts.empty());
  const EmittedFile& row = emitted_file(kernel);
  const std::string file = info.name + std::string(row.kernels_ending);
  const std::string build =
      copied_command(fmt::format(fmt::runtime(row.kernels_build), info.arch, quote_file(file))) +
      fmt::format(", or {}", row.kernels_library);
  CommentLines lines = {};
  const bool has_rows = kernel.vectors > 1;
  for (const Launch& launch : kernel.launches) {
    const std::string column =
        has_rows ? fmt::format(", from column {} of X and Y on", launch.first_column) : "";
    lines.push_back({"launch", fmt::format("{} with {} blocks of {} threads{}", launch.kernel,
                                           launch.blocks, launch.threads, column)});
  }
  return comment_text(
             fmt::format("// {}: the kernels of {} alone.", file, source_name(kernel, info))) +
         "\n// A program that loads its format launches them.\n//\n// clang-format off\n" +
         write_comment(kernel_lines(kernel, info, {{"build", build}})) +
         "// clang-format on\n//\n// One SpMV is these launches, in order, each after the one "
         "before has ended:\n" +
         write_comment(lines) +
         "// All take the same parameters: a pointer to each array of the format in the order of "
         "its\n// metadata \"arrays\", with each of its \"workspaces\" at the place that it "
         "names, then " +
         (has_rows ? "x, ldx, y, ldy,\n" : "x, y,\n") +
         "// alpha and beta. Each array begins at a multiple of 16 bytes, which "
         "wide loads need; x, y and\n// workspaces, at a multiple of their entries' size.\n\n" +
         std::string(row.kernels_prelude) + kernel.source;
}

std::string kernel_header() {
  return resolved(template_text("host/alphasparse_kernel.h"), {{"ALPHASPARSE_REAL_KERNEL", false}});
}

namespace {

/// The text on the order of vectors: the head of a header, or its functions.
std::string order_header(const Kernel& kernel, bool is_head) {
  if (!kernel.own_order) return "";
  return resolved(template_text("host/named_order.h"),
                  {{"ALPHASPARSE_KERNEL_PREFIX_H", !is_head},
                   {"ALPHASPARSE_RUNTIME_CUDA", kernel.target == Target::gpu}});
}

}  // namespace

std::string standalone_header(const Kernel& kernel, const StandaloneInfo& info) {
  const std::string note = kernel.workspaces.empty()
                               ? ""
                               : " A handle has one workspace: its SpMVs run one at a time, unless "
                                 "they are given others.";
  const std::string bytes = std::to_string(workspace_bytes(kernel)),
                    cols = std::to_string(kernel.cols), rows = std::to_string(kernel.rows),
                    nnz = std::to_string(kernel.nnz), prefix = info.c_names_prefix(),
                    format_file = comment_text(info.name) + ".safetensors";
  const std::int64_t columns_bytes =
      (std::int64_t{kernel.cols} + kernel.rows) * kernel.vectors * number_type(kernel.dtype).bytes;
  const std::string functions =
      replaced(resolved(template_text(emitted_file(kernel).c_header),
                        {{"ALPHASPARSE_KERNEL_OWN_ORDER", kernel.own_order != nullptr},
                         {"ALPHASPARSE_KERNEL_VECTORS", kernel.vectors > 1},
                         real_kernel(kernel)}),
               {{"OWN_ORDER\n", order_header(kernel, false)}});
  const std::string text = with_names(
      replaced(order_header(kernel, true) + functions, emitted_file(kernel).replacements),
      {{"WORKSPACE_NOTE", note},
       {"WORKSPACE_BYTES", bytes},
       {"COLUMNS_BYTES", std::to_string(columns_bytes)},
       {"COLS", cols},
       {"ROWS", rows},
       {"VECTORS", std::to_string(kernel.vectors)},
       {"ALIGNMENT", std::to_string(row_alignment(kernel))},
       {"NNZ", nnz},
       {"VALUE", number_type(kernel.dtype).c_name},
       {"STORED", stored_c_name(kernel)},
       {"PREFIX", prefix},
       {"FORMAT_FILE", format_file}});
  const std::string matrix = matrix_line(kernel, info);
  return fmt::format(
             "/* {}.h: {} for one sparse matrix, in C.\n * {} defines "
             "it. */\n/* clang-format off */\n/*   matrix   {} */\n/* clang-format on */\n\n",
             comment_text(info.name), product_formula(kernel),
             comment_text(source_name(kernel, info)),
             replaced(comment_text(matrix), {{"*", "?"}})) +  // a path may have */
         text;
}

}  // namespace alphasparse
