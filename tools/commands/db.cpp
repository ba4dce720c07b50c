// db: the commands of `alphasparse db`.
#include "tools/reports/db.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

#include "base/printable.h"
#include "base/result.h"
#include "operators/catalogue.h"
#include "operators/design.h"
#include "runtime/database/database.h"
#include "runtime/device/baseline_kernels.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/system/files/atomic_file.h"
#include "runtime/system/files/regular_file.h"
#include "search/trial/baseline_figures.h"
#include "search/trial/baseline_trials.h"
#include "tools/commands/commands.h"
#include "tools/console/inputs.h"
#include "tools/console/note.h"
#include "tools/console/print.h"
#include "tools/pages/report_pages.h"
#include "tools/reports/table.h"

namespace alphasparse {

namespace {

constexpr std::size_t key_digits_min = 4;
constexpr std::size_t named_choices_max = 8;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

ProblemKind find_kind(const Problem& problem) {
  if (problem.is_baseline()) return ProblemKind::baselines;
  return problem.is_sample() ? ProblemKind::samples : ProblemKind::search;
}

bool lets_values_vary(const Problem& problem) {
  return problem.options.starts_with("values=varying");
}

bool passes(const Problem& problem, const ProblemFilter& filter) {
  if (filter.kind && find_kind(problem) != *filter.kind) return false;
  if (filter.values_vary && !problem.is_baseline() &&
      lets_values_vary(problem) != *filter.values_vary)
    return false;
  const bool device = lower(problem.device.gpu).find(lower(filter.device)) != std::string::npos;
  return (filter.matrix.empty() || problem.matrix_name == filter.matrix) && device &&
         (!filter.dtype || problem.dtype == *filter.dtype) &&
         (!filter.regime || problem.regime == *filter.regime);
}

std::vector<StoredProblem> filtered(std::vector<StoredProblem> problems,
                                    const ProblemFilter& filter) {
  std::erase_if(problems,
                [&](const StoredProblem& stored) { return !passes(stored.problem, filter); });
  return problems;
}

/// Equal for problems of the same matrix under the same conditions.
auto make_setting(const Problem& problem) {
  return std::tuple(problem.matrix.pattern, problem.matrix.values, problem.device.gpu,
                    problem.device.kind, problem.device.version, problem.dtype, problem.regime,
                    problem.generator_version, problem.vectors());
}

Database open_database(const DbCommand& command) {
  return Database::open_to_read(database_path(command.database));
}

/// The problems of a choice that pass, each winner with its rivals.
ListReport list_report(Database& database, const ProblemChoice& choice,
                       const ProblemFilter& filter) {
  ListReport report;
  report.database = database.path();
  std::map<decltype(make_setting({})), Outcomes> of_vendors;
  const auto visit = [&](const StoredProblem& stored, const Outcomes& outcomes) {
    if (stored.problem.is_baseline()) of_vendors[make_setting(stored.problem)] = outcomes;
    if (!passes(stored.problem, filter) || !stored.best || !stored.best->timing) return;
    const auto [pfs, name] = best_named(outcomes);
    if (pfs) report.pairs[stored.key] = {stored.problem.device, *stored.best, *pfs, name};
  };
  report.problems = filtered(database.problems(choice, visit), filter);
  for (const StoredProblem& stored : report.problems) {
    const Problem& problem = stored.problem;
    if (find_kind(problem) != ProblemKind::search || !stored.best || !stored.best->timing) continue;
    Outcomes theirs = of_vendors[make_setting(problem)];
    if (lets_values_vary(problem))
      prune_for_varying_values(baselines(problem.device.target, problem.vectors()), theirs);
    const Measurement* const best = best_baseline(problem.device.target, theirs);
    if (best && best->timing) report.baselines[stored.key] = *best->timing;
  }
  return report;
}

ListReport list_report(const DbCommand& command) {
  Database database = open_database(command);
  return list_report(database, {command.filter.matrix, "", ""}, command.filter);
}

TableWidth table_width(const DbCommand& command) {
  return command.wide ? TableWidth::wide : TableWidth::narrow;
}

void run_list(const DbCommand& command) {
  const ListReport report = list_report(command);
  if (command.json) {
    print_report(true, list_json(report));
  } else if (report.problems.empty()) {
    note("alphasparse: no such problem in the database\n");
  } else {
    print_report(false, list_text(report, table_width(command)));
  }
}

void run_report(const DbCommand& command) {
  const ListReport report = list_report(command);
  write_file(command.name, db_page(report));
  print_report(command.json, command.json ? written_json(command.name, report.database)
                                          : fmt::format("{}: written\n", printable(command.name)));
}

bool has_key_digits(const std::string& name) {
  return name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Whether a person may have meant it as the beginning of a key.
bool is_short_key(const std::string& name) {
  return name.size() < key_digits_min && has_key_digits(name);
}

[[noreturn]] void reject_unknown(const std::string& name, const Database& database) {
  throw Error(fmt::format("database {} knows no '{}' with these options; see alphasparse db list",
                          database.path(), printable(name)));
}

[[noreturn]] void reject_ambiguous(const std::string& name,
                                   const std::vector<StoredProblem>& choices) {
  std::string text;
  for (std::size_t i = 0; i < std::min(choices.size(), named_choices_max); ++i) {
    const Problem& problem = choices[i].problem;
    text += fmt::format("{}{} ({}, {}, {}, {})", i == 0 ? "" : "; ",
                        choices[i].key.substr(0, shown_key_digits), printable(problem.matrix_name),
                        printable(problem.device.gpu), search_text(problem),
                        printable(problem.generator_version));
  }
  if (choices.size() > named_choices_max) text += "; ... see alphasparse db list";
  throw Error(fmt::format("'{}' names {} problems, say which by its key or by options: {}",
                          printable(name), choices.size(), text));
}

/// The problems of a name. A key, or its beginning, names one of any kind.
struct NamedProblems {
  std::vector<StoredProblem> all;
  bool by_key = false;
};

NamedProblems named_problems(Database& database, const DbCommand& command) {
  NamedProblems named{filtered(database.problems({command.name, "", ""}), command.filter)};
  if (command.name.size() < key_digits_min || !has_key_digits(command.name)) return named;
  for (StoredProblem& stored :
       filtered(database.problems({"", "", command.name}), command.filter)) {
    named.by_key = true;
    if (stored.problem.matrix_name != command.name) named.all.push_back(std::move(stored));
  }
  return named;
}

/// The problems of the first kind that has any.
std::vector<StoredProblem> first_kind(const std::vector<StoredProblem>& problems) {
  for (const ProblemKind kind :
       {ProblemKind::search, ProblemKind::baselines, ProblemKind::samples}) {
    std::vector<StoredProblem> found;
    for (const StoredProblem& stored : problems) {
      if (find_kind(stored.problem) == kind) found.push_back(stored);
    }
    if (!found.empty()) return found;
  }
  return {};
}

/// The problems of a name may be several, of one kind: each comes before those of its baselines.
void run_show(const DbCommand& command) {
  Database database = open_database(command);
  const auto& [problems, by_key] = named_problems(database, command);
  if (problems.empty() && is_short_key(command.name)) {
    throw Error(
        fmt::format("database {} knows no matrix '{}' with these options, and of a key at "
                    "least {} digits are wanted; see alphasparse db list",
                    database.path(), command.name, key_digits_min));
  }
  if (problems.empty()) reject_unknown(command.name, database);
  const std::vector<StoredProblem> first = by_key ? problems : first_kind(problems);
  if (by_key && first.size() > 1) reject_ambiguous(command.name, first);
  std::vector<std::vector<ProblemHistory>> shown;
  for (const StoredProblem& one : first) {
    shown.push_back({{one, database.history(one.key)}});
    for (const StoredProblem& stored : problems) {
      const bool is_baseline = find_kind(stored.problem) == ProblemKind::baselines;
      const bool is_beside = make_setting(stored.problem) == make_setting(one.problem);
      if (!by_key && is_baseline && stored.key != one.key && is_beside)
        shown.back().push_back({stored, database.history(stored.key)});
    }
  }
  print_report(command.json,
               command.json ? history_json(shown, database.path()) : history_text(shown));
}

/// Whether this text means a file, be it there or not.
bool means_file(const std::string& name) {
  std::error_code error;
  return std::filesystem::is_regular_file(name, error) || has_matrix_ending(name) ||
         !locate_matrix(name).member.empty() || name.find('/') != std::string::npos;
}

/// Keeps those problems of a pattern that have these values, where there are any.
void keep_values(const std::string& values, BestReport& report) {
  const auto is_same = [&](const StoredProblem& stored) {
    return stored.problem.matrix.values == values;
  };
  std::vector<StoredProblem>& problems = report.winners.problems;
  report.same_values = std::any_of(problems.begin(), problems.end(), is_same);
  if (report.same_values) std::erase_if(problems, std::not_fn(is_same));
}

void run_best(const DbCommand& command) {
  Database database = open_database(command);
  BestReport report{{}, command.name};
  std::vector<StoredProblem>& problems = report.winners.problems;
  if (means_file(command.name)) {
    const Fingerprints prints = fingerprints(read_input(command.name, widest_dtype).matrix);
    report.winners = list_report(database, {"", prints.pattern, ""}, command.filter);
    keep_values(prints.values, report);
  } else {
    report.winners = list_report(database, {command.name, "", ""}, command.filter);
  }
  if (problems.empty()) reject_unknown(command.name, database);
  std::erase_if(problems, [](const StoredProblem& stored) {
    return !stored.best || stored.problem.is_sample();
  });
  if (problems.empty()) {
    throw Error(ExitCode::nothing_verified,
                fmt::format("database {} holds no verified design for '{}'", database.path(),
                            printable(command.name)));
  }
  if (!report.same_values) {
    note(
        "alphasparse: the database knows this pattern with other values; tune verifies its "
        "design again\n");
  }
  print_report(command.json,
               command.json ? best_json(report) : best_text(report, table_width(command)));
}

void run_export(const DbCommand& command) {
  Database database = open_database(command);
  AtomicFile file(command.name);
  database.export_json([&](std::string_view part) { file.write(part.data(), part.size()); });
  file.publish();
  print_report(command.json, command.json ? written_json(command.name, database.path())
                                          : fmt::format("{}: written\n", printable(command.name)));
}

/// A document, read as it is needed: it may be larger than memory.
Database read_document(const std::string& path) {
  const Result<RegularFile> file = RegularFile::open(path);
  if (!file)
    throw Error(fmt::format("cannot read {}; name a file that db export has written", path));
  std::ifstream stream(fmt::format("/proc/self/fd/{}", file->descriptor()), std::ios::binary);
  if (!stream) throw Error(fmt::format("cannot read {}; mount /proc", path));
  return Database::from_json(stream, path);
}

/// A text of another writer, as far as a line has room for it.
std::string clipped(std::string text) {
  constexpr std::size_t most = 300;
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

/// The fault of a design's text, as a reason for any number of rows; empty: none.
std::string foreign_design_complaint(const std::string& text, bool is_baseline) {
  if (is_baseline)
    return find_baseline(text) ? "" : "a name of no algorithm of the vendor's library";
  const Result<CanonicalDesign> design = CanonicalDesign::read(text);
  if (!design) return "a design that does not parse";
  return *design == text ? "" : "a design that is not in the one spelling";
}

/// The fault of a design's text; empty: none.
std::string design_complaint(const std::string& text, bool is_baseline) {
  if (is_baseline) return find_baseline(text) ? "" : "no algorithm of the vendor's library";
  const Result<CanonicalDesign> design = CanonicalDesign::read(text);
  if (!design) return clipped("no design: " + design.reason());
  return *design == text ? "" : clipped("not in the one spelling, which is " + design->text());
}

void run_import(const DbCommand& command) {
  Database document = read_document(command.name);
  Database database = Database::open(database_path(command.database));
  const Transfer transfer{command.name, database.merge(document, foreign_design_complaint)};
  print_report(command.json, command.json ? transfers_json({transfer}, database.path())
                                          : transfers_text({transfer}, database.path()));
}

void run_merge(const DbCommand& command) {
  for (const std::string& other : command.others) Database::open_source(other, merge_hint);
  Database database = Database::open(database_path(command.database));
  std::vector<Transfer> transfers;
  for (const std::string& other : command.others) {
    transfers.push_back({other, database.merge(other, foreign_design_complaint)});
    if (!command.json) print_report(false, transfers_text({transfers.back()}, database.path()));
  }
  if (command.json) print_report(true, transfers_json(transfers, database.path()));
}

std::int64_t count_bytes(const std::string& file) {
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  return unknown ? 0 : static_cast<std::int64_t>(bytes);
}

void run_prune(const DbCommand& command) {
  if (!command.prune.any()) {
    throw Error(
        "prune wants to know what may go: --older-than, --failed, --generator-not-current "
        "or --matrix; nothing was removed");
  }
  Database database = Database::open_existing(database_path(command.database));
  PruneReport report{database.path(), {}, command.dry_run};
  report.bytes_before = count_bytes(database.path());
  report.problems = database.prune(command.prune, command.dry_run);
  if (!command.dry_run && !report.problems.empty() && database.is_worth_shrinking()) {
    report.shrunk = database.shrink();
    if (!report.shrunk)
      note("alphasparse: the file keeps its size: another process uses it, or the disk is full\n");
  }
  report.bytes = count_bytes(database.path());
  print_report(command.json, command.json ? prune_json(report) : prune_text(report));
}

void run_verify(const DbCommand& command) {
  Database database = open_database(command);
  const std::vector<std::string> complaints = database.complaints(design_complaint);
  const std::int64_t old_failures = database.old_failures();
  if (command.json) {
    print_report(true, complaints_json(complaints, old_failures, database.path()));
  } else {
    for (const std::string& complaint : complaints) fmt::print("{}\n", printable(complaint));
  }
  if (complaints.empty() && !command.json)
    print_report(false, fmt::format("{}: sound\n", printable(database.path())));
  if (old_failures > 0 && !command.json) {
    fmt::print(
        "{} of other generators may be a machine's, not the designs'; they answer nothing now, and "
        "db prune --failed --generator-not-current removes them\n",
        counted(old_failures, "failure"));
  }
  if (complaints.empty()) return;
  throw Error(ExitCode::database,
              fmt::format("database {} has {}", database.path(),
                          counted(static_cast<std::int64_t>(complaints.size()), "complaint")));
}

}  // namespace

void run_db(const DbCommand& command) {
  switch (command.action) {
    case DbAction::list:
      return run_list(command);
    case DbAction::report:
      return run_report(command);
    case DbAction::show:
      return run_show(command);
    case DbAction::best:
      return run_best(command);
    case DbAction::export_file:
      return run_export(command);
    case DbAction::import_file:
      return run_import(command);
    case DbAction::merge:
      return run_merge(command);
    case DbAction::prune:
      return run_prune(command);
    case DbAction::verify:
      return run_verify(command);
  }
}

}  // namespace alphasparse
