// problems: the problems of the tuning database and the history of one.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "runtime/database/rows.h"

namespace alphasparse {

namespace {

constexpr std::string_view problem_query =
    "SELECT {}, "
    "(SELECT count(*) FROM run WHERE run.problem = problem.key), "
    "(SELECT count(*) FROM run JOIN measurement ON measurement.run = run.key "
    "WHERE run.problem = problem.key) "
    "FROM problem JOIN matrix ON matrix.key = problem.matrix "
    "JOIN device ON device.key = problem.device WHERE {} "
    "ORDER BY name, matrix.key, gpu, kind, device.key, dtype, regime, options, generator";

/// It holds only the fields that are asked for, so that SQLite looks them up; its parameters are
/// the fields.
std::string make_condition(const ProblemChoice& choice) {
  std::string text = "?1 = ?1 AND ?2 = ?2 AND ?3 = ?3";  // a parameter must stand somewhere
  if (!choice.matrix_name.empty()) text += " AND name = ?1";
  if (!choice.pattern.empty()) text += " AND pattern = ?2";
  // Keys are hexadecimal digits.
  if (!choice.key_begin.empty()) text += " AND problem.key >= ?3 AND problem.key < ?3 || 'g'";
  return text;
}

StoredProblem read_stored_problem(const SqlStatement& row) {
  StoredProblem stored;
  stored.key = row.text(0);
  stored.problem = problem_of_row(row);
  stored.runs = row.integer(problem_column_count);
  stored.measurements = row.integer(problem_column_count + 1);
  return stored;
}

std::vector<StoredRun> stored_runs(Sqlite& sqlite, const std::string& problem) {
  SqlStatement row(sqlite,
                   "SELECT key, seconds_asked, trials_asked, seed, run.created_at, state, seconds, "
                   "trials, (SELECT count(*) FROM measurement WHERE measurement.run = run.key) "
                   "FROM run LEFT JOIN run_end ON run_end.run = run.key WHERE problem = ?1 "
                   "ORDER BY run.created_at, key");
  row.bind(problem);
  std::vector<StoredRun> runs;
  while (row.step()) {
    StoredRun run;
    run.key = row.text(0);
    run.requested = {row.real(1), row.integer(2), static_cast<std::uint64_t>(row.integer(3))};
    run.created_at = row.text(4);
    if (!row.null(5)) {
      const bool complete = row.text(5) == "complete";
      run.end = RunEnd{complete ? RunState::complete : RunState::interrupted, row.real(6),
                       row.integer(7)};
    }
    run.measurements = row.integer(8);
    runs.push_back(std::move(run));
  }
  return runs;
}

constexpr std::string_view vectors_key = " vectors=";

}  // namespace

std::string vectors_option(int vectors) {
  return vectors == 1 ? "" : fmt::format("{}{}", vectors_key, vectors);
}

int Problem::vectors() const {
  const std::size_t at = options.find(vectors_key);
  return at == std::string::npos ? 1 : std::atoi(options.c_str() + at + vectors_key.size());
}

bool Problem::is_baseline() const {
  return options == std::string(vendor_options) + vectors_option(vectors());
}

std::vector<StoredProblem> stored_problems(Sqlite& sqlite, const ProblemChoice& choice,
                                           const ProblemVisitor& visit) {
  std::vector<StoredProblem> problems;
  SqlStatement row(sqlite, fmt::format(problem_query, problem_columns, make_condition(choice)));
  row.bind(choice.matrix_name, choice.pattern, choice.key_begin);
  while (row.step()) {
    StoredProblem stored = read_stored_problem(row);
    const Outcomes outcomes = stored_outcomes(sqlite, stored.key);
    const Problem& problem = stored.problem;
    const Measurement* const best = problem.is_baseline()
                                        ? best_baseline(problem.device.target, outcomes)
                                        : find_best(outcomes);
    if (best) stored.best = *best;
    if (visit) visit(stored, outcomes);
    problems.push_back(std::move(stored));
  }
  return problems;
}

std::vector<StoredProblem> Database::problems(const ProblemChoice& choice,
                                              const ProblemVisitor& visit) {
  const Snapshot snapshot(state_->sqlite);
  return stored_problems(state_->sqlite, choice, visit);
}

std::int64_t Database::problem_count() {
  return state_->sqlite.integer("SELECT count(*) FROM problem");
}

History Database::history(const std::string& problem) {
  const Snapshot snapshot(state_->sqlite);
  return {stored_outcomes(state_->sqlite, problem), stored_runs(state_->sqlite, problem)};
}

}  // namespace alphasparse
