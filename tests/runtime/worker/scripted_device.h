// scripted_device: a device in a worker, with kernels that crash, hang or answer as their designs
// say.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/worker/device.h"

namespace alphasparse {

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

inline std::unique_ptr<Device> scripted_device(const WorkerLimits& limits = {60, 60}) {
  return open_worker_device([] { return std::make_unique<ScriptedDevice>(); }, limits);
}

inline Kernel kernel_that(const std::string& what) {
  Kernel kernel;
  kernel.design = what;
  kernel.rows = 3;
  return kernel;
}

/// The failure of a run of it, or the fault that it meets; empty where it succeeds.
inline std::string end_of_run(Device& device, const std::string& what) try {
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

}  // namespace alphasparse
