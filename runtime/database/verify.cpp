// verify: whether the tuning database is sound, from its pages to the meaning of its rows.
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/version.h"
#include "runtime/database/json.h"
#include "runtime/database/rows.h"
#include "runtime/database/schema.h"
#include "runtime/system/files/content_key.h"

namespace alphasparse {

namespace {

constexpr int page_complaints_max = 100;

/// A time as utc_now spells it, as a pattern of SQLite's GLOB; such texts sort by time.
constexpr std::string_view time_pattern =
    "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9].[0-9][0-9][0-9]Z";

struct Rows {
  Sqlite& sqlite;
  std::vector<Complaint> complaints;

  void complain(std::string_view table, const std::string& key, std::string_view what) {
    complaints.push_back({std::string(table), key, std::string(what)});
  }

  /// Keys that are the hash of the columns behind them.
  void check_keys(const char* table, const char* fields, int count) {
    SqlStatement row(sqlite, fmt::format("SELECT key, {} FROM {}", fields, table));
    while (row.step()) {
      ContentKey key;
      for (int field = 1; field <= count; ++field) key.add(row.text(field));
      if (key.text() != row.text(0)) complain(table, row.text(0), "its key is not its content's");
    }
  }

  /// Rows of which a condition holds that must not.
  void check_none(const char* table, const char* key, const std::string& condition,
                  std::string_view what) {
    SqlStatement row(sqlite, fmt::format("SELECT {} FROM {} WHERE {}", key, table, condition));
    while (row.step()) complain(table, row.text(0), what);
  }

  void check_lengths() {
    for (const char* const table : schema_tables) {
      const std::vector<DocumentColumn> columns = read_columns(sqlite, table);
      std::string cases;
      for (const auto& [name, type] : columns) {
        if (type != "TEXT") continue;
        cases += fmt::format(
            "WHEN length(CAST({0} AS BLOB)) > {1} THEN 'its {0} has more than {1} bytes' ", name,
            text_limit(name));
      }
      SqlStatement row(sqlite,
                       fmt::format("SELECT {}, CASE {} END AS what FROM {} WHERE what NOTNULL",
                                   columns.front().name, cases, table));
      while (row.step()) complain(table, row.text(0), row.text(1));
    }
  }

  void check_dates() {
    for (const auto& [table, key] :
         {std::pair("run", "key"), {"run_end", "run"}, {"measurement", "key"}}) {
      check_none(table, key, fmt::format("created_at NOT GLOB '{}'", time_pattern),
                 "created_at is no time");
    }
  }

  void check_counts() {
    check_none("matrix", "key",
               "rows NOT BETWEEN 1 AND 2147483647 OR cols NOT BETWEEN 1 AND 2147483647 OR "
               "nnz NOT BETWEEN 0 AND min(rows * cols, 2147483647)",
               "a size that no matrix has");
    check_none("problem", "key", "sample_nnz NOT BETWEEN 0 AND 2147483647",
               "a sample of a size that no matrix has");
    check_none("run", "key",
               "length(key) <> 32 OR key GLOB '*[^0-9a-f]*' OR seconds_asked < 0 OR "
               "abs(seconds_asked) > 1e300 OR trials_asked < 0",
               "a key that is none, or an effort that cannot be");
    check_none("run_end", "run", "seconds < 0 OR abs(seconds) > 1e300 OR trials < 0",
               "an effort that cannot be");
    // A timed measurement has all of these columns, another none of these and of those below.
    check_none("measurement", "key",
               "(time_us_p20 IS NULL)+(time_us_p80 IS NULL)+(samples IS NULL)+(note IS NULL) "
               "<> CASE WHEN time_us IS NULL THEN 4 ELSE 0 END OR time_us IS NULL AND "
               "coalesce(registers, spill_bytes, sectors, dram_bytes) IS NOT NULL",
               "half a timing");
    check_none("measurement", "key",
               "counted AND run IN (SELECT run.key FROM run JOIN problem ON problem.key = problem "
               "WHERE sample_nnz IS NULL)",
               "counted alone, of a whole matrix");
    check_none("measurement", "key", "trial_us < 0 OR bound_us < 0 OR time_us_min <= 0",
               "a negative time");
  }

  static std::string_view wrong_numbers(const Measurement& measurement) {
    const auto wrong = [](double us) { return !std::isfinite(us) || us < 0; };
    if (const auto& timing = measurement.timing) {
      if (wrong(timing->time_us) || wrong(timing->time_us_p20) || wrong(timing->time_us_p80) ||
          wrong(timing->time_us_min.value_or(0)))
        return "a time that is not finite, or negative";
      if (timing->time_us_p20 > timing->time_us_p80) return "percentiles in the wrong order";
      if (timing->samples < 0 || timing->rounds < 0) return "a negative count";
    }
    for (const auto& us :
         {measurement.convert_us, measurement.load_us, measurement.trial_us, measurement.bound_us})
      if (!std::isfinite(us.value_or(0))) return "a time that is not finite";
    return "";
  }

  void check_measurements() {
    SqlStatement row(sqlite, fmt::format("SELECT {}, measurement.key, run FROM measurement "
                                         "JOIN design ON design.key = design",
                                         outcome_columns));
    while (row.step()) {
      const Measurement measurement = read_measurement(row);
      const std::string key = row.text(outcome_column_count);
      const std::string run = row.text(outcome_column_count + 1);
      if (const std::string_view what = wrong_numbers(measurement); !what.empty())
        complain("measurement", key, what);
      if (key != measurement_key(run, measurement))
        complain("measurement", key, "its key is not its content's");
    }
  }

