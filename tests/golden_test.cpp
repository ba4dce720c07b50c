// golden: the source of every named design on a matrix with and one without empty rows, as text,
// and compiled by NVRTC where there is one.
//
// UPDATE_GOLDEN=1 rewrites tests/golden; the diff is the review.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/nvrtc.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

struct Golden {
  std::string file;  ///< in tests/golden
  std::string matrix;
  std::string design;
  Dtype dtype;
};

std::vector<Golden> goldens() {
  std::vector<Golden> all;
  for (const char* const matrix : {"stencil_23", "runs_of_empty_rows"}) {
    for (const NamedDesign& design : named_designs()) {
      all.push_back({std::string(design.name) + "-" + matrix + "-f32.cu", matrix,
                     std::string(design.line), Dtype::f32});
    }
    std::string prefix = resolve_design("csr5");
    prefix.insert(prefix.find("warp_segment") + std::string("warp_segment").size(), " by=prefix");
    all.push_back({std::string("csr5-prefix-") + matrix + "-f64.cu", matrix, prefix, Dtype::f64});
    all.push_back({std::string("bitmap-") + matrix + "-f32.cu", matrix,
                   "bitmap_block_peel cols=8 share=5 { compress | warp_rows rows=8 | thread_cols "
                   "lanes=4 | thread_total | warp_total | global_store | launch threads=128 } { "
                   "compress | thread_nnz nnz=1 | thread_total | global_atomic | launch "
                   "threads=128 }",
                   Dtype::f32});
    all.push_back({std::string("staged-") + matrix + "-f32.cu", matrix,
                   "compress | block_rows rows=8 | stage_x columns=listed | thread_cols lanes=4 | "
                   "thread_total | warp_total | global_store | launch threads=64 grid=2",
                   Dtype::f32});
  }
  return all;
}

std::string source_of(const Golden& golden) {
  for (const NamedMatrix& entry : battery()) {
    if (entry.name != golden.matrix) continue;
    const Result<Kernel> kernel = Designer(entry.matrix).build(golden.design, golden.dtype);
    return kernel ? kernel->source : kernel.reason();
  }
  return "no matrix " + golden.matrix;
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

TEST(Golden, SourcesAreAsReviewed) {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  for (const Golden& golden : goldens()) {
    const std::string source = source_of(golden), path = path_of(golden);
    if (update) std::ofstream(path, std::ios::binary) << source;
    ASSERT_TRUE(std::ifstream(path).good())
        << path << " is missing; UPDATE_GOLDEN=1 writes it, then read it";
    const std::string expected = text_of(path);
    EXPECT_TRUE(source == expected)
        << golden.file << " differs " << first_difference(expected, source);
  }
}

TEST(Golden, SourcesCompileForTwoArchitectures) {
  const Result<Nvrtc>& compiler = nvrtc();
  if (!compiler) GTEST_SKIP() << "no golden source was compiled: " << compiler.reason();
  for (const Golden& golden : goldens()) {
    const std::string source = text_of(path_of(golden));
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

}  // namespace
}  // namespace alphasparse
