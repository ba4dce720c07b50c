// large_pages: a program that is linked with it has its large arrays on large pages, and the memory
// of those that are freed waits for the next.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/result.h"
#include "runtime/system/machine/large_blocks.h"
#include "runtime/system/machine/memory.h"
#include "runtime/system/processes/forked_task.h"

namespace alphasparse {
namespace {

/// The flags of the mapping that an address lies in, as /proc tells them: " rd wr mr mw me ac hg".
/// Empty: there is none.
std::string flags_at(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0, end = 0;
    char dash = 0;
    if (std::istringstream range(line); range >> std::hex >> first >> dash >> end && dash == '-')
      is_inside = first <= at && at < end;
    const std::string flags = "VmFlags:";
    if (is_inside && line.starts_with(flags)) return line.substr(flags.size());
  }
  return "";
}

bool has_large_pages() {
  constexpr std::size_t bytes = std::size_t{4} << 20;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool has = madvise(memory, bytes, MADV_HUGEPAGE) == 0;
  munmap(memory, bytes);
  return has;
}

TEST(LargePages, HoldLargeArraysAlone) {
  if (!has_large_pages()) GTEST_SKIP() << "the system has none";
  const std::vector<double> large(4'000'000), small(1'000);
  EXPECT_NE(flags_at(&large[2'000'000]).find(" hg"), std::string::npos) << flags_at(&large[0]);
  EXPECT_EQ(flags_at(&small[0]).find(" hg"), std::string::npos) << flags_at(&small[0]);
}

constexpr std::size_t megabyte = std::size_t{1} << 20;

/// An array that was written to: the system has given it memory.
std::unique_ptr<std::vector<char>> filled(std::size_t megabytes) {
  return std::make_unique<std::vector<char>>(megabytes * megabyte, 'a');
}

class WaitingBlocks : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "another allocator";
#endif
    release_waiting_blocks();
  }
  void TearDown() override { release_waiting_blocks(); }
};

TEST_F(WaitingBlocks, AreTheMemoryOfTheNextArray) {
  auto large = filled(20);
  const void* const place = large->data();
  large.reset();
  EXPECT_EQ(waiting_block_bytes(), 20 * megabyte);
  EXPECT_NE(flags_at(place), "");
  large = filled(20);
  EXPECT_EQ(large->data(), place);
  EXPECT_EQ(waiting_block_bytes(), 0);
}

TEST_F(WaitingBlocks, ServeSmallerArraysInParts) {
  filled(20).reset();
  const auto small = filled(6);
  EXPECT_EQ(waiting_block_bytes(), 14 * megabyte);
  const auto second = filled(14);
  EXPECT_EQ(waiting_block_bytes(), 0);
}

/// The pages of several come together, and nothing of them is left at their old places.
TEST_F(WaitingBlocks, ServeALargerArrayTogether) {
  auto first = filled(8), between = filled(4), second = filled(10);
  const void* const place = second->data();
  first.reset();
  second.reset();
  const auto large = filled(18);
  EXPECT_EQ(waiting_block_bytes(), 0);
  EXPECT_EQ(flags_at(place), "");
  for (const char each : *large) ASSERT_EQ(each, 'a');
  for (const char each : *between) ASSERT_EQ(each, 'a');
}

TEST_F(WaitingBlocks, GoBackToTheSystemTogether) {
  auto large = filled(20);
  const void* const place = large->data();
  large.reset();
  const std::int64_t before = available_memory_bytes();
  release_freed_memory();
  EXPECT_EQ(waiting_block_bytes(), 0);
  EXPECT_EQ(flags_at(place), "");
  // They were counted as available before: other processes may take some meanwhile.
  EXPECT_GT(before, 0);
}

TEST_F(WaitingBlocks, AreNotThoseOfAFork) {
  filled(20).reset();
  ForkedTask task([](const ForkedTask::Tell&) {
    if (waiting_block_bytes() != 0) throw Error("blocks wait in the new process");
    filled(20).reset();
    if (waiting_block_bytes() != 20 * megabyte) throw Error("no block waits there");
  });
  EXPECT_EQ(task.how_it_ended(), "");
  EXPECT_EQ(waiting_block_bytes(), 20 * megabyte);
}

/// Lets this process have so many more bytes of addresses (ulimit -v).
void limit_addresses(std::size_t more) {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0;
  file >> pages;
  const rlim_t bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more;
  const rlimit limit{bytes, bytes};
  if (!file || setrlimit(RLIMIT_AS, &limit) != 0) throw Error("the limit cannot be set");
}

TEST_F(WaitingBlocks, MakeRoomForArraysWhereAddressesAreLimited) {
  ForkedTask task([](const ForkedTask::Tell&) {
    release_freed_memory();
    filled(20).reset();
    limit_addresses(12 * megabyte);
    filled(24).reset();  // more than waits, and more than the limit leaves beside that
    if (waiting_block_bytes() != 24 * megabyte) throw Error("nothing waits");
    const std::vector<std::vector<char>> small(6, std::vector<char>(3 * megabyte));
    if (waiting_block_bytes() != 0) throw Error("small arrays found room elsewhere");
  });
  EXPECT_EQ(task.how_it_ended(), "");
}

/// Memory that two threads take and give back at a time stays whole.
TEST_F(WaitingBlocks, BelongToOneThreadAtATime) {
  parallel_for(4, 4, [](std::size_t index, std::size_t) {
    for (std::size_t round = 0; round < 20; ++round) {
      const auto letter = static_cast<char>('a' + index);
      const std::vector<char> array((4 + (index + round) % 5 * 2) * megabyte, letter);
      for (std::size_t at = 0; at < array.size(); at += 4096) ASSERT_EQ(array[at], letter);
    }
  });
}

TEST(LargePages, ArraysOfAnySizeAreWhole) {
  for (const std::size_t size : {0, 1, 4'194'303, 4'194'304, 4'194'305, 9'000'001}) {
    std::vector<char> array(size, 'a');
    if (size > 0) array.back() = 'b';
    array.insert(array.begin(), 'c');
    EXPECT_EQ(array.size(), size + 1);
    EXPECT_EQ(array.front(), 'c');
    EXPECT_EQ(array.back(), size > 0 ? 'b' : 'c');
  }
}

}  // namespace
}  // namespace alphasparse
