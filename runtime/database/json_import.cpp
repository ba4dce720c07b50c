// json_import: a JSON document (json.cpp) as a database, read in the memory of a row.
//
// A first passage learns the schema and which tables there are, a second adds the rows. Where the
// tables do not stand parents first, there is a passage a table.
#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/database/json.h"
#include "runtime/database/rows.h"
#include "runtime/database/sax_reader.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

int hex_digit(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const std::size_t index = digits.find(c);
  return index == std::string_view::npos ? -1 : static_cast<int>(index);
}

/// The bytes of text_json; nothing where it is none.
std::optional<std::string> read_text(const Json& json) {
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
bool bind_cell(SqlStatement& insert, int index, const std::string& type, const Json& json) {
  if (type == "TEXT" || type == "BLOB") {
    const std::optional<std::string> text = read_text(json);
    if (text && type == "TEXT") insert.bind_one(index, std::string_view(*text));
    if (text && type == "BLOB") insert.bind_one(index, Blob{*text});
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

/// Adds one row; empty, or the fault of the row.
std::string add_row(SqlStatement& insert, const std::vector<DocumentColumn>& columns,
                    const Json& row) {
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

/// A document after a first pass: its schema and its tables are known.
class Document {
 public:
  Document(std::istream& stream, const std::string& name) : stream_(stream), errors_{name} {
    SaxReader reader(errors_, [](const std::string&, const Json&) {});
    reader.read(stream_);
    head_ = std::move(reader.head);
    check_head();
    check_tables();
  }

  const DocumentErrors& errors() const { return errors_; }

  /// Adds all rows, parents first.
  void add_to(Sqlite& sqlite) const {
    std::vector<std::string> in_order;
    for (const std::string table : schema_tables) {
      if (std::count(head_.tables.begin(), head_.tables.end(), table) > 0)
        in_order.push_back(table);
    }
    if (head_.tables == in_order) return add_tables(sqlite, in_order);
    for (const std::string& table : in_order) add_tables(sqlite, {table});
  }

 private:
  void check_head() {
    if (head_.format != document_format) {
      errors_.fail("is no tuning database",
                   "its \"format\" is not \"" + std::string(document_format) + "\"");
    }
    const Json& schema = head_.schema;
    if (!schema.is_number_integer())
      errors_.fail("is no tuning database", "it does not say which schema it has");
    if (schema != schema_version) {
      errors_.fail("cannot be taken in", fmt::format("it has schema {}, this program knows {}",
                                                     schema.dump(), schema_version));
    }
    if (!head_.has_tables) errors_.fail("is no tuning database", "no tables");
  }

  /// Rejects tables that the schema does not have, and requires those that it has.
  void check_tables() const {
    const auto has = [](const std::vector<std::string>& all, const std::string& one) {
      return std::find(all.begin(), all.end(), one) != all.end();
    };
    for (const std::string& table : head_.tables) {
      if (std::count(schema_tables.begin(), schema_tables.end(), table) == 0) {
        errors_.fail("has a table that this program does not know", DocumentErrors::shown(table));
      }
    }
    for (const std::string table : schema_tables) {
      if (!has(head_.tables, table) || has(head_.no_rows, table))
        errors_.fail("has no table", table);
    }
  }

  void add_tables(Sqlite& sqlite, const std::vector<std::string>& tables) const;

  std::istream& stream_;
  const DocumentErrors errors_;
  SaxReader::Head head_;
};

/// Takes the rows of one table into the database.
class TableRows {
 public:
  TableRows(Sqlite& sqlite, std::string table)
      : table_(std::move(table)),
        columns_(read_columns(sqlite, table_)),
        insert_(sqlite, insert_row_text(table_, columns_.size())) {}

  void add(const Json& row, const DocumentErrors& errors) {
    ++number_;
    if (const std::string what = add_row(insert_, columns_, row); !what.empty()) {
      errors.fail("cannot be taken in", fmt::format("row {} of {}: {}", number_, table_, what));
    }
  }

 private:
  const std::string table_;
  const std::vector<DocumentColumn> columns_;
  SqlStatement insert_;
  std::int64_t number_ = 0;
};

void Document::add_tables(Sqlite& sqlite, const std::vector<std::string>& tables) const {
  std::map<std::string, TableRows> rows;
  for (const std::string& table : tables) rows.try_emplace(table, sqlite, table);
  SaxReader reader(errors_, [&](const std::string& table, const Json& row) {
    if (const auto found = rows.find(table); found != rows.end()) found->second.add(row, errors_);
  });
  reader.read(stream_);
}

}  // namespace

Database Database::from_json(std::istream& stream, const std::string& name) {
  const Document document(stream, name);
  auto state = std::make_unique<State>(name, SqliteAccess::scratch);
  Sqlite& sqlite = state->sqlite;
  make_schema(sqlite);
  sqlite.run("PRAGMA foreign_keys=ON");
  sqlite.run("BEGIN");
  document.add_to(sqlite);
  sqlite.run("COMMIT");
  if (const auto complaints = row_complaints(sqlite, {}); !complaints.empty()) {
    document.errors().fail("cannot be taken in", DocumentErrors::shown(complaints.front().text()));
  }
  return Database(std::move(state));
}

Database Database::from_json(const std::string& text, const std::string& name) {
  std::istringstream stream(text);
  return from_json(stream, name);
}

}  // namespace alphasparse
