// database_hint: the words with which errors of a database advise another one.
#pragma once
#include <string_view>

namespace alphasparse {

/// Stands behind "name" in the errors of a database that --db names. Databases that have another
/// option, or none, are opened with words of their own.
inline constexpr std::string_view database_hint = "another file with --db";

inline constexpr std::string_view merge_hint = "another database";  ///< of those merged into it

}  // namespace alphasparse
