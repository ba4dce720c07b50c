#include "runtime/database/packed_features.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "runtime/database/schema.h"
#include "runtime/system/files/content_key.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little);  // as the bytes in a file are

std::string pack_bytes(const FeatureNumbers& numbers) {
  std::string bytes;
  for (const auto& [name, number] : numbers) {
    char each[sizeof number];
    std::memcpy(each, &number, sizeof number);
    bytes.append(each, sizeof each);
  }
  return bytes;
}

std::string names_text(const FeatureNumbers& numbers) {
  Json names = Json::array();
  for (const auto& [name, number] : numbers) names.push_back(name);
  return names.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Empty where the text is no array of names.
std::vector<std::string> parsed_names(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return {};
  std::vector<std::string> names;
  for (const Json& name : json) {
    if (!name.is_string()) return {};
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

std::optional<double> find_number(const FeatureNumbers& numbers, std::string_view name) {
  for (const auto& [each, number] : numbers) {
    if (each == name) return number;
  }
  return std::nullopt;
}

std::string features_key(const std::string& matrix, const std::string& version,
                         const std::string& names, const std::string& bytes) {
  return content_key({matrix, version, names, bytes});
}

std::string insert_features(Sqlite& sqlite, const std::string& matrix, std::int64_t version,
                            const FeatureNumbers& numbers) {
  for (const auto& [name, number] : numbers) CHECK(std::isfinite(number));
  const std::string text = names_text(numbers), bytes = pack_bytes(numbers);
  const std::string names = content_key({text});
  sqlite.run("INSERT INTO feature_names VALUES (?1,?2) ON CONFLICT(key) DO NOTHING", names, text);
  const std::string key = features_key(matrix, fmt::format("{}", version), names, bytes);
  SqlStatement insert(sqlite,
                      "INSERT INTO matrix_features VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10) "
                      "ON CONFLICT(key) DO NOTHING");
  insert.bind(key, matrix, version, names, Blob{bytes});
  int index = 6;
  for (const char* const column : likeness_columns)
    insert.bind_one(index++, find_number(numbers, column));
  insert.step();
  return key;
}

FeatureReader::FeatureReader(Sqlite& sqlite)
    : sqlite_(sqlite),
      rows_(sqlite,
            "SELECT names, numbers FROM matrix_features WHERE matrix = ?1 AND version = ?2 "
            "ORDER BY key") {}

const std::vector<std::string>& FeatureReader::read_names(const std::string& key) {
  const auto known = names_.find(key);
  if (known != names_.end()) return known->second;
  SqlStatement row(sqlite_, "SELECT names FROM feature_names WHERE key = ?1");
  row.bind(key);
  return names_[key] = row.step() ? parsed_names(row.text(0)) : std::vector<std::string>();
}

std::optional<FeatureNumbers> FeatureReader::unpacked(const std::string& names,
                                                      const std::string& bytes) {
  const std::vector<std::string>& all = read_names(names);
  if (all.empty() || bytes.size() != sizeof(double) * all.size()) return std::nullopt;
  FeatureNumbers numbers;
  numbers.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    double number = 0;
    std::memcpy(&number, bytes.data() + sizeof number * i, sizeof number);
    if (!std::isfinite(number)) return std::nullopt;
    numbers.emplace_back(all[i], number);
  }
  return numbers;
}

std::optional<StoredFeatures> FeatureReader::of(const std::string& matrix, int version) {
  rows_.reset();
  rows_.bind(matrix, version);
  while (rows_.step()) {
    if (auto numbers = unpacked(rows_.text(0), rows_.text(1)))
      return StoredFeatures{version, std::move(*numbers)};
  }
  return std::nullopt;
}

}  // namespace alphasparse
