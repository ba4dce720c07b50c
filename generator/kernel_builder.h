// kernel_builder: from the metadata store of a finished design to CUDA source, arrays and launches.
//
// The text is put together from four things: the fragments that are called, verbatim from
// templates/fragments; the struct of arrays that the bodies read; the composed bodies; and the
// launch that initialises rows which no body stores whole.
#pragma once
#include <string>

#include "generator/kernel.h"
#include "generator/result.h"
#include "generator/store.h"

namespace alphasparse {

/// `store` has been through a whole design, launch included; `design` is its canonical text. Fails
/// where the stored entries exceed the index limit, or rows are stored that have several writers.
Result<Kernel> build_kernel(const Matrix& matrix, const Store& store, const std::string& design,
                            Dtype dtype);

}  // namespace alphasparse
