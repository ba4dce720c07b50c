// json: the tuning database as one JSON document; json_import.cpp is the way back.
//
//   {"format": "alphasparse tuning database", "schema": 8, "tables": {
//   "device": [
//   {"key": "...", "gpu": "NVIDIA H200 SXM", ...},
//   ...
//
// Every table of the schema with its rows by key, a row one object on a line of its own: diffs show
// rows. A column that is NULL is left out. Text that is not UTF-8 (names come from the file system,
// reasons from compilers) is
// {"hex": "..."}, and so are blobs. Numbers are written so that they come back bit by bit.
#include "runtime/database/json.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/database/rows.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

Json hex_json(const std::string& text) {
  std::string hex;
  for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return {{"hex", hex}};
}

Json text_json(const std::string& text) { return is_utf8(text) ? Json(text) : hex_json(text); }

Json cell_json(const SqlStatement& row, int column, const std::string& type) {
  if (type == "INTEGER") return row.integer(column);
  if (type == "TEXT") return text_json(row.text(column));
  if (type == "BLOB") return hex_json(row.text(column));
  return row.real(column);
}

using Write = std::function<void(std::string_view)>;

void write_table(Sqlite& sqlite, const std::string& table, const Write& write) {
  const std::vector<DocumentColumn> columns = read_columns(sqlite, table);
  SqlStatement row(sqlite, fmt::format("SELECT * FROM {} ORDER BY 1", table));
  write(fmt::format("\"{}\": [\n", table));
  bool is_first = true;
  for (; row.step(); is_first = false) {
    Json json = Json::object();
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
      if (row.null(i)) continue;
      if (columns[i].type == "REAL" && !std::isfinite(row.real(i))) {
        throw Error(ExitCode::database,
                    fmt::format("database {}: {} {} has a number that is not finite, which JSON "
                                "cannot hold; see db verify",
                                sqlite.path(), table, row.text(0)));
      }
      json[columns[i].name] = cell_json(row, i, columns[i].type);
    }
    write((is_first ? "" : ",\n") + json.dump());
  }
  write(is_first ? "]" : "\n]");
}

}  // namespace

std::vector<DocumentColumn> read_columns(Sqlite& sqlite, const std::string& table) {
  std::vector<DocumentColumn> columns;
  SqlStatement row(sqlite, fmt::format("PRAGMA table_info({})", table));
  while (row.step()) columns.push_back({row.text(1), row.text(2)});
  return columns;
}

void Database::export_json(const std::function<void(std::string_view)>& write) {
  const Snapshot snapshot(state_->sqlite);
  write(fmt::format("{{\"format\": \"{}\", \"schema\": {}, \"tables\": {{\n", document_format,
                    schema_version));
  std::string_view comma;
  for (const std::string table : schema_tables) {
    write(comma);
    write_table(state_->sqlite, table, write);
    comma = ",\n";
  }
  write("\n}}\n");
}

std::string Database::export_json() {
  std::string text;
  export_json([&](std::string_view part) { text += part; });
  return text;
}

}  // namespace alphasparse
