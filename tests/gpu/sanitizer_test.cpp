// ctest label: gpu
// gpu_sanitizer: kernels under NVIDIA's compute-sanitizer - no access out of bounds, no race in
// shared memory - where there is a GPU and the tool. Prints the skipped parts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "operators/named_designs.h"
#include "runtime/device/device.h"
#include "tests/support/cli.h"

namespace alphasparse {
namespace {

constexpr int skipped = 77;  // of tools/sanitized: the tool has no verdict on this machine

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
  const auto run = [&](const std::string& command) {
    return run_command(fmt::format("'{}/tools/sanitized' '{}' {} '{}' {}", ALPHASPARSE_SOURCE_DIR,
                                   tool, GetParam(), (folder / "log").string(), command));
  };
  const CommandOutcome planted = run(
      fmt::format("'{}/tests/gpu_planted_fault' {} cuda:0", ALPHASPARSE_BINARY_DIR, GetParam()));
  if (planted.status == skipped) GTEST_SKIP() << planted.output;
  ASSERT_EQ(planted.status, 1) << "it does not find a planted fault: " << planted.output;
  for (const NamedDesign& named : named_designs(Target::gpu)) {
    const CommandOutcome outcome = run(fmt::format(
        "'{}/alphasparse' emit '{}/examples/lp_afiro.mtx.gz' --design {} --device "
        "cuda:0 -o '{}'",
        ALPHASPARSE_BINARY_DIR, ALPHASPARSE_SOURCE_DIR, named.name, (folder / "out").string()));
    if (contents(folder / "log").find("design refused") != std::string::npos) {
      set_contents(folder / "log", "");
      continue;
    }
    EXPECT_EQ(outcome.status, 0) << named.name << ": " << outcome.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Tools, GpuSanitizer, testing::Values("memcheck", "racecheck"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace alphasparse
