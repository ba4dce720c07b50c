// design_check: builds a design for a matrix and verifies it on a device, for tests.
#pragma once
#include <string>

#include "operators/designer.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Limits that refuse nothing.
inline constexpr BuildLimits no_build_limits{1e9, std::int64_t{1} << 40};

/// Empty where the kernel is verified on the matrix, else the fault.
std::string kernel_problem(Device& device, const Kernel& kernel, const Matrix& matrix,
                           bool both_lane_orders = true);

/// Empty where the design is verified on the matrix, else "refused: REASON" or the fault.
std::string design_problem(Device& device, const Matrix& matrix, const std::string& design,
                           const Operands& operands, bool both_lane_orders = true);

}  // namespace alphasparse
