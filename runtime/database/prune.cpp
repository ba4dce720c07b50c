// prune: the one way in which rows leave the tuning database.
//
// Rows that are to go are collected first, in temporary tables, and cut back by the rules of
// Database::prune. Then everything goes in one transaction. A dry run does the same, but does not
// commit it.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/database/rows.h"

namespace alphasparse {

namespace {

/// A run may take 8 h; one that began so long ago, or so far ahead, and has no end was killed.
constexpr const char* killed_for_sure = "1 days";

/// To shrink a file is to copy it: in one of more pages than this, less than a twentieth of them
/// waits for new rows.
constexpr std::int64_t small_pages = 1000;

/// Deleting a design or a device would search all rows that may refer to it, without an index.
/// Nothing refers to the rows that are deleted here.
class WithoutReferenceChecks {
 public:
  explicit WithoutReferenceChecks(Sqlite& sqlite) : sqlite_(sqlite) {
    sqlite_.run("PRAGMA foreign_keys=OFF");
  }
  ~WithoutReferenceChecks() {
    try {
      sqlite_.run("PRAGMA foreign_keys=ON");
    } catch (const Error&) {  // of a connection that is lost; its next use says so
    }
  }
  WithoutReferenceChecks(const WithoutReferenceChecks&) = delete;
  WithoutReferenceChecks& operator=(const WithoutReferenceChecks&) = delete;

 private:
  Sqlite& sqlite_;
};

/// The search for rows that are to go reads only the problems that are asked for, so that one
/// matrix costs as much in a large database as in a small one.
struct Pruning {
  Sqlite& sqlite;
  const PruneCriteria& criteria;

  bool has_matrix() const { return !criteria.matrix.empty(); }

  void begin() {
    for (const char* const table : {"asked", "gone", "gone_run"})
      sqlite.run(fmt::format("DROP TABLE IF EXISTS temp.{}", table));
    sqlite.run(
        "CREATE TEMP TABLE asked (key TEXT PRIMARY KEY, matrix TEXT, device TEXT) "
        "WITHOUT ROWID");
    sqlite.run("CREATE TEMP TABLE gone (key TEXT PRIMARY KEY) WITHOUT ROWID");
    sqlite.run("CREATE TEMP TABLE gone_run (key TEXT PRIMARY KEY) WITHOUT ROWID");
    const char* const of_matrix = has_matrix() ? "name = ?2" : "?2 = ?2";
    sqlite.run(fmt::format("INSERT INTO asked SELECT problem.key, matrix, device FROM matrix "
                           "JOIN problem ON problem.matrix = matrix.key "
                           "WHERE (?1 = '' OR generator <> ?1) AND {}",
                           of_matrix),
               criteria.other_generator_than, criteria.matrix);
  }

  /// The day before which rows are old; nothing where their age does not count.
  std::optional<std::string> days() const {
    if (!criteria.days) return std::nullopt;
    return "-" + std::to_string(*criteria.days) + " days";
  }

  void collect_measurements() {
    // Days that SQLite cannot count back give NULL: nothing is as old.
    sqlite.run(
        "INSERT INTO gone SELECT measurement.key FROM asked "
        "CROSS JOIN run ON run.problem = asked.key CROSS JOIN measurement ON run = run.key "
        "WHERE (?1 IS NULL OR "
        "measurement.created_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?1)) "
        "AND (?2 = 0 OR status <> 'ok')",
        days(), criteria.failed ? 1 : 0);
  }

  /// Unless a matrix was named, winners stay.
  void keep_winners(const std::vector<StoredProblem>& problems) {
    if (has_matrix()) return;
    for (const StoredProblem& stored : problems) {
      if (!stored.best) continue;
      sqlite.run(fmt::format("DELETE FROM gone WHERE key IN (SELECT key FROM {} WHERE text = ?2)",
                             outcome_table("run.problem = ?1")),
                 stored.key, stored.best->design);
    }
  }

  /// A design's newest measurement counts: one that failed must not leave an older one behind that
  /// did not.
  void keep_newest() {
    sqlite.run(fmt::format(
        "WITH staying AS MATERIALIZED (SELECT DISTINCT run.problem, design FROM asked "
        "CROSS JOIN run ON run.problem = asked.key CROSS JOIN measurement ON run = run.key "
        "WHERE measurement.key NOT IN (SELECT key FROM gone)) "
        "DELETE FROM gone WHERE key IN (SELECT outcome.key FROM {} "
        "JOIN staying ON staying.problem = outcome.problem AND staying.design = outcome.design)",
        outcome_table("run.problem IN (SELECT key FROM asked)")));
  }

