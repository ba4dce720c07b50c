// landscape: made-up times of real design lines, for tests of a search without a device.
//
// Two structures, a warp's lanes a row and sorted slices. The first is good from every start and
// never the best. The second is slow with its published parameters, but a quarter faster than the
// first at one place. There its rows a slice and rows a thread depend on each other, and wide loads
// pay only together with padding. Some designs fail.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/database/measurement.h"

namespace alphasparse {

inline constexpr double landscape_best_us = 10;

/// The true time of a design in us; nothing where it fails.
std::optional<double> landscape_us(const std::string& design);

/// The measurement as a device would take it: with up to 2 % of noise, which is the design's own.
Measurement landscape_measurement(const std::string& design);

/// The two structures, as one begins with them.
const std::vector<std::string>& landscape_structures();

/// The matrix that the designs are for.
Matrix landscape_matrix();

}  // namespace alphasparse
