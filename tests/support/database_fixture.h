// database_fixture: a folder for tuning databases, a problem, and outcomes that fill every column.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "runtime/database/database.h"

namespace alphasparse {

/// A folder of the test's own, gone afterwards.
class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest();
  ~DatabaseTest() override;
  std::string place(const std::string& name = "tuning.db") const;

  static Problem problem_of(const std::string& values = "v1");
  static Measurement timed(const std::string& design, double time_us,
                           std::int64_t format_bytes = 100);
  static Measurement failed(const std::string& design, Status status);

  std::filesystem::path folder_;
};

}  // namespace alphasparse
