// matrix_text: a matrix' features as people say them.
#pragma once
#include <string>

#include "generator/arrays/matrix.h"
#include "search/learning/features.h"

namespace alphasparse {

/// "0 to 7 entries, mean 2.1, variance 3.4, skew 0.5, 4 empty".
std::string lengths_text(const Distribution& lengths);

/// "10 % <= 1, 25 % <= 2, ...".
std::string quantiles_text(const Distribution& lengths);

/// "symmetric: ...", with the shares of entries that have a mirror image; "rectangular".
std::string symmetry_text(const Features& features, const Matrix& matrix);

/// "12 distinct; all exact in float32", of complex values with their type.
std::string values_text(const Features& features, const Matrix& matrix);

}  // namespace alphasparse
