// cache_folder_test: one limit for all that is cached, and nothing else ever goes.
#include "runtime/compilers/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "runtime/system/files/own_files.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

const std::string digits = "0123456789abcdef";

struct CacheFolder : ::testing::Test {
  /// An entry of 1000 bytes that was used so many minutes ago.
  fs::path add(const fs::path& name, int minutes) {
    const bool is_hidden = name.string().starts_with(".");
    const bool is_folder = (name.has_parent_path() || is_hidden) && !name.has_extension();
    const fs::path path = folder / name, file = is_folder ? path / "m.cpu.safetensors" : path;
    fs::create_directories(file.parent_path());
    set_contents(file, std::string(1000, 'x'));
    if (is_folder) set_contents(path / "alphasparse_kernel.h", "");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
    return path;
  }

  TestFolder folder;
  const fs::path kernel = add(digits + digits + ".kernel", 50);
  const fs::path verdict = add("emulator-counts-" + digits, 40);
  const fs::path tuned = add("python/" + digits, 30);
  const fs::path later = add("python/fedcba9876543210", 20);
  const std::vector<fs::path> others = {
      add("thesis.kernel", 90),       add("python/thesis.so", 90),  add("python/thesis", 90),
      add("papers/" + digits, 90),    add("emulator-counts-x", 90), add("python/a.b.cubin", 90),
      add(".making-thesis", 90),      add("python/.making-", 90),   add(".removed-film", 90),
      add("python/.removed-film", 90)};
};

TEST_F(CacheFolder, CountsWhatItKnowsAndNothingElse) {
  std::vector<CacheEntry> entries = cache_entries(folder.path());
  std::sort(entries.begin(), entries.end(),
            [](const CacheEntry& left, const CacheEntry& right) { return left.used < right.used; });
  ASSERT_EQ(entries.size(), 4U);
  const std::vector<fs::path> paths = {kernel, verdict, tuned, later};
  const std::vector<CacheKind> kinds = {CacheKind::kernels, CacheKind::verdicts, CacheKind::python,
                                        CacheKind::python};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(entries[i].path, paths[i]);
    EXPECT_EQ(entries[i].kind, kinds[i]);
    EXPECT_EQ(entries[i].bytes, 1000);
  }
}

TEST_F(CacheFolder, WhatWasUsedLongestAgoGoesWhereverItLies) {
  EXPECT_EQ(make_cache_room(folder.path(), 4000, 0), 4000);
  EXPECT_TRUE(fs::exists(kernel));
  EXPECT_EQ(make_cache_room(folder.path(), 3900, 1000), 3000);  // a tenth more than it must
  EXPECT_FALSE(fs::exists(kernel) || fs::exists(verdict));
  EXPECT_TRUE(fs::exists(tuned) && fs::exists(later));
  EXPECT_EQ(make_cache_room(folder.path(), 10, 0), 1000);  // the last stays where nothing comes
  EXPECT_TRUE(!fs::exists(tuned) && fs::exists(later));
  EXPECT_EQ(make_cache_room(folder.path(), 10, 500), 500);
  EXPECT_FALSE(fs::exists(later));
  for (const fs::path& other : others) EXPECT_TRUE(fs::exists(other)) << other;
}

TEST_F(CacheFolder, AFolderThatIsHeldStays) {
  const auto removed = [&] { return remove_cache_entry({{}, 0, tuned, CacheKind::python}); };
  fs::create_directories(tuned / ".tuning-123abc");
  for (const fs::path& held : {tuned, tuned / ".tuning-123abc"}) {
    const int holder = open(held.c_str(), O_RDONLY | O_DIRECTORY);
    ASSERT_EQ(flock(holder, LOCK_SH), 0);
    EXPECT_FALSE(removed());
    EXPECT_TRUE(fs::exists(tuned / "m.cpu.safetensors"));
    close(holder);
  }
  EXPECT_TRUE(removed());  // a search that died holds nothing
  EXPECT_FALSE(fs::exists(tuned));
}

TEST_F(CacheFolder, LinksAreNotFollowed) {
  const fs::path far = add("elsewhere/" + digits, 5);
  fs::remove_all(tuned);
  fs::create_directory_symlink(far, tuned);
  EXPECT_EQ(cache_entries(folder.path()).size(), 3U);
  EXPECT_EQ(make_cache_room(folder.path(), 0, 1), 1);
  EXPECT_TRUE(fs::exists(far / "m.cpu.safetensors"));
}

TEST_F(CacheFolder, FoldersOfOthersStayWhateverTheirNames) {
  for (const std::string& name :
       {std::string("python/2024061512345678"), ".making-" + digits + "-x",
        "python/.removed-" + digits + "-123"}) {
    const fs::path mine = add(name, 120);
    fs::remove(mine / "alphasparse_kernel.h");
    EXPECT_EQ(cache_entries(folder.path()).size(), 4U) << name;
    make_cache_room(folder.path(), 4000, 0);
    EXPECT_TRUE(fs::exists(mine / "m.cpu.safetensors")) << name;
  }
}

TEST_F(CacheFolder, LeftoversOfKilledWritersCountAndGo) {
  for (const std::string& name :
       {"python/.removed-" + digits + "-123", digits + digits + ".kernel.12-0.tmp"}) {
    const fs::path left = add(name, 120);
    if (fs::is_directory(left)) set_contents(left / ".alphasparse", "");
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::minutes(30));
    EXPECT_EQ(cache_entries(folder.path()).size(), 4U) << "its writer may be alive: " << left;
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::minutes(120));
    EXPECT_EQ(cache_entries(folder.path()).size(), 5U) << left;
    EXPECT_TRUE(fs::exists(left)) << "counting removes nothing";
    EXPECT_EQ(make_cache_room(folder.path(), 9000, 0), 4000);
    EXPECT_FALSE(fs::exists(left)) << left;
  }
}

TEST_F(CacheFolder, AMarkedFolderLosesItsMarkLast) {
  const fs::path left = add(".making-" + digits + "-x", 120);
  EXPECT_FALSE(remove_marked(left));
  mark_folder(left);
  fs::create_directory(left / "deep");
  EXPECT_TRUE(remove_marked(left));
  EXPECT_FALSE(fs::exists(left));
}

TEST(CacheLimit, IsASizeWithAUnit) {
  const auto limit = [](const char* text) {
    setenv("ALPHASPARSE_CACHE_MAX", text, 1);
    return cache_bytes_max();
  };
  EXPECT_EQ(limit("").value(), cache_bytes_max_default);
  EXPECT_EQ(limit("1500").value(), 1500);
  EXPECT_EQ(limit("2GB").value(), 2'000'000'000);
  EXPECT_EQ(limit("1.5 MB").value(), 1'500'000);
  EXPECT_EQ(limit("10k").value(), 10'000);
  EXPECT_EQ(limit("0").value(), 0);
  for (const char* text : {"much", "-1", "5 MiB", "nan", "1e30GB", "GB", "1 2"}) {
    const Result<std::int64_t> refused = limit(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.reason().find("ALPHASPARSE_CACHE_MAX"), std::string::npos);
  }
  unsetenv("ALPHASPARSE_CACHE_MAX");
}

}  // namespace
}  // namespace alphasparse
