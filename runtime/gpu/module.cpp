#include "runtime/gpu/module.h"

namespace alphasparse {

LoadedModule::~LoadedModule() {
  if (module_ == nullptr) return;
  session_.api().set_context(session_.context());
  session_.api().unload_module(module_);
}

MaybeFailure LoadedModule::load(const std::vector<std::byte>& cubin) {
  return session_.checked_room(session_.call("loading the compiled kernel",
                                             session_.api().load_module, &module_, cubin.data()));
}

MaybeFailure LoadedModule::find(GpuFunction& function, const std::string& name) {
  return session_.call("looking for kernel " + name, session_.api().find_function, &function,
                       module_, name.c_str());
}

}  // namespace alphasparse
