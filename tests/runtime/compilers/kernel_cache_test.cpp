// kernel_cache_test: entries come back whole or not at all - after truncation, corruption, failed
// writes, killed writers and full folders.
#include "runtime/compilers/kernel_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "runtime/compilers/cache_folder.h"
#include "runtime/compilers/compile_cached.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

CompiledKernel sample(int registers, std::size_t cubin_bytes = 1000) {
  CompiledKernel compiled;
  compiled.cubin.assign(cubin_bytes, static_cast<std::byte>(registers));
  compiled.log = "not stored";
  compiled.kernels = {{"spmv", registers, 1, 2, 3, 4, -1}, {"spmv_init", 10, 0, 0, 0, 0, -1}};
  return compiled;
}

void expect_same(const std::optional<CompiledKernel>& found, const CompiledKernel& stored) {
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->cubin, stored.cubin);
  EXPECT_EQ(found->kernels, stored.kernels);
  EXPECT_EQ(found->log, "");
}

/// A folder of our own and a cache in it; the test keeps its warnings.
class Cache : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "kernel_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  KernelCache open(std::int64_t bytes_max = cache_bytes_max_default) {
    return open_at(folder_ / "cache", bytes_max);
  }
  KernelCache open_at(const fs::path& path, std::int64_t bytes_max = cache_bytes_max_default) {
    return KernelCache(path, bytes_max, [this](const std::string& text) { warnings_ += text; });
  }
  fs::path entry(const std::string& key) const { return folder_ / "cache" / (key + ".kernel"); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_ / "cache"), {}));
  }
  std::string contents(const std::string& key) const {
    std::ifstream in(entry(key), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& key, const std::string& bytes) const {
    std::ofstream(entry(key), std::ios::binary) << bytes;
  }

  fs::path folder_;
  std::string warnings_;
};

/// A key that has the form of one.
std::string key(const std::string& name) { return std::string(32 - name.size(), '0') + name; }

TEST(CacheKey, DependsOnAllThatDecidesTheResult) {
  const CompileRequest request = {"source", "sm_90", {"-a", "-b"}, "13.0"};
  const std::string key = cache_key(request);
  EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(key, cache_key(request));
  for (const CompileRequest& other : {CompileRequest{"source ", "sm_90", {"-a", "-b"}, "13.0"},
                                      CompileRequest{"source", "sm_80", {"-a", "-b"}, "13.0"},
                                      CompileRequest{"source", "sm_90", {"-a"}, "13.0"},
                                      CompileRequest{"source", "sm_90", {"-a-b"}, "13.0"},
                                      CompileRequest{"source", "sm_90", {"-a", "-b"}, "12.9"},
                                      CompileRequest{"sources", "m_90", {"-a", "-b"}, "13.0"}}) {
    EXPECT_NE(key, cache_key(other));
  }
}

TEST(CacheDirectory, FollowsTheEnvironment) {
  setenv("ALPHASPARSE_CACHE", "/own", 1);
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(cache_directory(), "/own");
  setenv("ALPHASPARSE_CACHE", "", 1);
  EXPECT_EQ(cache_directory(), "/xdg/alphasparse");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(cache_directory(), "/home/me/.cache/alphasparse");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(cache_directory(), std::nullopt);
}

TEST_F(Cache, GivesBackWhatWasStored) {
  KernelCache cache = open();
  EXPECT_EQ(cache.find(key("a")), std::nullopt);
  cache.store(key("a"), sample(32));
  cache.store(key("b"), sample(40, 0));
  expect_same(cache.find(key("a")), sample(32));
  expect_same(open().find(key("b")), sample(40, 0));
  cache.store(key("a"), sample(33));
  expect_same(cache.find(key("a")), sample(33));
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(warnings_, "");
}

TEST_F(Cache, EveryTruncationIsAMissThatTheNextStoreReplaces) {
  KernelCache cache = open();
  cache.store(key("a"), sample(32, 20));
  const std::string whole = contents(key("a"));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    write(key("a"), whole.substr(0, bytes));
    EXPECT_EQ(cache.find(key("a")), std::nullopt) << bytes << " bytes";
  }
  write(key("a"), whole + "x");
  EXPECT_EQ(cache.find(key("a")), std::nullopt);
  cache.store(key("a"), sample(32, 20));
  expect_same(cache.find(key("a")), sample(32, 20));
}

