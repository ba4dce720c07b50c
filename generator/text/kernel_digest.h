// kernel_digest: a name of all that a kernel computes, by which a format file belongs to it.
#pragma once
#include <string>

#include "generator/arrays/kernel.h"

namespace alphasparse {

/// 32 hexadecimal digits over the kernel's source, its computed arrays and its launches.
std::string kernel_digest(const Kernel& kernel);

}  // namespace alphasparse
