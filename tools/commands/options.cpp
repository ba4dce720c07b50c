#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "search/evaluation/replay.h"
#include "tools/commands/command_line.h"
#include "tools/commands/help.h"
#include "tools/commands/option_values.h"
#include "tools/commands/shared_options.h"
#include "tools/commands/tune_options.h"

namespace alphasparse {

namespace {

void add_emit(CLI::App& app, EmitCommand& emit) {
  CLI::App* command = app.add_subcommand("emit", "Build, verify and write one design");
  add_matrix(*command, emit.matrix);
  add_design(*command, emit.design);
  add_folder(*command, emit.folder);
  add_name(*command, emit.name);
  add_prefix(*command, emit.prefix);
  add_runtime(*command, emit.shared_runtime);
  add_device(*command, emit.device);
  add_transpose(*command, emit.transpose);
  add_dtype(*command, emit.dtype);
  add_vectors(*command, emit.vectors);
  add_nonfinite(*command, emit.nonfinite_exact);
  add_order(*command, emit.own_order);
  add_json(*command, emit.json);
}

void add_bench(CLI::App& app, BenchCommand& bench) {
  CLI::App* command = app.add_subcommand("bench", "The named designs side by side");
  command
      ->add_option("MATRIX", bench.matrices,
                   "Matrices as tune reads them; or "
                   "twin:NAME, a made matrix like a known one (see generate --list), in "
                   "twin:NAME:NNZ of so many non-zeros at most")
      ->required()
      ->transform(matrix_path);
  command
      ->add_option("--designs", bench.designs,
                   "all, or names separated by commas; see designs. @FILE: a name or a design text "
                   "a line")
      ->type_name("NAME,...|@FILE")
      ->capture_default_str();
  add_device(*command, bench.device);
  add_transpose(*command, bench.transpose);
  add_dtype(*command, bench.dtype);
  add_vectors(*command, bench.vectors);
  add_cache(*command, bench.regime);
  add_order(*command, bench.own_order);
  add_report(*command, bench.report, "Write the comparison as a page of HTML, .html");
  add_json(*command, bench.json);
  command
      ->add_option("--json-file", bench.json_file,
                   "Write that object to a file after each matrix: an interrupted run keeps it")
      ->type_name("FILE")
      ->check(reject_empty);
  command->add_flag("--fresh", bench.fresh,
                    "Measure the rates of the GPU's memory again; the database keeps them");
  add_quiet(*command, bench.quiet);
}

void add_ablate(CLI::App& app, AblateCommand& ablate) {
  CLI::App* command =
      app.add_subcommand("ablate", "A design with each of its compression passes removed");
  add_matrix(*command, ablate.matrix);
  add_design(*command, ablate.design);
  add_device(*command, ablate.device);
  add_transpose(*command, ablate.transpose);
  add_dtype(*command, ablate.dtype);
  add_vectors(*command, ablate.vectors);
  add_cache(*command, ablate.regime);
  add_order(*command, ablate.own_order);
  add_json(*command, ablate.json);
}

void add_inspect(CLI::App& app, InspectCommand& inspect) {
  CLI::App* command =
      app.add_subcommand("inspect", "Statistics of a matrix and a picture of its pattern");
  add_matrix(*command, inspect.matrix);
  command->add_option("--picture", inspect.picture, "Write the picture to a file, .svg or .png")
      ->type_name("FILE");
  add_transpose(*command, inspect.transpose);
  add_json(*command, inspect.json);
}

SyntheticValues parse_values(const std::string& text) {
  if (text == "random") return SyntheticValues::random;
  if (text == "ones") return SyntheticValues::ones;
  if (text == "few") return SyntheticValues::few;
  throw Error(fmt::format("--values wants random, ones or few, not '{}'", text));
}

/// The archetypes and the options that they do not follow in full.
std::string archetypes_doc() {
  std::string text = "Kinds (--list shows their defaults and the twins):\n";
  for (const Archetype& archetype : archetypes()) {
    text += fmt::format("  {:<10} {}\n", archetype.name, archetype.doc);
    if (!archetype.limits.empty()) text += fmt::format("{:13}{}\n", "", archetype.limits);
  }
  return text +
         "All heed every option but for what stands there. Statistics are those that inspect "
         "shows;\n"
         "patterns are not symmetric. The same options and seed give the same file everywhere.";
}

void add_generate(CLI::App& app, GenerateCommand& generate) {
  constexpr double any = std::numeric_limits<double>::max();
  CLI::App* command = app.add_subcommand("generate", "Write a matrix of known statistics");
  command->add_option("KIND", generate.kind, "An archetype, or twin:NAME");
  command->add_option("-o,--output", generate.file, "File to write, .mtx")->type_name("FILE");
  command->add_flag("--list", generate.list, "The archetypes and the twins of known matrices");
  add_count(*command, "--rows", std::int64_t{1}, generate.rows, "Rows");
  add_count(*command, "--cols", std::int64_t{1}, generate.cols, "Columns");
  add_number(*command, "--mean", -1, any, generate.mean, "Mean row length");
  add_number(*command, "--std", -1, any, generate.std, "Standard deviation of the row lengths");
  add_number(*command, "--skew", -1, any, generate.skew, "(Longest row - mean) / mean");
  add_number(*command, "--bandwidth", -1, any, generate.bandwidth,
             "Mean distance of a row's first and last column over all columns, 0 to 1");
  add_number(*command, "--neighbours", -1, any, generate.neighbours,
             "Mean number of an entry's neighbours in its row, 0 to 2");
  add_number(*command, "--similarity", -1, any, generate.similarity,
             "Mean share of a row that is within one column of the next row, 0 to 1");
  add_number(*command, "--scale", 0, 1, generate.scale, "Share of a twin's rows to make");
  command
      ->add_option_function<std::string>(
          "--values", [&](const std::string& text) { generate.values = parse_values(text); },
          "Nine decimals, all 1, or one of eight numbers (default random)")
      ->type_name("random|ones|few");
  command
      ->add_option_function<std::string>(
          "--dtype", [&](const std::string& text) { generate.dtype = parse_dtype(text); },
          "Where it is complex, values are: --values holds for both parts (default f32)")
      ->type_name(dtype_names());
  add_count(*command, "--seed", std::uint64_t{0}, generate.seed, "Seed (default 0)");
  add_json(*command, generate.json);
  command->footer(archetypes_doc());
}

void add_show(CLI::App& app, ShowCommand& show) {
  CLI::App* command = app.add_subcommand(
      "show", "Print a stage of a design: its store, arrays, body, source or assembly");
  add_matrix(*command, show.matrix);
  add_design(*command, show.design);
  command
      ->add_option_function<std::string>(
          "--stage", [&](const std::string& text) { show.stage = parse_stage(text); },
          "The metadata store, the format's arrays, the kernel body after each pass, the source, "
          "its PTX, or a CPU's assembly")
      ->type_name("store|format|body|source|ptx|asm")
      ->required();
  add_device(*command, show.device);
  add_transpose(*command, show.transpose);
  add_dtype(*command, show.dtype);
  add_vectors(*command, show.vectors);
  add_json(*command, show.json);
}

void add_simulate(CLI::App& app, SimulateCommand& simulate) {
  CLI::App* command =
      app.add_subcommand("simulate", "Replay recorded trials: how good is the search");
  command
      ->add_option("CORPUS", simulate.corpus,
                   "Folder with matrices and the records of their trials (corpus.db)")
      ->required()
      ->check(reject_empty);
  command->add_flag(
      "--record", simulate.record,
      "Try the designs that have no record yet, and keep their outcomes in the corpus");
  command
      ->add_option_function<std::string>(
          "--wait",
          [&](const std::string& text) {
            simulate.wait_seconds = parse_time(text, "--wait", 8, true);
          },
          "How long --record waits in all, a matrix, while a device that measures is slower than "
          "it was (default 2m)")
      ->type_name("T");
  command
      ->add_option("--repeated", simulate.repeated,
                   "Folder with a second recording (corpus.db) of the same matrices on the same "
                   "device: differences within the spread of both are ties")
      ->type_name("FOLDER")
      ->check(reject_empty);
  command->add_flag("--in-turn", simulate.in_turn,
                    "Measure what the searches found once more, in turn: a difference that this "
                    "does not tell is a tie. For a device that measures");
  command
      ->add_option("--variants", simulate.variants,
                   "all, or variants of the search, separated by commas; see below")
      ->type_name("NAME,...")
      ->capture_default_str();
  add_count(*command, "--evaluations", std::int64_t{1}, simulate.evaluations,
            "Trials of a replay (default 256)");
  add_count(*command, "--seeds", std::int64_t{1}, simulate.seeds,
            "Replays of each matrix and variant (default 3)");
  command
      ->add_option("--device", simulate.device,
                   "Where to record (default emulated:h200), or whose trials to replay (default "
                   "any GPU's); see devices")
      ->type_name("D")
      ->check(reject_empty);
  add_dtype(*command, simulate.dtype);
  add_cache(*command, simulate.regime);
  add_json(*command, simulate.json);
  add_quiet(*command, simulate.quiet);
  std::string variants = "Variants:\n";
  for (const SearchVariant& variant : search_variants()) {
    variants += fmt::format("  {:<14}{}\n", variant.name, variant.doc);
  }
  command->footer(variants);
}

void add_operators(CLI::App& app, OperatorsCommand& operators) {
  CLI::App* command = app.add_subcommand("operators", "The operators that designs are made of");
  command->add_option("NAME", operators.name, "Only this one");
  add_json(*command, operators.json);
}

void add_designs(CLI::App& app, DesignsCommand& designs) {
  CLI::App* command = app.add_subcommand("designs", "The named designs");
  command->add_option("NAME", designs.name, "Only this one");
  add_json(*command, designs.json);
}

void add_run(CLI::App& app, RunCommand& run) {
  CLI::App* command = app.add_subcommand(
      "run", "Build an emitted kernel as a program that checks and times itself");
  command->add_option("SOURCE", run.source, "The .cpp or .cu; its format file lies beside it")
      ->required()
      ->check(reject_empty);
}

void add_devices(CLI::App& app, DevicesCommand& devices) {
  CLI::App* command = app.add_subcommand("devices", "The devices that can run kernels here");
  add_json(*command, devices.json);
}

void add_doctor(CLI::App& app, DoctorCommand& doctor) {
  CLI::App* command =
      app.add_subcommand("doctor", "The parts that are there, and the gain from each missing part");
  add_json(*command, doctor.json);
}

void add_cache_command(CLI::App& app, CacheCommand& cache) {
  CLI::App* command =
      app.add_subcommand("cache", "What compiled kernels are kept, and their limit");
  command
      ->add_option_function<std::string>(
          "ACTION",
          [&](const std::string& text) {
            if (text != "show" && text != "trim" && text != "clear")
              throw Error(fmt::format("cache takes show, trim or clear, not '{}'", text));
            cache.action = text == "trim"    ? CacheAction::trim
                           : text == "clear" ? CacheAction::clear
                                             : CacheAction::show;
          },
          "show: sizes (default); trim: keep the limit; clear: remove everything that no process "
          "holds")
      ->type_name("show|trim|clear");
  add_json(*command, cache.json);
  command->footer(
      "ALPHASPARSE_CACHE names the folder, and ALPHASPARSE_CACHE_MAX the limit (500MB). Where it "
      "is "
      "passed, what was used longest ago goes.");
}

void add_completion(CLI::App& app, CompletionCommand& completion) {
  CLI::App* command = app.add_subcommand("completion", "A shell's completion of this command line");
  command
      ->add_option_function<std::string>(
          "SHELL",
          [&](const std::string& text) {
            if (text != "bash" && text != "zsh" && text != "fish")
              throw Error(fmt::format("completion is for bash, zsh or fish, not '{}'", text));
            completion.shell = text;
          },
          "bash, zsh or fish")
      ->type_name("bash|zsh|fish")
      ->required();
  command->footer(
      "bash   alphasparse completion bash > "
      "~/.local/share/bash-completion/completions/alphasparse\n"
      "zsh    alphasparse completion zsh > a folder of fpath/_alphasparse\n"
      "fish   alphasparse completion fish > ~/.config/fish/completions/alphasparse.fish");
}

void add_manual(CLI::App& app, ManualCommand& manual) {
  CLI::App* command = app.add_subcommand("manual", "The manual page, from these very commands");
  command->add_option("COMMAND", manual.command, "Only this one, as Markdown");
}

}  // namespace

CommandLine::CommandLine()
    : app("Designs an SpMV kernel (y = alpha*A*x + beta*y) for one sparse matrix.", "alphasparse") {
  app.set_version_flag("-V,--version", "alphasparse " ALPHASPARSE_VERSION);
  app.require_subcommand(1);
  add_tune(app, tune);
  add_emit(app, emit);
  add_run(app, run);
  add_bench(app, bench);
  add_ablate(app, ablate);
  add_inspect(app, inspect);
  add_generate(app, generate);
  add_show(app, show);
  add_simulate(app, simulate);
  add_operators(app, operators);
  add_designs(app, designs);
  add_devices(app, devices);
  add_db(app, db, std::string(database_doc));
  add_doctor(app, doctor);
  add_cache_command(app, cache);
  add_completion(app, completion);
  add_manual(app, manual);
  add_examples(app);
}

Command CommandLine::chosen() const {
  const std::string& name = app.get_subcommands().front()->get_name();
  if (name == "tune") return tune;
  if (name == "emit") return emit;
  if (name == "run") return run;
  if (name == "bench") return bench;
  if (name == "ablate") return ablate;
  if (name == "inspect") return inspect;
  if (name == "generate") return generate;
  if (name == "show") return show;
  if (name == "simulate") return simulate;
  if (name == "operators") return operators;
  if (name == "designs") return designs;
  if (name == "devices") return devices;
  if (name == "doctor") return doctor;
  if (name == "cache") return cache;
  if (name == "completion") return completion;
  if (name == "manual") return manual;
  return db;
}

}  // namespace alphasparse
