#include "runtime/cuda/module.h"

namespace alphasparse {

LoadedModule::~LoadedModule() {
  if (module_ == nullptr) return;
  session_.api().set_context(session_.context());
  session_.api().unload_module(module_);
}

Fault LoadedModule::load(const std::vector<std::byte>& cubin) {
  return session_.checked_room(session_.check(session_.api().load_module(&module_, cubin.data()),
                                              "cuModuleLoadData", "loading the compiled kernel"));
}

Fault LoadedModule::find(CudaFunction& function, const std::string& name) {
  return session_.check(session_.api().find_function(&function, module_, name.c_str()),
                        "cuModuleGetFunction", "looking for kernel " + name);
}

}  // namespace alphasparse
