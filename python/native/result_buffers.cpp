#include "result_buffers.h"

#include <pybind11/complex.h>

#include <complex>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>

#include "native.h"

namespace py = pybind11;

namespace alphasparse {
namespace {

constexpr std::size_t pooled_bytes_least = std::size_t{32}
                                           << 10;  // malloc has smaller ones at hand
constexpr std::size_t alignment = 64;
constexpr std::size_t header_bytes = alignment;  // in front of the elements: their size

struct Freed {
  void operator()(void* block) const { std::free(block); }
};

/// Unused blocks, with the one that was returned last at the end.
class Kept {
 public:
  /// A block of that size; null where none is kept.
  void* take(std::size_t bytes) {
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      if (block->bytes != bytes) continue;
      void* const found = block->memory.release();
      blocks_.erase(std::next(block).base());
      bytes_ -= bytes;
      return found;
    }
    return nullptr;
  }

  /// Keeps a block; the oldest ones go where there is no room.
  void give(void* memory, std::size_t bytes) {
    std::unique_ptr<void, Freed> owned(memory);
    if (bytes > kept_bytes_most) return;
    while (bytes_ + bytes > kept_bytes_most) {
      bytes_ -= blocks_.front().bytes;
      blocks_.pop_front();
    }
    blocks_.push_back({std::move(owned), bytes});
    bytes_ += bytes;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  struct Block {
    std::unique_ptr<void, Freed> memory;
    std::size_t bytes;
  };
  std::deque<Block> blocks_;
  std::size_t bytes_ = 0;
};

Kept& kept() {
  static Kept& all = *new Kept;  // never destroyed: arrays may go at the very end
  return all;
}

void give_back(void* block) { kept().give(block, *static_cast<std::size_t*>(block)); }

template <class T>
py::array pooled(std::int64_t count, std::size_t bytes) {
  void* block = kept().take(bytes);
  if (!block) block = std::aligned_alloc(alignment, bytes);
  if (!block) throw std::bad_alloc();
  *static_cast<std::size_t*>(block) = bytes;
  const py::capsule owner(block, give_back);
  return py::array_t<T>(count, reinterpret_cast<T*>(static_cast<char*>(block) + header_bytes),
                        owner);
}

template <class T>
py::array make_result(std::int64_t count) {
  const std::size_t data_bytes = static_cast<std::size_t>(count) * sizeof(T);
  const std::size_t bytes = (header_bytes + data_bytes + alignment - 1) / alignment * alignment;
  if (bytes < pooled_bytes_least || bytes > kept_bytes_most) return py::array_t<T>(count);
  return pooled<T>(count, bytes);
}

}  // namespace

py::array new_result(char type, std::int64_t count) {
  switch (type) {
    case 'f':
      return make_result<float>(count);
    case 'F':
      return make_result<std::complex<float>>(count);
    case 'D':
      return make_result<std::complex<double>>(count);
    default:
      return make_result<double>(count);
  }
}

std::size_t kept_bytes() { return kept().bytes(); }

}  // namespace alphasparse
