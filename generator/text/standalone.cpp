#include "generator/text/standalone.h"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "generator/text/emitted_file.h"
#include "generator/text/facts_text.h"
#include "generator/text/host_needs.h"
#include "generator/text/host_text.h"
#include "generator/text/kernel_order.h"
#include "generator/text/provenance.h"
#include "templates/templates.h"

namespace alphasparse {

namespace {

/// The host part of a standalone file, from its templates.
class HostPart {
 public:
  HostPart(const Kernel& kernel, const StandaloneInfo& info)
      : kernel_(kernel),
        info_(info),
        parts_(emitted_file(kernel).parts),
        needs_(host_needs(kernel)) {
    if (!needs_.mirrored) std::erase(parts_.loading, "host/mirror.h");
  }

  std::string interface() { return host_text(parts_.interface, needs_, includes_); }
  std::string place_values() { return of(parts_.place_values); }
  std::string functions() { return of(parts_.functions); }

  /// All else of a library.
  std::string internal() {
    const std::string text = of(parts_.declarations) + of(parts_.loading) + as_written +
                             own_sections(kernel_, info_) + formatted;
    return unnamed(in_one_namespace(text + of(parts_.kernel)));
  }

  /// The program at the end of a file; its includes come last.
  std::string program() {
    Includes more;
    const std::string report = named(host_text(parts_.report, needs_, more)),
                      main_text = host_text({"host/main.h"}, needs_, more);
    for (const std::string& line : includes_) more.erase(line);
    return "#ifdef ALPHASPARSE_MAIN\n\n" + lines_of(more) + "\n" +
           unnamed(in_one_namespace(report)) + main_text + "#endif  // ALPHASPARSE_MAIN\n";
  }

  Includes& includes() { return includes_; }

 private:
  std::string of(const HostParts::Paths& paths) {
    return named(host_text(paths, needs_, includes_));
  }

  std::string named(const std::string& text) const {
    return with_names(text, {{"PREFIX", info_.c_names_prefix()}});
  }

  const Kernel& kernel_;
  const StandaloneInfo& info_;
  HostParts parts_;
  HostNeeds needs_;
  Includes includes_;
};

/// Lines of #include, and an empty one behind them.
std::string section_of(const Includes& includes) {
  return includes.empty() ? "" : lines_of(includes) + "\n";
}

}  // namespace

std::string standalone_source(const Kernel& kernel, const StandaloneInfo& info) {
  check_arrays(kernel);
  HostPart host(kernel, info);
  const EmittedFile& file = emitted_file(kernel);
  Includes of_kernel;
  const std::string own = file.kernel(kernel, of_kernel);
  const std::string interface = host.interface(), place_values = host.place_values(),
                    internal = host.internal(), functions = host.functions();
  host.includes().insert(of_kernel.begin(), of_kernel.end());
  const std::string hide(file.hide), show(file.show);
  const std::string directives =
      (hide.empty() ? section_of(of_kernel) : lines_of(of_kernel)) + hide;
  Includes of_host = host.includes();
  for (const std::string& line : of_kernel) of_host.erase(line);
  return opening(kernel, info, directives, own) + show + std::string(file.conditions) +
         section_of(of_host) + interface + hide + place_values + internal + show + functions +
         host.program();
}

std::string loader_source(const Kernel& kernel, const StandaloneInfo& info) {
  Includes includes;
  const std::string text =
      host_text({"host/facts.h", "host/digest.h", "host/safetensors.h", "host/format_reader.h",
                 "host/loaded_format.h", "host/loader.h"},
                HostNeeds(), includes) +
      in_host(facts_text(kernel, info));
  return lines_of(includes) + "\n" + unnamed(text);
}

std::string kernels_source(const Kernel& kernel, const StandaloneInfo& info) {
  CHECK(!kernel.places.empty());
  const std::string file = info.name + ".kernel.cu";
  const std::string build = copied_command(fmt::format("nvcc -std=c++17 -arch={} -cubin {}",
                                                       info.arch, file_word(file))) +
                            ", or NVRTC with --std=c++17";
  CommentLines lines = {};
  for (const Launch& launch : kernel.launches) {
    lines.push_back({"launch", fmt::format("{} with {} blocks of {} threads", launch.kernel,
                                           launch.blocks, launch.threads)});
  }
  return comment_text(
             fmt::format("// {}: the kernels of {} alone.", file, source_name(kernel, info))) +
         "\n// A program that loads its format launches them.\n//\n// clang-format off\n" +
         comment_of(kernel_lines(kernel, info, {{"build", build}})) +
         "// clang-format on\n//\n// One SpMV is these launches, in order, each after the one "
         "before has ended:\n" +
         comment_of(lines) +
         "// All take the same parameters: a pointer to each array of the format in the order of "
         "its\n// metadata \"arrays\", with each of its \"workspaces\" at the place that it "
         "names, then x, y,\n// alpha and beta. Each array begins at a multiple of 16 bytes, which "
         "wide loads need; x, y and\n// workspaces, at a multiple of their entries' size.\n\n" +
         kernel.source;
}

std::string_view kernel_header() { return template_text("host/alphasparse_kernel.h"); }

std::string standalone_header(const Kernel& kernel, const StandaloneInfo& info) {
  const std::string note = kernel.workspaces.empty()
                               ? ""
                               : " A handle has one workspace: its SpMVs run one at a time, unless "
                                 "they are given others.";
  const std::string bytes = std::to_string(workspace_bytes(kernel)),
                    cols = std::to_string(kernel.cols), rows = std::to_string(kernel.rows),
                    nnz = std::to_string(kernel.nnz), prefix = info.c_names_prefix(),
                    format_file = comment_text(info.name) + ".safetensors";
  const std::string text = with_names(template_text(emitted_file(kernel).c_header),
                                      {{"WORKSPACE_NOTE", note},
                                       {"WORKSPACE_BYTES", bytes},
                                       {"COLS", cols},
                                       {"ROWS", rows},
                                       {"NNZ", nnz},
                                       {"VALUE", number_type(kernel.dtype).c_name()},
                                       {"PREFIX", prefix},
                                       {"FORMAT_FILE", format_file}});
  const std::string matrix = matrix_line(kernel, info);
  return fmt::format(
             "/* {}.h: y = alpha * A * x + beta * y for one sparse matrix, in C.\n * {} defines "
             "it. */\n/* clang-format off */\n/*   matrix   {} */\n/* clang-format on */\n\n",
             comment_text(info.name), comment_text(source_name(kernel, info)),
             replaced(comment_text(matrix), {{"*", "?"}})) +  // a path may have */
         text;
}

}  // namespace alphasparse
