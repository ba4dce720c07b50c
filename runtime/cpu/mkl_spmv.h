// mkl_spmv: an SpMV or SpMM that Intel's MKL computes, loaded by dlopen where it is installed, on
// the arrays of a kernel of baseline_kernels.h.
#pragma once
#include <memory>

#include "generator/arrays/kernel.h"
#include "runtime/cpu/spmv.h"
#include "runtime/device/baseline_library.h"

namespace alphasparse {

/// A Failure is library_missing. The library, which ALPHASPARSE_LIBMKL names, is loaded once in a
/// process. `kernel` must outlive the result.
Result<std::unique_ptr<CpuSpmv>> open_mkl_spmv(const Kernel& kernel);

/// The facts that the library states about itself; fails where it is missing.
Result<LibraryFacts> mkl_facts();

}  // namespace alphasparse
