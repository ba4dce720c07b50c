// kernels_source: NAME.kernel.cu has the kernels of NAME.cu and nothing else, and compiles by
// itself.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "generator/text/kernel_order.h"
#include "generator/text/standalone.h"
#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/compilers/nvrtc.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// A text in which other words stand for some; they must be there.
std::string with(std::string text, const std::string& what, const std::string& other) {
  CHECK(text.find(what) != std::string::npos);
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += other.size())
    text.replace(at, what.size(), other);
  return text;
}

/// The place behind the comment of the design, which a file's head has.
std::size_t behind_comment(const std::string& source) {
  std::size_t at = 0;
  while (source.compare(at, 2, "//") == 0) at = source.find('\n', at) + 1;
  return source.find_first_not_of('\n', at);
}

TEST(KernelsSource, HasTheKernelsOfTheFile) {
  const Matrix matrix = from_rows(3, {{{0, 1.0}, {2, 2.0}}, {{2, 3.0}}});
  for (const std::string design : {"csr-scalar", "csr5", "merge-csr", "hyb"}) {
    SCOPED_TRACE(design);
    const Result<Kernel> kernel = Designer(matrix).build(resolve_design(design), Dtype::f64);
    ASSERT_TRUE(kernel) << kernel.reason();
    const StandaloneInfo info = {"a", "some/a.mtx", fingerprints(matrix)};
    const std::string alone = kernels_source(*kernel, info);
    ASSERT_TRUE(alone.ends_with("\n\n" + kernel->source));
    for (const Launch& launch : kernel->launches) {
      EXPECT_TRUE(contains(alone, fmt::format("launch   {} with {} blocks of {} threads",
                                              launch.kernel, launch.blocks, launch.threads)));
    }
    // The file has them inside of it: hidden, and so under other keywords.
    const std::string whole =
        with(standalone_source(*kernel, info), "static __global__", "extern \"C\" __global__");
    const std::size_t first = kernel->source.rfind("\n\n", kernel->source.find("extern \"C\"")) + 2;
    const std::size_t end = end_of_kernels(kernel->source);
    const std::string behind =
        end < kernel->source.size() ? "\nnamespace {\n\n" + kernel->source.substr(end + 1) : "";
    const std::size_t begin = behind_comment(kernel->source);
    EXPECT_TRUE(contains(whole, "namespace {\n\n" + kernel->source.substr(begin, first - begin) +
                                    "}  // namespace\n\n" +
                                    kernel->source.substr(first, end - first) + behind));
    EXPECT_FALSE(contains(alone, "#include"));
    EXPECT_TRUE(contains(alone, "Each array begins at a multiple of 16 bytes"));
  }
}

TEST(KernelsSource, CompilesByNvrtc) {
  const Result<Nvrtc>& compiler = nvrtc();
  if (!compiler) GTEST_SKIP() << compiler.reason();
  const Matrix matrix = from_rows(3, {{{0, 1.0}, {2, 2.0}}, {{2, 3.0}}});
  for (const std::string design : {"csr-scalar", "csr5", "merge-csr", "hyb"}) {
    const Result<Kernel> kernel = Designer(matrix).build(resolve_design(design), Dtype::f32);
    ASSERT_TRUE(kernel) << kernel.reason();
    const auto compiled = compiler->compile(
        kernels_source(*kernel, {"a", "some/a.mtx", fingerprints(matrix)}), "sm_90");
    ASSERT_TRUE(compiled) << compiled.reason();
    for (const Launch& launch : kernel->launches) EXPECT_TRUE(compiled->find(launch.kernel));
  }
}

}  // namespace
}  // namespace alphasparse
