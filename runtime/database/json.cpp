// json: the tuning database as one JSON document, and back.
//
//   {"format": "alphasparse tuning database", "schema": 5, "tables": {
//   "device": [
//   {"key": "...", "gpu": "NVIDIA H200 SXM", ...},
//   ...
//
// Every table of the schema with its rows by key, a row one object on a line of its own: diffs show
// rows. What older schemas do not have may be missing in their documents. A column that is NULL is
// left out. Text that is not UTF-8 (names come from the file system, reasons from compilers) is
// {"hex": "..."}, and so are blobs. Numbers are written so that they come back bit by bit.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "runtime/database/rows.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view document_format = "alphasparse tuning database";

struct Column {
  std::string name;
  std::string type;  ///< "TEXT", "INTEGER" or "REAL"
};

std::vector<Column> columns_of(Sqlite& sqlite, const std::string& table) {
  std::vector<Column> columns;
  Statement row(sqlite, fmt::format("PRAGMA table_info({})", table));
  while (row.step()) columns.push_back({row.text(1), row.text(2)});
  return columns;
}

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

Json cell_json(const Statement& row, int column, const std::string& type) {
  if (type == "INTEGER") return row.integer(column);
  if (type == "TEXT") return text_json(row.text(column));
  return row.real(column);
}

std::string table_text(Sqlite& sqlite, const std::string& table) {
  const std::vector<Column> columns = columns_of(sqlite, table);
  Statement row(sqlite, fmt::format("SELECT * FROM {} ORDER BY 1", table));
  std::string text;
  while (row.step()) {
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
    text += (text.empty() ? "" : ",\n") + json.dump();
  }
  return fmt::format("\"{}\": [\n{}{}]", table, text, text.empty() ? "" : "\n");
}

/// The document being read: where it is wrong, an Error that names it.
class Document {
 public:
  Document(const std::string& text, const std::string& name) : name_(name) {
    try {
      json_ = Json::parse(text);
    } catch (const Json::exception& error) {
      fail("is no whole JSON document", reason_of(error.what()));
    }
    check_head();
  }

  const Json& rows(const std::string& table) const {
    const auto tables = json_.find("tables");
    const auto found = tables->find(table);
    static const Json none = Json::array();
    if (found == tables->end() && table == "matrix_features" && schema_ < 3) return none;
    if (found == tables->end() || !found->is_array()) fail("has no table", table);
    return *found;
  }

  /// Refuses tables that the schema does not know.
  void check_tables() const {
    for (const auto& [table, rows] : json_["tables"].items()) {
      bool known = false;
      for (const std::string_view one : schema_tables) known = known || one == table;
      if (!known) fail("has a table that this program does not know", shown(table));
    }
  }

  [[noreturn]] void fail(const std::string& what, const std::string& where) const {
    throw Error(fmt::format("{} {}: {}", name_, what, where));
  }

  /// The beginning of a text, on one line.
  static std::string shown(std::string text) {
    constexpr std::size_t size_max = 200;
    if (text.size() > size_max) text.resize(size_max);
    return printable(text);
  }

 private:
  /// Without the library's "[json.exception...] " before it.
  static std::string reason_of(const std::string& text) {
    const std::size_t head = text.find("] ");
    return shown(head == std::string::npos ? text : text.substr(head + 2));
  }

  void check_head() {
    const auto format = json_.is_object() ? json_.find("format") : json_.end();
    if (format == json_.end() || *format != document_format)
      fail("is no tuning database",
           "its \"format\" is not \"" + std::string(document_format) + "\"");
    const auto schema = json_.find("schema");
    if (schema == json_.end() || !schema->is_number_integer())
      fail("is no tuning database", "it does not say which schema it has");
    if (schema->is_number_unsigned() && *schema <= schema_version) schema_ = schema->get<int>();
    if (schema_ < 1) {
      fail("cannot be taken in",
           fmt::format("it has schema {}, this program knows {}", schema->dump(), schema_version));
    }
    const auto tables = json_.find("tables");
    if (tables == json_.end() || !tables->is_object()) fail("is no tuning database", "no tables");
  }

