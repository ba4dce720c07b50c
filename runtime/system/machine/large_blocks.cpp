#include "runtime/system/machine/large_blocks.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "runtime/system/machine/memory.h"

namespace alphasparse {

namespace {

constexpr std::size_t page_bytes = std::size_t{2} << 20;

/// Aligned to a large page; null where there is none.
char* map_block(std::size_t bytes) {
  const std::size_t all = bytes + page_bytes;
  if (all < bytes) return nullptr;
  void* const memory =
      mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(memory);
  const std::size_t before =
      (page_bytes - reinterpret_cast<std::uintptr_t>(first) % page_bytes) % page_bytes;
  if (before > 0) munmap(first, before);
  munmap(first + before + bytes, page_bytes - before);
  madvise(first + before, bytes, MADV_HUGEPAGE);
  return first + before;
}

/// Moves the memory behind addresses to others, page by page: a call may move no more than one
/// mapping, and a block may consist of several.
void move_pages(char* from, char* to, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes; done += page_bytes) {
    constexpr int in_place = MREMAP_MAYMOVE | MREMAP_FIXED;
    if (mremap(from + done, page_bytes, page_bytes, in_place, to + done) != MAP_FAILED) continue;
    // A new page does as well. The call may have taken the old one away.
    munmap(from + done, page_bytes);
    mmap(to + done, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
         0);
  }
}

/// An eighth of the memory; nothing where that is not known.
std::size_t waiting_most() {
  try {
    return static_cast<std::size_t>(usable_memory_bytes()) / 8;
  } catch (const std::exception&) {
    return 0;
  }
}

/// Memory for the records of blocks. A record is freed under the lock, and operator delete may ask
/// for that lock: it looks for blocks.
template <class T>
struct RecordMemory {
  using value_type = T;
  RecordMemory() = default;
  template <class Other>
  RecordMemory(const RecordMemory<Other>&) {}
  T* allocate(std::size_t count) {
    void* const memory = std::malloc(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const RecordMemory&) const { return true; }
};

class LargeBlocks {
 public:
  void* take(std::size_t bytes) {
    Blocks place;  // made before the block, so that nothing can fail behind it
    place.emplace(nullptr, bytes);
    const std::lock_guard lock(mutex_);
    char* block = take_waiting(bytes);
    if (block == nullptr) block = join_waiting(bytes);
    if (block == nullptr) return nullptr;
    auto node = place.extract(place.begin());
    node.key() = block;
    taken_.insert(std::move(node));
    return block;
  }

  bool give_back(char* block) {
    const std::lock_guard lock(mutex_);
    const auto found = taken_.find(block);
    if (found == taken_.end()) return false;
    auto node = taken_.extract(found);
    if (waiting_bytes_ + node.mapped() > most_) {
      munmap(block, node.mapped());
    } else {
      wait(std::move(node));
    }
    return true;
  }

  std::size_t waiting_bytes() {
    const std::lock_guard lock(mutex_);
    return waiting_bytes_;
  }

  void release_waiting() {
    const std::lock_guard lock(mutex_);
    release_all();
  }

  // A fork while another thread is in here would leave the lock closed in the new process, which
  // has no use for the old one's blocks either.
  void before_fork() { mutex_.lock(); }
  void after_fork(bool is_child) {
    if (is_child) release_all();
    mutex_.unlock();
  }

 private:
  /// By their first byte, with their bytes.
  using Blocks =
      std::map<char*, std::size_t, std::less<>, RecordMemory<std::pair<char* const, std::size_t>>>;

  /// The smallest that is large enough, as far as it is needed; null where there is none.
  char* take_waiting(std::size_t bytes) {
    auto best = waiting_.end();
    for (auto block = waiting_.begin(); block != waiting_.end(); ++block) {
      if (block->second < bytes) continue;
      if (best == waiting_.end() || block->second < best->second) best = block;
    }
    if (best == waiting_.end()) return nullptr;
    auto node = waiting_.extract(best);
    char* const first = node.key();
    waiting_bytes_ -= bytes;
    if (node.mapped() > bytes) {
      node.key() = first + bytes;
      node.mapped() -= bytes;
      waiting_.insert(std::move(node));
    }
    return first;
  }

  /// A new block with the memory of those that wait, as far as they reach: all of them are smaller.
  char* join_waiting(std::size_t bytes) {
    char* block = map_block(bytes);
    if (block == nullptr && !waiting_.empty()) {  // which take addresses too
      release_all();
      block = map_block(bytes);
    }
    if (block == nullptr) return nullptr;
    for (std::size_t done = 0; done < bytes && !waiting_.empty();) {
      const std::size_t part = std::min(bytes - done, waiting_.begin()->second);
      move_pages(take_waiting(part), block + done, part);
      done += part;
    }
    return block;
  }

  /// Neighbours become one block.
  void wait(Blocks::node_type node) {
    waiting_bytes_ += node.mapped();
    const auto here = waiting_.insert(std::move(node)).position;
    const auto next = std::next(here);
    if (next != waiting_.end() && here->first + here->second == next->first) {
      here->second += next->second;
      waiting_.erase(next);
    }
    if (here == waiting_.begin()) return;
    const auto before = std::prev(here);
    if (before->first + before->second != here->first) return;
    before->second += here->second;
    waiting_.erase(here);
  }

  void release(Blocks::iterator block) {
    munmap(block->first, block->second);
    waiting_bytes_ -= block->second;
    waiting_.erase(block);
  }

  void release_all() {
    while (!waiting_.empty()) release(waiting_.begin());
  }

  std::mutex mutex_;
  Blocks taken_, waiting_;
  std::size_t waiting_bytes_ = 0;
  const std::size_t most_ = waiting_most();
};

/// Null before a block was taken.
std::atomic<LargeBlocks*> all_blocks = nullptr;

/// Never destroyed: arrays of other objects may be freed later.
LargeBlocks& blocks() {
  static LargeBlocks& all = []() -> LargeBlocks& {
    auto* const made = new LargeBlocks;
    pthread_atfork([] { blocks().before_fork(); }, [] { blocks().after_fork(false); },
                   [] { blocks().after_fork(true); });
    all_blocks = made;
    return *made;
  }();
  return all;
}

}  // namespace

void* take_large_block(std::size_t bytes) noexcept {
  const std::size_t size = (bytes + page_bytes - 1) / page_bytes * page_bytes;
  if (size < bytes) return nullptr;
  try {
    return blocks().take(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

bool give_large_block_back(void* block) noexcept {
  if (block == nullptr || reinterpret_cast<std::uintptr_t>(block) % page_bytes != 0) return false;
  LargeBlocks* const all = all_blocks;
  return all != nullptr && all->give_back(static_cast<char*>(block));
}

std::size_t waiting_block_bytes() noexcept {
  LargeBlocks* const all = all_blocks;
  return all == nullptr ? 0 : all->waiting_bytes();
}

void release_waiting_blocks() noexcept {
  if (LargeBlocks* const all = all_blocks) all->release_waiting();
}

}  // namespace alphasparse
