// learning: features of matrices and models of times in the tuning database.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/database/rows.h"
#include "runtime/system/content_key.h"

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

/// Nothing where the text is no array of texts.
std::optional<std::vector<std::string>> names_of(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return std::nullopt;
  std::vector<std::string> names;
  for (const Json& name : json) {
    if (!name.is_string()) return std::nullopt;
    names.push_back(name.get<std::string>());
  }
  return names;
}

std::string model_key(const std::string& problem, const StoredModel& model,
                      const std::string& names) {
  return content_key({problem, fmt::format("{}", model.features_version), names,
                      fmt::format("{}", model.rows), model.regression, model.classifier,
                      model.created_at});
}

constexpr const char* model_columns =
    "key, problem, features_version, feature_names, rows, regression, classifier, created_at";

/// A row of model_columns; nothing where it is damaged.
std::optional<StoredModel> model_of(const Statement& row) {
  const std::string names_text = row.text(3);
  auto names = names_of(names_text);
  if (!names) return std::nullopt;
  StoredModel model{static_cast<int>(row.integer(2)),
                    std::move(*names),
                    row.integer(4),
                    row.text(5),
                    row.text(6),
                    row.text(7)};
  if (row.text(0) != model_key(row.text(1), model, names_text)) return std::nullopt;
  return model;
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

void Database::keep_model(const Problem& problem, const StoredModel& model) {
  StoredModel dated = model;
  if (dated.created_at.empty()) dated.created_at = utc_now();
  const std::string names = Json(dated.feature_names).dump();
  const std::string of = problem_key(problem);
  Transaction transaction(state_->sqlite);
  state_->sqlite.run(
      "INSERT INTO model VALUES (?1,?2,?3,?4,?5,?6,?7,?8) ON CONFLICT(key) DO NOTHING",
      model_key(of, dated, names), of, dated.features_version, names, dated.rows,
      Blob{dated.regression}, Blob{dated.classifier}, dated.created_at);
  drop_older_models(state_->sqlite);
  transaction.commit();
}

std::optional<StoredModel> Database::model(const Problem& problem) {
  Statement row(state_->sqlite, fmt::format("SELECT {} FROM model WHERE problem = ?1 "
                                            "ORDER BY created_at DESC, key DESC",
                                            model_columns));
  row.bind(problem_key(problem));
  while (row.step()) {
    if (auto model = model_of(row)) return model;
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

void drop_older_models(Sqlite& sqlite) {
  sqlite.run(
      "DELETE FROM model WHERE EXISTS (SELECT 1 FROM model AS newer "
      "WHERE newer.problem = model.problem "
      "AND (newer.created_at, newer.key) > (model.created_at, model.key))");
}

std::vector<std::string> learning_complaints(Sqlite& sqlite) {
  std::vector<std::string> complaints;
  Statement features(sqlite, "SELECT key, matrix, version, numbers FROM matrix_features");
  while (features.step()) {
    const auto complain = [&](const char* what) {
      complaints.push_back(fmt::format("matrix_features {}: {}", features.text(0), what));
    };
    if (!numbers_of(features.text(3))) complain("no object of finite numbers");
    if (features.text(0) != content_key({features.text(1), features.text(2), features.text(3)}))
      complain("its key is not its content's");
  }
  Statement models(sqlite, fmt::format("SELECT {} FROM model", model_columns));
  while (models.step()) {
    const auto complain = [&](const char* what) {
      complaints.push_back(fmt::format("model {}: {}", models.text(0), what));
    };
    if (models.integer(4) < 0) complain("a negative count");
    if (!names_of(models.text(3)))
      complain("its names are no array of texts");
    else if (!model_of(models))
      complain("its key is not its content's");
  }
  return complaints;
}

}  // namespace alphasparse
