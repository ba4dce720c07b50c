// vectors: the vectors by which a program checks and times its kernel.
#pragma once
#include <cstdint>
#include <vector>

#include "templates/host/status.h"

namespace alphasparse::host {

/// From [-1, 1). The header of the standard library for this takes a compiler half a second.
inline std::vector<Value> random_vector(std::int64_t count, unsigned seed) {
  std::uint64_t state = seed;
  std::vector<Value> vector(count);
#ifdef ALPHASPARSE_REAL_KERNEL
  for (Value& entry : vector) {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's, in MMIX
    entry = static_cast<Value>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
  }
#else
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's, in MMIX
    return static_cast<Real>(static_cast<double>(state >> 11) * 0x1p-52 - 1);
  };
  for (Value& entry : vector) {
    entry.re = next();
    entry.im = next();
  }
#endif
  return vector;
}

inline void check_call(int status) {
  if (status != alphasparse_ok) {
    throw StatusError(static_cast<alphasparse_status>(status), PREFIX_message());
  }
}

struct LoadedKernel {
  explicit LoadedKernel(const char* path) { check_call(PREFIX_load(path, &handle)); }
  LoadedKernel(const LoadedKernel&) = delete;
  ~LoadedKernel() { PREFIX_free(handle); }

  alphasparse_handle* handle = nullptr;
};

}  // namespace alphasparse::host
