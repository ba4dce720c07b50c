// schemas_test: files and documents of older schemas, which are brought up to date with
// the keys that their rows have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/database/database.h"
#include "runtime/database/schema.h"
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

// Keys of the rows below.
const std::string matrix_row = content_key({"pattern", "values"});
const std::string device_row = content_key({"h200", "modelled", "1", "sm_90"});
const std::string design_row = content_key({"a"});
const std::string run_row = content_key({"run"});

std::string problem_row(const std::string& options) {
  return content_key({matrix_row, device_row, "f32", "warm", options, "0.1.0"});
}

/// A run of a problem of schema 6, not yet begun by any process.
void add_run(Sqlite& sqlite, const std::string& run, const std::string& options) {
  sqlite.run("INSERT INTO problem VALUES (?1,?2,?3,'f32','warm',?4,'0.1.0')", problem_row(options),
             matrix_row, device_row, options);
  sqlite.run("INSERT INTO run VALUES (?1,?2,60.0,0,7,?3,NULL)", run, problem_row(options),
             std::string_view(long_ago));
  sqlite.run("INSERT INTO run_end VALUES (?1,'complete',1.0,1,?2)", run,
             std::string_view(long_ago));
}

/// The rows on which a measurement of schema 6 of the design "a" stands.
void add_parents(Sqlite& sqlite) {
  sqlite.run("INSERT INTO device VALUES (?1,'h200','modelled','1','sm_90')", device_row);
  sqlite.run("INSERT INTO matrix VALUES (?1,'pattern','values',3,4,5,'m')", matrix_row);
  sqlite.run("INSERT INTO design VALUES (?1,'a')", design_row);
  add_run(sqlite, run_row, "values=fixed");
}

/// A file of an older schema with one measurement; from 3 on with features, of which one row cannot
/// be read.
struct DatabaseSchemas : ::testing::TestWithParam<int> {
  DatabaseSchemas() {
    Sqlite sqlite(path);
    raise_schema(sqlite, 0, 6);
    add_parents(sqlite);
    // The numbers as each schema spelt them, so that a change of today's spelling is seen here.
    const std::string numbers = GetParam() == 1 ? "true 20.5 20.5 20.5 0 -1 -1 -1 -1"
                                                : "true 20.5 20.5 20.5 0 -1 -1 -1 -1 1980 0 7.5 -1";
    sqlite.run(
        "INSERT INTO measurement VALUES (?1,?2,?3,'ok','',1,-1,20.5,20.5,20.5,0,-1,-1,-1,-1,'',?4,"
        "1980,'',0,0,7.5,NULL,NULL,NULL,NULL)",
        content_key({run_row, "a", "ok", "", numbers, "-1", long_ago}), run_row, design_row,
        std::string_view(long_ago));
    if (GetParam() < 6) make_schema_5(sqlite);
    if (GetParam() < 5) make_older(sqlite);
    sqlite.run(fmt::format("PRAGMA user_version={}", GetParam()));
  }

