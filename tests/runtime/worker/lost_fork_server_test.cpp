// lost_fork_server: a worker whose fork server has died, and the fork of a new one.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "runtime/worker/device.h"
#include "tests/runtime/worker/scripted_device.h"

namespace alphasparse {
namespace {

TEST(LostForkServer, GoesOnWithoutTheForkServerOfItsWorkers) {
  const std::unique_ptr<Device> device = scripted_device();
  const std::string lost = end_of_run(*device, "loses its fork server");
  EXPECT_TRUE(
      lost.starts_with("fault: the device's worker was ended by the end of the process that "
                       "had started it; "))
      << lost;
  EXPECT_EQ(end_of_run(*device, "ok"), "");
  EXPECT_TRUE(end_of_run(*device, "killed").starts_with("fault: "));
}

/// The state of a process by a letter, and its parent; none where there is no such process.
std::optional<std::pair<char, pid_t>> state_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string number, name;  // no blank is in the name
  char state = 0;
  pid_t parent = -1;
  if (!(file >> number >> name >> state >> parent)) return std::nullopt;
  return std::pair(state, parent);
}

/// Kills the fork server of the worker that has loaded a kernel, and waits for the worker's end.
void kill_fork_server(LoadedKernel& loaded) {
  const std::string note = loaded.time({}, CacheRegime::warm).value().note;
  const pid_t worker = std::stoi(note.substr(note.find(' ')));
  ASSERT_EQ(kill(state_of(worker).value().second, SIGKILL), 0);
  for (auto state = state_of(worker); state && state->first != 'Z'; state = state_of(worker))
    usleep(1000);
}

std::mutex lock_of_all;

/// A fork while another thread holds the lock would have it held for ever: the worker that opens
/// the device would wait until its limit.
TEST(LostForkServer, AForkServerIsMadeAnewWhenNoThreadWorksBeside) {
  const auto open = [] {
    const std::lock_guard lock(lock_of_all);
    return std::make_unique<ScriptedDevice>();
  };
  const std::unique_ptr<Device> device = open_worker_device(open, {5, 5});
  std::promise<void> killed, locked;
  const auto hold_the_lock = [&](std::size_t index) {
    if (index == 0) return;
    killed.get_future().wait_for(std::chrono::minutes(1));
    const std::lock_guard lock(lock_of_all);
    locked.set_value();
    usleep(300'000);
  };
  std::string answer = "none";
  work_beside(2, hold_the_lock, [&](std::size_t index) {
    if (index != 0) return;
    {
      const Kernel kernel = kernel_that("ok");
      const auto loaded = device->load(kernel);
      ASSERT_TRUE(loaded);
      kill_fork_server(**loaded);
    }  // unloading it finds nobody, and tells nothing
    killed.set_value();
    locked.get_future().wait();
    answer = end_of_run(*device, "ok");
  });
  EXPECT_EQ(answer, "");
}

}  // namespace
}  // namespace alphasparse
