// module: a compiled kernel - its launches, its shared arrays and its constants.
//
// `__shared__` variables are thread-local ones of the module: one block runs at a time, in one
// thread, so the module's thread-local segment is the block's shared memory. Their names and sizes
// stand in the module's symbol table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace alphasparse::emulator {

/// alpha and beta are two parts each.
using LaunchEntry = void (*)(const void* const* arrays, const void* x, long long ldx, void* y,
                             long long ldy, const double* alpha, const double* beta);

struct SharedArray {
  std::string name;  ///< "table", without the function that it stands in
  std::uintptr_t low = 0;
  std::size_t bytes = 0;
  bool is_guard = false;  ///< the compiler's own: whether an array of objects was constructed
};

struct Module {
  void* object = nullptr;   ///< of dlopen; it stays loaded until it is closed
  std::uintptr_t base = 0;  ///< where it is loaded: program counters count from here
  std::uintptr_t end = 0;
  std::vector<LaunchEntry> entries;  ///< one a launch
  std::vector<SharedArray> shared;
};

/// Loads the shared object at `path`; ends the process where it cannot.
Module load_module(const std::string& path, std::size_t launches);

}  // namespace alphasparse::emulator
