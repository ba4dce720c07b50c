// forked_task_test: the parent gets a fork's messages, whole and in order, and how it ends.
#include "runtime/system/processes/forked_task.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/support/processes.h"

namespace alphasparse {
namespace {

std::vector<std::string> all_of(ForkedTask& task) {
  std::vector<std::string> messages;
  while (task.hear(messages)) {
  }
  return messages;
}

TEST(ForkedTask, MessagesArriveWholeAndInOrder) {
  const std::string large(3 << 20, 'x');
  int changed = 0;
  ForkedTask task([&](const ForkedTask::Report& tell) {
    changed = 1;
    tell("first\nwith\0zero");
    tell("");
    tell(large);
    tell("last");
  });
  const std::vector<std::string> messages = all_of(task);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0], "first\nwith");
  EXPECT_EQ(messages[1], "");
  EXPECT_EQ(messages[2], large);
  EXPECT_EQ(messages[3], "last");
  EXPECT_EQ(task.how_it_ended(), "");
  EXPECT_EQ(changed, 0) << "its memory is its own";
}

TEST(ForkedTask, SaysHowItEnded) {
  ForkedTask killed([](const ForkedTask::Report& tell) {
    tell("before");
    raise(SIGKILL);
  });
  EXPECT_EQ(all_of(killed), std::vector<std::string>{"before"});
  EXPECT_EQ(killed.how_it_ended(), "killed by signal 9 (Killed)");
  ForkedTask thrown([](const ForkedTask::Report&) { throw std::runtime_error("any"); });
  EXPECT_TRUE(all_of(thrown).empty());
  EXPECT_EQ(thrown.how_it_ended(), "exit status 1");
}

TEST(ForkedTask, EndsWithItsOwner) {
  pid_t process = 0;
  {
    ForkedTask task([](const ForkedTask::Report& tell) {
      tell(std::to_string(getpid()));
      pause();
    });
    std::vector<std::string> messages;
    while (messages.empty()) ASSERT_TRUE(task.hear(messages));
    process = std::stoi(messages.front());
    EXPECT_TRUE(process_exists(process));
  }
  EXPECT_FALSE(process_exists(process));
}

}  // namespace
}  // namespace alphasparse
