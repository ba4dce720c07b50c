#include "runtime/system/sqlite.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include "base/result.h"
#include "runtime/system/processes/environment.h"

namespace alphasparse {

namespace {

constexpr int lock_sleep_ms_max = 50;
static_assert(lock_seconds == 600);  // as the advice below says

struct Advice {
  int code;          ///< primary result code
  const char* text;  ///< behind the file; the remedy stands for {}
};

constexpr std::array<Advice, 9> advice_table = {{
    {SQLITE_NOTADB, "is not a tuning database; name {}"},
    {SQLITE_CORRUPT, "is damaged; rescue its rows with sqlite3's .recover, or name {}"},
    {SQLITE_BUSY,
     "is held by another process for more than ten minutes; end that, try again, or name {}"},
    {SQLITE_LOCKED, "is held by another process; try again, or name {}"},
    {SQLITE_FULL, "cannot grow, the disk is full; free some space, or name {}"},
    {SQLITE_READONLY, "cannot be written; mend its permissions, or name {}"},
    {SQLITE_PERM, "cannot be opened for lack of permission; mend it, or name {}"},
    {SQLITE_CANTOPEN, "cannot be opened or made; check its folder, or name {}"},
    {SQLITE_IOERR,
     "cannot be read or written (I/O error, disk or quota full); check the disk, or "
     "name {}"},
}};

/// Every byte is spelt as its number that has, or may have, a meaning in a URI.
std::string frozen_uri(const std::string& path) {
  std::string uri = "file://";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    uri += plain || c == '/' || c == '.' ? std::string(1, c)
                                         : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return uri + "?immutable=1";
}

/// Whether the files of this process have a largest size. SQLite tells a file that would pass it as
/// any other error of writing.
bool has_file_size_limit() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

}  // namespace

void Sqlite::fail(int code) const {
  const int kind = code & 0xff;
  const bool may_be_limited = kind == SQLITE_IOERR && has_file_size_limit();
  const std::string raise = may_be_limited ? fmt::format("{}, ", file_size_hint) : "";
  if (is_scratch_ && (kind == SQLITE_FULL || kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN)) {
    throw Error(ExitCode::database,
                fmt::format("{} does not fit into the folder for temporary files, whose disk is "
                            "full or not there; {}free some space, or set TMPDIR",
                            path_, raise));
  }
  if (may_be_limited) {
    throw Error(ExitCode::database,
                fmt::format("database {} cannot be read or written (I/O error, disk or quota full, "
                            "or a file beyond its limit); {}check the disk, or name {}",
                            path_, raise, hint_));
  }
  for (const Advice& advice : advice_table) {
    if (advice.code == (code & 0xff)) {
      throw Error(ExitCode::database, fmt::format("database {} {}", path_,
                                                  fmt::format(fmt::runtime(advice.text), hint_)));
    }
  }
  throw Error(ExitCode::database, fmt::format("database {} failed ({}); name {}", path_,
                                              sqlite3_errmsg(handle_), hint_));
}

SqlStatement::SqlStatement(const Sqlite& connection, std::string_view sql)
    : connection_(connection) {
  const int code = sqlite3_prepare_v2(connection.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &statement_, nullptr);
  if (code != SQLITE_OK) connection.fail(code);
}

SqlStatement::~SqlStatement() { sqlite3_finalize(statement_); }

bool SqlStatement::step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) connection_.fail(code);
  return false;
}

void SqlStatement::bind_at(int index, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_, index, value);
  if (code != SQLITE_OK) connection_.fail(code);
}

void SqlStatement::bind_at(int index, double value) {
  const int code = sqlite3_bind_double(statement_, index, value);
  if (code != SQLITE_OK) connection_.fail(code);
}

void SqlStatement::bind_at(int index, std::string_view value) {
  const int code = sqlite3_bind_text64(statement_, index, value.data(), value.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) connection_.fail(code);
}

void SqlStatement::bind_at(int index, Blob value) {
  const int code = sqlite3_bind_blob64(statement_, index, value.bytes.data(), value.bytes.size(),
                                       SQLITE_TRANSIENT);
  if (code != SQLITE_OK) connection_.fail(code);
}

void SqlStatement::bind_row(const SqlStatement& row) {
  for (int column = 0; column < row.columns(); ++column) {
    const int code =
        sqlite3_bind_value(statement_, column + 1, sqlite3_column_value(row.statement_, column));
    if (code != SQLITE_OK) connection_.fail(code);
  }
}

void SqlStatement::reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

int SqlStatement::columns() const { return sqlite3_column_count(statement_); }

