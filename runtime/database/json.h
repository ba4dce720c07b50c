// json: which rows and columns a JSON document of the tuning database has (json.cpp).
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/system/sqlite.h"

namespace alphasparse {

inline constexpr std::string_view document_format = "alphasparse tuning database";

struct DocumentColumn {
  std::string name;
  std::string type;  ///< "TEXT", "INTEGER", "REAL" or "BLOB"
};

std::vector<DocumentColumn> read_columns(Sqlite& sqlite, const std::string& table);

}  // namespace alphasparse
