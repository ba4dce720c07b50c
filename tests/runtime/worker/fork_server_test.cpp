// fork_server: its processes have the data from the time when it was made, and none of later times;
// how they ended is told.
#include "runtime/worker/fork_server.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace alphasparse {
namespace {

/// In MB, without pages that a file backs.
int own_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stoi(line.substr(8)) / 1024;
  }
  return -1;
}

/// The end of a socket that a process of the fork server's has the other one of.
struct Started {
  explicit Started(ForkServer& fork_server) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    process = fork_server.start(ends[1]);
    close(ends[1]);
    socket = ends[0];
  }
  ~Started() { close(socket); }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;

  pid_t process = -1;
  int socket = -1;
};

TEST(ForkServer, ItsProcessesHaveNothingThatCameLater) {
  ForkServer fork_server([](int socket) {
    const int memory = own_memory();
    (void)!write(socket, &memory, sizeof memory);
  });
  const std::vector<char> large(400 << 20, 1);
  EXPECT_GE(own_memory(), 400);
  for (int again = 0; again < 2; ++again) {
    const Started started(fork_server);
    ASSERT_GT(started.process, 0);
    int memory = -1, status = -1;
    EXPECT_EQ(::read(started.socket, &memory, sizeof memory), sizeof memory);
    EXPECT_GE(memory, 0);
    EXPECT_LT(memory, 200);
    EXPECT_EQ(fork_server.wait(started.process, &status, 0), started.process);
    EXPECT_EQ(status, 0);
  }
}

TEST(ForkServer, TellsHowAProcessEnded) {
  ForkServer fork_server([](int socket) {
    char ask = 0;
    (void)!::read(socket, &ask, 1);
    raise(SIGKILL);
  });
  const Started started(fork_server);
  int status = 0;
  EXPECT_EQ(fork_server.wait(started.process, &status, WNOHANG), 0) << "it waits for the question";
  EXPECT_EQ(write(started.socket, "?", 1), 1);
  EXPECT_EQ(fork_server.wait(started.process, &status, 0), started.process);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST(ForkServer, EndsBeforeOneThatWasMadeLater) {
  auto first = std::make_unique<ForkServer>([](int) {});
  ForkServer second([](int socket) { (void)!write(socket, "!", 1); });
  first.reset();
  const Started started(second);
  char answer = 0;
  EXPECT_EQ(::read(started.socket, &answer, 1), 1) << "the later one works on";
  EXPECT_EQ(answer, '!');
}

TEST(ForkServer, ThatHasGoneSaysSo) {
  ForkServer fork_server([](int) {
    kill(getppid(), SIGKILL);
    pause();
  });
  const Started started(fork_server);
  char end = 0;
  EXPECT_EQ(::read(started.socket, &end, 1), 0) << "its processes go with it";
  int status = 0;
  EXPECT_EQ(fork_server.wait(started.process, &status, 0), -1);
  EXPECT_FALSE(fork_server.is_there());
  EXPECT_EQ(fork_server.start(started.socket), -1);
}

}  // namespace
}  // namespace alphasparse
