// schemas_test: files and documents of older schemas, which are brought up to date with
// the keys that their rows have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/database/database.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/sqlite.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

constexpr const char* long_ago = "2020-01-01T00:00:00.000Z";

Problem problem_of_schema() {
  Problem problem;
  problem.matrix = {"pattern", "values"};
  problem.rows = 3;
  problem.cols = 4;
  problem.nnz = 5;
  problem.matrix_name = "m";
  problem.device = {"", "h200", TimeKind::modelled, "1", "sm_90"};
  problem.options = "values=fixed";
  problem.generator_version = "0.1.0";
  return problem;
}

Measurement timed_long_ago(const std::string& design, double time_us) {
  Measurement measurement;
  measurement.design = design;
  measurement.verified = true;
  measurement.timing.emplace();
  measurement.timing->time_us = time_us;
  measurement.timing->time_us_p20 = time_us;
  measurement.timing->time_us_p80 = time_us;
  measurement.timing->sm_mhz = 1980;
  measurement.convert_us = 7.5;
  measurement.created_at = long_ago;
  return measurement;
}

/// The view as the programs of schemas 1 to 4 wrote it.
constexpr const char* view_of_schema_4 = R"sql(
-- Of a problem's measurements of a design, the newest.
CREATE VIEW outcome AS
SELECT * FROM (
  SELECT run.problem, design.text, measurement.*, row_number() OVER (
    PARTITION BY run.problem, measurement.design
    ORDER BY measurement.created_at DESC, measurement.key DESC) AS age
  FROM run JOIN measurement ON measurement.run = run.key
  JOIN design ON design.key = measurement.design)
WHERE age = 1;
)sql";
constexpr const char* models_of_schema_4 = R"sql(
CREATE TABLE model (                   -- of a problem's times; only the newest is kept
  key TEXT NOT NULL PRIMARY KEY,
  problem TEXT NOT NULL REFERENCES problem (key),
  features_version INTEGER NOT NULL,
  feature_names TEXT NOT NULL,         -- a JSON array
  rows INTEGER NOT NULL,               -- that it was trained on
  regression BLOB NOT NULL,            -- XGBoost's UBJSON
  classifier BLOB NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX model_of_problem ON model (problem);
)sql";

constexpr const char* features_of_schemas_3_to_5 = R"sql(
CREATE TABLE matrix_features (
  key TEXT PRIMARY KEY,
  matrix TEXT NOT NULL REFERENCES matrix (key),
  version INTEGER NOT NULL,            -- of the features' meaning
  numbers TEXT NOT NULL                -- JSON, name to number
) STRICT, WITHOUT ROWID;
CREATE INDEX matrix_features_of_matrix ON matrix_features (matrix);
)sql";
constexpr const char* old_numbers = R"({"rows":3.0,"nnz":5.0,"bandwidth":0.30000000000000004})";

/// A file of an older schema with one measurement; from 3 on with features, of which one row cannot
/// be read.
struct DatabaseSchemas : ::testing::TestWithParam<int> {
  DatabaseSchemas() {
    std::string run;
    {
      Database database = Database::open(path);
      run = database.begin_run(problem_of_schema(), {60, 0, 7});
      database.record(run, timed_long_ago("a", 20.5));
      database.finish(run, RunState::complete, 1, 1);
    }
    // The numbers as each schema spelt them, so that a change of today's spelling is seen here.
    const std::string numbers = GetParam() == 1 ? "true 20.5 20.5 20.5 0 -1 -1 -1 -1"
                                                : "true 20.5 20.5 20.5 0 -1 -1 -1 -1 1980 0 7.5 -1";
    Sqlite sqlite(path);
    sqlite.run("UPDATE measurement SET key = ?1",
               content_key({run, "a", "ok", "", numbers, "-1", long_ago}));
    for (const char* table : {"claim", "matrix_features", "feature_names"})
      sqlite.run(fmt::format("DROP TABLE {}", table));
    for (const char* index : {"matrix_of_name", "problem_of_conditions"})
      sqlite.run(fmt::format("DROP INDEX {}", index));
    if (GetParam() >= 3) {
      sqlite.run_script(features_of_schemas_3_to_5);
      sqlite.run("INSERT INTO matrix_features SELECT 'f', key, 1, ?1 FROM matrix",
                 std::string_view(old_numbers));
      sqlite.run("INSERT INTO matrix_features SELECT 'g', key, 2, '{' FROM matrix");
    }
    sqlite.run("PRAGMA user_version=5");
    if (GetParam() < 5) make_older(sqlite);
    sqlite.run("UPDATE run SET created_at = ?1", std::string_view(long_ago));
    sqlite.run(fmt::format("PRAGMA user_version={}", GetParam()));
  }

  static void make_older(Sqlite& sqlite) {
    for (const char* table : {"roofline", "machine"}) {
      sqlite.run(fmt::format("DROP TABLE {}", table));
    }
    sqlite.run("ALTER TABLE run DROP COLUMN machine");
    sqlite.run_script(view_of_schema_4);
    if (GetParam() >= 3) sqlite.run_script(models_of_schema_4);
    if (GetParam() < 4) sqlite.run("ALTER TABLE measurement DROP COLUMN time_us_min");
    if (GetParam() < 3) {
      sqlite.run("ALTER TABLE measurement DROP COLUMN trial_us");
      sqlite.run("ALTER TABLE measurement DROP COLUMN bound_us");
    }
    if (GetParam() == 1) {
      for (const char* column : {"sm_mhz", "slowed", "noisy", "rounds", "convert_us", "load_us"})
        sqlite.run(fmt::format("ALTER TABLE measurement DROP COLUMN {}", column));
    }
  }

