// sqlite_test: a connection waits for the lock of another one, and tells the user so.
#include "runtime/system/sqlite.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <string>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// Sees warnings while it exists; the first ends the holder's transaction, however late it comes.
class Listener : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit Listener(Sqlite& holder) : holder_(holder) {}
  int count = 0;
  std::string last;

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    last.assign(message.payload.data(), message.payload.size());
    if (count++ == 0) holder_.run("COMMIT");
  }
  void flush_() override {}

  Sqlite& holder_;
};

TEST(SqliteLocks, AreWaitedForUntilTheyGoAndANoticeSaysSo) {
  const TestFolder folder;
  const std::string path = (folder / "t.db").string();
  Sqlite holder(path), writer(path);
  holder.choose_journal(false);
  holder.run("CREATE TABLE t (x)");
  holder.run("BEGIN IMMEDIATE");
  const auto listener = std::make_shared<Listener>(holder);
  const auto before = spdlog::default_logger();
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", listener));
  writer.run("INSERT INTO t VALUES (1)");
  spdlog::set_default_logger(before);
  EXPECT_EQ(listener->count, 1);
  EXPECT_NE(listener->last.find(path + " is held by another process; waiting up to 10 minutes"),
            std::string::npos)
      << listener->last;
  EXPECT_EQ(holder.integer("SELECT count(*) FROM t"), 1);
}

}  // namespace
}  // namespace alphasparse
