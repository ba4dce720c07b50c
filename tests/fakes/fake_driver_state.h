// fake_driver_state: what the parts of the fake of the driver share - handles, the state, the
// memory and the rules that callers of the driver must keep.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "runtime/cuda/api.h"
#include "tests/fakes/fake_cuda.h"
#include "tests/fakes/fake_module.h"

struct GpuContextHandle {};
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
struct GpuStreamHandle {};
struct GpuGraphNodesHandle {
  FakeWork nodes;
};
struct GpuGraphExecHandle {
  FakeWork nodes;
};
struct GpuEventHandle {
  double clock_us = -1;  // not reached
};

/// Whether this thread has a context.
bool fake_has_context();

/// The code that the test wants of a call; every call needs the context but those before there is
/// one.
int fake_wanted(const std::string& call, bool needs_context = true);

/// Notes a rule that the caller of the driver has broken, where the driver itself says nothing: in
/// FakeCuda::broken_rules, and in the file that FAKE_GPU_BROKEN names.
void fake_broken(const std::string& rule);

/// Notes it where there is no context.
void fake_needs_context(const char* call);

/// 900 where `stream` is being captured, which then has failed; else 0.
int fake_illegal_in_capture(const char* call, alphasparse::GpuStream stream);

/// Runs the queued work.
int fake_drain(const char* call);

std::byte* fake_memory(alphasparse::GpuPointer address);

/// Whether the GPU runs code for this: "sm_90" of its own family and not newer, or PTX
/// ("compute_90") that is not newer.
bool fake_runs(const std::string& arch);