  std::string name_;
  Json json_;
  int schema_ = 0;
};

int hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t place = digits.find(c);
  return place == std::string_view::npos ? -1 : static_cast<int>(place);
}

/// The bytes of text_json; nothing where it is none.
std::optional<std::string> text_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_object() || json.size() != 1 || !json.contains("hex")) return std::nullopt;
  if (!json["hex"].is_string()) return std::nullopt;
  const std::string hex = json["hex"].get<std::string>();
  if (hex.size() % 2 != 0) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = hex_digit(hex[i]);
    const int low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
  }
  return text;
}

/// Binds a cell; false where it is not of the column's type.
bool bind_cell(Statement& insert, int index, const std::string& type, const Json& json) {
  if (type == "TEXT") {
    const std::optional<std::string> text = text_of(json);
    if (text) insert.bind_one(index, std::string_view(*text));
    return text.has_value();
  }
  if (type == "REAL") {
    if (json.is_number()) insert.bind_one(index, json.get<double>());
    return json.is_number();
  }
  const bool fits =
      json.is_number_integer() &&
      (!json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  if (fits) insert.bind_one(index, json.get<std::int64_t>());
  return fits;
}

/// Adds one row; empty, or what is wrong with it.
std::string add_row(Statement& insert, const std::vector<Column>& columns, const Json& row) {
  if (!row.is_object()) return "it is no object";
  std::size_t known = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto cell = row.find(columns[i].name);
    if (cell == row.end()) continue;
    ++known;
    if (!bind_cell(insert, static_cast<int>(i) + 1, columns[i].type, *cell))
      return fmt::format("its {} is not of type {}", columns[i].name, columns[i].type);
  }
  if (known != row.size()) return "it has a column that this program does not know";
  try {
    insert.step();
  } catch (const Error&) {  // SQLite's constraints: a missing column, a word, a parent, a key twice
    return "it lacks a column, repeats a key, or does not fit the schema or the rows before it";
  }
  insert.reset();
  return "";
}

void add_document_rows(const Document& document, Sqlite& sqlite, const std::string& table) {
  const std::vector<Column> columns = columns_of(sqlite, table);
  std::string places = "?";
  for (std::size_t column = 1; column < columns.size(); ++column) places += ",?";
  Statement insert(sqlite, fmt::format("INSERT INTO {} VALUES ({})", table, places));
  std::int64_t number = 0;
  for (const Json& row : document.rows(table)) {
    ++number;
    if (const std::string what = add_row(insert, columns, row); !what.empty())
      document.fail("cannot be taken in", fmt::format("row {} of {}: {}", number, table, what));
  }
}

}  // namespace

std::string Database::export_json() {
  const Snapshot snapshot(state_->sqlite);
  std::string text = fmt::format("{{\"format\": \"{}\", \"schema\": {}, \"tables\": {{\n",
                                 document_format, schema_version);
  std::string_view comma;
  for (const std::string table : schema_tables) {
    text += comma;
    text += table_text(state_->sqlite, table);
    comma = ",\n";
  }
  return text + "\n}}\n";
}

Database Database::of_json(const std::string& text, const std::string& name) {
  const Document document(text, name);
  document.check_tables();
  auto state = std::make_unique<State>(":memory:");
  Sqlite& sqlite = state->sqlite;
  raise_schema(sqlite, 0, schema_version);
  sqlite.run("PRAGMA foreign_keys=ON");
  sqlite.run("BEGIN");
  for (const std::string table : schema_tables) add_document_rows(document, sqlite, table);
  sqlite.run("COMMIT");
  if (const auto complaints = row_complaints(sqlite, {}); !complaints.empty())
    document.fail("cannot be taken in", Document::shown(complaints.front().text()));
  return Database(std::move(state));
}

}  // namespace alphasparse
