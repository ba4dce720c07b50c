// ctest label: emulator
// worker_device: a device in a process of its own - the same answers, and the state after a kernel
// crashes, hangs, or takes all memory.
#include "runtime/worker/device.h"

#include <dirent.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/parallel.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// A device with kernels that follow the words of their design; "ok" gives y = 7 everywhere.
class ScriptedDevice : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }

  Result<std::unique_ptr<LoadedKernel>> load(const Kernel& kernel) override {
    if (kernel.design == "too large") return Failure{Status::out_of_memory, "no room"};
    if (kernel.design == "dies while it is loaded") abort();
    if (kernel.design == "hangs while it is loaded") pause();
    if (kernel.design == "is loaded slowly") usleep(600'000);
    return std::unique_ptr<LoadedKernel>(std::make_unique<ScriptedKernel>(kernel));
  }

 private:
  class ScriptedKernel : public LoadedKernel {
   public:
    explicit ScriptedKernel(const Kernel& kernel) : kernel_(kernel) {}

    Result<std::vector<SpmvOutcome>> run(std::span<const SpmvCase> cases) override {
      const std::string& what = kernel_.design;
      if (what == "segfault") {
        signal(SIGSEGV, SIG_DFL);  // not a sanitizer's
        raise(SIGSEGV);
      }
      if (what == "killed") raise(SIGKILL);
      if (what == "loses its fork server") {
        kill(getppid(), SIGKILL);
        pause();
      }
      if (what == "exit") _exit(9);
      if (what == "hang") pause();
      if (what == "copies slowly") usleep(700'000);
      if (what == "fault") return Failure{Status::crash, "illegal address"};
      if (what == "bad_alloc") throw std::bad_alloc();
      if (what == "refused thread")
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
      if (what == "echo") return echo(cases);
      std::vector<SpmvOutcome> outcomes(cases.size());
      for (SpmvOutcome& outcome : outcomes) {
        const std::vector<float> y(kernel_.rows, 7);
        outcome.y.resize(y.size() * sizeof(float));
        std::memcpy(outcome.y.data(), y.data(), outcome.y.size());
      }
      return outcomes;
    }

    Result<Timing> time(const SpmvCase&, const TimingRequest& request) override {
      const CacheRegime regime = request.regime;
      Timing timing;
      timing.time_us = regime == CacheRegime::cold ? 5 : 3;
      timing.note = fmt::format("process {}", getpid());
      return timing;
    }

    Result<std::vector<double>> sample(int count) override {
      if (kernel_.design == "modelled") return LoadedKernel::sample(count);
      std::vector<double> samples;
      for (int i = 0; i < count; ++i) samples.push_back(i);
      return samples;
    }

   private:
    static std::vector<SpmvOutcome> echo(std::span<const SpmvCase> cases) {
      std::vector<SpmvOutcome> outcomes;
      const auto first_of = [](const SharedBytes& bytes) {
        return bytes.empty() ? std::byte{} : *bytes.data();
      };
      for (const SpmvCase& one : cases) {
        outcomes.push_back({{first_of(one.x), first_of(one.integers), first_of(one.y),
                             std::byte(one.x.is(cases.front().x))}});
      }
      return outcomes;
    }

    const Kernel& kernel_;
  };

  DeviceInfo info_{"scripted:0", "a script", TimeKind::measured, "1", "sm_90", 50};
};

std::unique_ptr<Device> scripted(const WorkerLimits& limits = {60, 60}) {
  return open_worker_device([] { return std::make_unique<ScriptedDevice>(); }, limits);
}

Kernel kernel_that(const std::string& what) {
  Kernel kernel;
  kernel.design = what;
  kernel.rows = 3;
  return kernel;
}

/// The failure of a run of it, or the fault that it meets; empty where it succeeds.
std::string run(Device& device, const std::string& what) try {
  const Kernel kernel = kernel_that(what);
  const auto loaded = device.load(kernel);
  if (!loaded) return fmt::format("{}: {}", status_name(loaded.failure().status), loaded.reason());
  const std::vector<SpmvCase> cases(2);
  const auto outcomes = (*loaded)->run(cases);
  if (!outcomes) {
    return fmt::format("{}: {}", status_name(outcomes.failure().status), outcomes.reason());
  }
  return outcomes->size() == 2 && outcomes->front().y.size() == 12 ? "" : "another answer";
} catch (const Error& fault) {
  EXPECT_EQ(fault.code(), ExitCode::no_device) << fault.what();
  return fmt::format("fault: {}", fault.what());
}

/// Descriptors that this process has open.
int descriptors() {
  int count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

TEST(WorkerDevice, GoesOnWithoutTheForkServerOfItsWorkers) {
  const std::unique_ptr<Device> device = scripted();
  const std::string lost = run(*device, "loses its fork server");
  EXPECT_TRUE(
      lost.starts_with("fault: the device's worker was ended by the end of the process that "
                       "had started it; "))
      << lost;
  EXPECT_EQ(run(*device, "ok"), "");
  EXPECT_TRUE(run(*device, "killed").starts_with("fault: "));
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
TEST(WorkerDevice, AForkServerIsMadeAnewWhenNoThreadWorksBeside) {
  const auto open = [] {
    const std::lock_guard lock(lock_of_all);
    return std::make_unique<ScriptedDevice>();
  };
  const std::unique_ptr<Device> device = open_worker_device(open, {5, 5});
  std::promise<void> locked;
  const auto hold_the_lock = [&](std::size_t index) {
    if (index == 0) return;
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
    locked.get_future().wait();
    answer = run(*device, "ok");
  });
  EXPECT_EQ(answer, "");
}

TEST(WorkerDevice, SaysWhoItIsAndWorksInAnotherProcess) {
  const std::unique_ptr<Device> device = scripted();
  EXPECT_EQ(device->info().name, "scripted:0");
  EXPECT_EQ(device->info().kind, TimeKind::measured);
  EXPECT_EQ(device->info().l2_bytes, 50);
  EXPECT_EQ(run(*device, "ok"), "");
  const Kernel kernel = kernel_that("ok");
  const auto loaded = device->load(kernel);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ((*loaded)->time({}, CacheRegime::cold)->time_us, 5);
  const auto warm = (*loaded)->time({}, CacheRegime::warm);
  EXPECT_EQ(warm->time_us, 3);
  EXPECT_NE(warm->note, fmt::format("process {}", getpid()));
  EXPECT_EQ(*(*loaded)->sample(3), (std::vector<double>{0, 1, 2}));
  const Kernel without = kernel_that("modelled");
  const auto silent = device->load(without);
  EXPECT_EQ((*silent)->sample(3).reason(), "its times are modelled: there are no samples");
}

/// Exact cases replace the values, the rounded one has the real ones back.
void expect_no_arrays_needed(Device& device, const std::string& launch) {
  const Matrix matrix = battery().back().matrix;
  for (const char* const passes : {"", "compact | "}) {
    const std::string design = std::string("compress | thread_rows rows=1 | thread_total | ") +
                               "global_store | " + passes + launch;
    Result<Kernel> kernel = Designer(matrix).build(design, Dtype::f32);
    ASSERT_TRUE(kernel.ok()) << kernel.reason();
    const std::int64_t format_bytes = kernel->format_bytes();
    const auto loaded = device.load(*kernel);
    ASSERT_TRUE(loaded.ok()) << loaded.reason();
    EXPECT_EQ((*loaded)->still_reads(), StillRead::nothing);
    give_up_entries(*kernel, **loaded);
    for (const Array& array : kernel->arrays) EXPECT_EQ(array.bytes.capacity(), 0) << array.name;
    EXPECT_EQ(kernel->format_bytes(), format_bytes);
    for (int time = 0; time < 2; ++time) {
      const Result<VerifyReport> verified = verify(*kernel, **loaded, matrix);
      EXPECT_TRUE(verified.ok()) << verified.reason();
    }
  }
}

TEST(WorkerDevice, NeedsNoArraysOfAKernelThatItHas) {
  expect_no_arrays_needed(
      *open_worker_device([] { return open_emulated_device("h200"); }, {60, 60}),
      "launch threads=128");
  expect_no_arrays_needed(*open_device("cpu:1"), "launch tasks=bytes");
}

TEST(WorkerDevice, ACrashLosesOneKernelAndNothingElse) {
  const std::unique_ptr<Device> device = scripted();
  for (const auto& [what, how] :
       {std::pair{"segfault",
                  "crash: the device's worker was ended by signal 11 (Segmentation fault)"},
        std::pair{"fault", "crash: illegal address"},
        std::pair{"too large", "out_of_memory: no room"},
        std::pair{"dies while it is loaded",
                  "crash: the device's worker was ended by signal 6 (Aborted)"}}) {
    EXPECT_EQ(run(*device, what), how);
    EXPECT_EQ(run(*device, "ok"), "") << "after " << what;
  }
}

TEST(WorkerDevice, WhatNoKernelDoesIsAFaultOfTheEnvironment) {
  const std::unique_ptr<Device> device = scripted();
  for (const auto& [what, how] :
       {std::pair{"killed", "fault: the device's worker was ended by signal 9 (Killed); "},
        std::pair{"exit", "fault: the device's worker was ended by exit status 9; "},
        std::pair{"bad_alloc", "fault: the host is out of memory: the worker has no memory left; "},
        std::pair{"refused thread", "fault: Resource temporarily unavailable"}}) {
    const std::string found = run(*device, what);
    EXPECT_TRUE(found.starts_with(how)) << found;
    EXPECT_EQ(run(*device, "ok"), "") << "after " << what;
  }
}

TEST(WorkerDevice, AHangIsEndedByTheLimit) {
  const std::unique_ptr<Device> device = scripted({60, 0.3});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run(*device, "hang"), "timeout: no answer within 0.3 s; the device's worker was ended");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(run(*device, "ok"), "");
}

// 100 MB take a second at the least rate that is waited for, beside the kernel's own time.
TEST(WorkerDevice, CopiesGetALimitByTheirBytes) {
  const std::unique_ptr<Device> device = scripted({60, 0.3});
  const auto outcome = [&](const char* what, std::size_t bytes) {
    const Kernel kernel = kernel_that(what);
    const auto loaded = device->load(kernel);
    SpmvCase input;
    input.x = std::vector<std::byte>(bytes);
    const auto outcomes = (*loaded)->run(std::vector<SpmvCase>{input});
    return outcomes.ok() ? std::string() : outcomes.reason();
  };
  constexpr std::size_t large = 100'000'000;
  EXPECT_EQ(outcome("copies slowly", large), "");
  EXPECT_EQ(outcome("copies slowly", 0), "no answer within 0.3 s; the device's worker was ended");
  EXPECT_EQ(outcome("hang", large),
            "no answer within 0.3 s and 1.0 s for copies; the device's worker was ended");
}

/// Cases of so many bytes of x each, all different.
std::vector<SpmvCase> cases_of(std::size_t bytes) {
  std::vector<SpmvCase> cases(3);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].x = std::vector<std::byte>(bytes, std::byte(1 + i));
    cases[i].integers = std::vector<std::byte>{std::byte(10 + i)};
  }
  cases[2].x = cases[0].x;
  cases[2].y = std::vector<std::byte>{std::byte{9}};
  return cases;
}

