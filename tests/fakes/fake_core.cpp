// fake_core: the state of the fake of a GPU's driver, the devices of threads, and the rules that
// hold for every call.
#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/fakes/fake_driver_state.h"

using namespace alphasparse;

namespace {

std::unique_ptr<FakeGpuState> state = std::make_unique<FakeGpuState>();
thread_local int device = -1;
bool is_forked = false;

}  // namespace

FakeGpuState* fake_gpu() { return state.get(); }
void fake_gpu_reset() {
  state = std::make_unique<FakeGpuState>();
  device = -1;
}

int& fake_thread_device() { return device; }
int fake_device(const FakeCall& call) { return device < 0 ? call.driver.first_device : device; }

int fake_wanted(const FakeCall& call, bool needs_device) {
  if (is_forked) return gpu_error_not_initialized;
  if (state->lost != 0) return state->lost;
  const auto found = state->failures.find(call.name);
  if (found != state->failures.end()) return found->second;
  return needs_device && fake_device(call) < 0 ? gpu_error_invalid_context : gpu_success;
}

void fake_watch_forks() {
  static const int handled = pthread_atfork(nullptr, nullptr, [] { is_forked = true; });
  if (handled != 0) std::abort();
}

void fake_broken(const std::string& rule) {
  state->broken_rules.push_back(rule);
  const char* const file = std::getenv("FAKE_GPU_BROKEN");
  FILE* const log = file == nullptr ? nullptr : std::fopen(file, "a");
  if (log == nullptr) return;
  std::fprintf(log, "%d %s\n", getpid(), rule.c_str());
  std::fclose(log);
}

void fake_needs_device(const FakeCall& call) {
  if (fake_device(call) < 0) fake_broken(std::string(call.name) + " without a context");
}
