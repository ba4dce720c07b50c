// any_handle: the part that the handles of all kernels share; no header declares it.
#pragma once
#include "templates/host/alphasparse_kernel.h"

/// `kernel` names the kernel of a handle: the address of an object that only this kernel has.
struct alphasparse_handle {
  const void* kernel;
};