// A kernel that echoes gives back x, integers and y of each case, and whether the third has the x
// of the first.
TEST(WorkerDevice, CasesGoOverOnceForAllKernels) {
  const std::unique_ptr<Device> device = scripted({60, 0.3});
  const Kernel kernel = kernel_that("echo");
  const auto echo = [&](const std::vector<SpmvCase>& cases) {
    const auto loaded = device->load(kernel);
    const auto outcomes = (*loaded)->run(cases);
    EXPECT_TRUE(outcomes.ok()) << outcomes.reason();
    std::string text;
    for (const SpmvOutcome& outcome : *outcomes) {
      for (const std::byte byte : outcome.y) text += fmt::format("{} ", std::to_integer<int>(byte));
    }
    return text;
  };
  const std::vector<SpmvCase> cases = cases_of(1000);
  const std::string expected = "1 10 0 1 2 11 0 0 1 12 9 1 ";
  EXPECT_EQ(echo(cases), expected);
  EXPECT_EQ(echo(cases), expected);
  EXPECT_NE(run(*device, "bad_alloc"), "") << "of what it was given nothing is known";
  EXPECT_EQ(echo(cases), expected);
  EXPECT_NE(run(*device, "segfault"), "");
  EXPECT_EQ(echo(cases), expected) << "another worker has nothing";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo(cases_of(1000)), expected) << "new ones of old places";
}

