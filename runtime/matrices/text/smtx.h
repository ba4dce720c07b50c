// smtx: the patterns of pruned networks as DLMC has them (Gale, Zaharia, Young and Elsen, "Sparse
// GPU Kernels for Deep Learning", SC 2020).
//
//   2, 3, 3        rows, columns, non-zeros
//   0 2 3          first non-zero of each row, from 0, and their number
//   0 2 1          column of each non-zero, from 0
//
// Every value is 1.
#pragma once
#include <string>
#include <string_view>

#include "runtime/matrices/assemble.h"
#include "runtime/matrices/read_limits.h"

namespace alphasparse {

/// Whether the first line is three integers with commas between them.
bool is_smtx(std::string_view text);

/// Numbers that follow the first line.
std::int64_t smtx_numbers(std::string_view text);

/// Throws Error (exit 2), `name:line: reason`.
Entries parse_smtx(std::string_view text, const std::string& name, const ReadLimits& limits = {});

}  // namespace alphasparse