  static void make_schema_5(Sqlite& sqlite) {
    for (const char* table : {"claim", "matrix_features", "feature_names"})
      sqlite.run(fmt::format("DROP TABLE {}", table));
    for (const char* index : {"matrix_of_name", "problem_of_conditions"})
      sqlite.run(fmt::format("DROP INDEX {}", index));
    if (GetParam() < 3) return;
    sqlite.run_script(features_of_schemas_3_to_5);
    sqlite.run("INSERT INTO matrix_features SELECT 'f', key, 1, ?1 FROM matrix",
               std::string_view(old_numbers));
    sqlite.run("INSERT INTO matrix_features SELECT 'g', key, 2, '{' FROM matrix");
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
    EXPECT_EQ(old->timing->sm_mhz, GetParam() == 1 ? std::nullopt : std::optional(1980));
    EXPECT_EQ(old->convert_us, GetParam() == 1 ? std::nullopt : std::optional(7.5));
    EXPECT_FALSE(old->format_bytes || old->load_us || old->trial_us || old->bound_us);
    EXPECT_FALSE(old->timing->registers || old->timing->spill_bytes || old->timing->sectors ||
                 old->timing->dram_bytes || old->timing->time_us_min);
    Measurement measurement = timed_long_ago("b", 10.25);
    measurement.trial_us = 1e6;
    measurement.timing->time_us_min = 9.75;
    each->record(each->begin_run(problem_of_schema(), {60, 0, 7}), measurement);
    EXPECT_EQ(each->best(problem_of_schema())->trial_us, 1e6);
    EXPECT_EQ(each->best(problem_of_schema())->timing->time_us_min, 9.75);
    EXPECT_EQ(each->best(problem_of_schema())->timing->sm_mhz, 1980);
    const auto features = each->features(problem_of_schema().matrix, 1);
    const bool has_old = GetParam() >= 3 && GetParam() < 6;
    ASSERT_EQ(features.has_value(), has_old);
    if (has_old) {
      EXPECT_EQ(features->numbers[2].second, 0.1 + 0.2);
    }
    each->keep_features(problem_of_schema().matrix, {1, {{"rows", 3}}});
    EXPECT_EQ(each->features(problem_of_schema().matrix, 1)->numbers.size(), 1U);
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
  ASSERT_EQ(document["schema"], 7);
  document["schema"] = GetParam();
  for (const char* column : {"format_bytes", "registers", "spill_bytes", "sectors", "dram_bytes"})
    document["tables"]["measurement"][0][column] = -1;
  document["tables"]["measurement"][0].erase("counted");
  if (GetParam() < 6) document["tables"].erase("feature_names");
  if (GetParam() < 3) {
    document["tables"].erase("matrix_features");
  } else if (GetParam() < 6) {
    document["tables"]["matrix_features"] = {{{"key", "f"},
                                              {"matrix", document["tables"]["matrix"][0]["key"]},
                                              {"version", 1},
                                              {"numbers", old_numbers}}};
  }
  Database read = Database::of_json(document.dump(), "old document");
  EXPECT_EQ(read.best(problem_of_schema())->timing->time_us, 20.5);
  EXPECT_EQ(read.export_json(), today.export_json());
  document["schema"] = 7;
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

INSTANTIATE_TEST_SUITE_P(Older, DatabaseSchemas, ::testing::Values(1, 2, 3, 4, 5, 6));

// Up to schema 6 options ended with the size of a sample, and a duplicate's reason named the design
// with its kernel.
TEST(DatabaseSchema6, SamplesAndDuplicatesKeepTheirRows) {
  const TestFolder folder;
  const std::string path = (folder / "old.db").string();
  const std::string of_sample = content_key({"run of a sample"});
  const std::string options = "values=fixed deterministic sample=1000";
  {
    Sqlite sqlite(path);
    raise_schema(sqlite, 0, 6);
    add_parents(sqlite);
    add_run(sqlite, of_sample, options);
    const std::string reason = "the kernel of coo | b";
    sqlite.run(
        "INSERT INTO measurement VALUES (?1,?2,?3,'duplicate',?4,1,48,NULL,NULL,NULL,NULL,NULL,"
        "NULL,NULL,NULL,NULL,?5,NULL,NULL,NULL,NULL,NULL,NULL,2.5,NULL,NULL)",
        content_key({of_sample, "a", "duplicate", reason,
                     "false 0 0 0 0 -1 -1 -1 -1 -1 0 -1 -1 2.5 -1", "48", long_ago}),
        of_sample, design_row, reason, std::string_view(long_ago));
  }
  Database database = Database::open(path);
  EXPECT_EQ(database.complaints({}), std::vector<std::string>());
  Problem sample = problem_of_schema();
  sample.options = "values=fixed deterministic";
  sample.sample_nnz = 1000;
  const Outcomes outcomes = database.outcomes(sample);
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes.at("a").original, "coo | b");
  EXPECT_EQ(outcomes.at("a").reason, "");
  EXPECT_EQ(outcomes.at("a").format_bytes, 48);
  EXPECT_EQ(outcomes.at("a").trial_us, 2.5);
  sample.sample_nnz.reset();
  EXPECT_EQ(database.outcomes(sample).size(), 0U) << "the whole matrix has none";
}

}  // namespace
}  // namespace alphasparse
