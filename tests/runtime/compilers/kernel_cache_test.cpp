// kernel_cache_test: entries come back whole or not at all - after truncation, corruption, failed
// writes, killed writers and full folders.
#include "runtime/compilers/kernel_cache.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

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

/// A folder of our own and a cache in it whose warnings are kept.
class Cache : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "kernel_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  KernelCache open(std::int64_t bytes_max = KernelCache::bytes_max_default) {
    return open_at(folder_ / "cache", bytes_max);
  }
  KernelCache open_at(const fs::path& path,
                      std::int64_t bytes_max = KernelCache::bytes_max_default) {
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
  EXPECT_EQ(cache.find("a"), std::nullopt);
  cache.store("a", sample(32));
  cache.store("b", sample(40, 0));
  expect_same(cache.find("a"), sample(32));
  expect_same(open().find("b"), sample(40, 0));
  cache.store("a", sample(33));
  expect_same(cache.find("a"), sample(33));
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(warnings_, "");
}

TEST_F(Cache, EveryTruncationIsAMissThatTheNextStoreReplaces) {
  KernelCache cache = open();
  cache.store("a", sample(32, 20));
  const std::string whole = contents("a");
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    write("a", whole.substr(0, bytes));
    EXPECT_EQ(cache.find("a"), std::nullopt) << bytes << " bytes";
  }
  write("a", whole + "x");
  EXPECT_EQ(cache.find("a"), std::nullopt);
  cache.store("a", sample(32, 20));
  expect_same(cache.find("a"), sample(32, 20));
}

TEST_F(Cache, EveryFlippedByteThatMattersIsAMiss) {
  KernelCache cache = open();
  cache.store("a", sample(32, 20));
  const std::string whole = contents("a");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    if (at >= 12 && at < 16) continue;  // reserved
    std::string wrong = whole;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    write("a", wrong);
    EXPECT_EQ(cache.find("a"), std::nullopt) << "byte " << at;
  }
}

TEST_F(Cache, AnEntryUnderAnotherKeyIsAMiss) {
  KernelCache cache = open();
  cache.store("a", sample(32));
  fs::rename(entry("a"), entry("b"));
  EXPECT_EQ(cache.find("b"), std::nullopt);
}

TEST_F(Cache, AFolderThatCannotBeMadeWarnsOnce) {
  std::ofstream(folder_ / "file") << "in the way";
  KernelCache cache = open_at(folder_ / "file" / "cache");
  cache.store("a", sample(32));
  const std::string first = warnings_;
  EXPECT_NE(first.find("cannot make"), std::string::npos) << first;
  cache.store("a", sample(32));
  EXPECT_EQ(warnings_, first);
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(Cache, AWriteThatFailsHalfWayWarnsAndLeavesNothing) {
  KernelCache cache = open();
  cache.store("a", sample(32, 10));
  signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  cache.store("b", sample(32, 5000));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(warnings_.find("cannot write"), std::string::npos) << warnings_;
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(cache.find("b"), std::nullopt);
  expect_same(cache.find("a"), sample(32, 10));
}

TEST_F(Cache, TheLeastRecentlyUsedGoWhereItIsFull) {
  KernelCache cache = open(10 * 1300);
  for (const char* key : {"0", "1", "2", "3", "4", "5", "6", "7"}) cache.store(key, sample(32));
  const auto now = fs::file_time_type::clock::now();
  for (int index = 0; index < 8; ++index) {
    fs::last_write_time(entry(std::to_string(index)), now - std::chrono::minutes(60 - index));
  }
  expect_same(cache.find("0"), sample(32));  // now the most recent
  for (const char* key : {"8", "9", "10", "11"}) cache.store(key, sample(32));
  EXPECT_TRUE(fs::exists(entry("0")));
  EXPECT_FALSE(fs::exists(entry("1")));
  EXPECT_TRUE(fs::exists(entry("7")));
  EXPECT_TRUE(fs::exists(entry("11")));
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(folder_ / "cache")) bytes += file.file_size();
  EXPECT_LE(bytes, 10U * 1300);
  EXPECT_EQ(warnings_, "");
}

TEST_F(Cache, OldLeftoversOfKilledWritersGo) {
  open().store("a", sample(32));
  const fs::path dead = folder_ / "cache" / "123-0.tmp";
  const fs::path busy = folder_ / "cache" / "124-0.tmp";
  std::ofstream(dead) << "half";
  std::ofstream(busy) << "half";
  fs::last_write_time(dead, fs::file_time_type::clock::now() - std::chrono::hours(2));
  open().store("b", sample(32));
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(busy));
}

TEST_F(Cache, ProcessesThatWriteAndDieLeaveWholeEntriesOrNone) {
  open().store("a", sample(1, 100000));
  std::vector<pid_t> writers;
  for (int registers = 1; registers <= 3; ++registers) {
    const pid_t child = fork();
    if (child == 0) {
      KernelCache mine = open();
      for (;;) mine.store("a", sample(registers, 100000));
    }
    writers.push_back(child);
  }
  KernelCache cache = open();
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  int reads = 0;
  for (; std::chrono::steady_clock::now() < end; ++reads) {
    const std::optional<CompiledKernel> found = cache.find("a");
    if (!found.has_value()) {
      ADD_FAILURE() << "a reader met half an entry";
      break;
    }
    expect_same(found, sample(found->kernels.at(0).registers, 100000));
  }
  for (const pid_t writer : writers) kill(writer, SIGKILL);
  for (const pid_t writer : writers) waitpid(writer, nullptr, 0);
  EXPECT_GT(reads, 0);
  EXPECT_TRUE(cache.find("a").has_value());
}

TEST_F(Cache, ThreadsShareOne) {
  KernelCache cache = open(20 * 1300);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number) {
    threads.emplace_back([&cache, number] {
      for (int round = 0; round < 20; ++round) {
        const std::string key = std::to_string((number + round) % 8);
        cache.store(key, sample(std::stoi(key) + 1));
        const std::optional<CompiledKernel> found = cache.find(key);
        if (found) expect_same(found, sample(std::stoi(key) + 1));
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
  EXPECT_EQ(code_of("// a design\nint a;  // [5]\n\n  int b; // c // d"), "\nint a;\n\n  int b;\n");
  EXPECT_EQ(code_of(""), "");
  EXPECT_NE(code_of("int a = 1;"), code_of("int a = 2;"));
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
