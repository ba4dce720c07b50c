// ctest label: emulator
// denied_calls: a system that refuses calls, as a container's seccomp profile does. A search goes
// on by other means where there are any; else one line tells the errno, and the exit code is 4.
#include <errno.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/cli.h"

namespace alphasparse {
namespace {

using nlohmann::json;

struct Call {
  const char* name;
  long number;
  bool has_fallback;
};

#define CALL(name, has_fallback) \
  Call { #name, SYS_##name, has_fallback }

const Call calls[] = {CALL(memfd_create, true),
                      CALL(personality, true),
                      CALL(perf_event_open, true),
                      CALL(sched_setaffinity, true),
                      CALL(sched_getaffinity, true),
                      CALL(ioprio_set, true),
                      CALL(prctl, true),
                      CALL(prlimit64, true),
                      CALL(setpgid, true),
                      CALL(setsid, true),
                      CALL(flock, true),
                      CALL(close_range, true),
                      CALL(madvise, true),
                      CALL(fsync, true),
                      CALL(getrusage, true),
                      CALL(statfs, true),
                      CALL(socketpair, false),
                      CALL(sendmsg, false),
                      CALL(recvmsg, false),
                      CALL(ftruncate, false),
                      CALL(pipe2, false)};

/// From now on these calls fail in this process and all that it starts. False where the system has
/// no such filters.
bool deny(const std::vector<Call>& denied, int error) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const Call& call : denied) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call.number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// The calls that are denied together. In a long run each is denied alone. Else those that have a
/// fallback are denied four at a time.
std::vector<std::vector<Call>> denied_together() {
  const std::size_t most = std::getenv("ALPHASPARSE_LONG") ? 1 : 4;
  std::vector<std::vector<Call>> groups;
  for (const Call& call : calls) {
    const bool joins = call.has_fallback && !groups.empty() && groups.back().front().has_fallback &&
                       groups.back().size() < most;
    if (!joins) groups.emplace_back();
    groups.back().push_back(call);
  }
  return groups;
}

std::string names_of(const std::vector<Call>& denied) {
  std::string names;
  for (const Call& call : denied) names += (names.empty() ? "" : ", ") + std::string(call.name);
  return names;
}

constexpr int no_filters = 99;

struct CliDeniedCalls : ::testing::TestWithParam<const char*> {
  CliDeniedCalls() {
    set_contents(folder / "m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "5 4 7\n1 1 1.5\n1 3 -2\n3 2 3\n4 1 0.25\n4 2 5\n4 4 7\n5 4 -1\n");
    std::filesystem::create_directory(folder / "tmp");
  }

  CliOutcome tune_without(const std::vector<Call>& denied, int error) const {
    const std::string command = fmt::format(
        "cd '{}' && rm -rf t.db* o && TMPDIR=tmp ALPHASPARSE_CACHE=cache timeout 100 '{}' tune "
        "m.mtx "
        "--trials 2 --seed 1 --device {} --db t.db -o o --json --quiet >out 2>err",
        folder.path().string(), cli_program(), GetParam());
    const pid_t child = fork();
    if (child == 0) {
      if (!deny(denied, error)) _exit(no_filters);
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(98);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            contents(folder / "out"), contents(folder / "err")};
  }

  TestFolder folder;
};

/// Each device meets one of the errors, and both in a long run.
std::vector<int> errors_of(const std::string& device) {
  if (std::getenv("ALPHASPARSE_LONG")) return {EPERM, ENOSYS};
  return {device.starts_with("cpu") ? EPERM : ENOSYS};
}

TEST_P(CliDeniedCalls, HaveAFallbackOrALineWithTheErrno) {
  for (const std::vector<Call>& denied : denied_together()) {
    for (const int error : errors_of(GetParam())) {
      SCOPED_TRACE(fmt::format("{}: {}", names_of(denied), std::strerror(error)));
      const CliOutcome outcome = tune_without(denied, error);
      if (outcome.status == no_filters) GTEST_SKIP() << "the system has no filters of calls";
      if (outcome.status == 0) {
        const json statuses = json::parse(outcome.out)["statuses"];
        EXPECT_FALSE(statuses.contains("crash") || statuses.contains("timeout")) << statuses;
        continue;
      }
      EXPECT_FALSE(denied.front().has_fallback) << outcome.err;
      EXPECT_EQ(outcome.status, 4) << outcome.err;
      EXPECT_TRUE(contains(outcome.err, std::strerror(error))) << outcome.err;
      EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp") ||
              run_command("sleep 1; rmdir '" + (folder / "tmp").string() + "'").status == 0);
}

INSTANTIATE_TEST_SUITE_P(Devices, CliDeniedCalls, ::testing::Values("cpu:1", "emulated:h200"),
                         [](const auto& info) { return std::string(info.param, 3); });

}  // namespace
}  // namespace alphasparse
