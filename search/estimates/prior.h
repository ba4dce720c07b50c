// prior: the times that designs are expected to take, told before anything as large as the matrix
// is built.
//
// Each design is built on a miniature of the matrix, some 64,000 non-zeros of it. A matrix that has
// no more than twice as many is taken whole. There the necessary work is counted that no run can do
// without: bytes, loads, waits, atomic additions, launches (runtime/emulated/lower_bound.h). It is
// taken as many times as the matrix is larger. On a GPU the model makes a time of it, in which
// gathers wait for L2. On a CPU entries and gangs have costs by the method that adds them up
// (generator/layouts/cpu_costs.h). So it costs the same for any matrix. The times are for putting
// designs into an order. Nothing is ruled out by them.
//
// Example: a miniature of a matrix of 40e6 non-zeros with rows of 3 to 78 has 8 panels of 192 rows.
// There sell-c-sigma, which pads them by 4 %, is expected to read 330 MB.
#pragma once
#include <map>

#include "generator/arrays/matrix.h"
#include "operators/canonical_design.h"
#include "runtime/device/device.h"

namespace alphasparse {

/// Where the time would be taken.
struct PriorConditions {
  DeviceInfo device;
  Dtype dtype = default_dtype;
  CacheRegime regime = CacheRegime::warm;
  int vectors = 1;
};

/// The expected times in us of those `designs` that the miniature can judge: designs of the
/// device's target. A design that needs the matrix itself may be refused on
/// the miniature: for its symmetry, or for blocks that it must not lack.
std::map<CanonicalDesign, double> expected_times(const Matrix& matrix, const Designs& designs,
                                                 const PriorConditions& conditions,
                                                 const Deadline& deadline);

}  // namespace alphasparse
