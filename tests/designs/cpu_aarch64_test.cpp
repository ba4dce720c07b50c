// cpu_aarch64: kernels for CPUs compile without a warning for a processor of another family, where
// a compiler for it is installed; nothing of them is run. ALPHASPARSE_LONG takes the whole battery.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "operators/designer.h"
#include "runtime/compilers/shared_objects.h"
#include "tests/support/battery.h"
#include "tests/support/cpu_designs.h"
#include "tests/support/design_check.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

constexpr const char* compiler = "aarch64-linux-gnu-g++";

class CpuAarch64 : public testing::TestWithParam<NamedDesign> {
 protected:
  void SetUp() override {
    if (run_command(fmt::format("{} --version", compiler)).status != 0) {
      GTEST_SKIP() << "there is no " << compiler << "; install g++-aarch64-linux-gnu";
    }
  }

  /// The compiler's outcome for a program.
  CommandOutcome compile(const std::string& program) const {
    set_contents(folder_ / "kernel.cpp", program);
    return run_command(fmt::format("cd '{}' && {} -std=c++17 -O2 {} -fopenmp -c kernel.cpp",
                                   folder_.path().string(), compiler,
                                   fmt::join(warnings_as_errors(), " ")));
  }

 private:
  const TestFolder folder_;
};

TEST_P(CpuAarch64, TakesTheProgram) {
  for (const NamedMatrix& entry : battery()) {
    if (entry.name != "power_law" && !std::getenv("ALPHASPARSE_LONG")) continue;
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      const auto kernel =
          Designer(entry.matrix).build(std::string(GetParam().cpu), dtype, no_build_limits);
      ASSERT_TRUE(kernel) << kernel.reason();
      const CommandOutcome outcome = compile(cpu_program(*kernel));
      EXPECT_EQ(outcome.status, 0) << entry.name << ", " << dtype_name(dtype) << "\n"
                                   << outcome.output;
      EXPECT_EQ(outcome.output, "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CpuAarch64, testing::ValuesIn(named_designs(Target::cpu)),
                         [](const auto& info) { return test_name_of(info.param); });

}  // namespace
}  // namespace alphasparse
