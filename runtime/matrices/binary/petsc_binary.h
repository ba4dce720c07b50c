// petsc_binary: sparse matrices as PETSc's binary viewer writes them (MatView, MatLoad).
//
// Big-endian: the class 1211216, rows, columns and non-zeros, the length of each row, all columns
// from 0, all values. Integers have 32 bits, or 64 where PETSc was configured so; values are real
// or complex, of 64 bits or of 32. Objects behind the matrix, such as its right side, are passed
// over.
//
// No byte tells the type of the values: the length of the file does. Complex numbers of two floats
// are as long as doubles, so they are read only where the companion FILE.info, PETSc's file of
// options, has -mat_complex. Its -mat_double says that values are real.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

bool is_petsc_binary(std::string_view bytes);

/// The companion of a file: "m.petsc.info" of "m.petsc" and of "m.petsc.gz".
std::string petsc_companion(std::string_view path);

/// `options` is the text of the companion. Throws Error (exit 2), naming the file and its fault:
/// truncated, values that are neither or that the options contradict, dense, indices outside the
/// matrix, values that are not finite, more entries than the limits.
Entries parse_petsc_binary(std::string_view bytes, const std::string& name,
                           const ReadLimits& limits = {}, const std::string& options = "");

}  // namespace alphasparse
