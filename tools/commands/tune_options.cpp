#include "tools/commands/tune_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/commands/option_values.h"
#include "tools/commands/shared_options.h"

namespace alphasparse {

namespace {

constexpr double total_hours_max = 30 * 24;  // of all searches of a call

constexpr const char* tune_footer =
    "Several matrices, a folder or a shard:\n"
    "  A folder is searched with all folders in it, but not behind links to folders, for files\n"
    "  named .mtx, .npz, .petsc, .mat, .smtx, .rb, .rua and the like, .tar or .zip, packed or "
    "not.\n"
    "  Names that begin with a dot, of files or folders, are passed over.\n"
    "  NAME_b, NAME_x, NAME_coord and the like beside NAME belong to it and are left out. Each\n"
    "  matrix has a process of its own; one that fails stops no other. They come to one table, or\n"
    "  with --json to one object of all; exit 0 only if none failed, else what the first failure\n"
    "  would give alone. Matrices of one name have that of their folder before it: s1_m, s2_m. "
    "The\n"
    "  same call again goes on: what is done is answered from the database.\n"
    "  --device cuda:0,cuda:1 or all (GPUs) share the matrices. So do several calls with one\n"
    "  database: none takes a matrix on which another is at work.\n"
    "  --shard takes by a hash of each file's beginning and size as they lie on disk, unread: the\n"
    "  same file is in the same shard wherever it lies; a copy with other bytes, as packed, may\n"
    "  not be.";

void add_tune_files(CLI::App& command, TuneCommand& tune) {
  command
      .add_option("MATRIX", tune.matrices,
                  "Matrices - Matrix Market, Rutherford-Boeing, MATLAB 5, SciPy's .npz, PETSc's "
                  "binary or .smtx, packed or not -, or folders of them; FILE:MEMBER is one of an "
                  "archive or MATLAB file, - is standard input")
      ->required()
      ->check(reject_empty)
      ->transform(matrix_path);
  add_folder(command, tune.folder);
  add_name(command, tune.name);
  add_prefix(command, tune.prefix);
  add_runtime(command, tune.shared_runtime);
  add_device(command, tune.device);
}

/// How long it searches, and which part of the matrices.
void add_tune_budgets(CLI::App& command, TuneCommand& tune) {
  command
      .add_option_function<std::string>(
          "--time",
          [&](const std::string& text) { tune.seconds_each = parse_time(text, "--time", 8, true); },
          "Budget of each matrix: 90, 60s, 5m or 2h, at most 8h (default 60s; with --time-total no "
          "limit but that); 0: the first design that is right, by expected times")
      ->type_name("T");
  command
      .add_option_function<std::string>(
          "--time-total",
          [&](const std::string& text) {
            tune.seconds_total = parse_time(text, "--time-total", total_hours_max);
          },
          "Budget of all matrices: those without an answer share it first; a budget too short for "
          "searches gives each the first right design (default no limit)")
      ->type_name("T");
  command
      .add_option_function<std::string>(
          "--shard", [&](const std::string& text) { tune.shard = parse_shard(text); },
          "Only this part of the matrices, 1/N to N/N")
      ->type_name("K/N");
  add_count(command, "--trials", std::int64_t{1}, tune.effort.trials,
            "Budget: designs to try, on samples of a large matrix too (default no limit)");
  add_count(command, "--seed", std::uint64_t{0}, tune.effort.seed,
            "Seed of the search (default 0)");
}

/// The question of the search: the products, values and results that the kernel is for.
void add_tune_question(CLI::App& command, TuneCommand& tune) {
  add_transpose(command, tune.transpose);
  add_dtype(command, tune.dtype);
  add_vectors(command, tune.vectors);
  add_cache(command, tune.regime);
  add_choice(command, "--values", "fixed", "varying", "Whether other values will be loaded later",
             [&](bool second) { tune.values_vary = second; });
  add_choice(command, "--values-precision", "full", "f32",
             "Whether a design may store float64 values as float32; its error is reported",
             [&](bool second) { tune.may_round = second; });
  command.add_flag("--deterministic", tune.deterministic,
                   "Only designs with results that are the same bit for bit every time");
  add_nonfinite(command, tune.nonfinite_exact);
  add_order(command, tune.own_order);
}

void add_tune_answers(CLI::App& command, TuneCommand& tune) {
  command.add_option("--db", tune.database, std::string(database_doc))
      ->type_name("PATH")
      ->check(reject_empty);
  command
      .add_option("--base", tune.base,
                  "Another database, only read: its designs are tried as another machine's")
      ->type_name("PATH")
      ->check(reject_empty);
  command
      .add_option("--results", tune.results,
                  "Of several matrices, a line of JSON each is added as soon as it is known")
      ->type_name("FILE")
      ->check(reject_empty);
  command.add_flag("--fresh", tune.fresh,
                   "Search anew, without the answers of the database and shipped experience");
  command.add_flag("!--no-experience", tune.experience,
                   "Begin without the shipped experience of other matrices");
  command.add_flag("-v,--verbose", tune.verbose,
                   "Print the design, its bytes, and the libraries and formats beside it");
  command.add_flag("--explain", tune.explain, "Print that, all trials, and why the winner won");
  add_report(command, tune.report, "Write the result as a page of HTML, .html");
  add_json(command, tune.json);
  add_quiet(command, tune.quiet);
  add_wide(command, tune.wide);
}

}  // namespace

void add_tune(CLI::App& app, TuneCommand& tune) {
  CLI::App* command = app.add_subcommand("tune", "Find a fast SpMV kernel for a matrix, or many");
  add_tune_files(*command, tune);
  add_tune_budgets(*command, tune);
  add_tune_question(*command, tune);
  add_tune_answers(*command, tune);
  command->footer(tune_footer);
}

}  // namespace alphasparse
