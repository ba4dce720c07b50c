// c_names: the names of a kernel's C functions: PREFIX_load, PREFIX_spmv and so on.
#pragma once
#include <string>
#include <string_view>

namespace alphasparse {

/// Whether it is a name in C: ASCII letters, digits and underscores, no digit first.
bool is_c_name(std::string_view text);

/// The prefix of the kernel NAME where none is given: every character but letters and digits an
/// underscore, and `alphasparse_` before a digit. "3-d tiles" gives "alphasparse_3_d_tiles".
std::string c_prefix(std::string_view name);

}  // namespace alphasparse
