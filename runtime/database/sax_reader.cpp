#include "runtime/database/sax_reader.h"

#include <fmt/format.h>

#include <utility>

#include "base/printable.h"
#include "base/result.h"

namespace alphasparse {

void DocumentErrors::fail(const std::string& what, const std::string& where) const {
  throw Error(fmt::format("{} {}: {}", name, what, where));
}

std::string DocumentErrors::shown(std::string text) {
  constexpr std::size_t size_max = 200;
  if (text.size() > size_max) text.resize(size_max);
  return printable(text);
}

void SaxReader::read(std::istream& stream) {
  stream.clear();
  stream.seekg(0);
  Json::sax_parse(stream, this);
}

bool SaxReader::key(string_t& name) {
  if (!row_.empty()) {
    row_.back().key = name;
    return true;
  }
  keys_.back() = name;
  if (is_table()) {
    head.tables.push_back(name);
    head.no_rows.push_back(name);
  }
  return true;
}

bool SaxReader::parse_error(std::size_t, const std::string&, const Json::exception& error) {
  const std::string text = error.what();  // "[json.exception...] " stands before the reason
  const std::size_t end = text.find("] ");
  errors_.fail("is no whole JSON document",
               DocumentErrors::shown(end == std::string::npos ? text : text.substr(end + 2)));
}

bool SaxReader::begin(Json json) {
  if (is_in_row()) {
    if (row_.size() == depth_max)
      errors_.fail("cannot be taken in", "a row of " + keys_[1] + " is nested too deeply");
    row_.push_back({std::move(json), ""});
    return true;
  }
  if (keys_.empty()) is_object_ = json.is_object();
  if (keys_.size() == 1 && keys_[0] == "tables") head.has_tables = json.is_object();
  if (is_table() && json.is_array()) head.no_rows.pop_back();
  // Names of an array's parts, and of values outside head and tables, do not matter.
  if (keys_.size() == 1 && keys_[0] == "schema") head.schema = json;
  if (keys_.size() == 1 && keys_[0] == "format") head.format = json;
  keys_.emplace_back();
  return true;
}

bool SaxReader::end() {
  if (row_.empty()) {
    keys_.pop_back();
    return true;
  }
  Json whole = std::move(row_.back().json);
  row_.pop_back();
  return value(std::move(whole));
}

bool SaxReader::value(Json json) {
  if (!row_.empty()) {
    Part& part = row_.back();
    if (part.json.is_object())
      part.json[part.key] = std::move(json);
    else
      part.json.push_back(std::move(json));
  } else if (is_in_table()) {
    take_(keys_[1], json);
  } else if (keys_.size() == 1 && is_object_) {
    if (keys_[0] == "format")
      head.format = std::move(json);
    else if (keys_[0] == "schema")
      head.schema = std::move(json);
  }
  return true;
}

}  // namespace alphasparse
