#include "tools/commands/db_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <utility>

#include "base/result.h"
#include "base/version.h"
#include "tools/commands/option_values.h"
#include "tools/commands/shared_options.h"

namespace alphasparse {

namespace {

constexpr std::int64_t days_max = 100'000;

/// A command of db, with the options that all of them have.
CLI::App* add_action(CLI::App& app, DbCommand& db, DbAction action, const std::string& name,
                     const std::string& doc, const std::string& database_doc) {
  CLI::App* command = app.add_subcommand(name, doc);
  command->add_option("--db", db.database, database_doc)->type_name("PATH")->check(reject_empty);
  command->add_flag("--json", db.json, "Print one JSON object");
  command->final_callback([&db, action] { db.action = action; });
  return command;
}

/// An option of two words that need not be given.
template <class Value>
void add_either(CLI::App& command, const std::string& name, std::pair<std::string, Value> first,
                std::pair<std::string, Value> second, std::optional<Value>& target) {
  const auto take = [=, &target](const std::string& text) {
    if (text != first.first && text != second.first)
      throw Error(
          fmt::format("{} wants {} or {}, not '{}'", name, first.first, second.first, text));
    target = text == first.first ? first.second : second.second;
  };
  command.add_option_function<std::string>(name, take, "Only problems of this")
      ->type_name(first.first + "|" + second.first);
}

/// "search", "baselines" or "samples".
void add_kind(CLI::App& command, ProblemFilter& filter) {
  const auto take = [&filter](const std::string& text) {
    if (text == "search") {
      filter.kind = ProblemKind::search;
    } else if (text == "baselines") {
      filter.kind = ProblemKind::baselines;
    } else if (text == "samples") {
      filter.kind = ProblemKind::samples;
    } else {
      throw Error(fmt::format("--of wants search, baselines or samples, not '{}'", text));
    }
  };
  command
      .add_option_function<std::string>(
          "--of", take,
          "Only problems of designs, of other libraries beside them, or of samples of the matrix")
      ->type_name("search|baselines|samples");
}

void add_filter(CLI::App& command, ProblemFilter& filter) {
  command.add_option("--device", filter.device, "Only GPUs whose name holds this, such as h200")
      ->type_name("TEXT");
  command
      .add_option_function<std::string>(
          "--dtype", [&filter](const std::string& text) { filter.dtype = parse_dtype(text); },
          "Only problems of this")
      ->type_name(dtype_names());
  add_either<CacheRegime>(command, "--cache", {"warm", CacheRegime::warm},
                          {"cold", CacheRegime::cold}, filter.regime);
  add_either<bool>(command, "--values", {"fixed", false}, {"varying", true}, filter.values_vary);
  add_kind(command, filter);
}

/// The subject of a command, its one operand; empty texts are rejected.
void add_operand(CLI::App& command, std::string& name, const char* operand, const char* doc) {
  command.add_option(operand, name, doc)->required()->check(reject_empty);
}

void add_prune_criteria(CLI::App& command, DbCommand& db) {
  const auto take_days = [&db](const std::string& text) {
    std::int64_t days = 0;
    const char* end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, days);
    if (code != std::errc() || rest != end || days < 0 || days > days_max)
      throw Error(fmt::format("--older-than wants a whole number of days, 0 to {}, not '{}'",
                              days_max, text));
    db.prune.days = days;
  };
  command
      .add_option_function<std::string>("--older-than", take_days,
                                        "Measurements taken longer ago than this many days")
      ->type_name("DAYS");
  command.add_flag("--failed", db.prune.failed, "Measurements of any status but ok");
  command.add_flag_callback(
      "--generator-not-current", [&db] { db.prune.other_generator_than = generator_version; },
      "Measurements by another version of the generator");
  command
      .add_option("--matrix", db.prune.matrix,
                  "Measurements of the matrix of this name, winners among them")
      ->type_name("NAME");
  command.add_flag("--dry-run", db.dry_run, "Only tell which measurements would go");
  command.footer(
      "A measurement goes where all that is asked for holds. The newest of a winner stays unless\n"
      "--matrix names it, and that of any design as long as an older one stays. Merging with a\n"
      "database that was not pruned brings the rest back.");
}

}  // namespace

CLI::App* add_db(CLI::App& app, DbCommand& db, const std::string& database_doc) {
  CLI::App* group =
      app.add_subcommand("db", "The tuning database: its problems and winners, and its upkeep");
  group->require_subcommand(1);
  const auto add = [&](DbAction action, const char* name, const char* doc) {
    return add_action(*group, db, action, name, doc, database_doc);
  };
  CLI::App* list = add(DbAction::list, "list",
                       "A line for every problem: matrix, device, winner, and how it compares");
  list->add_option("--matrix", db.filter.matrix, "Only matrices of this name")->type_name("NAME");
  add_filter(*list, db.filter);
  add_wide(*list, db.wide);
  CLI::App* report = add(DbAction::report, "report", "All problems as a page of HTML");
  report->add_option("-o,--output", db.name, "File to write, .html")
      ->type_name("FILE")
      ->required()
      ->check(reject_no_page);
  report->add_option("--matrix", db.filter.matrix, "Only matrices of this name")->type_name("NAME");
  add_filter(*report, db.filter);
  CLI::App* show = add(DbAction::show, "show",
                       "All that is known of one problem, fastest first; of a matrix its searches, "
                       "each with its baselines");
  add_operand(*show, db.name, "KEY|NAME", "The problem's key, or its beginning, or a matrix name");
  add_filter(*show, db.filter);
  CLI::App* best = add(DbAction::best, "best", "The winners for a matrix");
  add_operand(*best, db.name, "MATRIX|NAME", "A matrix' file, or its name");
  best->get_option("MATRIX|NAME")->transform(matrix_path);
  add_filter(*best, db.filter);
  add_wide(*best, db.wide);
  CLI::App* export_file =
      add(DbAction::export_file, "export", "Write everything as one JSON document");
  add_operand(*export_file, db.name, "FILE", "File to write, .json");
  CLI::App* import_file =
      add(DbAction::import_file, "import", "Add the contents of such a document");
  add_operand(*import_file, db.name, "FILE", "File that export has written");
  CLI::App* merge = add(DbAction::merge, "merge", "Add the contents of other databases");
  merge->add_option("OTHER", db.others, "Tuning databases; they are not changed")->required();
  add_prune_criteria(*add(DbAction::prune, "prune", "Remove measurements, by explicit criteria"),
                     db);
  add(DbAction::verify, "verify", "Check every page and every row");
  return group;
}

}  // namespace alphasparse