  /// In a database of our own only designs of this version are checked: other versions may have had
  /// another design language.
  void check_designs(const DesignCheck& check, bool of_any_version) {
    SqlStatement row(sqlite,
                     "SELECT DISTINCT design.key, text, options = ?2 OR options GLOB ?2 || ' *' "
                     "FROM measurement "
                     "JOIN design ON design.key = design JOIN run ON run.key = run "
                     "JOIN problem ON problem.key = problem WHERE generator = ?1 OR ?3");
    row.bind(std::string_view(generator_version), vendor_options, of_any_version ? 1 : 0);
    while (row.step()) {
      const std::string what = check(row.text(1), row.integer(2) != 0);
      if (!what.empty()) complain("design", row.text(0), what);
    }
  }

  /// Rows that a machine of our own would not have written.
  void check_foreign() {
    const char* const ahead = "created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day')";
    for (const auto& [table, key] :
         {std::pair("run", "key"), {"run_end", "run"}, {"measurement", "key"}}) {
      check_none(table, key, ahead, "a date that is more than a day ahead");
    }
    for (const auto& [table, key] : {std::pair("run_end", "run"), {"measurement", "key"}}) {
      check_none(table, key,
                 "created_at < (SELECT created_at FROM run AS of_run WHERE of_run.key = run)",
                 "a date before that of its run");
    }
    check_none("measurement", "key",
               "time_us <= 0 OR time_us_p20 <= 0 OR time_us_p80 <= 0 OR time_us_min <= 0",
               "a time that is not above zero");
    check_none("measurement", "key",
               "format_bytes < 0 OR samples < 0 OR rounds < 0 OR registers < 0 OR "
               "spill_bytes < 0 OR sectors < 0 OR dram_bytes < 0 OR sm_mhz < 0",
               "a negative count");
  }
};

/// Rules that hold for every row, from any writer.
void check_rows(Rows& rows) {
  rows.check_lengths();
  rows.check_keys("device", "gpu, kind, version, arch", 4);
  rows.check_keys("matrix", "pattern, value_bits", 2);
  rows.check_keys("design", "text", 1);
  rows.check_keys("feature_names", "names", 1);
  rows.check_keys("problem", "matrix, device, dtype, regime, options, generator, sample_nnz", 7);
  rows.check_counts();
  rows.check_dates();
  rows.check_measurements();
  for (Complaint& complaint : feature_complaints(rows.sqlite))
    rows.complaints.push_back(std::move(complaint));
}

}  // namespace

std::string Complaint::text() const {
  return fmt::format("{} {}: {}", table, key.substr(0, text_limit("key")), what);
}

std::vector<Complaint> row_complaints(Sqlite& sqlite, const DesignCheck& design_check) {
  Rows rows{sqlite, {}};
  check_rows(rows);
  if (design_check) rows.check_designs(design_check, false);
  return std::move(rows.complaints);
}

std::vector<Complaint> foreign_row_complaints(Sqlite& sqlite, const DesignCheck& design_check) {
  Rows rows{sqlite, {}};
  check_rows(rows);
  rows.check_foreign();
  if (design_check) rows.check_designs(design_check, true);
  return std::move(rows.complaints);
}

std::vector<std::string> page_complaints(Sqlite& sqlite) {
  std::vector<std::string> complaints;
  SqlStatement pages(sqlite, fmt::format("PRAGMA integrity_check({})", page_complaints_max));
  while (pages.step()) {
    if (pages.text(0) != "ok") complaints.push_back(pages.text(0));
  }
  return complaints;
}

std::vector<std::string> all_complaints(Sqlite& sqlite, const DesignCheck& design_check) {
  std::vector<std::string> complaints = page_complaints(sqlite);
  if (!complaints.empty()) return complaints;  // rows of broken pages give no more facts
  SqlStatement references(sqlite, "PRAGMA foreign_key_check");
  while (references.step()) {
    complaints.push_back(
        fmt::format("a row of {} has lost its {}", references.text(0), references.text(2)));
  }
  for (const Complaint& complaint : row_complaints(sqlite, design_check))
    complaints.push_back(complaint.text());
  return complaints;
}

std::vector<std::string> Database::complaints(const DesignCheck& design_check) {
  const Snapshot snapshot(state_->sqlite);
  return all_complaints(state_->sqlite, design_check);
}

std::int64_t Database::old_failures() {
  SqlStatement count(state_->sqlite,
                     "SELECT count(*) FROM measurement JOIN run ON run.key = run "
                     "JOIN problem ON problem.key = problem WHERE generator <> ?1 AND status IN "
                     "('compile_error', 'launch_error', 'timeout', 'crash', 'out_of_memory')");
  CHECK(count.bind(std::string_view(generator_version)).step());
  return count.integer(0);
}

std::string Database::check() {
  SqlStatement pages(state_->sqlite, "PRAGMA integrity_check(1)");
  if (pages.step() && pages.text(0) != "ok") return pages.text(0);
  SqlStatement references(state_->sqlite, "PRAGMA foreign_key_check");
  if (references.step()) return fmt::format("a row of {} has lost its parent", references.text(0));
  return "";
}

}  // namespace alphasparse
