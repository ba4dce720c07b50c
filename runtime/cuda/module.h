// module: a compiled image on a GPU, and its kernels by their names.
#pragma once
#include <string>
#include <vector>

#include "runtime/cuda/session.h"

namespace alphasparse {

/// Unloads the module at its end. Must not outlive its session.
class LoadedModule {
 public:
  explicit LoadedModule(CudaSession& session) : session_(session) {}
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  Fault load(const std::vector<std::byte>& cubin);
  Fault find(CudaFunction& function, const std::string& name);

 private:
  CudaSession& session_;
  CudaModule module_ = nullptr;
};

}  // namespace alphasparse
