// generate: makes a matrix of known statistics and writes it.
#include "tools/reports/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/result.h"
#include "runtime/matrices/text/write_matrix_market.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/machine/memory.h"
#include "tools/commands/commands.h"
#include "tools/console/print.h"
#include "tools/console/twin_inputs.h"

namespace alphasparse {

namespace {

/// Throws Error where there is none of the name.
const Archetype& archetype_named(std::string_view name) {
  std::vector<std::string> names;
  for (const Archetype& archetype : archetypes()) {
    if (archetype.name == name) return archetype;
    names.emplace_back(archetype.name);
  }
  throw Error(unknown_name("archetype", name, names));
}

/// At the same proportions, where one number of rows or columns is given.
void set_size(const GenerateCommand& command, SyntheticOptions& options) {
  const double ratio = static_cast<double>(options.cols) / static_cast<double>(options.rows);
  if (command.rows > 0) {
    options.rows = command.rows;
    const double cols = static_cast<double>(options.rows) * ratio;
    options.cols =
        static_cast<std::int64_t>(std::clamp(cols, 1.0, static_cast<double>(index_limit)));
  }
  if (command.cols > 0) options.cols = command.cols;
}

void check_file(const std::string& file) {
  if (file.ends_with(".mtx") && file != ".mtx") return;
  const char* advice = file.ends_with(".gz") ? "; pack it with gzip afterwards" : "";
  throw Error(fmt::format("-o wants a file that ends in .mtx, not '{}'{}", file, advice));
}

void check_memory(const SyntheticOptions& options) {
  constexpr double row_bytes = 12;
  const double entry_bytes = 4 + 8 * number_type(options.dtype).parts;
  const double bytes = static_cast<double>(options.rows) * (options.mean * entry_bytes + row_bytes);
  const auto available = static_cast<double>(available_memory_bytes());
  if (!(bytes > available)) return;
  throw Error(
      fmt::format("--rows {} of --mean {:.6g} need {:.3g} GB, more than the memory available",
                  options.rows, options.mean, bytes / 1e9));
}

/// The requested options, defaults and twins filled in. Throws Error (exit 2).
SyntheticOptions synthetic_options(const GenerateCommand& command) {
  SyntheticOptions options;
  if (is_twin_input(command.kind)) {
    const std::string name = command.kind.substr(twin_prefix.size());
    options = twin_options(twin_named(name), command.scale.value_or(1));
  } else {
    if (command.scale) throw Error("--scale is for twins; an archetype has --rows and --cols");
    options = archetype_named(command.kind).defaults;
  }
  set_size(command, options);
  options.mean = command.mean.value_or(options.mean);
  options.std = command.std.value_or(options.std);
  options.skew = command.skew.value_or(options.skew);
  options.bandwidth = command.bandwidth.value_or(options.bandwidth);
  options.neighbours = command.neighbours.value_or(options.neighbours);
  options.similarity = command.similarity.value_or(options.similarity);
  options.values = command.values;
  options.dtype = command.dtype;
  options.seed = command.seed;
  return options;
}

/// Whether it asks for a twin with the twin's own statistics.
bool is_scaled_only(const GenerateCommand& command) {
  return command.scale && !command.mean && !command.std && !command.skew && command.rows <= 0 &&
         command.cols <= 0;
}

std::string scale_text(const GenerateCommand& command) {
  return fmt::format("--scale {} is too small for the row lengths of {}; take a larger one",
                     *command.scale, command.kind);
}

}  // namespace

void run_generate(const GenerateCommand& command) {
  if (command.list) {
    print_report(command.json, command.json ? synthetic_list_json() : synthetic_list_text());
    return;
  }
  if (command.kind.empty()) throw Error("KIND is required; see alphasparse generate --list");
  if (command.file.empty()) throw Error("-o is required; see alphasparse generate --help");
  check_file(command.file);
  const SyntheticOptions options = synthetic_options(command);
  if (const std::string problem = range_problem(options); !problem.empty()) throw Error(problem);
  check_memory(options);
  AtomicFile file(command.file);  // before the work: is there such a folder?
  const Result<Matrix> matrix = synthetic_matrix(options);
  if (!matrix) throw Error(is_scaled_only(command) ? scale_text(command) : matrix.reason());
  write_matrix_market([&](std::string_view text) { file.write(text.data(), text.size()); }, *matrix,
                      generate_command_line(options));
  file.publish();
  const GenerateReport report{options, *matrix, command.file};
  print_report(command.json, command.json ? generate_json(report) : generate_text(report));
}

}  // namespace alphasparse
