// base_database: the database that --base names.
#pragma once
#include <string>

#include "runtime/database/database.h"

namespace alphasparse {

inline Database open_base(const std::string& path) {
  return Database::open_source(path, "another file with --base");
}

}  // namespace alphasparse
