// matlab: sparse matrices in MATLAB's files of version 5, which save(..., '-v7') and '-v6' write,
// as does scipy.io.savemat ("MAT-File Format", The MathWorks).
//
// A header of 128 bytes, then elements: a type, a number of bytes, the bytes. A variable is an
// element of class, name, sizes and, where it is sparse, rows, columns' first entries and values,
// of complex ones the real parts, then the imaginary ones. Since version 7 each variable is packed
// by zlib. A struct has its fields as such elements.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

/// Whether the bytes are of version 5: by the version and the mark of the byte order in the header.
bool is_matlab(std::string_view bytes);

/// Whether the bytes are of version 4, which is not read.
bool is_old_matlab(std::string_view bytes);

/// The sparse variable of this name, "A" or "Problem.A"; of none named, Problem.A, as SuiteSparse
/// has it, or the only one. Throws Error (exit 2), naming the file, the variable and the fault:
/// damaged, none that is sparse, several, indices outside the matrix, values that are not finite,
/// less imaginary parts than entries (and where they begin), more entries than the limits.
Entries parse_matlab(std::string_view bytes, const std::string& name, const std::string& variable,
                     const ReadLimits& limits = {});

}  // namespace alphasparse
