// prior: what designs are expected to take, told before anything as large as the matrix is built.
//
// Each is built on a miniature of the matrix, some 64,000 non-zeros of it (all of a matrix that has
// no more than twice as many); what no run can do without - bytes, loads, waits, atomic additions,
// launches - is counted there (runtime/emulated/lower_bound.h) and taken as many times as the
// matrix is larger. On a GPU the model makes a time of it, in which gathers wait for L2; on a CPU
// entries and gangs have costs by how they are added up (cpu_costs.h). So it costs the same
// whatever the matrix. The times are for putting designs into an order; nothing is ruled out by
// them.
//
// Example: of a matrix of 40e6 non-zeros with rows of 3 to 78 a miniature has 8 panels of 192 rows;
// sell-c-sigma, which pads them by 4 % there, is expected to read 330 MB.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Where the time would be taken.
struct PriorConditions {
  DeviceInfo device;
  Dtype dtype = Dtype::f32;
  CacheRegime regime = CacheRegime::warm;
};

/// The expected times in us of those `designs` of which the miniature tells one: designs of the
/// device's target in canonical spelling. What needs the matrix itself - its symmetry, blocks that
/// it must not lack - may be refused on the miniature.
std::map<std::string, double> expected_times(const Matrix& matrix,
                                             const std::vector<std::string>& designs,
                                             const PriorConditions& conditions,
                                             const Deadline& deadline);

}  // namespace alphasparse