TEST_F(Cache, EveryFlippedByteThatMattersIsAMiss) {
  KernelCache cache = open();
  cache.store(key("a"), sample(32, 20));
  const std::string whole = contents(key("a"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (at >= 12 && at < 16) continue;  // reserved
    std::string wrong = whole;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    write(key("a"), wrong);
    EXPECT_EQ(cache.find(key("a")), std::nullopt) << "byte " << at;
  }
}

TEST_F(Cache, AnEntryUnderAnotherKeyIsAMiss) {
  KernelCache cache = open();
  cache.store(key("a"), sample(32));
  fs::rename(entry(key("a")), entry(key("b")));
  EXPECT_EQ(cache.find(key("b")), std::nullopt);
}

TEST_F(Cache, AFolderThatCannotBeMadeWarnsOnce) {
  std::ofstream(folder_ / "file") << "in the way";
  KernelCache cache = open_at(folder_ / "file" / "cache");
  cache.store(key("a"), sample(32));
  const std::string first = warnings_;
  EXPECT_NE(first.find("cannot make"), std::string::npos) << first;
  cache.store(key("a"), sample(32));
  EXPECT_EQ(warnings_, first);
  EXPECT_EQ(cache.find(key("a")), std::nullopt);
}

TEST_F(Cache, AWriteThatFailsHalfWayWarnsAndLeavesNothing) {
  KernelCache cache = open();
  cache.store(key("a"), sample(32, 10));
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  cache.store(key("b"), sample(32, 5000));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(warnings_.find("cannot write"), std::string::npos) << warnings_;
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(cache.find(key("b")), std::nullopt);
  expect_same(cache.find(key("a")), sample(32, 10));
}

TEST_F(Cache, TheLeastRecentlyUsedGoWhereItIsFull) {
  KernelCache cache = open(10 * 1300);
  for (const char* name : {"0", "1", "2", "3", "4", "5", "6", "7"})
    cache.store(key(name), sample(32));
  const auto now = fs::file_time_type::clock::now();
  for (int index = 0; index < 8; ++index) {
    fs::last_write_time(entry(key(std::to_string(index))), now - std::chrono::minutes(60 - index));
  }
  expect_same(cache.find(key("0")), sample(32));  // now the most recent
  for (const char* name : {"8", "9", "10", "11"}) cache.store(key(name), sample(32));
  EXPECT_TRUE(fs::exists(entry(key("0"))));
  EXPECT_FALSE(fs::exists(entry(key("1"))));
  EXPECT_TRUE(fs::exists(entry(key("7"))));
  EXPECT_TRUE(fs::exists(entry(key("11"))));
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "cache")) bytes += file.file_size();
  EXPECT_LE(bytes, 10U * 1300);
  EXPECT_EQ(warnings_, "");
}

TEST_F(Cache, OldLeftoversOfKilledWritersGoAndNothingElse) {
  open().store(key("a"), sample(32));
  const fs::path cache = folder_ / "cache";
  const std::string dead = key("d") + ".kernel.123-0.tmp", busy = key("d") + ".kernel.124-0.tmp";
  const std::vector<std::string> others = {"thesis.tmp",
                                           "2024-11.tmp",
                                           "linux.kernel",
                                           "a.kernel",
                                           key("d") + ".tmp",
                                           key("d") + ".kernel.old.tmp",
                                           key("D") + ".kernel.1-1.tmp",
                                           key("d") + "0.kernel"};
  const auto before = fs::file_time_type::clock::now() - std::chrono::hours(2);
  std::ofstream(cache / busy) << "half";
  for (const std::string& name : others) std::ofstream(cache / name) << std::string(5000, 'x');
  std::ofstream(cache / dead) << "half";
  std::ofstream(folder_ / "far") << "away";
  fs::create_symlink(folder_ / "far", cache / (key("e") + ".kernel"));
  fs::create_directory(cache / (key("f") + ".kernel.5-5.tmp"));
  for (const auto& file : fs::directory_iterator(cache)) {
    if (!file.is_symlink() && file.path().filename() != busy) fs::last_write_time(file, before);
  }
  open(3000).store(key("b"), sample(32));
  EXPECT_FALSE(fs::exists(cache / dead));
  EXPECT_TRUE(fs::exists(cache / busy));
  for (const std::string& name : others) EXPECT_TRUE(fs::exists(cache / name)) << name;
  EXPECT_TRUE(fs::exists(folder_ / "far"));
  EXPECT_TRUE(fs::is_symlink(cache / (key("e") + ".kernel")));
  EXPECT_TRUE(fs::exists(cache / (key("f") + ".kernel.5-5.tmp")));
}

