// inputs_test: the messages on a matrix before any work begins.
#include "tools/console/inputs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/system/machine/cores.h"
#include "tests/support/battery.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

// 1e-50 is 0 in float32, 1e-40 and 1e-45 are denormal numbers, and 0 is itself.
TEST(Inputs, ValuesThatAreTooSmallForFloat32AreCounted) {
  const Matrix matrix =
      from_rows(4, {{{0, 1e-50}, {2, -1e-40}}, {{1, 0}}, {{2, -1e-45}, {3, 1e-30}}});
  const Underflow narrow = count_underflow(matrix, Dtype::f32);
  EXPECT_EQ(narrow.zeros, 1);
  EXPECT_EQ(narrow.denormals, 2);
  EXPECT_EQ(narrow.text(),
            "3 values are too small for float32: 1 become 0, 2 denormal; use --dtype f64");
  const Underflow wide = count_underflow(matrix, Dtype::f64);
  EXPECT_EQ(wide.zeros + wide.denormals, 0);
  EXPECT_EQ(wide.text(), "");
}

TEST(Inputs, AHighLoadIsToldWhereCoresAreTimed) {
  const TestFolder folder;
  set_contents(folder / "loadavg", "1.00 2.00 3.00 100001/200000 77\n");
  const double others = others_per_core(folder / "loadavg");
  EXPECT_EQ(others, 100000. / static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)));
  EXPECT_EQ(others_per_core(folder / "none"), 0);
  DeviceInfo cpu;
  cpu.target = Target::cpu;
  EXPECT_EQ(load_note(cpu, 4),
            "alphasparse: 4.0 threads of other programs want each core: times will be noisy, and a "
            "search tries fewer designs\n");
  EXPECT_EQ(load_note(cpu, 2), "");
  EXPECT_EQ(load_note(DeviceInfo(), 4), "") << "a GPU has its own clock";
}

}  // namespace
}  // namespace alphasparse
