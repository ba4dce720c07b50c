// handle: a format in memory, and the threads that multiply by it.
#pragma once
#include <omp.h>

#include <cstdint>
#include <cstring>
#include <new>

#include "templates/host/any_handle.h"
#include "templates/host/calls.h"
#include "templates/host/memory_format.h"

namespace alphasparse::host {

#ifdef ALPHASPARSE_KERNEL_VECTORS
constexpr std::align_val_t cache_line{64};  // rows of X are read fastest from such a multiple

#endif
struct Handle : alphasparse_handle {
  Handle() : alphasparse_handle{&facts} {}
  Handle(const Handle&) = delete;
  ~Handle() {
    close_team(team);
    drop(held);
#ifdef ALPHASPARSE_KERNEL_VECTORS
    operator delete[](rows, cache_line);
#endif
  }

  MemoryFormat* held = nullptr;
  Team team{};
#ifdef ALPHASPARSE_KERNEL_VECTORS
  mutable Real* rows = nullptr;  // X and Y by rows, for callers that have them by columns
#endif
};

/// A handle for a format file, with a team of as many threads as OpenMP would take. Gives a status.
inline int open_handle(const char* path, Handle** opened) {
  constexpr const char* no_memory = "out of host memory";
  Handle* const handle = new (std::nothrow) Handle();
  if (!handle) return failed(message(), alphasparse_no_memory, path, no_memory);
  const int most = omp_get_max_threads(), threads = most < threads_most ? most : threads_most;
  void* pointers[pointer_count + 1] = {};
  int status = hold_in_memory(path, facts, threads, pointers, &handle->held, message());
  if (status == alphasparse_ok) {
    if (pointer_count > 0) std::memcpy(&handle->team.f, pointers, sizeof handle->team.f);
    if (!set_threads(handle->team, threads))
      status = failed(message(), alphasparse_no_memory, path, no_memory);
  }
  *opened = status == alphasparse_ok ? handle : nullptr;
  if (!*opened) delete handle;
  return status;
}

/// y = beta * y, which is the SpMV where alpha is 0: neither the matrix nor x is read, as BLAS has
/// it, so that no Inf or NaN of theirs comes in. beta == 0 does not read y.
#ifdef ALPHASPARSE_KERNEL_VECTORS
inline void scale(Value* y, std::int64_t count, Value beta) {
  for (std::int64_t i = 0; i < count; ++i) y[i] = beta == 0 ? 0 : beta * y[i];
}
#else
inline void scale(Value* y, Value beta) {
  if (beta == 0) {
    for (std::int64_t row = 0; row < facts.rows; ++row) y[row] = 0;
  } else {
    for (std::int64_t row = 0; row < facts.rows; ++row) y[row] = beta * y[row];
  }
}
#endif

}  // namespace alphasparse::host
