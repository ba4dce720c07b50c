// hiprtc: AMD's runtime compiler, where it is installed (Debian: libamdhip64-5). It needs no GPU.
#include "runtime/compilers/hiprtc.h"

#include <gtest/gtest.h>

#include "generator/arrays/matrix.h"
#include "generator/text/standalone.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/compile_cached.h"
#include "templates/templates.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

class RealHiprtc : public testing::Test {
 protected:
  void SetUp() override {
    if (!hiprtc()) GTEST_SKIP() << "skipped: " << hiprtc().reason();
  }
};

TEST_F(RealHiprtc, CompilesTheKernelsOfASession) {
  const std::string source(template_text("session/kernels.cuh"));
  const auto compiled = compile_anew_by_hiprtc(source, "gfx90a:sramecc+:xnack-");
  ASSERT_TRUE(compiled) << compiled.reason();
  EXPECT_GT(compiled->cubin.size(), 1000u);
}

TEST_F(RealHiprtc, CompilesAFileOfKernels) {
  const Matrix matrix = battery().front().matrix;
  for (const char* const design : {"csr-vector", "csr5"}) {
    Result<Kernel> kernel =
        Designer(matrix).build(resolve_design(design), Operands(Dtype::f64, 1, Dialect::hip));
    ASSERT_TRUE(kernel) << kernel.reason();
    const auto compiled = hiprtc()->compile(
        kernels_source(*kernel, {"a", "some/a.mtx", fingerprints(matrix)}), "gfx90a");
    ASSERT_TRUE(compiled) << compiled.reason();
  }
}

TEST_F(RealHiprtc, TellsTheLineOfAnError) {
  const auto compiled = compile_anew_by_hiprtc("\nint a = b;\n", "gfx90a");
  ASSERT_FALSE(compiled.ok());
  EXPECT_TRUE(compiled.reason().find("line 2: use of undeclared identifier 'b'") !=
              std::string::npos)
      << compiled.reason();
}

}  // namespace
}  // namespace alphasparse
