// prelude: the value type, a gang of lanes, and the vectors of a task.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

using Value = ALPHASPARSE_VALUE;
constexpr bool is_double = std::is_same_v<Value, double>;
