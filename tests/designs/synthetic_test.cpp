// synthetic on the emulator: a kernel is right on the matrices that are generated.
// ctest label: emulator
#include "tools/synthetic/synthetic.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "operators/named_designs.h"
#include "runtime/emulated/device.h"
#include "tests/support/design_check.h"

namespace alphasparse {
namespace {

TEST(SyntheticEmulated, CsrVectorIsRightOnEveryArchetype) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const Archetype& archetype : archetypes()) {
    SyntheticOptions options = archetype.defaults;
    options.rows = 300;
    options.cols = options.kind == ArchetypeKind::lp ? 3000 : 300;
    options.mean = std::min(options.mean, 12.0);
    options.std = options.kind == ArchetypeKind::stencil ? 0 : options.mean / 4;
    options.skew = options.kind == ArchetypeKind::stencil ? 0 : 1;
    const Result<Matrix> matrix = synthetic_matrix(options);
    ASSERT_TRUE(matrix.ok()) << archetype.name << ": " << matrix.reason();
    EXPECT_EQ(design_problem(*device, *matrix, resolve_design("csr-vector"), Dtype::f32, false), "")
        << archetype.name;
  }
}

}  // namespace
}  // namespace alphasparse
