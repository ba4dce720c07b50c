// dynamic_library: a shared library that is looked for while the program runs. So one binary starts
// everywhere and names the missing library where there is one.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace alphasparse {

/// A loaded shared library. The code stays mapped until the process ends, even when this object
/// goes: NVRTC and the CUDA driver have threads and exit handlers of their own.
class DynamicLibrary {
 public:
  /// Loads the first of `names` that loads: a bare name ("libcuda.so.1") by the loader's own
  /// search, a path as it stands. A Failure names each that was tried, and the loader's complaint
  /// where a file was there but did not load: then its status is launch_error, else pruned.
  static Result<DynamicLibrary> open(std::span<const std::string> names);

  /// The name or path that loaded.
  const std::string& name() const { return name_; }

  /// The file that the loader took, as it says; the name where it does not say.
  std::string file() const;

  /// Sets `function` to the library's `symbol`; false, and nullptr, where it has none.
  template <class Function>
  bool load(Function*& function, const char* symbol) const {
    function = reinterpret_cast<Function*>(find(symbol));
    return function != nullptr;
  }

 private:
  struct Close {
    void operator()(void* handle) const;
  };
  DynamicLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* find(const char* symbol) const;

  std::unique_ptr<void, Close> handle_;
  std::string name_;
};

}  // namespace alphasparse
