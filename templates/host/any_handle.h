// any_handle: what the handles of all kernels have in common, which no header tells.
#pragma once
#include "templates/host/alphasparse_kernel.h"

/// Whose a handle is: its address is of something that only that kernel has.
struct alphasparse_handle {
  const void* kernel;
};