TEST(WorkerDevice, LoadingHasALimitOfItsOwn) {
  EXPECT_EQ(run(*scripted({60, 0.3}), "is loaded slowly"), "");
  const std::unique_ptr<Device> device = scripted({0.4, 60});
  EXPECT_EQ(run(*device, "hangs while it is loaded"),
            "timeout: no answer within 0.4 s; the device's worker was ended");
  EXPECT_EQ(run(*device, "ok"), "");
}

TEST(WorkerDevice, TheEnvironmentMaySetTheKernelsLimit) {
  const char* const name = "ALPHASPARSE_KERNEL_SECONDS";
  unsetenv(name);
  EXPECT_EQ(worker_limits().kernel_seconds_max, 20);
  setenv(name, "2.5", 1);
  EXPECT_EQ(worker_limits().kernel_seconds_max, 2.5);
  EXPECT_EQ(worker_limits().load_seconds_max, 120);
  for (const char* const wrong : {"0", "-1", "ten", "3s", "inf", "nan", "1e999"}) {
    setenv(name, wrong, 1);
    try {
      worker_limits();
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      EXPECT_EQ(error.what(), fmt::format("{} wants a positive number, not \"{}\"", name, wrong));
    }
  }
  unsetenv(name);
}

TEST(WorkerDevice, AHangEndsAtTheDeadline) {
  const std::unique_ptr<Device> device = scripted();
  std::atomic<bool> stop = false;
  device->wait_with({std::nullopt, &stop});
  std::thread interrupt([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  EXPECT_EQ(run(*device, "hang"), "timeout: was not done when the budget ended");
  interrupt.join();
  device->wait_with({});
  EXPECT_EQ(run(*device, "ok"), "");
}

TEST(WorkerDevice, WhatWasLoadedBeforeACrashIsGone) {
  const std::unique_ptr<Device> device = scripted();
  const Kernel before = kernel_that("ok");
  const auto loaded = device->load(before);
  ASSERT_TRUE(loaded.ok());
  EXPECT_NE(run(*device, "segfault"), "");
  EXPECT_EQ(run(*device, "ok"), "");
  const auto timing = (*loaded)->time({}, CacheRegime::warm);
  ASSERT_FALSE(timing.ok());
  EXPECT_EQ(timing.failure().status, Status::crash);
  EXPECT_EQ(timing.reason(), "the device's worker that had loaded the kernel has ended");
}

TEST(WorkerDevice, LeavesNoProcessAndNoDescriptor) {
  const int before = descriptors();
  {
    const std::unique_ptr<Device> device = scripted();
    for (int i = 0; i < 20; ++i) EXPECT_NE(run(*device, i % 2 == 0 ? "segfault" : "exit"), "");
    EXPECT_EQ(run(*device, "ok"), "");
  }
  EXPECT_FALSE(has_children());
  EXPECT_EQ(descriptors(), before);
}

TEST(WorkerDevice, AWorkerThatIsKilledFromOutsideIsNoticed) {
  const std::unique_ptr<Device> device = scripted();
  const Kernel kernel = kernel_that("ok");
  const auto loaded = device->load(kernel);
  const std::string note = (*loaded)->time({}, CacheRegime::warm)->note;
  kill(std::stoi(note.substr(note.find(' '))), SIGKILL);
  try {
    (void)(*loaded)->time({}, CacheRegime::warm);
    FAIL() << "timed by nobody";
  } catch (const Error& fault) {
    EXPECT_TRUE(std::string(fault.what())
                    .starts_with("the device's worker was ended by signal 9 (Killed); "))
        << fault.what();
  }
  EXPECT_EQ(run(*device, "ok"), "");
}

TEST(WorkerDevice, TheErrorOfOpeningReachesTheOwner) {
  try {
    open_worker_device([]() -> std::unique_ptr<Device> {
      throw Error(ExitCode::no_device, "cuda:0: there is no such GPU");
    });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::no_device);
    EXPECT_STREQ(error.what(), "cuda:0: there is no such GPU");
  }
  EXPECT_FALSE(has_children());
}

// Every kernel goes over whole: designs of all kinds give the same results as without a worker.
TEST(WorkerDevice, VerifiesNamedDesignsAsTheDeviceItself) {
  const std::unique_ptr<Device> device =
      open_worker_device([] { return open_emulated_device("h200"); });
  for (const char* const name : {"one_row", "runs_of_empty_rows", "stencil_23"}) {
    const Matrix matrix = battery_matrix(name);
    for (const char* const design : {"csr-vector", "csr5", "merge-csr", "acsr", "hyb"}) {
      const auto kernel = Designer(matrix).build(resolve_design(design), Dtype::f64);
      if (!kernel) continue;
      const auto loaded = device->load(*kernel);
      ASSERT_TRUE(loaded.ok()) << loaded.reason();
      const auto report = verify(*kernel, **loaded, matrix, {});
      EXPECT_TRUE(report.ok()) << name << " " << design << ": "
                               << (report.ok() ? "" : report.reason());
      EXPECT_TRUE((*loaded)->time(rounded_case(*kernel, 1), CacheRegime::warm).ok());
    }
  }
}

}  // namespace
}  // namespace alphasparse
