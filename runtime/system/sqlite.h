// sqlite: a thin owner of an SQLite connection, its statements and its transactions.
//
// The one place where SQLite's codes become errors that a person can act on. Everything that fails
// throws Error (exit 5) naming the file.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/system/database_hint.h"

struct sqlite3;
struct sqlite3_stmt;

namespace alphasparse {

class Sqlite;

/// The first bytes of a database file, the zero at the end included.
inline constexpr std::string_view sqlite_magic("SQLite format 3", 16);

/// Bytes that are no text.
struct Blob {
  std::string_view bytes;
};

/// A prepared statement. Lives no longer than its connection.
class SqlStatement {
 public:
  SqlStatement(const Sqlite& connection, std::string_view sql);
  ~SqlStatement();
  SqlStatement(const SqlStatement&) = delete;
  SqlStatement& operator=(const SqlStatement&) = delete;

  /// Binds the parameters ?1, ?2, ... in order; an empty optional is NULL.
  template <class... Values>
  SqlStatement& bind(const Values&... values) {
    int index = 0;
    (bind_at(++index, values), ...);
    return *this;
  }

  /// Binds all parameters to the columns of the row on which another statement stands, with any
  /// types.
  void bind_row(const SqlStatement& row);

  /// Binds one parameter, counted from 1.
  template <class Value>
  void bind_one(int index, const Value& value) {
    bind_at(index, value);
  }

  /// Runs to the next row; false at the end.
  bool step();

  /// Back to before the first row, all parameters NULL again.
  void reset();

  int columns() const;

  // Columns of the row that step() stands on.
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;  ///< of a blob, its bytes
  bool null(int column) const;

 private:
  void bind_at(int index, std::int64_t value);
  void bind_at(int index, int value) { bind_at(index, std::int64_t{value}); }
  void bind_at(int index, double value);
  void bind_at(int index, std::string_view value);
  void bind_at(int index, Blob value);
  template <class T>
  void bind_at(int index, const std::optional<T>& value) {
    if (value) bind_at(index, *value);  // left alone, a parameter is NULL
  }

  const Sqlite& connection_;
  sqlite3_stmt* statement_ = nullptr;
};

enum class SqliteAccess {
  write,   ///< and read; the file is made where it is missing
  read,    ///< beside others that write; a file with a log wants it and its shared memory there
  frozen,  ///< read without locks, and without a log: for a file that nobody writes meanwhile
  scratch  ///< an empty database of this connection alone, in memory as far as it is small, else
           ///< in a file without a name; it is called like the file
};

/// How long a lock of another process is waited for, and how long without a message.
inline constexpr int lock_seconds = 600;
inline constexpr int lock_seconds_silent = 2;

/// One connection to one file, for one thread. Other processes may hold the same file.
class Sqlite {
 public:
  /// Opens the file, or makes an empty one. Waits up to lock_seconds for other writers, and says so
  /// after lock_seconds_silent. `path` is absolute where it is frozen.
  /// Errors advise `remedy`.
  explicit Sqlite(const std::string& path, SqliteAccess access = SqliteAccess::write,
                  std::string_view hint = database_hint);
  ~Sqlite();
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  /// Runs one statement that gives no rows, with its parameters.
  template <class... Values>
  void run(std::string_view sql, const Values&... values) {
    SqlStatement statement(*this, sql);
    statement.bind(values...);
    while (statement.step()) {
    }
  }

  /// Runs a script of several statements without parameters.
  void run_script(const std::string& sql);

  /// The first column of the first row; the query has one.
  std::int64_t integer(std::string_view sql);

  /// Write-ahead log on local disks; a rollback journal where `network` says that the log's shared
  /// memory does not work. The mode stays in the file.
  void choose_journal(bool network);

  /// Rows that the last INSERT, UPDATE or DELETE has changed.
  std::int64_t changes() const;

  /// Gives the space of removed rows back to the disk. False where that is not possible, because
  /// another connection is in the way or the disk has no room for a copy. No row depends on it.
  bool try_vacuum();

  /// Throws where the file can only be read.
  void require_writable() const;

  const std::string& path() const { return path_; }
  const std::string& hint() const { return hint_; }
  sqlite3* handle() const { return handle_; }

  /// Throws the Error for an SQLite result code.
  [[noreturn]] void fail(int code) const;

 private:
  void wait_for_locks();

  /// Sleeps a little; false where this wait, which has slept `count` times, has been long enough.
  bool wait(int count);

  std::string path_;
  std::string hint_;
  const bool is_scratch_;
  sqlite3* handle_ = nullptr;
  std::chrono::steady_clock::time_point wait_began_;
  bool wait_reported_ = false;
};

/// Takes the write lock at once; rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Sqlite& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Sqlite& connection_;
  bool open_ = true;
};

/// A state of the file that other writers do not change: all reads inside belong together.
class Snapshot {
 public:
  explicit Snapshot(Sqlite& connection);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Sqlite& connection_;
};

/// Whether the folder's file system is shared over a network (statfs), where SQLite's write-ahead
/// log does not work. A folder that cannot be asked counts as local.
bool is_on_network(const std::string& folder);

/// The same for the number that statfs gives a file system (linux/magic.h).
bool is_network_file_system(std::uint32_t magic);

}  // namespace alphasparse
