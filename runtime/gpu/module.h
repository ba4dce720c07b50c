// module: a compiled image on a GPU, and its kernels by their names.
#pragma once
#include <string>
#include <vector>

#include "runtime/gpu/session.h"

namespace alphasparse {

/// Unloads the module at its end. Must not outlive its session.
class LoadedModule {
 public:
  explicit LoadedModule(GpuSession& session) : session_(session) {}
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  MaybeFailure load(const std::vector<std::byte>& cubin);
  MaybeFailure find(GpuFunction& function, const std::string& name);

 private:
  GpuSession& session_;
  GpuModule module_ = nullptr;
};

}  // namespace alphasparse
