// db_folder: a folder with tuning databases that the Database class has filled, for the commands of
// `alphasparse db`.
#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/database/database.h"
#include "tests/support/cli.h"

namespace alphasparse {

using nlohmann::json;

/// The text of a named design as the database has it.
std::string design(std::size_t index);

/// A problem of an emulated GPU and this version of the program.
Problem problem_of(const std::string& matrix_name);

Measurement timed(const std::string& text, double time_us);
Measurement failed(const std::string& text, Status status, const std::string& reason);

struct CliDb : ::testing::Test {
  TestFolder folder;

  std::string place(const std::string& name = "t.db") const { return (folder / name).string(); }

  /// Runs "alphasparse db ARGUMENTS", on t.db where nothing else is said.
  CliOutcome db(const std::string& arguments, const std::string& environment = "");

  json db_json(const std::string& arguments);

  /// Expects that the arguments end with this status and one line on standard error that holds the
  /// text. Returns the line.
  std::string expect_error(const std::string& arguments, int status, const std::string& text);

  /// Adds a run with three outcomes, the fastest `time_us`; returns its key.
  std::string add_run(Database& database, const Problem& problem, double time_us);

  /// Two matrices, one of them with two dtypes, and the vendor's algorithms for the other: four
  /// problems, ten measurements.
  void fill(const std::string& name = "t.db");

  /// How many are in it.
  std::int64_t measurements(const std::string& name = "t.db");
};

}  // namespace alphasparse
