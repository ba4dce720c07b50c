// large_pages: a program that is linked with it has its large arrays on large pages, and gives them
// back at once.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

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

/// However many there were before: glibc keeps blocks as large as those that were given back
/// before.
TEST(LargePages, AreGivenBackAtOnce) {
  const void* place = nullptr;
  for (int time = 0; time < 4; ++time) {
    const auto large = std::make_unique<std::vector<char>>(20'000'000, 'a');
    place = large->data() + 10'000'000;
    EXPECT_NE(flags_at(place), "");
  }
  EXPECT_EQ(flags_at(place), "");
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
