// designs on the emulator: every named design on the battery, in both types and both lane orders.
// ctest label: emulator
#include <gtest/gtest.h>

#include "operators/designer.h"
#include "operators/named_designs.h"
#include "runtime/emulated_device.h"
#include "runtime/verify.h"
#include "tests/support/battery.h"

namespace alphasparse {

/// How a test of a named design is called in messages.
void PrintTo(const NamedDesign& design, std::ostream* out) { *out << design.name; }

namespace {

constexpr BuildLimits no_limit{1e9, std::int64_t{1} << 40};

/// Empty, or what is wrong with the design on the matrix.
std::string problem(Device& device, const Matrix& matrix, const std::string& line, Dtype dtype) {
  Designer designer(matrix);
  Result<Kernel> kernel = designer.build(line, dtype, no_limit);
  if (!kernel) return "refused: " + kernel.reason();
  Result<std::unique_ptr<LoadedKernel>> loaded = device.load(*kernel);
  if (!loaded) return loaded.reason();
  VerifyOptions options;
  options.both_lane_orders = true;
  const Result<VerifyReport> report = verify(*kernel, **loaded, matrix, options);
  return report ? "" : report.reason();
}

class NamedDesigns : public testing::TestWithParam<NamedDesign> {};

TEST_P(NamedDesigns, AreRightOnTheBattery) {
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  for (const NamedMatrix& entry : battery()) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f64}) {
      EXPECT_EQ(problem(*device, entry.matrix, std::string(GetParam().line), dtype), "")
          << entry.name << " " << dtype_name(dtype);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NamedDesigns, testing::ValuesIn(named_designs()),
                         [](const auto& info) {
                           std::string name(info.param.name);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace alphasparse
