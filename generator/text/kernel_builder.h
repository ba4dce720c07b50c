// kernel_builder: from the metadata stores of a finished design, one a branch, to source, arrays
// and launches.
//
// The text is put together from four things. The fragments that are called come verbatim from
// templates, from the target's folder. Then there are the struct of arrays that the bodies read and
// the composed bodies. The last is the launch that initialises rows which no body stores whole.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/arrays/kernel.h"
#include "generator/arrays/operands.h"
#include "generator/body/compose.h"
#include "generator/facts/store.h"

namespace alphasparse {

/// Each of `stores` has been through a whole branch, launch included; `design` is the canonical
/// text. Fails where the stored entries exceed the index limit, or a row has more writers than its
/// epilogue allows. The stores have no sources afterwards that tell of no fill. `trace` is told of
/// each pass over the body of each branch.
Result<Kernel> build_kernel(const Matrix& matrix, std::vector<Store>& stores,
                            const std::string& design, Operands operands,
                            const BodyTrace& trace = nullptr);

}  // namespace alphasparse
