// prelude: complex values, a gang of lanes, and the vectors of a task.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

using Real = ALPHASPARSE_VALUE;
constexpr bool is_double = std::is_same_v<Real, double>;
