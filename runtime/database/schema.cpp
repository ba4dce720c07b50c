#include "runtime/database/schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace alphasparse {

namespace {

/// A statement without its comments, blanks only where two words would else be one. Text in quotes
/// stays as it is.
std::string plain(std::string_view sql) {
  std::string text;
  bool gap = false;
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = 0; at < sql.size(); ++at) {
    const char c = sql[at];
    if (std::isspace(static_cast<unsigned char>(c))) {
      gap = true;
    } else if (sql.substr(at, 2) == "--") {
      while (at + 1 < sql.size() && sql[at + 1] != '\n') ++at;
      gap = true;
    } else {
      if (gap && !text.empty() && in_name(text.back()) && in_name(c)) text += ' ';
      gap = false;
      text += c;
      if (c != '\'' && c != '"' && c != '`' && c != '[') continue;
      const char end = c == '[' ? ']' : c;
      while (at + 1 < sql.size() && sql[at + 1] != end) text += sql[++at];
      if (at + 1 < sql.size()) text += sql[++at];
    }
  }
  return text;
}

/// Each name of the schema with its kind and statement.
std::map<std::string, std::string> read_statements(Sqlite& sqlite) {
  SqlStatement row(sqlite, "SELECT name, type, coalesce(sql, '') FROM sqlite_master");
  std::map<std::string, std::string> statements;
  while (row.step()) {
    const bool is_data = row.text(1) == "table" || row.text(1) == "index";
    if (is_data && row.text(0).starts_with("sqlite_")) continue;
    statements[row.text(0)] = row.text(1) + " " + plain(row.text(2));
  }
  return statements;
}

}  // namespace

std::size_t text_limit(std::string_view column) {
  for (const char* const long_text : {"text", "reason", "original", "names"})
    if (column == long_text) return 65536;
  return 1024;
}

std::string shorten(const std::string& text, std::string_view column) {
  return text.substr(0, text_limit(column));
}

void make_schema(Sqlite& sqlite) {
  sqlite.run_script(schema_script);
  sqlite.run(fmt::format("PRAGMA application_id={}", schema_application_id));
  sqlite.run(fmt::format("PRAGMA user_version={}", schema_version));
}

std::string schema_difference(Sqlite& sqlite) {
  Sqlite own(":memory:");
  make_schema(own);
  auto expected = read_statements(own);
  for (const auto& [name, statement] : read_statements(sqlite)) {
    const std::string kind = statement.substr(0, statement.find(' '));
    const auto found = expected.find(name);
    if (found == expected.end())
      return fmt::format("it has the {} '{}', which it should not", kind, name);
    if (found->second != statement)
      return fmt::format("its {} '{}' is not as it should be", kind, name);
    expected.erase(found);
  }
  return expected.empty() ? "" : fmt::format("it lacks '{}'", expected.begin()->first);
}

std::string root_damage(Sqlite& sqlite) {
  const std::int64_t pages = sqlite.integer("PRAGMA page_count");
  SqlStatement row(
      sqlite,
      "SELECT name, rootpage, count(*) OVER (PARTITION BY rootpage) FROM sqlite_master "
      "WHERE type IN ('table', 'index')");
  while (row.step()) {
    if (row.integer(1) < 2 || row.integer(1) > pages || row.integer(2) > 1)
      return fmt::format("'{}' begins at the wrong page", row.text(0));
  }
  return "";
}

std::string insert_row_text(std::string_view table, std::size_t columns) {
  const std::vector<const char*> bound(columns, "?");
  return fmt::format("INSERT INTO {} VALUES ({})", table, fmt::join(bound, ","));
}

}  // namespace alphasparse