  TestFolder folder;
  const std::string path = (folder / "old.db").string();
};

TEST_P(DatabaseSchemas, AFileIsBroughtUpToDate) {
  Database newer = Database::open((folder / "newer.db").string());
  EXPECT_EQ(newer.merge(path).measurements, 1);
  Database database = Database::open(path);
  for (Database* each : {&database, &newer}) {
    EXPECT_EQ(each->complaints({}), std::vector<std::string>());
    const std::optional<Measurement> old = each->best(problem_of_schema());
    ASSERT_TRUE(old);
    EXPECT_EQ(old->timing->time_us, 20.5);
    EXPECT_EQ(old->timing->sm_mhz, GetParam() == 1 ? -1 : 1980);
    EXPECT_EQ(old->convert_us, GetParam() == 1 ? -1 : 7.5);
    EXPECT_EQ(old->trial_us, -1);
    EXPECT_EQ(old->bound_us, -1);
    EXPECT_EQ(old->timing->time_us_min, 0);
    Measurement measurement = timed_long_ago("b", 10.25);
    measurement.trial_us = 1e6;
    measurement.timing->time_us_min = 9.75;
    each->record(each->begin_run(problem_of_schema(), {60, 0, 7}), measurement);
    EXPECT_EQ(each->best(problem_of_schema())->trial_us, 1e6);
    EXPECT_EQ(each->best(problem_of_schema())->timing->time_us_min, 9.75);
    EXPECT_EQ(each->best(problem_of_schema())->timing->sm_mhz, 1980);
    each->keep_features(problem_of_schema().matrix, {1, {{"rows", 3}}});
    const auto features = each->features(problem_of_schema().matrix, 1);
    ASSERT_TRUE(features);
    EXPECT_EQ(features->numbers.size(), GetParam() < 3 ? 1U : 3U);
    if (GetParam() >= 3) {
      EXPECT_EQ(features->numbers[2].second, 0.1 + 0.2);
    }
    EXPECT_EQ(each->complaints({}), std::vector<std::string>());
  }
}

// The same tables as a new file's, so that rows of the one fit the other.
TEST_P(DatabaseSchemas, TheColumnsAreThoseOfANewFile) {
  Database::open((folder / "new.db").string());
  Database::open(path);
  const auto columns = [](const std::string& file) {
    Sqlite sqlite(file);
    Statement row(sqlite,
                  "SELECT m.name, c.name, c.type, c.\"notnull\" FROM sqlite_master AS m "
                  "JOIN pragma_table_info(m.name) AS c ORDER BY m.name, c.cid");
    std::string text;
    while (row.step())
      text += row.text(0) + " " + row.text(1) + " " + row.text(2) + " " + row.text(3) + "\n";
    return text;
  };
  EXPECT_EQ(columns(path), columns((folder / "new.db").string()));
  EXPECT_NE(columns(path).find("measurement trial_us REAL"), std::string::npos);
}

// Documents name their schema; columns that it did not have are missing in them.
TEST_P(DatabaseSchemas, ADocumentIsTakenIn) {
  Database today = Database::open(path);
  nlohmann::json document = nlohmann::json::parse(today.export_json());
  ASSERT_EQ(document["schema"], 6);
  document["schema"] = GetParam();
  document["tables"].erase("model");
  document["tables"].erase("feature_names");
  if (GetParam() < 3) {
    document["tables"].erase("matrix_features");
  } else {
    document["tables"]["matrix_features"] = {{{"key", "f"},
                                              {"matrix", document["tables"]["matrix"][0]["key"]},
                                              {"version", 1},
                                              {"numbers", old_numbers}}};
  }
  Database read = Database::of_json(document.dump(), "old document");
  EXPECT_EQ(read.best(problem_of_schema())->timing->time_us, 20.5);
  EXPECT_EQ(read.export_json(), today.export_json());
  document["schema"] = 6;
  document["tables"].erase("matrix_features");
  EXPECT_THROW(Database::of_json(document.dump(), "half a document"), Error);
  document["schema"] = 0;
  EXPECT_THROW(Database::of_json(document.dump(), "no document"), Error);
}

// The source of a merge stays as it is, in every schema.
TEST_P(DatabaseSchemas, ASourceIsNotChanged) {
  const std::string before = contents(path);
  Database newer = Database::open((folder / "newer.db").string());
  EXPECT_EQ(newer.merge(path).measurements, 1);
  EXPECT_EQ(contents(path), before);
}

TEST_P(DatabaseSchemas, AnotherSchemaIsRefused) {
  for (const char* const change :
       {"CREATE VIEW more AS SELECT 1", "CREATE TABLE more (x)",
        "CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM measurement; END",
        "CREATE INDEX more ON run (seed)", "ALTER TABLE matrix ADD COLUMN more TEXT",
        GetParam() < 5 ? "DROP VIEW outcome" : "DROP TABLE roofline"}) {
    const std::string copy = (folder / "copy.db").string();
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    { Sqlite(copy).run(change); }
    const std::string before = contents(copy);
    EXPECT_THROW(Database::open(copy), Error) << change;
    EXPECT_THROW(Database::open_source(copy), Error) << change;
    EXPECT_EQ(contents(copy), before) << change;
  }
}

INSTANTIATE_TEST_SUITE_P(Older, DatabaseSchemas, ::testing::Values(1, 2, 3, 4, 5));

}  // namespace
}  // namespace alphasparse
