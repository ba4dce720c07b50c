// fake_driver_state: what the parts of the fake of a GPU's driver share - handles, the state, the
// memory and the rules that callers of a driver must keep.
//
// CUDA's driver (fake_cuda.cpp) and HIP's runtime (fake_hip.cpp) are exported names over the calls
// here. Their differences are a FakeDriver each.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "runtime/gpu/api.h"
#include "tests/fakes/fake_gpu_state.h"
#include "tests/fakes/fake_module.h"

struct GpuContextHandle {
  int device;
};
struct GpuModuleHandle;
struct GpuFunctionHandle {
  std::string name;
  const FakeKernel* kernel = nullptr;  // of a module; null: the test's, by its name
  GpuModuleHandle* module = nullptr;
  bool was_launched = false;
};
struct GpuModuleHandle {
  std::unique_ptr<FakeModule> module;  // null: the test's kernels
  std::map<std::string, GpuFunctionHandle> functions;
};
struct GpuStreamHandle {
  int device;  ///< that was the thread's when it was made
};
struct GpuGraphNodesHandle {
  FakeWork nodes;
};
struct GpuGraphExecHandle {
  FakeWork nodes;
};
struct GpuEventHandle {
  bool was_recorded = false;
  double clock_us = -1;  // not reached
};

/// A driver, where it is not as the other.
struct FakeDriver {
  int first_device;                       ///< of a thread that has chosen none; -1: none
  bool (*runs)(const std::string& arch);  ///< whether its GPU runs code for this
  int beyond_bounds;  ///< the code of a launch with more threads than the kernel's launch bounds
  int misaligned;     ///< the code of calls behind an access that is not aligned
  int fault_signal;   ///< by which an access to nobody's memory ends the process; 0: the calls
                      ///< behind it fail
};

/// A call: its name in messages and in FakeGpuState::failures.
struct FakeCall {
  const char* name;
  const FakeDriver& driver;
};

/// The device of this thread, -1 where it has chosen none.
int& fake_thread_device();
int fake_device(const FakeCall& call);

/// The code that the test wants of a call. Every call needs a device but those before there is one.
int fake_wanted(const FakeCall& call, bool needs_device = true);

/// The driver is started: as with a vendor's, no call of a fork of this process works from now on.
void fake_watch_forks();

/// Notes a rule that the caller of the driver has broken, where the driver itself says nothing: in
/// FakeGpuState::broken_rules, and in the file that FAKE_GPU_BROKEN names.
void fake_broken(const std::string& rule);

/// Notes it where the thread has no device.
void fake_needs_device(const FakeCall& call);

/// 900 where `stream` is being captured, which then has failed; else 0.
int fake_illegal_in_capture(const std::string& call, alphasparse::GpuStream stream);

/// Runs the queued work.
int fake_drain(const FakeCall& call);

std::byte* fake_memory(alphasparse::GpuPointer address);

int fake_memory_info(FakeCall call, std::size_t* bytes_free, std::size_t* bytes_total);
int fake_allocate(FakeCall call, alphasparse::GpuPointer* address, std::size_t bytes);
int fake_free(FakeCall call, alphasparse::GpuPointer address);
int fake_copy_to_device(FakeCall call, alphasparse::GpuPointer to, const void* from,
                        std::size_t bytes);
int fake_copy_to_host(FakeCall call, void* to, alphasparse::GpuPointer from, std::size_t bytes);
int fake_copy(FakeCall call, alphasparse::GpuPointer to, alphasparse::GpuPointer from,
              std::size_t bytes);
int fake_copy_rectangle(FakeCall call, const alphasparse::GpuRectangle& lines);
int fake_fill(FakeCall call, alphasparse::GpuPointer to, unsigned char byte, std::size_t bytes);

int fake_load_module(FakeCall call, GpuModuleHandle** module, const void* image);
int fake_unload_module(FakeCall call, GpuModuleHandle* module);
int fake_function_attribute(FakeCall call, int* value, int attribute, GpuFunctionHandle* function);
int fake_find_function(FakeCall call, GpuFunctionHandle** function, GpuModuleHandle* module,
                       const char* name);
int fake_create_stream(FakeCall call, GpuStreamHandle** stream, unsigned flags);
int fake_wait_for_stream(FakeCall call, GpuStreamHandle* stream);
int fake_destroy_stream(GpuStreamHandle* stream);
int fake_begin_capture(FakeCall call, GpuStreamHandle* stream, int mode);
int fake_end_capture(FakeCall call, GpuStreamHandle* stream, GpuGraphNodesHandle** graph);
int fake_make_graph(FakeCall call, GpuGraphExecHandle** exec, GpuGraphNodesHandle* graph);
int fake_launch_graph(FakeCall call, GpuGraphExecHandle* exec);
int fake_destroy_graph(FakeCall call, GpuGraphExecHandle* exec);
int fake_destroy_graph_nodes(GpuGraphNodesHandle* graph);
int fake_create_event(FakeCall call, GpuEventHandle** event);
int fake_record_event(FakeCall call, GpuEventHandle* event);
int fake_wait_for_event(FakeCall call);
int fake_elapsed_ms(FakeCall call, float* ms, GpuEventHandle* first, GpuEventHandle* last);
int fake_destroy_event(FakeCall call, GpuEventHandle* event);

/// The shape of a launch; grids and blocks have one dimension.
struct FakeShape {
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
};
int fake_launch(FakeCall call, GpuFunctionHandle* function, const FakeShape& shape,
                GpuStreamHandle* stream, void** parameters, void** extra);
