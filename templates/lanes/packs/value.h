// value: the numbers of a kernel for several vectors.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "wide.h"

using Real = ALPHASPARSE_VALUE;
constexpr bool is_double = std::is_same_v<Real, double>;
/// Columns of X and Y that one pass over A takes, and all of them.
constexpr int pass_columns = ALPHASPARSE_PASS_COLUMNS, vectors = ALPHASPARSE_VECTORS;
