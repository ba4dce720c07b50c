// sqlite_work: how much SQLite does, counted in instructions of its machine - the same on every
// machine, at any load.
#pragma once
#include <cstdint>

namespace alphasparse {

/// Counts, to about a hundred, the instructions of all connections that are opened while one
/// exists.
class SqliteWork {
 public:
  SqliteWork();
  ~SqliteWork();
  SqliteWork(const SqliteWork&) = delete;
  SqliteWork& operator=(const SqliteWork&) = delete;

  std::int64_t instructions() const;
  std::int64_t commits() const;  ///< of transactions that have written
};

}  // namespace alphasparse
