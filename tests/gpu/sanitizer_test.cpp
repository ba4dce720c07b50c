// ctest label: gpu
// gpu_sanitizer: kernels under NVIDIA's compute-sanitizer - no access out of bounds, no race in
// shared memory - where there is a GPU and the tool. Says what it skips.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

/// The tool's path; empty where it is not installed.
std::string sanitizer() {
  const CommandOutcome found = run_command(
      "command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null");
  return found.output.substr(0, found.output.find('\n'));
}

class GpuSanitizer : public testing::TestWithParam<const char*> {};

TEST_P(GpuSanitizer, FindsNothingInTheNamedDesigns) {
  try {
    open_device("cuda:0");
  } catch (const Error& error) {
    GTEST_SKIP() << "skipped, no GPU: " << error.what();
  }
  const std::string tool = sanitizer();
  if (tool.empty()) GTEST_SKIP() << "skipped: compute-sanitizer is not installed";
  const TestFolder folder;
  for (const NamedDesign& named : named_designs()) {
    const CommandOutcome outcome = run_command(fmt::format(
        "'{}' --tool {} --target-processes all --error-exitcode 9 '{}/alphasparse' emit "
        "'{}/examples/lp_afiro.mtx.gz' --design {} --device cuda:0 -o '{}' 2>&1",
        tool, GetParam(), ALPHASPARSE_BINARY_DIR, ALPHASPARSE_SOURCE_DIR, named.name,
        (folder / "out").string()));
    if (outcome.output.find("design refused") != std::string::npos) continue;
    EXPECT_EQ(outcome.status, 0) << named.name << ": " << outcome.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Tools, GpuSanitizer, testing::Values("memcheck", "racecheck"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace alphasparse
