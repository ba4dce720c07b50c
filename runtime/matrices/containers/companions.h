// companions: files beside a matrix that belong to it and are no matrices to tune: right-hand
// sides, solutions, coordinates and bounds, as the SuiteSparse collection names them.
#pragma once
#include <string>
#include <vector>

namespace alphasparse {

/// Those of `paths` with the name of another one in the same folder with _b, _x, _c, _z0, _lo, _hi,
/// _rhs or _coord behind it, endings left out: a_b.mtx beside a.mtx.
std::vector<std::string> find_companions(const std::vector<std::string>& paths);

/// "a_b.mtx and a_x.mtx belong to other matrices and are left out".
std::string left_out_text(const std::vector<std::string>& names);

}  // namespace alphasparse
