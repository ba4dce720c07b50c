// shards_test: a file's shard follows from its content alone, and every file has one.
#include "tools/console/shards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// The one shard of `count` that has the file; 0 where none or several have it.
std::int64_t shard_of(const std::filesystem::path& file, std::int64_t count) {
  std::int64_t found = 0;
  for (std::int64_t number = 1; number <= count; ++number) {
    if (!is_in_shard(file.string(), {number, count})) continue;
    if (found != 0) return 0;
    found = number;
  }
  return found;
}

TEST(Shards, EveryFileIsInOne) {
  const TestFolder folder;
  std::vector<int> sizes(8);
  for (int i = 0; i < 400; ++i) {
    set_contents(folder / "m", fmt::format("matrix {}", i));
    const std::int64_t shard = shard_of(folder / "m", 7);
    ASSERT_GE(shard, 1) << i;
    ++sizes[static_cast<std::size_t>(shard)];
  }
  for (int shard = 1; shard <= 7; ++shard) {  // 57 are expected
    EXPECT_GT(sizes[static_cast<std::size_t>(shard)], 28) << shard;
    EXPECT_LT(sizes[static_cast<std::size_t>(shard)], 90) << shard;
  }
  EXPECT_EQ(shard_of(folder / "m", 1), 1);
}

TEST(Shards, ContentDecidesNotPlace) {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "elsewhere");
  bool differ = false;
  for (int i = 0; i < 20; ++i) {
    const std::string text = fmt::format("matrix {}", i) + std::string(3 << 20, ' ');
    set_contents(folder / "m.mtx", text);
    set_contents(folder / "elsewhere/other.mtx", text);
    EXPECT_EQ(shard_of(folder / "m.mtx", 97), shard_of(folder / "elsewhere/other.mtx", 97));
    set_contents(folder / "m.mtx", text + ' ');  // behind the part that is read
    differ =
        differ || shard_of(folder / "m.mtx", 97) != shard_of(folder / "elsewhere/other.mtx", 97);
  }
  EXPECT_TRUE(differ) << "the size counts";
}

TEST(Shards, WhatCannotBeReadIsInOneToo) {
  const TestFolder folder;
  set_contents(folder / "empty.mtx", "");
  for (const char* name : {"empty.mtx", "missing.mtx", "."})
    EXPECT_GE(shard_of(folder / name, 5), 1) << name;
}

}  // namespace
}  // namespace alphasparse
