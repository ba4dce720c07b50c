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

#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/device.h"
#include "tests/runtime/worker/scripted_device.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

/// Descriptors that this process has open.
int descriptors() {
  int count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (readdir(folder)) ++count;
  closedir(folder);
  return count;
}

bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }

TEST(WorkerDevice, SaysWhoItIsAndWorksInAnotherProcess) {
  const std::unique_ptr<Device> device = scripted_device();
  EXPECT_EQ(device->info().name, "scripted:0");
  EXPECT_EQ(device->info().kind, TimeKind::measured);
  EXPECT_EQ(device->info().l2_bytes, 50);
  EXPECT_EQ(end_of_run(*device, "ok"), "");
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
  const std::unique_ptr<Device> device = scripted_device();
  for (const auto& [what, how] :
       {std::pair{"segfault",
                  "crash: the device's worker was ended by signal 11 (Segmentation fault)"},
        std::pair{"fault", "crash: illegal address"},
        std::pair{"too large", "out_of_memory: no room"},
        std::pair{"dies while it is loaded",
                  "crash: the device's worker was ended by signal 6 (Aborted)"}}) {
    EXPECT_EQ(end_of_run(*device, what), how);
    EXPECT_EQ(end_of_run(*device, "ok"), "") << "after " << what;
  }
}

TEST(WorkerDevice, WhatNoKernelDoesIsAFaultOfTheEnvironment) {
  const std::unique_ptr<Device> device = scripted_device();
  for (const auto& [what, how] :
       {std::pair{"killed", "fault: the device's worker was ended by signal 9 (Killed); "},
        std::pair{"exit", "fault: the device's worker was ended by exit status 9; "},
        std::pair{"bad_alloc", "fault: the host is out of memory: the worker has no memory left; "},
        std::pair{"refused thread", "fault: Resource temporarily unavailable"}}) {
    const std::string found = end_of_run(*device, what);
    EXPECT_TRUE(found.starts_with(how)) << found;
    EXPECT_EQ(end_of_run(*device, "ok"), "") << "after " << what;
  }
}

TEST(WorkerDevice, AHangIsEndedByTheLimit) {
  const std::unique_ptr<Device> device = scripted_device({60, 0.3});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(end_of_run(*device, "hang"),
            "timeout: no answer within 0.3 s; the device's worker was ended");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_EQ(end_of_run(*device, "ok"), "");
}

// 100 MB take a second at the least rate that is waited for, beside the kernel's own time.
TEST(WorkerDevice, CopiesGetALimitByTheirBytes) {
  const std::unique_ptr<Device> device = scripted_device({60, 0.3});
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
  const std::unique_ptr<Device> device = scripted_device({60, 0.3});
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
  EXPECT_NE(end_of_run(*device, "bad_alloc"), "") << "of what it was given nothing is known";
  EXPECT_EQ(echo(cases), expected);
  EXPECT_NE(end_of_run(*device, "segfault"), "");
  EXPECT_EQ(echo(cases), expected) << "another worker has nothing";
  for (int i = 0; i < 3; ++i) EXPECT_EQ(echo(cases_of(1000)), expected) << "new ones of old places";
}

TEST(WorkerDevice, LoadingHasALimitOfItsOwn) {
  EXPECT_EQ(end_of_run(*scripted_device({60, 0.3}), "is loaded slowly"), "");
  const std::unique_ptr<Device> device = scripted_device({0.4, 60});
  EXPECT_EQ(end_of_run(*device, "hangs while it is loaded"),
            "timeout: no answer within 0.4 s; the device's worker was ended");
  EXPECT_EQ(end_of_run(*device, "ok"), "");
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
  const std::unique_ptr<Device> device = scripted_device();
  std::atomic<bool> stop = false;
  device->set_deadline({std::nullopt, &stop});
  std::thread interrupt([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  EXPECT_EQ(end_of_run(*device, "hang"), "timeout: was not done when the budget ended");
  interrupt.join();
  device->set_deadline({});
  EXPECT_EQ(end_of_run(*device, "ok"), "");
}

TEST(WorkerDevice, WhatWasLoadedBeforeACrashIsGone) {
  const std::unique_ptr<Device> device = scripted_device();
  const Kernel before = kernel_that("ok");
  const auto loaded = device->load(before);
  ASSERT_TRUE(loaded.ok());
  EXPECT_NE(end_of_run(*device, "segfault"), "");
  EXPECT_EQ(end_of_run(*device, "ok"), "");
  const auto timing = (*loaded)->time({}, CacheRegime::warm);
  ASSERT_FALSE(timing.ok());
  EXPECT_EQ(timing.failure().status, Status::crash);
  EXPECT_EQ(timing.reason(), "the device's worker that had loaded the kernel has ended");
}

TEST(WorkerDevice, LeavesNoProcessAndNoDescriptor) {
  const int before = descriptors();
  {
    const std::unique_ptr<Device> device = scripted_device();
    for (int i = 0; i < 20; ++i)
      EXPECT_NE(end_of_run(*device, i % 2 == 0 ? "segfault" : "exit"), "");
    EXPECT_EQ(end_of_run(*device, "ok"), "");
  }
  EXPECT_FALSE(has_children());
  EXPECT_EQ(descriptors(), before);
}

TEST(WorkerDevice, AWorkerThatIsKilledFromOutsideIsNoticed) {
  const std::unique_ptr<Device> device = scripted_device();
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
  EXPECT_EQ(end_of_run(*device, "ok"), "");
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