std::int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double SqlStatement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string SqlStatement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return text ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

bool SqlStatement::null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Sqlite::Sqlite(const std::string& path, SqliteAccess access, std::string_view hint)
    : path_(path), hint_(hint), is_scratch_(access == SqliteAccess::scratch) {
  int flags = SQLITE_OPEN_NOMUTEX;
  const bool writes = access == SqliteAccess::write || access == SqliteAccess::scratch;
  flags |= writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  if (access == SqliteAccess::frozen) flags |= SQLITE_OPEN_URI;
  const std::string name = access == SqliteAccess::frozen    ? frozen_uri(path)
                           : access == SqliteAccess::scratch ? ""
                                                             : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) {
    sqlite3_close(handle_);
    handle_ = nullptr;
    fail(code);
  }
  wait_for_locks();
  // A scratch file that fails is given up: it needs no way back.
  if (access == SqliteAccess::scratch)
    run_script("PRAGMA journal_mode=OFF; PRAGMA cache_size=-32768");
  // The schema of a file calls no function that does more than compute, and no trigger runs: the
  // file may come from anywhere.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Sqlite::~Sqlite() { sqlite3_close(handle_); }

void Sqlite::run_script(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Sqlite::integer(std::string_view sql) {
  SqlStatement statement(*this, sql);
  CHECK(statement.step());
  return statement.integer(0);
}

std::int64_t Sqlite::changes() const { return sqlite3_changes64(handle_); }

void Sqlite::wait_for_locks() {
  const auto handler = [](void* self, int count) {
    return static_cast<Sqlite*>(self)->wait(count) ? 1 : 0;
  };
  sqlite3_busy_handler(handle_, handler, this);
}

bool Sqlite::wait(int count) {
  using std::chrono::seconds;
  const auto now = std::chrono::steady_clock::now();
  if (count == 0) {
    wait_began_ = now;
    wait_reported_ = false;
  }
  if (now - wait_began_ > seconds(lock_seconds)) return false;
  if (!wait_reported_ && now - wait_began_ > seconds(lock_seconds_silent)) {
    spdlog::warn("database {} is held by another process; waiting up to {} minutes for it", path_,
                 lock_seconds / 60);
    wait_reported_ = true;
  }
  const int ms = count < 6 ? 1 << count : lock_sleep_ms_max;
  std::this_thread::sleep_for(std::chrono::milliseconds(ms));
  return true;
}

bool Sqlite::try_vacuum() {
  sqlite3_busy_timeout(handle_, 0);
  const int code = sqlite3_exec(handle_, "VACUUM", nullptr, nullptr, nullptr);
  // Moves the copy from the log into the file and cuts both; a reader puts it off.
  sqlite3_exec(handle_, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr);
  wait_for_locks();
  return code == SQLITE_OK;
}

void Sqlite::require_writable() const {
  if (sqlite3_db_readonly(handle_, "main") != 0) fail(SQLITE_READONLY);
}

void Sqlite::choose_journal(bool network) {
  const char* sql = network ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL";
  // Changing the mode does not wait for other connections as everything else does.
  for (int count = 0;; ++count) {
    const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) break;
    if ((code & 0xff) != SQLITE_BUSY || !wait(count)) fail(code);
  }
  // The log survives a killed process without waiting for the disk at each commit.
  run_script(network ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
}

Transaction::Transaction(Sqlite& connection) : connection_(connection) {
  connection_.run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_.run("COMMIT");
  open_ = false;
}

Snapshot::Snapshot(Sqlite& connection) : connection_(connection) { connection_.run("BEGIN"); }

Snapshot::~Snapshot() { sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr); }

bool is_network_file_system(std::uint32_t magic) {
  constexpr std::array<std::uint32_t, 13> networks = {
      0x6969,      // NFS
      0x517B,      // SMB
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x0BD00BD0,  // Lustre
      0x00C36400,  // Ceph
      0x47504653,  // GPFS
      0x19830326,  // BeeGFS
      0xAAD7AAEA,  // PanFS
      0x5346414F,  // AFS
      0x73757245,  // Coda
      0x01021997,  // 9P
      0x65735546,  // FUSE: sshfs and others; for local ones the journal is merely slower
  };
  return std::find(networks.begin(), networks.end(), magic) != networks.end();
}

bool is_on_network(const std::string& folder) {
  struct statfs facts {};
  if (statfs(folder.c_str(), &facts) != 0) return false;
  return is_network_file_system(static_cast<std::uint32_t>(facts.f_type));
}

}  // namespace alphasparse
