// compact_passes: a design with other compression passes than its own.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "operators/design.h"

namespace alphasparse {

/// The passes of `compact`, in the catalogue's order: its parameters.
std::vector<std::string_view> compact_passes();

/// Puts this step before the launch of the design, or of each of its branches; others are taken
/// out.
Design with_compact(Design design, const Step& compact);

/// Every pass of every branch off.
Design without_compact(Design design);

/// One pass off wherever it is on; a step without any pass goes. The same design where it is off.
Design without_pass(Design design, std::string_view pass);

/// Whether the text alone tells that other values may take the place of the matrix' own: no pass
/// codes values or makes them floats, and no triangle stands for both. Where it does not tell, the
/// format may still hold them as they are, if these are neither few nor floats.
bool takes_any_values(const Design& design);

/// The design that stores values one by one, each as it is; the same where it does already.
Design with_any_values(Design design);

}  // namespace alphasparse
