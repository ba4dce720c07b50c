// merge: the rows of another tuning database, each checked by itself.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "runtime/database/rows.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

/// A table, and the columns that name rows of others: their place, and the table.
struct MergedTable {
  const char* name;
  std::vector<std::pair<int, const char*>> parents;
};

const std::vector<MergedTable>& merged_tables() {
  static const std::vector<MergedTable> all = {
      {"device", {}},
      {"matrix", {}},
      {"design", {}},
      {"problem", {{1, "matrix"}, {2, "device"}}},
      {"run", {{1, "problem"}}},
      {"run_end", {{0, "run"}}},
      {"measurement", {{1, "run"}, {2, "design"}}},
      {"matrix_features", {{1, "matrix"}}},
  };
  return all;
}

class Merger {
 public:
  Merger(Sqlite& from, Sqlite& into, std::string machine)
      : from_(from), into_(into), machine_(std::move(machine)) {}

  Added add(const std::vector<Complaint>& complaints) {
    for (const Complaint& complaint : complaints)
      wrong_.try_emplace({complaint.table, complaint.key}, complaint.what);
    note_own_runs();
    for (const MergedTable& table : merged_tables()) add_table(table);
    return std::move(added_);
  }

 private:
  /// Runs to which nobody else adds a row: those of this machine, and those that may be its own.
  void note_own_runs() {
    Statement row(into_, "SELECT key FROM run WHERE machine IS NULL OR machine = ?1");
    row.bind(machine_);
    while (row.step()) own_runs_.insert(row.text(0));
  }

  /// Row by row and not by ATTACH, so that an error names the file that it is in.
  void add_table(const MergedTable& table) {
    const std::string name = table.name;
    Statement row(from_, fmt::format("SELECT * FROM {}", name));
    std::string places = "?";
    for (int column = 1; column < row.columns(); ++column) places += ",?";
    Statement insert(
        into_, fmt::format("INSERT INTO {} VALUES ({}) ON CONFLICT DO NOTHING", name, places));
    while (row.step()) {
      if (const std::string why = why_not(table, row); !why.empty()) {
        ++added_.skipped[why];
        continue;
      }
      insert.bind_row(row);
      if (name == "run") bind_machine(row, insert);
      insert.step();
      count(name, into_.changes());
      insert.reset();
    }
  }

  /// A run is somebody else's, whatever it says.
  void bind_machine(const Statement& run, Statement& insert) const {
    const int column = run.columns() - 1;
    const bool is_named = !run.null(column) && run.text(column) != machine_;
    insert.bind_one(column + 1, std::string_view(is_named ? run.text(column) : "merged"));
  }

  std::string why_not(const MergedTable& table, const Statement& row) {
    const auto wrong = wrong_.find({table.name, row.text(0)});
    if (wrong != wrong_.end()) return wrong->second;
    for (const auto& [column, parent] : table.parents) {
      const std::string key = row.text(column);
      if (parent == std::string_view("run") && own_runs_.contains(key)) {
        return is_there(table.name, row.text(0)) ? "" : "a row of a run that this machine has made";
      }
      if (!is_there(parent, key)) return fmt::format("its {} was left out", parent);
    }
    return "";
  }

  bool is_there(const std::string& table, const std::string& key) {
    const std::string column = table == "run_end" ? "run" : "key";
    Statement found(into_, fmt::format("SELECT 1 FROM {} WHERE {} = ?1", table, column));
    return found.bind(key).step();
  }

  void count(const std::string& table, std::int64_t rows) {
    if (table == "problem") added_.problems += rows;
    if (table == "run") added_.runs += rows;
    if (table == "measurement") added_.measurements += rows;
  }

  Sqlite& from_;
  Sqlite& into_;
  const std::string machine_;
  std::map<std::pair<std::string, std::string>, std::string> wrong_;
  std::set<std::string> own_runs_;
  Added added_;
};

}  // namespace

Added Database::merge(Database& other, const DesignCheck& design_check) {
  std::error_code error;
  if (std::filesystem::equivalent(path(), other.path(), error)) {
    throw Error(fmt::format("{} is the very database that it is to be merged into", other.path()));
  }
  // One state of the other from its check to its last row; a writer does not wait for us.
  const Snapshot snapshot(other.state_->sqlite);
  if (const auto complaints = page_complaints(other.state_->sqlite); !complaints.empty()) {
    throw Error(ExitCode::database,
                fmt::format("database {} cannot be merged: {}; see alphasparse db verify --db {}",
                            other.path(), complaints.front(), other.path()));
  }
  const auto complaints = foreign_row_complaints(other.state_->sqlite, design_check);
  Transaction transaction(state_->sqlite);
  Added added = Merger(other.state_->sqlite, state_->sqlite, state_->machine).add(complaints);
  transaction.commit();
  return added;
}

Added Database::merge(const std::string& other_path, const DesignCheck& design_check) {
  Database other = open_source(other_path);
  return merge(other, design_check);
}

}  // namespace alphasparse