TEST_F(Cache, ItsFolderAndEntriesAreOursAlone) {
  const mode_t before = umask(0);
  open_at(folder_ / "deep" / "cache").store(key("a"), sample(32));
  umask(before);
  const auto mode = [](const fs::path& path) {
    return static_cast<int>(fs::status(path).permissions());
  };
  EXPECT_EQ(mode(folder_ / "deep"), 0700);
  EXPECT_EQ(mode(folder_ / "deep" / "cache"), 0700);
  EXPECT_EQ(mode(folder_ / "deep" / "cache" / (key("a") + ".kernel")), 0600);
  for (const int open_mode : {0777, 0770, 0702}) {
    fs::create_directory(folder_ / "cache");
    fs::permissions(folder_ / "cache", static_cast<fs::perms>(open_mode));
    open().store(key("a"), sample(32));
    EXPECT_EQ(mode(folder_ / "cache"), 0700) << open_mode;
  }
  fs::permissions(folder_ / "cache", static_cast<fs::perms>(0755));
  open().store(key("b"), sample(32));
  EXPECT_EQ(mode(folder_ / "cache"), 0755) << "others may read, but not write";
  EXPECT_EQ(warnings_, "");
}

TEST_F(Cache, MayBeALink) {
  fs::create_directory(folder_ / "real");
  fs::create_directory_symlink("real", folder_ / "cache");
  open().store(key("a"), sample(32));
  expect_same(open().find(key("a")), sample(32));
  EXPECT_TRUE(fs::exists(folder_ / "real" / (key("a") + ".kernel")));
}

TEST_F(Cache, AnEntryThatOthersMayHaveWrittenIsAMissAndReplaced) {
  KernelCache cache = open();
  cache.store(key("a"), sample(32));
  const fs::path path = entry(key("a"));
  const auto expect_miss = [&](const std::string& what) {
    EXPECT_EQ(cache.find(key("a")), std::nullopt) << what;
    cache.store(key("a"), sample(32));
    expect_same(cache.find(key("a")), sample(32));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path))) << what;
  };
  for (const int mode : {0666, 0660, 0602}) {
    fs::permissions(path, static_cast<fs::perms>(mode));
    expect_miss(fmt::format("mode {:o}", mode));
  }
  fs::rename(path, folder_ / "good");
  fs::create_symlink(folder_ / "good", path);
  expect_miss("a link to a good entry");
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  expect_miss("a pipe");
  EXPECT_EQ(warnings_, "");
  if (geteuid() != 0) return;  // only root can give a file away
  ASSERT_EQ(chown(path.c_str(), 65534, 65534), 0);
  expect_miss("of another user");
}

TEST_F(Cache, ProcessesThatWriteAndDieLeaveWholeEntriesOrNone) {
  open().store(key("a"), sample(1, 100000));
  std::vector<pid_t> writers;
  for (int registers = 1; registers <= 3; ++registers) {
    const pid_t child = fork();
    if (child == 0) {
      KernelCache mine = open();
      for (;;) mine.store(key("a"), sample(registers, 100000));
    }
    writers.push_back(child);
  }
  KernelCache cache = open();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  int reads = 0;
  for (; std::chrono::steady_clock::now() < end; ++reads) {
    const std::optional<CompiledKernel> found = cache.find(key("a"));
    if (!found.has_value()) {
      ADD_FAILURE() << "a reader met half an entry";
      break;
    }
    expect_same(found, sample(found->kernels.at(0).registers, 100000));
  }
  for (const pid_t writer : writers) kill(writer, SIGKILL);
  for (const pid_t writer : writers) waitpid(writer, nullptr, 0);
  EXPECT_GT(reads, 0);
  EXPECT_TRUE(cache.find(key("a")).has_value());
}

