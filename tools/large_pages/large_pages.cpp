// large_pages: a program that is linked with this has its large arrays on large pages.
//
// An array of 200 MB is 50,000 pages of 4 KB, and the system makes every one of them when it is
// first touched. Building one design of 46.5 million non-zeros took 19 s, and 15 of them went
// there. With pages of 2 MB there are 100. The memory of a large array that is freed waits for the
// next one (runtime/system/machine/large_blocks.h). Where the system has no such pages nothing else
// changes.
#include <malloc.h>

#include <cstdlib>
#include <new>

#include "runtime/system/machine/large_blocks.h"

namespace {

using namespace alphasparse;

#ifdef __SANITIZE_ADDRESS__  // whose allocator surrounds arrays with bytes that nobody may touch
constexpr bool has_blocks = false;
#else
constexpr bool has_blocks = true;
#endif

void* allocate(std::size_t bytes) noexcept {
  if (has_blocks && bytes >= large_block_least) return take_large_block(bytes);
  const std::size_t least = bytes == 0 ? 1 : bytes;
  void* const memory = std::malloc(least);
  if (memory != nullptr || waiting_block_bytes() == 0) return memory;
  release_waiting_blocks();
  return std::malloc(least);
}

/// Large arrays of C libraries lie by themselves too, however many there have been; glibc would
/// move its limit up.
[[maybe_unused]] const bool is_set = [] {
  constexpr int kept_bytes = 64 << 20;
  return mallopt(M_MMAP_THRESHOLD, static_cast<int>(large_block_least)) != 0 &&
         mallopt(M_TRIM_THRESHOLD, kept_bytes) != 0;
}();

}  // namespace

// Every other form that the standard has for ordinary alignments goes through these.
void* operator new(std::size_t bytes) {
  for (;;) {
    if (void* const memory = allocate(bytes)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* memory) noexcept {
  if (!has_blocks || !give_large_block_back(memory)) std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
