#include "tests/support/sqlite_work.h"

#include <sqlite3.h>

#include <atomic>

namespace alphasparse {

namespace {

constexpr int instructions_each = 100;
std::atomic<std::int64_t> calls = 0;
std::atomic<std::int64_t> commit_count = 0;

int watch(sqlite3* connection, const char**, const sqlite3_api_routines*) {
  sqlite3_progress_handler(
      connection, instructions_each,
      [](void*) {
        ++calls;
        return 0;
      },
      nullptr);
  sqlite3_commit_hook(
      connection,
      [](void*) {
        ++commit_count;
        return 0;
      },
      nullptr);
  return SQLITE_OK;
}

void (*entry())() { return reinterpret_cast<void (*)()>(&watch); }

}  // namespace

SqliteWork::SqliteWork() {
  calls = commit_count = 0;
  sqlite3_auto_extension(entry());
}

SqliteWork::~SqliteWork() { sqlite3_cancel_auto_extension(entry()); }

std::int64_t SqliteWork::instructions() const { return instructions_each * calls; }
std::int64_t SqliteWork::commits() const { return commit_count; }

}  // namespace alphasparse