TEST_F(Cache, ThreadsShareOne) {
  KernelCache cache = open(20 * 1300);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&cache, number] {
      for (int round = 0; round < 20; ++round) {
        const int which = (number + round) % 8;
        cache.store(key(std::to_string(which)), sample(which + 1));
        const std::optional<CompiledKernel> found = cache.find(key(std::to_string(which)));
        if (found) expect_same(found, sample(which + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(warnings_, "");
}

TEST(LaunchedFacts, CountEachKernelOnceAndOnlyThoseLaunched) {
  Kernel kernel;
  kernel.launches = {{"init", 1, 32}, {"spmv", 1, 32}, {"init", 2, 32}};
  CompiledKernel compiled;
  compiled.kernels = {{"init", 10, 4, 8, 16, 0, -1},
                      {"spmv", 32, 2, 1, 8, 256, -1},
                      {"unused", 255, 100, 100, 100, 9999, 7}};
  const KernelFacts expected = {"spmv", 32, 6, 9, 16, 256, -1};
  EXPECT_EQ(launched_facts(kernel, compiled), expected);
}

TEST(CodeOf, IsTheSourceWithoutComments) {
  const std::string code = "int a;\n\n  int b;\n";
  EXPECT_EQ(strip("// a design\nint a;  // [5]\n\n  int b; // c // d"), code);
  EXPECT_EQ(strip("// a long\n// design\nint a;\n\n  int b;"), code);
  EXPECT_EQ(strip(""), "");
  EXPECT_NE(strip("int a = 1;"), strip("int a = 2;"));
  EXPECT_NE(strip("f(\"//a\");"), strip("f(\"//b\");"));
}

TEST_F(Cache, CommentsDoNotCompileAnew) {
  if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  setenv("ALPHASPARSE_CACHE", (folder_ / "cache").c_str(), 1);
  const std::string code = "extern \"C\" __global__ void k(float* y) { y[threadIdx.x] = 1; }\n";
  ASSERT_TRUE(compile_cached("// compress | a\n" + code, "sm_90").ok());
  ASSERT_TRUE(compile_cached("// compress | b\n" + code, "sm_90").ok());
  EXPECT_EQ(files(), 1U);
}

TEST_F(Cache, CompilingTwiceReadsTheSecondFromDisk) {
  if (!nvrtc()) GTEST_SKIP() << "skipped: " << nvrtc().reason();
  setenv("ALPHASPARSE_CACHE", (folder_ / "cache").c_str(), 1);
  const std::string source = "extern \"C\" __global__ void k(float* y) { y[threadIdx.x] = 1; }\n";
  const Result<CompiledKernel> first = compile_cached(source, "sm_90");
  ASSERT_TRUE(first.ok()) << first.reason();
  EXPECT_NE(first->log, "");
  EXPECT_EQ(files(), 1U);
  const Result<CompiledKernel> second = compile_cached(source, "sm_90");
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->log, "");  // no compiler spoke
  EXPECT_EQ(second->cubin, first->cubin);
  EXPECT_EQ(second->kernels, first->kernels);
  EXPECT_FALSE(compile_cached("nonsense", "sm_90").ok());
  EXPECT_EQ(files(), 1U);
  Kernel kernel;
  kernel.source = source;
  kernel.launches = {{"k", 1, 32}};
  const Result<KernelFacts> facts = compile_facts(kernel, "sm_90");
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(*facts, first->kernels.at(0));
  kernel.source = "nonsense";
  EXPECT_FALSE(compile_facts(kernel, "sm_90").ok());
}

}  // namespace
}  // namespace alphasparse
