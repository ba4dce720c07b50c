// arrays_in_memory: the arrays of a format file, taken into memory.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "templates/host/forked.h"
#include "templates/host/loader.h"
#include "templates/host/memory_format.h"
#include "templates/host/values.h"

namespace alphasparse::host {

constexpr std::size_t slack_bytes = 512;  // zeros behind an array: a gang of 64 doubles
constexpr std::size_t huge_bytes = std::size_t{2} << 20;

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

struct MemoryFormat : HeldValues {
  using HeldValues::HeldValues;
  std::vector<ArrayMemory> memory;  ///< of the arrays, then of the workspaces
};

/// Takes the arrays over; gives the pointers of the kernel's Format.
inline void take(const LoadedFormat& loaded, int threads, void** pointers, MemoryFormat& held) {
  for (std::size_t i = 0; i < loaded.arrays.size(); ++i) {
    const std::vector<unsigned char>& bytes = loaded.arrays[i].bytes;
    held.memory.emplace_back(bytes.data(), bytes.size(), threads);
    pointers[pointer_of_array(held.facts, i)] = held.memory.back().data();
  }
  for_each_workspace(held.facts, [&](const WorkspaceFacts& scratch) {
    held.memory.emplace_back(nullptr, scratch.bytes, threads);
    pointers[scratch.pointer] = held.memory.back().data();
  });
}

[[gnu::cold]] int hold_in_memory(const char* path, const FormatFacts& facts, int threads,
                                 void** pointers, MemoryFormat** held, Message& message) {
  return guarded(message, path, [&] {
    LoadedFormat loaded = load_format(path, facts, false);
    notice_fork();
    MemoryFormat made(facts, loaded);
    take(loaded, threads, pointers, made);
    *held = new MemoryFormat(std::move(made));
  });
}

int replace_values(MemoryFormat& held, const char* what, const void* canonical, Message& message) {
  return guarded(message, what, [&] {
    const auto store = [&](std::size_t i, const std::vector<unsigned char>& stored) {
      std::memcpy(held.memory[i].data(), stored.data(), stored.size());
    };
    with_number(held.facts,
                [&](auto zero) { replace_values<decltype(zero)>(held, canonical, store); });
  });
}

void drop(MemoryFormat* held) { delete held; }

}  // namespace alphasparse::host
