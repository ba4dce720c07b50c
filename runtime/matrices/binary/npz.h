// npz: sparse matrices as scipy.sparse.save_npz writes them - csr, csc, coo, bsr and dia.
//
// A zip archive (read by libarchive) of arrays in NumPy's .npy format: format, shape, data, and the
// arrays of that format. Integers and floats of any width up to 64 bits and either order of bytes;
// booleans are 0 and 1; complex numbers of two floats.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

/// Whether a zip archive begins with such an array. Throws Error where it cannot be unpacked.
bool is_npz(std::string_view bytes, const std::string& name);

/// Throws Error (exit 2), naming the file, the array in it and the fault: damaged, missing,
/// of lengths that do not fit, indices outside the matrix, values that are not finite,
/// more entries than the limits.
Entries parse_npz(std::string_view bytes, const std::string& name, const ReadLimits& limits = {});

}  // namespace alphasparse
