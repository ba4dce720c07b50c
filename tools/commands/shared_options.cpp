#include "tools/commands/shared_options.h"

#include <fmt/ranges.h>

#include <array>

#include "base/c_names.h"
#include "generator/arrays/operands.h"
#include "tools/commands/option_values.h"

namespace alphasparse {

void add_matrix(CLI::App& command, std::string& matrix) {
  command
      .add_option("MATRIX", matrix,
                  "A matrix: Matrix Market, Rutherford-Boeing, MATLAB 5, SciPy's .npz, PETSc's "
                  "binary or .smtx, packed or not; FILE:MEMBER is one of an archive or MATLAB "
                  "file, - is standard "
                  "input")
      ->required()
      ->check(reject_empty)
      ->transform(matrix_path);
}

void add_design(CLI::App& command, std::string& design) {
  command.add_option("--design", design, "Design text, or a name; see designs")
      ->type_name("TEXT|NAME")
      ->required();
}

void add_folder(CLI::App& command, std::string& folder) {
  command.add_option("-o,--output", folder, "Folder for the files written")
      ->type_name("DIR")
      ->check(reject_empty)
      ->capture_default_str();
}

void add_name(CLI::App& command, std::string& name) {
  const auto take = [&name](const std::string& text) {
    if (text.empty() || text.starts_with('.') || text.find('/') != text.npos)
      throw Error(
          fmt::format("--name wants the name of files, without a folder and not hidden, "
                      "not '{}'",
                      text));
    name = text;
  };
  command
      .add_option_function<std::string>(
          "--name", take, "Of the files written (default the matrix' name; a transpose NAME_T)")
      ->type_name("NAME");
}

void add_prefix(CLI::App& command, std::string& prefix) {
  const auto take = [&prefix](const std::string& text) {
    if (!is_c_name(text))
      throw Error(
          fmt::format("--prefix wants a C identifier (letters, digits and underscores, no digit "
                      "first), not '{}'",
                      text));
    prefix = text;
  };
  command
      .add_option_function<std::string>(
          "--prefix", take, "Of the C functions: PREFIX_load, ... (default the matrix' name)")
      ->type_name("PREFIX");
}

void add_device(CLI::App& command, std::string& device) {
  command
      .add_option("--device", device,
                  "auto, cuda[:N], hip[:N], cpu[:N] or emulated[:GPU]; see devices")
      ->type_name("D")
      ->capture_default_str();
}

void add_runtime(CLI::App& command, bool& shared) {
  add_choice(command, "--runtime", "standalone", "shared",
             "The source holds all that it needs, or it includes alphasparse_runtime.h, which is "
             "written beside it for any number of kernels",
             [&shared](bool second) { shared = second; });
}

void add_dtype(CLI::App& command, DtypeChoice& dtype) {
  command
      .add_option_function<std::string>(
          "--dtype", [&dtype](const std::string& text) { dtype = parse_dtype(text); },
          fmt::format("Type of values, x and y: {} (default {}, of a complex matrix {})",
                      dtype_list(), dtype_name(default_dtype), dtype_name(default_complex_dtype)))
      ->type_name(dtype_names());
}

void add_vectors(CLI::App& command, int& vectors) {
  static constexpr std::array<int, 7> widths = {1, 2, 4, 8, 16, 32, vectors_most};
  const std::string list = fmt::format("{}", fmt::join(widths, "|"));
  const auto take = [&vectors, list](const std::string& text) {
    for (const int width : widths)
      if (text == std::to_string(width)) return void(vectors = width);
    throw Error(fmt::format("--vectors wants one of {}, not '{}'", list, text));
  };
  command
      .add_option_function<std::string>(
          "--vectors", take,
          "Columns of X and Y in Y = alpha * A * X + beta * Y, whose rows lie in memory one behind "
          "the other (default 1)")
      ->type_name(list);
}

void add_transpose(CLI::App& command, bool& transpose) {
  command.add_flag(
      "--transpose", transpose,
      "Take the transpose of the file, named NAME_T; a symmetric matrix stays as it is");
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON object");
}

void add_cache(CLI::App& command, CacheRegime& regime) {
  add_choice(command, "--cache", "warm", "cold", "Caches that a timed SpMV finds",
             [&](bool second) { regime = second ? CacheRegime::cold : CacheRegime::warm; });
}

void add_nonfinite(CLI::App& command, bool& exact) {
  add_choice(command, "--nonfinite", "pads", "exact",
             "Where x has Inf: pads may make NaN of it; exact leaves such designs out",
             [&](bool second) { exact = second; });
}

void add_order(CLI::App& command, bool& own) {
  add_choice(command, "--vectors-order", "given", "own",
             "own: x and y may stay in an order of the kernel's, which its C functions tell",
             [&](bool second) { own = second; });
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("--quiet", quiet, "Results and errors only");
}

void add_wide(CLI::App& command, bool& wide) {
  command.add_flag("--wide", wide,
                   "Print every column of the table, designs among them, and whole names");
}

void add_report(CLI::App& command, std::string& report, const std::string& doc) {
  command.add_option("--report", report, doc)->type_name("FILE")->check(reject_no_page);
}

void add_number(CLI::App& command, const std::string& name, double above, double most,
                std::optional<double>& target, const std::string& doc) {
  const auto take = [=, &target](const std::string& text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc() || rest != end || !(number > above && number <= most))
      throw Error(fmt::format("{} wants a number {}, not '{}'", name,
                              above < 0 ? "of 0 or more" : "above 0 and up to 1", text));
    target = number;
  };
  command.add_option_function<std::string>(name, take, doc)->type_name("X");
}

}  // namespace alphasparse
