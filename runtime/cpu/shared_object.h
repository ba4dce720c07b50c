// shared_object: code that g++ has made - a kernel's team of threads (templates/lanes/team.h), or a
// peer (templates/baselines/exports.h).
#pragma once
#include <filesystem>
#include <memory>

#include "generator/arrays/kernel.h"
#include "runtime/cpu/spmv.h"

namespace alphasparse {

/// Opens the compiled code of the kernel, which must outlive it.
Result<std::unique_ptr<CpuSpmv>> open_shared_object(const Kernel& kernel,
                                                    const std::filesystem::path& object);

}  // namespace alphasparse
