// fake_gpu_state: the messages between a test and the fake of a GPU's driver.
//
// The fake is a shared library, and others have a maker's symbols over it. "GPU" memory lies on the
// host. A "kernel" is a function of the test that reads the parameters as the real one would. Or it
// comes from a module that a fake of a compiler has made (fake_module.h). Time is a number that
// kernels and fills advance. Queued work runs when it is waited for, as on a GPU.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

struct GpuGraphExecHandle;
struct GpuStreamHandle;

/// A kernel that modules of the fake contain: `execute` runs a launch, then `time_us` is asked.
struct FakeKernel {
  std::vector<std::size_t> parameter_bytes;  ///< how much a launch copies of each parameter
  std::function<void(unsigned blocks, unsigned threads,
                     const std::vector<std::vector<std::byte>>& parameters)>
      execute;
  std::function<double()> time_us;  ///< of one launch
  unsigned threads_max = 1024;      ///< of a block: its launch bounds
  unsigned registers = 32;          ///< of a thread
};

/// Queued work, and the module that a kernel of it belongs to; null: none.
struct FakeNode {
  std::function<void()> run;
  const void* module;
};
using FakeWork = std::deque<FakeNode>;

/// A stream that is being captured.
struct FakeCapture {
  FakeWork nodes;
  GpuStreamHandle* stream;
  int mode;
  bool is_valid = true;  ///< no call has broken it
};

struct FakeGpuState {
  // The test sets:
  std::map<std::string, FakeKernel> kernels;
  std::map<std::string, int> failures;  ///< call -> the code that it returns from now on
  int devices = 1;
  int driver_version = 99000;  ///< CUDA's that it is made for; as new as the fake of NVRTC
  std::function<unsigned()> sm_mhz = [] { return 1980U; };  ///< that NVML tells; its highest: 1980
  unsigned long long slowed = 0;                            ///< NVML's reasons
  std::map<unsigned, unsigned> use;  ///< in percent by the number of a process, that NVML tells
  std::size_t memory_bytes = std::size_t{1} << 32;
  std::size_t others_bytes = 0;  ///< that other processes have of it
  bool refuses_memory = false;
  std::size_t bytes_lacking = 0;  ///< at the end of later allocations
  int compute_capability = 90;
  int lost = 0;  ///< the error that has lost the context: every later call returns it
  // The test reads:
  std::vector<std::string> calls;  ///< of those that queue work or make modules
  std::map<unsigned long long, std::size_t> allocations;  ///< live ones
  std::size_t uploaded_bytes = 0;                         ///< from the host, all together
  std::size_t fill_bytes = 0;                             ///< of the last fill
  int contexts = 0;                                       ///< retained and not released
  int modules = 0;
  int events = 0;
  int streams = 0;
  int graphs = 0;
  double clock_us = 0;
  std::vector<std::string> broken_rules;  ///< of the driver, where it answers no error

  FakeWork queue;
  FakeCapture* recording = nullptr;  ///< of a graph, while there is one
  std::set<const GpuGraphExecHandle*> graphs_made;

  /// Whether [address, address + bytes) lies in one live allocation.
  bool is_allocated(unsigned long long address, std::size_t bytes) const {
    auto after = allocations.upper_bound(address);
    if (after == allocations.begin()) return false;
    --after;
    return address + bytes <= after->first + after->second;
  }

  void enqueue(std::function<void()> work, const void* module = nullptr) {
    (recording ? recording->nodes : queue).push_back({std::move(work), module});
  }
};

extern "C" {
/// The fake's one state, and a fresh start of it.
FakeGpuState* fake_gpu();
void fake_gpu_reset();
}
