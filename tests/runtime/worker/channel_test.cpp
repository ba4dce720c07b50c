// worker_channel: messages that lie one after the other in the same memory.
#include "runtime/worker/channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace alphasparse {
namespace {

using Bytes = std::vector<std::byte>;

TEST(WorkerChannel, AShorterMessageHasNothingOfTheOneBefore) {
  SharedMemory memory;
  const Bytes long_one(100'000, std::byte{1}), first(300, std::byte{2}), second(40, std::byte{3});
  ASSERT_TRUE(memory.append(long_one));
  EXPECT_EQ(memory.read(long_one.size()), long_one);
  ASSERT_TRUE(memory.clear());
  ASSERT_TRUE(memory.append(first) && memory.append(second));
  Bytes both = first;
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(memory.read(both.size()), both);
  const SharedView view(memory, both.size());
  EXPECT_EQ(Bytes(view.bytes().begin(), view.bytes().end()), both);
}

TEST(WorkerChannel, AnEmptyMessageHasNoView) {
  SharedMemory memory;
  ASSERT_TRUE(memory.append({}));
  EXPECT_TRUE(memory.read(0).empty());
  EXPECT_TRUE(SharedView(memory, 0).bytes().empty());
}

// The listener may have been stopped until then.
TEST(WorkerChannel, AMessageThatIsThereIsHeardAfterTheTimeIsOver) {
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  std::size_t bytes = 0;
  const Deadline over{Deadline::after(-1)};
  EXPECT_EQ(listen_for(ends[0], bytes, over), Heard::nothing);
  EXPECT_EQ(listen_for(ends[0], bytes, {}, 0), Heard::nothing);
  for (const Deadline& deadline : {over, Deadline{}}) {
    ASSERT_TRUE(notify(ends[1], 7));
    EXPECT_EQ(listen_for(ends[0], bytes, deadline, 0), Heard::message);
    EXPECT_EQ(bytes, 7u);
  }
  for (const int end : ends) close(end);
}

}  // namespace
}  // namespace alphasparse
