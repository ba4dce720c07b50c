// petsc_binary: sparse matrices as PETSc's binary viewer writes them (MatView, MatLoad).
//
// Big-endian: the class 1211216, rows, columns and non-zeros, the length of each row, all columns
// from 0, all values. Integers have 32 bits, or 64 where PETSc was configured so; values are real,
// of 64 bits or of 32. Objects behind the matrix, such as its right side, are passed over.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

bool is_petsc_binary(std::string_view bytes);

/// Throws Error (exit 2), naming the file and its fault: truncated, complex, dense, indices outside
/// the matrix, values that are not finite, more entries than the limits.
Entries parse_petsc_binary(std::string_view bytes, const std::string& name,
                           const ReadLimits& limits = {});

}  // namespace alphasparse
