// real_field: a real number as programs write it, Fortran's among them.
#pragma once
#include <string_view>

namespace alphasparse {

enum class RealField { number, no_number, not_finite };

/// The number that the whole field is. Exponents may be Fortran's: 1.5D+00, 1.5q3, and 1.5+100,
/// where three digits have left no room for the letter. Too small for double: 0
/// with its sign.
RealField read_real(std::string_view field, double& value);

}  // namespace alphasparse
