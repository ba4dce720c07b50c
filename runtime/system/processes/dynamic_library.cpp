#include "runtime/system/processes/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <unistd.h>

namespace alphasparse {

Result<DynamicLibrary> DynamicLibrary::open(std::span<const std::string> names) {
  std::string complaint;
  for (const std::string& name : names) {
    const bool is_path = name.find('/') != std::string::npos;
    if (is_path && access(name.c_str(), F_OK) != 0) continue;
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle != nullptr) return DynamicLibrary(handle, name);
    const char* const error = dlerror();
    const std::string text = error == nullptr ? "no reason given" : error;
    // "cannot open" with the requested name means that the library is absent; any other error is
    // shown to the user.
    const bool absent = !is_path && text.starts_with(name + ": cannot open shared object file");
    if (!absent && complaint.empty()) complaint = "; " + text;
  }
  const Status status = complaint.empty() ? Status::pruned : Status::launch_error;
  return Failure{status, fmt::format("looked for {}{}", fmt::join(names, ", "), complaint)};
}

void DynamicLibrary::Close::operator()(void* handle) const { dlclose(handle); }

std::string DynamicLibrary::file() const {
  const link_map* map = nullptr;
  const bool known = dlinfo(handle_.get(), RTLD_DI_LINKMAP, &map) == 0 && map != nullptr;
  return known && map->l_name != nullptr && *map->l_name != '\0' ? map->l_name : name_;
}

void* DynamicLibrary::find(const char* symbol) const { return dlsym(handle_.get(), symbol); }

}  // namespace alphasparse
