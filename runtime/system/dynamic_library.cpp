#include "runtime/system/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace alphasparse {

std::vector<std::string> toolkit_places(const std::vector<std::string>& files) {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* const home = std::getenv(variable);
    if (home != nullptr && *home != '\0') folders.push_back(std::string(home) + "/lib64/");
  }
  folders.push_back("/usr/local/cuda/lib64/");
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path().string() + "/");

  std::vector<std::string> result = files;
  for (const std::string& folder : folders) {
    for (const std::string& file : files) {
      const std::string path = folder + file;
      if (std::find(result.begin(), result.end(), path) == result.end()) result.push_back(path);
    }
  }
  return result;
}

Result<DynamicLibrary> DynamicLibrary::open(std::span<const std::string> names) {
  std::string complaint;
  for (const std::string& name : names) {
    const bool is_path = name.find('/') != std::string::npos;
    if (is_path && access(name.c_str(), F_OK) != 0) continue;
    void* const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle != nullptr) return DynamicLibrary(handle, name);
    const char* const error = dlerror();
    const std::string text = error == nullptr ? "no reason given" : error;
    // "cannot open" of the very name asked for is absence; anything else is worth a person's look.
    const bool absent = !is_path && text.starts_with(name + ": cannot open shared object file");
    if (!absent && complaint.empty()) complaint = "; " + text;
  }
  const Status status = complaint.empty() ? Status::pruned : Status::launch_error;
  return Failure{status, fmt::format("looked for {}{}", fmt::join(names, ", "), complaint)};
}

void DynamicLibrary::Close::operator()(void* handle) const { dlclose(handle); }

void* DynamicLibrary::find(const char* symbol) const { return dlsym(handle_.get(), symbol); }

}  // namespace alphasparse
