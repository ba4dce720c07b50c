// merge: the rows of another tuning database, each checked by itself.
//
// A large merge is many transactions, and others may write between two of them. Parents come first,
// so that the rows are whole at any time, and the same merge again finishes one that was broken
// off.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/database/rows.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

/// Rows of a transaction, and how long others have before the next.
constexpr std::int64_t batch_rows = 10'000;
constexpr std::chrono::milliseconds batch_gap{20};

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
      {"feature_names", {}},
      {"matrix_features", {{1, "matrix"}, {3, "feature_names"}}},
  };
  return all;
}

class Merger {
 public:
  Merger(Sqlite& from, Sqlite& into, std::string machine)
      : from_(from),
        into_(into),
        machine_(std::move(machine)),
        own_run_(into, "SELECT 1 FROM run WHERE key = ?1 AND machine = ?2") {}

  Added add(const std::vector<Complaint>& complaints) {
    for (const Complaint& complaint : complaints)
      wrong_.try_emplace({complaint.table, complaint.key}, complaint.what);
    transaction_.emplace(into_);
    for (const MergedTable& table : merged_tables()) add_table(table);
    transaction_->commit();
    return std::move(added_);
  }

 private:
  void end_batch() {
    transaction_->commit();
    transaction_.reset();
    std::this_thread::sleep_for(batch_gap);
    transaction_.emplace(into_);
  }

  /// Row by row and not by ATTACH, so that an error names the file that it is in.
  void add_table(const MergedTable& table) {
    const std::string name = table.name;
    SqlStatement row(from_, fmt::format("SELECT * FROM {}", name));
    SqlStatement insert(into_, insert_row_text(name, static_cast<std::size_t>(row.columns())) +
                                   " ON CONFLICT DO NOTHING");
    while (row.step()) {
      if (++rows_ % batch_rows == 0) end_batch();
      if (const std::string reason = skip_reason(table, row); !reason.empty()) {
        ++added_.skipped[reason];
        continue;
      }
      insert.bind_row(row);
      if (name == "run") bind_machine(row, insert);
      insert.step();
      count(name, into_.changes());
      insert.reset();
    }
  }

  /// A run belongs to another machine, even where the document gives a name.
  void bind_machine(const SqlStatement& run, SqlStatement& insert) const {
    const int column = run.columns() - 1;
    const bool is_named = run.text(column) != machine_;
    insert.bind_one(column + 1, std::string_view(is_named ? run.text(column) : "merged"));
  }

  std::string skip_reason(const MergedTable& table, const SqlStatement& row) {
    const auto wrong = wrong_.find({table.name, row.text(0)});
    if (wrong != wrong_.end()) return wrong->second;
    for (const auto& [column, parent] : table.parents) {
      const std::string key = row.text(column);
      if (parent == std::string_view("run") && is_own_run(key)) {
        return is_there(table.name, row.text(0)) ? "" : "a row of a run that this machine has made";
      }
      if (!is_there(parent, key)) return fmt::format("its {} was left out", parent);
    }
    return "";
  }

  /// Runs of this machine: nobody else adds a row to them.
  bool is_own_run(const std::string& key) {
    own_run_.reset();
    const bool is_own = own_run_.bind(key, machine_).step();
    own_run_.reset();
    return is_own;
  }

  bool is_there(const std::string& table, const std::string& key) {
    const auto [entry, is_new] = look_ups_.try_emplace(table);
    if (is_new) {
      const std::string column = table == "run_end" ? "run" : "key";
      entry->second = std::make_unique<SqlStatement>(
          into_, fmt::format("SELECT 1 FROM {} WHERE {} = ?1", table, column));
    }
    SqlStatement& found = *entry->second;
    const bool is_there = found.bind(key).step();
    found.reset();
    return is_there;
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
  SqlStatement own_run_;
  std::map<std::string, std::unique_ptr<SqlStatement>> look_ups_;  ///< by table
  std::optional<Transaction> transaction_;
  std::int64_t rows_ = 0;
  Added added_;
};

}  // namespace

Added Database::merge(Database& other, const DesignCheck& design_check) {
  std::error_code error;
  if (std::filesystem::equivalent(path(), other.path(), error)) {
    throw Error(fmt::format("{} is the very database that it is to be merged into", other.path()));
  }
  // Keys are hashes, so rows go to pages all over the file.
  for (Sqlite* const sqlite : {&state_->sqlite, &other.state_->sqlite})
    sqlite->run("PRAGMA cache_size=-32768");
  // One state of the other from its check to its last row; a writer does not wait for us.
  const Snapshot snapshot(other.state_->sqlite);
  if (const auto complaints = page_complaints(other.state_->sqlite); !complaints.empty()) {
    throw Error(ExitCode::database,
                fmt::format("database {} cannot be merged: {}; see alphasparse db verify --db {}",
                            other.path(), complaints.front(), other.path()));
  }
  const auto complaints = foreign_row_complaints(other.state_->sqlite, design_check);
  return Merger(other.state_->sqlite, state_->sqlite, state_->machine).add(complaints);
}

Added Database::merge(const std::string& other_path, const DesignCheck& design_check) {
  Database other = open_source(other_path, merge_hint);
  return merge(other, design_check);
}

}  // namespace alphasparse
