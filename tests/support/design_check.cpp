#include "tests/support/design_check.h"

#include "runtime/device/verify.h"

namespace alphasparse {

std::string kernel_problem(Device& device, const Kernel& kernel, const Matrix& matrix,
                           bool both_lane_orders) {
  Result<std::unique_ptr<LoadedKernel>> loaded = device.load(kernel);
  if (!loaded) return loaded.reason();
  VerifyOptions options;
  options.both_lane_orders = both_lane_orders;
  const Result<VerifyReport> report = verify(kernel, **loaded, matrix, options);
  return report ? "" : report.reason();
}

std::string design_problem(Device& device, const Matrix& matrix, const std::string& design,
                           const Operands& operands, bool both_lane_orders) {
  Designer designer(matrix);
  const Result<Kernel> kernel = designer.build(design, operands, no_build_limits);
  if (!kernel) return "refused: " + kernel.reason();
  return kernel_problem(device, *kernel, matrix, both_lane_orders);
}

}  // namespace alphasparse
