// merge: the union of two tuning databases.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "runtime/database/rows.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

/// Row by row and not by ATTACH, so that an error names the file that it is in.
std::int64_t add_table(Sqlite& from, Sqlite& into, const std::string& table) {
  Statement row(from, fmt::format("SELECT * FROM {}", table));
  std::string places = "?";
  for (int column = 1; column < row.columns(); ++column) places += ",?";
  Statement insert(into,
                   fmt::format("INSERT INTO {} VALUES ({}) ON CONFLICT DO NOTHING", table, places));
  std::int64_t added = 0;
  while (row.step()) {
    insert.bind_row(row);
    insert.step();
    added += into.changes();
    insert.reset();
  }
  return added;
}

}  // namespace

Added add_rows(Sqlite& from, Sqlite& into) {
  Added added;
  for (const std::string table : schema_tables) {
    const std::int64_t rows = add_table(from, into, table);
    if (table == "problem") added.problems = rows;
    if (table == "run") added.runs = rows;
    if (table == "measurement") added.measurements = rows;
  }
  return added;
}

Added Database::merge(Database& other) {
  std::error_code error;
  if (std::filesystem::equivalent(path(), other.path(), error)) {
    throw Error(fmt::format("{} is the very database that it is to be merged into", other.path()));
  }
  // One state of the other from its check to its last row; a writer does not wait for us.
  const Snapshot snapshot(other.state_->sqlite);
  if (const auto complaints = all_complaints(other.state_->sqlite, {}); !complaints.empty()) {
    throw Error(ExitCode::database,
                fmt::format("database {} cannot be merged: {}; see alphasparse db verify --db {}",
                            other.path(), complaints.front(), other.path()));
  }
  Transaction transaction(state_->sqlite);
  const Added added = add_rows(other.state_->sqlite, state_->sqlite);
  transaction.commit();
  return added;
}

Added Database::merge(const std::string& other_path) {
  Database other = open_to_read(other_path);
  return merge(other);
}

}  // namespace alphasparse
