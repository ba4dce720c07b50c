// design_graph: a design as a chain of boxes, with the effect of each operator and the data that it
// has made of the matrix.
#pragma once
#include <string>

#include "operators/designer.h"

namespace alphasparse {

/// HTML. A design that this designer cannot apply is shown up to where it fails, and why.
std::string design_graph_html(Designer& designer, const Design& design);

}  // namespace alphasparse
