// handle: a format in memory, and the threads that multiply by it.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "templates/host/any_handle.h"
#include "templates/host/forked.h"
#include "templates/host/loader.h"
#include "templates/host/pointers.h"
#include "templates/host/values.h"

namespace alphasparse::host {

constexpr std::size_t slack_bytes = 512;  // zeros behind an array: a gang of 64 doubles
constexpr std::size_t huge_bytes = std::size_t{2} << 20;
constexpr int threads_most = 1024;

/// Memory for an array and its slack; large ones on huge pages where the system has them. Of these
/// each of `threads` threads touches its share first, so that it lies near the one that computes
/// with it.
class ArrayMemory {
 public:
  ArrayMemory(const void* from, std::size_t bytes, int threads) {
    const std::size_t alignment = bytes >= huge_bytes ? huge_bytes : 64;
    const std::size_t size = (bytes + slack_bytes + alignment - 1) / alignment * alignment;
    data_ = static_cast<unsigned char*>(std::aligned_alloc(alignment, size));
    if (!data_) throw std::bad_alloc();
    if (alignment == huge_bytes) madvise(data_, size, MADV_HUGEPAGE);
    unsigned char* const to = data_;
    in_threads(alignment == huge_bytes ? threads : 1, [=](std::size_t thread, std::size_t count) {
      const std::size_t first = bytes / count * thread;
      const std::size_t end = thread + 1 == count ? bytes : bytes / count * (thread + 1);
      if (from) {
        std::memcpy(to + first, static_cast<const unsigned char*>(from) + first, end - first);
      } else {
        std::memset(to + first, 0, end - first);
      }
    });
    std::memset(data_ + bytes, 0, size - bytes);
  }
  ArrayMemory(ArrayMemory&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  ArrayMemory(const ArrayMemory&) = delete;
  ~ArrayMemory() { std::free(data_); }

  void* data() const { return data_; }

 private:
  unsigned char* data_ = nullptr;
};

struct Handle : alphasparse_handle, HeldValues {
  Handle() : alphasparse_handle{&facts} {}
  Handle(const Handle&) = delete;
  ~Handle() { close_team(team); }

  std::vector<ArrayMemory> memory;  ///< of the arrays, then of the workspaces
  Team team{};
};

/// y = beta * y, which is the SpMV where alpha is 0: neither the matrix nor x is read, as BLAS has
/// it, so that no Inf or NaN of theirs comes in. beta == 0 does not read y.
inline void scale(Value* y, Value beta) {
  if (beta == 0) {
    std::fill_n(y, facts.rows, Value(0));
  } else {
    for (std::int64_t row = 0; row < facts.rows; ++row) y[row] *= beta;
  }
}

/// Takes the arrays over and opens a team of so many threads.
inline void take(const LoadedFormat& loaded, int threads, Handle& handle) {
  Pointers pointers{};
  for (std::size_t i = 0; i < loaded.arrays.size(); ++i) {
    const std::vector<unsigned char>& bytes = loaded.arrays[i].bytes;
    handle.memory.emplace_back(bytes.data(), bytes.size(), threads);
    pointers[pointer_of_array(i)] = handle.memory.back().data();
  }
  //[ scratch
  for_each_workspace([&](const WorkspaceFacts& scratch) {
    handle.memory.emplace_back(nullptr, scratch.bytes, threads);
    pointers[scratch.pointer] = handle.memory.back().data();
  });
  //]
  handle.team.f = format_of(pointers);
  if (!set_threads(handle.team, threads)) throw std::bad_alloc();
}

}  // namespace alphasparse::host
