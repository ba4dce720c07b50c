// other_database: a database that --db does not name, and the remedy of its errors.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "runtime/database/database.h"

namespace alphasparse {

/// The error with "another corpus", or another remedy like it, in the place of the advice to name
/// one with --db.
Error with_remedy(const Error& error, std::string_view remedy);

constexpr std::string_view base_remedy = "another file with --base";

/// Database::open_source, with this remedy in its errors.
Database open_other(const std::string& path, std::string_view remedy);

}  // namespace alphasparse
