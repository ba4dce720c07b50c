// harwell_boeing: assembled sparse matrices of the Harwell-Boeing and the Rutherford-Boeing
// collections (Duff, Grimes and Lewis, "The Rutherford-Boeing Sparse Matrix Collection", 1997).
//
// Four lines, or five where right-hand sides follow, then numbers in columns of fixed width:
//
//   title and key
//   numbers of lines: all, pointers, row indices, values
//   type, rows, columns, entries      rua: real, unsymmetric, assembled
//   Fortran formats of the three      (20I4)          (26I3)          (3E25.16)
//
// Compressed columns, counted from 1. Types: real, integer, pattern or complex; unsymmetric,
// rectangular, symmetric, skew-symmetric or Hermitian, of the last three one triangle is stored. A
// complex value is two numbers of the format. Right-hand sides are not read.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

/// Whether the third line names such a type and the fourth has formats.
bool is_harwell_boeing(std::string_view text);

/// Numbers that follow the header: pointers, rows and values.
std::int64_t harwell_boeing_numbers(std::string_view text);

/// Throws Error (exit 2), `name:line: reason`: not assembled, cut short, indices outside the
/// matrix, both triangles of a symmetric matrix, a diagonal that is not its own image, values that
/// are not finite.
Entries parse_harwell_boeing(std::string_view text, const std::string& name,
                             const ReadLimits& limits = {});

}  // namespace alphasparse
