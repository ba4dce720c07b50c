// learning: features of matrices in the tuning database.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/database/rows.h"
#include "runtime/system/files/content_key.h"

namespace alphasparse {

namespace {

using Json = nlohmann::ordered_json;

/// Nothing where the text is no object of finite numbers.
std::optional<std::vector<std::pair<std::string, double>>> numbers_of(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [name, number] : json.items()) {
    if (!number.is_number() || !std::isfinite(number.get<double>())) return std::nullopt;
    numbers.emplace_back(name, number.get<double>());
  }
  return numbers;
}

}  // namespace

void Database::keep_features(const Fingerprints& matrix, const StoredFeatures& features) {
  Json json = Json::object();
  for (const auto& [name, number] : features.numbers) {
    CHECK(std::isfinite(number));
    json[name] = number;
  }
  const std::string numbers = json.dump();
  const std::string of = matrix_key(matrix);
  state_->sqlite.run(
      "INSERT INTO matrix_features SELECT ?1,?2,?3,?4 WHERE NOT EXISTS "
      "(SELECT 1 FROM matrix_features WHERE matrix = ?2 AND version = ?3) "
      "ON CONFLICT(key) DO NOTHING",
      content_key({of, fmt::format("{}", features.version), numbers}), of, features.version,
      numbers);
}

std::optional<StoredFeatures> Database::features(const Fingerprints& matrix, int version) {
  Statement row(state_->sqlite,
                "SELECT numbers FROM matrix_features WHERE matrix = ?1 AND version = ?2 "
                "ORDER BY key");
  row.bind(matrix_key(matrix), version);
  while (row.step()) {
    if (auto numbers = numbers_of(row.text(0))) return StoredFeatures{version, std::move(*numbers)};
  }
  return std::nullopt;
}

std::vector<LearnedProblem> Database::learned_problems(int features_version) {
  Statement row(
      state_->sqlite,
      fmt::format("SELECT {}, (SELECT numbers FROM matrix_features WHERE matrix = matrix.key "
                  "AND version = ?1 ORDER BY key LIMIT 1) "
                  "FROM problem JOIN matrix ON matrix.key = problem.matrix "
                  "JOIN device ON device.key = problem.device ORDER BY problem.key",
                  problem_columns));
  row.bind(features_version);
  std::vector<LearnedProblem> problems;
  while (row.step()) {
    LearnedProblem learned{row.text(0), problem_of_row(row), std::nullopt};
    if (auto numbers = numbers_of(row.text(problem_column_count)))
      learned.features = StoredFeatures{features_version, std::move(*numbers)};
    problems.push_back(std::move(learned));
  }
  return problems;
}

Outcomes Database::outcomes_of(const std::string& problem) {
  return stored_outcomes(state_->sqlite, problem);
}

std::vector<Complaint> feature_complaints(Sqlite& sqlite) {
  std::vector<Complaint> complaints;
  Statement features(sqlite, "SELECT key, matrix, version, numbers FROM matrix_features");
  while (features.step()) {
    const auto complain = [&](const char* what) {
      complaints.push_back({"matrix_features", features.text(0), what});
    };
    if (!numbers_of(features.text(3))) complain("no object of finite numbers");
    if (features.text(0) != content_key({features.text(1), features.text(2), features.text(3)}))
      complain("its key is not its content's");
  }
  return complaints;
}

}  // namespace alphasparse
