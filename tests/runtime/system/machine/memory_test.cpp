// memory_test: freed memory goes back to the system.
#include "runtime/system/machine/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

namespace alphasparse {
namespace {

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(Memory, FreedBlocksBetweenOthersGoBack) {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "another allocator";
#endif
  constexpr std::size_t block = 64 << 10, count = 1024;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    blocks.push_back(std::make_unique<char[]>(block));
    std::memset(blocks.back().get(), 1, block);
  }
  for (std::size_t i = 0; i + 1 < count; ++i) blocks[i].reset();
  const std::int64_t before = resident_bytes();
  release_freed_memory();
  EXPECT_LE(resident_bytes(), before - static_cast<std::int64_t>(block * count / 2));
}

}  // namespace
}  // namespace alphasparse