  /// Runs without a measurement that have lost some, or are asked for themselves.
  void collect_runs() {
    sqlite.run(
        "INSERT INTO gone_run SELECT run.key FROM asked CROSS JOIN run ON run.problem = asked.key "
        "WHERE NOT EXISTS (SELECT 1 FROM measurement AS m WHERE m.run = run.key "
        "AND m.key NOT IN (SELECT key FROM gone)) "
        "AND (EXISTS (SELECT 1 FROM measurement AS m WHERE m.run = run.key) OR (?2 = 0 "
        "AND (?1 IS NULL OR run.created_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?1))))",
        days(), criteria.failed ? 1 : 0);
    sqlite.run(
        "DELETE FROM gone_run WHERE key IN (SELECT run.key FROM gone_run "
        "CROSS JOIN run ON run.key = gone_run.key "
        "WHERE run.created_at BETWEEN strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || ?1) "
        "AND strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+' || ?1) "
        "AND NOT EXISTS (SELECT 1 FROM run_end WHERE run_end.run = run.key))",
        std::string_view(killed_for_sure));
  }

  std::map<std::string, std::int64_t> count_by_problem(const char* sql) {
    std::map<std::string, std::int64_t> counts;
    SqlStatement row(sqlite, sql);
    while (row.step()) counts.emplace(row.text(0), row.integer(1));
    return counts;
  }

  std::vector<PrunedProblem> report(const std::vector<StoredProblem>& problems) {
    const auto measurements = count_by_problem(
        "SELECT run.problem, count(*) FROM gone CROSS JOIN measurement ON measurement.key = "
        "gone.key CROSS JOIN run ON run.key = run GROUP BY 1");
    const auto runs = count_by_problem(
        "SELECT run.problem, count(*) FROM gone_run CROSS JOIN run ON run.key = gone_run.key "
        "GROUP BY 1");
    std::vector<PrunedProblem> pruned;
    const auto count = [](const auto& counts, const std::string& key) {
      const auto found = counts.find(key);
      return found == counts.end() ? std::int64_t{0} : found->second;
    };
    for (const StoredProblem& stored : problems) {
      PrunedProblem one{stored, count(measurements, stored.key), count(runs, stored.key), false};
      one.whole = one.runs == stored.runs;
      if (one.measurements > 0 || one.runs > 0) pruned.push_back(std::move(one));
    }
    return pruned;
  }

  void remove() {
    for (const char* const sql :
         {"DELETE FROM measurement WHERE key IN (SELECT key FROM gone)",
          "DELETE FROM run_end WHERE run IN (SELECT key FROM gone_run)",
          "DELETE FROM run WHERE key IN (SELECT key FROM gone_run)",
          "DELETE FROM problem WHERE key IN (SELECT key FROM asked) "
          "AND NOT EXISTS (SELECT 1 FROM run WHERE run.problem = problem.key)",
          "DELETE FROM matrix_features WHERE matrix IN (SELECT matrix FROM asked) AND NOT EXISTS "
          "(SELECT 1 FROM problem WHERE problem.matrix = matrix_features.matrix)",
          "DELETE FROM matrix WHERE key IN (SELECT matrix FROM asked) "
          "AND NOT EXISTS (SELECT 1 FROM problem WHERE problem.matrix = matrix.key)",
          "DELETE FROM device WHERE key IN (SELECT device FROM asked) "
          "AND NOT EXISTS (SELECT 1 FROM problem WHERE problem.device = device.key)"}) {
      sqlite.run(sql);
    }
    if (has_matrix()) return;  // whether another matrix has them is a question to all rows
    sqlite.run("DELETE FROM design WHERE key NOT IN (SELECT design FROM measurement)");
    sqlite.run("DELETE FROM feature_names WHERE key NOT IN (SELECT names FROM matrix_features)");
  }
};

}  // namespace

std::vector<PrunedProblem> Database::prune(const PruneCriteria& criteria, bool dry) {
  CHECK(criteria.any());
  Sqlite& sqlite = state_->sqlite;
  const WithoutReferenceChecks unchecked(sqlite);
  sqlite.run("PRAGMA temp_store=MEMORY");
  Transaction transaction(sqlite);
  Pruning pruning{sqlite, criteria};
  pruning.begin();
  const std::vector<StoredProblem> problems = stored_problems(sqlite, {criteria.matrix, "", ""});
  pruning.collect_measurements();
  pruning.keep_winners(problems);
  pruning.keep_newest();
  pruning.collect_runs();
  std::vector<PrunedProblem> pruned = pruning.report(problems);
  if (dry) return pruned;
  pruning.remove();
  transaction.commit();
  return pruned;
}

bool Database::is_worth_shrinking() {
  Sqlite& sqlite = state_->sqlite;
  const std::int64_t pages = sqlite.integer("PRAGMA page_count");
  return pages <= small_pages || 20 * sqlite.integer("PRAGMA freelist_count") >= pages;
}

bool Database::shrink() { return state_->sqlite.try_vacuum(); }

}  // namespace alphasparse
