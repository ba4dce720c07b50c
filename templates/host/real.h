// real: the type of numbers in the host part of a kernel for several vectors.
#pragma once

namespace alphasparse::host {
using Value = Real;
}  // namespace alphasparse::host
