// facts_text: the sections of an emitted file that are its kernel's own: the table of its format's
// properties, its launches, and constants of its program.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/kernel.h"
#include "generator/text/host_text.h"
#include "generator/text/standalone.h"

namespace alphasparse {

/// No array leaves the host part guessing, and no two tensors share a name.
void check_arrays(const Kernel& kernel);

/// Of x, y and each of their rows, in bytes, on a GPU.
std::int64_t row_alignment(const Kernel& kernel);

/// "y = alpha * A * x + beta * y", in capitals for several vectors.
const char* product_formula(const Kernel& kernel);

/// Bytes of all workspaces, each at the alignment of arrays on a device.
std::int64_t workspace_bytes(const Kernel& kernel);

/// The type of the matrix' values in C, in the caller's order.
const char* stored_c_name(const Kernel& kernel);

/// The words that templates/host has for a kernel's types of numbers, and these types.
std::vector<Replacement> number_names(const Kernel& kernel);

/// The checks of computed arrays, where there are some, and the table of facts. As all below, it
/// stands in the namespace of the host part.
std::string facts_text(const Kernel& kernel, const StandaloneInfo& info);

/// The launches of one SpMV, of a kernel for GPUs.
std::string launches_text(const Kernel& kernel);

/// The functions that tell the own order of x and y; empty where they keep the caller's.
std::string order_text(const Kernel& kernel);

/// Constants of the program: the place of its format file and, on a CPU, where it was tuned.
std::string program_facts_text(const Kernel& kernel, const StandaloneInfo& info);

}  // namespace alphasparse
