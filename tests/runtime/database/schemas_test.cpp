// schemas_test: files of older schemas are refused, and tools/renew_database makes them new.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "runtime/database/schema.h"
#include "runtime/system/files/content_key.h"
#include "runtime/system/sqlite.h"
#include "tests/support/database_fixture.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

int renew(const std::string& file) {
  const std::string script = std::string(ALPHASPARSE_SOURCE_DIR) + "/tools/renew_database";
  return std::system(fmt::format("'{}' '{}' 2>/dev/null", script, file).c_str());
}

TEST_F(DatabaseTest, AnotherSchemaIsRefusedWithTheCommandThatMakesItNew) {
  Database::open(place());
  for (int schema = 1; schema < schema_version; ++schema) {
    Sqlite(place()).run(fmt::format("PRAGMA user_version={}", schema));
    const std::string before = contents(place());
    for (const auto& open : {Database::open, Database::open_to_read, Database::open_source}) {
      try {
        open(place(), database_hint);
        ADD_FAILURE() << schema;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("make it new by tools/renew_database FILE, or"),
                  std::string::npos)
            << error.what();
        EXPECT_EQ(error.code(), ExitCode::database);
      }
    }
    EXPECT_EQ(contents(place()), before);
  }
}

// The schema's tables are compared whole: an object more, fewer or other is another program's.
TEST_F(DatabaseTest, AChangedSchemaIsRefused) {
  for (const char* const change :
       {"CREATE VIEW more AS SELECT 1", "CREATE TABLE more (x)",
        "CREATE TRIGGER more AFTER INSERT ON run BEGIN DELETE FROM measurement; END",
        "CREATE INDEX more ON run (seed)", "ALTER TABLE matrix ADD COLUMN more TEXT",
        "DROP TABLE roofline"}) {
    const std::string file = place("changed.db");
    std::filesystem::remove(file);
    Database::open(file);
    Sqlite(file).run(change);
    const std::string before = contents(file);
    EXPECT_THROW(Database::open(file), Error) << change;
    EXPECT_THROW(Database::open_source(file), Error) << change;
    EXPECT_EQ(contents(file), before) << change;
  }
}

// The script spells keys as the program does, for every column that they hash.
TEST_F(DatabaseTest, ARenewedFileHasTheProgramsKeys) {
  std::string rows;
  {
    Database database = Database::open(place());
    Problem sample = problem_of();
    sample.sample_nnz = 1000;
    const std::string run = database.begin_run(sample, {60, 0, 7});
    for (const double time_us : {1e-7, 0.1 + 0.2, 1.0, 1234567.125, 1e15, 1e16, 1e300})
      database.record(run, timed(fmt::format("coo {}", time_us), time_us));
    Measurement measurement = failed("gr\xfc\xdf", Status::duplicate);
    measurement.original = "coo | b";
    measurement.counted = true;
    database.record(run, measurement);
    ASSERT_EQ(database.complaints({}), std::vector<std::string>());
    rows = database.export_json();
  }
  EXPECT_NE(renew(place()), 0) << "it is new";
  Sqlite(place()).run_script(
      "UPDATE measurement SET key = 'x' || key; UPDATE problem SET key = 'x' || key; "
      "UPDATE run SET problem = 'x' || problem; PRAGMA user_version=7");
  ASSERT_EQ(renew(place()), 0);
  EXPECT_EQ(Database::open(place()).export_json(), rows);
  EXPECT_EQ(Sqlite(place() + ".old").integer("PRAGMA user_version"), 7);
  Sqlite(place()).run("PRAGMA user_version=7");
  EXPECT_NE(renew(place()), 0) << "the old file would be lost";
}

// Columns that are missing, and facts inside of other columns, as files of schemas 1 to 6 had them.
TEST_F(DatabaseTest, ARenewedFileHasTheFactsOfTheOldRows) {
  const Problem problem = problem_of();
  Sqlite(place()).run_script(fmt::format(
      "CREATE TABLE device (key, gpu, kind, version, arch);"
      "CREATE TABLE matrix (key, pattern, value_bits, rows, cols, nnz, name);"
      "CREATE TABLE design (key, text); CREATE TABLE problem (key, matrix, device, dtype, regime, "
      "options, generator); CREATE TABLE run (key, problem, seconds_asked, trials_asked, seed, "
      "created_at); CREATE TABLE measurement (key, run, design, status, reason, verified, "
      "format_bytes, time_us, time_us_p20, time_us_p80, samples, registers, note, created_at);"
      "INSERT INTO device VALUES ('{0}', '{1}', '{2}', '{3}', '{4}');"
      "INSERT INTO matrix VALUES ('{5}', '{6}', '{7}', 3, 4, 5, 'm');"
      "INSERT INTO design VALUES ('{8}', 'coo | a'), ('{9}', 'coo | b');"
      "INSERT INTO problem VALUES ('p', '{5}', '{0}', '{10}', '{11}', '{12} sample=1000', '{13}');"
      "INSERT INTO run VALUES ('{14}', 'p', 60.0, 0, 7, '2020-01-01T00:00:00.000Z');"
      "INSERT INTO measurement VALUES ('1', '{14}', '{8}', 'ok', '', 1, -1, 20.5, 20.0, 21.0, 3, "
      "-1,"
      " '', '2020-01-01T00:00:00.000Z'), ('2', '{14}', '{9}', 'duplicate', 'the kernel of coo | a',"
      " 1, 48, NULL, NULL, NULL, NULL, NULL, NULL, '2020-01-01T00:00:00.000Z');"
      "PRAGMA application_id={15}; PRAGMA user_version=1",
      content_key({problem.device.gpu, time_kind_name(problem.device.kind), problem.device.version,
                   problem.device.arch}),
      problem.device.gpu, time_kind_name(problem.device.kind), problem.device.version,
      problem.device.arch, content_key({problem.matrix.pattern, problem.matrix.values}),
      problem.matrix.pattern, problem.matrix.values, content_key({"coo | a"}),
      content_key({"coo | b"}), dtype_name(problem.dtype), regime_name(problem.regime),
      problem.options, problem.generator_version, content_key({"run"}), schema_application_id));
  ASSERT_EQ(renew(place()), 0);
  Database database = Database::open(place());
  EXPECT_EQ(database.complaints({}), std::vector<std::string>());
  Problem sample = problem;
  sample.sample_nnz = 1000;
  const Outcomes outcomes = database.outcomes(sample, Origin::elsewhere);
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes.at("coo | a").timing->time_us, 20.5);
  EXPECT_FALSE(outcomes.at("coo | a").format_bytes || outcomes.at("coo | a").timing->registers);
  EXPECT_EQ(outcomes.at("coo | b").original, "coo | a");
  EXPECT_EQ(outcomes.at("coo | b").reason, "");
  EXPECT_EQ(outcomes.at("coo | b").format_bytes, 48);
  EXPECT_EQ(database.outcomes(problem).size(), 0U) << "the whole matrix has none";
}

}  // namespace
}  // namespace alphasparse
