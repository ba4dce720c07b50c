// golden: the source of every named design as text, on one matrix for GPUs and on another for CPUs,
// and compiled by NVRTC where there is one.
//
// UPDATE_GOLDEN=1 rewrites tests/golden; the diff is the review.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "generator/text/kernel_order.h"
#include "runtime/compilers/hip_clang.h"
#include "runtime/compilers/nvrtc.h"
#include "templates/templates.h"
#include "tests/support/goldens.h"

namespace alphasparse {
namespace {

std::string source_of(const Golden& golden) {
  const Result<Kernel> kernel = kernel_of(golden);
  return kernel ? kernel->source : kernel.reason();
}

std::string path_of(const Golden& golden) {
  return std::string(ALPHASPARSE_SOURCE_DIR "/tests/golden/") + golden.file;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Where two texts part, for a failure that can be read.
std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream expected_lines(expected), found_lines(found);
  for (int line = 1;; ++line) {
    std::string left, right;
    const bool more_left = static_cast<bool>(std::getline(expected_lines, left));
    const bool more_right = static_cast<bool>(std::getline(found_lines, right));
    if (!more_left && !more_right) return "in their last newline";
    if (left == right && more_left == more_right) continue;
    return "at line " + std::to_string(line) + ":\n  golden: " + left + "\n  now:    " + right;
  }
}

/// Compares it with the golden file, or writes the file.
void review(const Golden& golden, const std::string& source) {
  if (!golden.is_reviewed()) return;
  const std::string path = path_of(golden);
  if (std::getenv("UPDATE_GOLDEN")) std::ofstream(path, std::ios::binary) << source;
  ASSERT_TRUE(std::ifstream(path).good())
      << path << " is missing; UPDATE_GOLDEN=1 writes it, then read it";
  const std::string expected = text_of(path);
  EXPECT_TRUE(source == expected) << golden.file << " differs "
                                  << first_difference(expected, source);
}

/// The format and the kernels: the words that fragments are written in are many times as long.
std::string without_fragments(const std::string& source) {
  const std::size_t format =
      std::min(source.find("/// A branch's part of the format"), source.find("/// The format"));
  return source.substr(0, source.find("\n\n") + 2) +
         source.substr(format, end_of_kernels(source) - format);
}

TEST(Golden, SourcesAreAsReviewed) {
  for (const Golden& golden : goldens()) {
    const std::string source = without_fragments(source_of(golden));
    EXPECT_EQ(source.find("using Value ="), std::string::npos) << golden.file;
    review(golden, source);
  }
}

TEST(Golden, SourcesForCpusAreAsReviewed) {
  for (const Golden& golden : cpu_goldens()) {
    const std::string source = without_fragments(source_of(golden));
    EXPECT_EQ(source.find("template <int G, class"), std::string::npos) << golden.file;
    review(golden, source);
  }
}

TEST(Golden, SourcesForAmdAreAsReviewed) {
  for (const Golden& golden : hip_goldens()) review(golden, without_fragments(source_of(golden)));
}

// Bounds count blocks of a multiprocessor in CUDA, and wavefronts of a SIMD in HIP.
TEST(Golden, DialectsDifferInBoundsAlone) {
  for (Golden golden : hip_goldens()) {
    const std::string hip = source_of(golden);
    golden.dialect = Dialect::cuda;
    const std::regex bounds(R"(__launch_bounds__\((\d+), (\d+)\))");
    const std::string cuda = source_of(golden);
    EXPECT_EQ(std::regex_replace(hip, bounds, "bounds"),
              std::regex_replace(cuda, bounds, "bounds"));
    std::smatch of_hip, of_cuda;
    if (!std::regex_search(cuda, of_cuda, bounds)) continue;
    ASSERT_TRUE(std::regex_search(hip, of_hip, bounds));
    EXPECT_EQ(of_hip[1], of_cuda[1]);
    EXPECT_EQ(std::stoi(of_hip[2]),
              std::max(1, std::stoi(of_cuda[1]) * std::stoi(of_cuda[2]) / 256));
  }
}

TEST(Golden, SourcesCompileForGpusOfAmd) {
  if (!hip_clang()) GTEST_SKIP() << "no golden source was compiled: " << hip_clang().reason();
  std::vector<Golden> all = goldens();
  for (Golden& golden : all) golden.dialect = Dialect::hip;
  for (const Golden& golden : all) {
    if (!golden.is_reviewed()) continue;
    for (const char* const arch : {"gfx90a", "gfx942", "gfx1100"}) {
      const Result<std::string> assembly = compile_hip_assembly(source_of(golden), arch);
      ASSERT_TRUE(assembly.ok()) << golden.file << " " << arch << ": " << assembly.reason();
      const std::vector<KernelFacts> kernels = parse_amd_metadata(*assembly);
      EXPECT_FALSE(kernels.empty()) << golden.file;
      for (const KernelFacts& facts : kernels) {
        EXPECT_GT(facts.registers, 0) << golden.file << " " << arch << " " << facts.name;
        EXPECT_EQ(facts.spill_store_bytes, 0) << golden.file << " " << arch << " " << facts.name;
        EXPECT_EQ(facts.stack_bytes, 0) << golden.file << " " << arch << " " << facts.name;
      }
    }
  }
}

TEST(Golden, SourcesCompileForTwoArchitectures) {
  const Result<Nvrtc>& compiler = nvrtc();
  if (!compiler) GTEST_SKIP() << "no golden source was compiled: " << compiler.reason();
  for (const Golden& golden : goldens()) {
    if (!golden.is_reviewed()) continue;
    const std::string source = source_of(golden);
    for (const char* const arch : {"sm_80", "sm_90"}) {
      const Result<CompiledKernel> compiled = compiler->compile(source, arch);
      ASSERT_TRUE(compiled.ok()) << golden.file << " " << arch << ": " << compiled.reason();
      EXPECT_EQ(compiled->log.find("warning"), std::string::npos) << compiled->log;
      EXPECT_FALSE(compiled->kernels.empty()) << golden.file;
      for (const KernelFacts& facts : compiled->kernels) {
        EXPECT_EQ(facts.spill_store_bytes, 0) << golden.file << " " << arch << " " << facts.name;
        EXPECT_EQ(facts.stack_bytes, 0) << golden.file << " " << arch << " " << facts.name;
      }
    }
  }
}

/// Calls of the format's functions with their arguments, each with how often it stands in a kernel.
std::map<std::string, int> reads_of(const std::string& kernel) {
  std::map<std::string, int> reads;
  const std::regex call(R"(\bf\.\w+\([^()]*\))");
  for (std::sregex_iterator at(kernel.begin(), kernel.end(), call), end; at != end; ++at)
    ++reads[at->str()];
  return reads;
}

// A value of a level is loaded once and kept in a name, and is not loaded where nothing reads it.
TEST(Sources, LoadNothingTwiceAndNothingForNobody) {
  for (const Golden& golden : goldens()) {
    const std::string source = source_of(golden);
    std::size_t first = source.find("__launch_bounds__");
    while (first < source.size()) {
      const std::size_t next = std::min(source.find("__launch_bounds__", first + 1), source.size());
      for (const auto& [read, times] : reads_of(source.substr(first, next - first))) {
        EXPECT_EQ(times, 1) << golden.file << ": " << read;
      }
      first = next;
    }
    const std::size_t kernels = source.find("extern \"C\"");
    const std::string head = source.substr(0, kernels);
    const std::regex function(R"(__forceinline__ \w+ (\w+)\((int i|unsigned word)\) const)");
    for (std::sregex_iterator at(head.begin(), head.end(), function), end; at != end; ++at) {
      const std::regex use("\\b" + (*at)[1].str() + R"(\()");
      const auto uses = std::distance(std::sregex_iterator(source.begin(), source.end(), use),
                                      std::sregex_iterator());
      EXPECT_GE(uses, 2) << golden.file << ": nobody reads " << (*at)[1];
    }
  }
}

// As many blocks as there are units: a stride over one of them would be a loop of one round.
TEST(Sources, LevelsThatFitTheGridHaveNoLoop) {
  for (const Golden& golden : goldens()) {
    if (golden.design.find("grid=") != std::string::npos) continue;
    const std::string source = source_of(golden);
    const std::regex loop(R"(for \(int \w+ = [^;]*(blockIdx|block_index))");
    EXPECT_FALSE(std::regex_search(source, loop)) << golden.file;
  }
}

}  // namespace
}  // namespace alphasparse
