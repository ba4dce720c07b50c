// learning: features of matrices in the tuning database, and the problems of matrices like one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/database/packed_features.h"
#include "runtime/database/rows.h"
#include "runtime/database/schema.h"

namespace alphasparse {

namespace {

constexpr std::int64_t at_random_most = 512;  // keys are hashes: their first are as good as drawn
constexpr std::int64_t beside_most = 64;      // on each side of a number

/// Which matrices may be like one, by a number of statements and rows that does not grow with the
/// database.
struct Alike {
  Sqlite& sqlite;
  const Problem& problem;
  const StoredFeatures& features;
  std::map<std::string, bool> matrices;  ///< keys, and whether drawn at random

  template <class... Values>
  std::int64_t take(bool at_random, const std::string& sql, const Values&... values) {
    SqlStatement row(sqlite, sql);
    row.bind(values...);
    std::int64_t count = 0;
    for (; row.step(); ++count) {
      bool& drawn = matrices.try_emplace(row.text(0), false).first->second;
      drawn = drawn || at_random;
    }
    return count;
  }

  void take_all() {
    take(true, "SELECT key FROM matrix WHERE pattern = ?1", problem.matrix.pattern);
    take(true,
         "SELECT matrix FROM problem WHERE device = ?1 AND dtype = ?2 AND regime = ?3 AND "
         "options = ?4 AND sample_nnz IS NULL ORDER BY key LIMIT ?5",
         device_key(problem.device), std::string_view(dtype_name(problem.dtype)),
         std::string_view(regime_name(problem.regime)), problem.options, at_random_most);
    const std::int64_t drawn =
        take(true, "SELECT matrix FROM matrix_features ORDER BY key LIMIT ?1", at_random_most);
    if (drawn < at_random_most) return;  // they are all
    for (const char* const column : likeness_columns) {
      const std::optional<double> number = find_number(features.numbers, column);
      if (!number) continue;
      for (const auto& [side, order] : {std::pair(">=", "ASC"), {"<", "DESC"}}) {
        take(false,
             fmt::format("SELECT matrix FROM matrix_features WHERE version = ?1 AND {0} {1} ?2 "
                         "ORDER BY {0} {2} LIMIT ?3",
                         column, side, order),
             features.version, *number, beside_most);
      }
    }
  }
};

/// Adds the problems of the matrix of this key.
class LearnedReader {
 public:
  explicit LearnedReader(Sqlite& sqlite)
      : features_(sqlite),
        row_(sqlite, fmt::format("SELECT {} FROM problem JOIN matrix ON matrix.key = matrix "
                                 "JOIN device ON device.key = device WHERE problem.matrix = ?1 "
                                 "ORDER BY problem.key",
                                 problem_columns)) {}

  void add(const std::string& matrix, int version, bool at_random,
           std::vector<LearnedProblem>& problems) {
    const std::optional<StoredFeatures> features = features_.of(matrix, version);
    row_.reset();
    row_.bind(matrix);
    while (row_.step())
      problems.push_back({row_.text(0), problem_of_row(row_), features, at_random});
  }

 private:
  FeatureReader features_;
  SqlStatement row_;
};

void sort_by_key(std::vector<LearnedProblem>& problems) {
  std::sort(problems.begin(), problems.end(),
            [](const LearnedProblem& a, const LearnedProblem& b) { return a.key < b.key; });
}

/// Adds the problems with keys that are not there yet.
void add_missing(std::vector<LearnedProblem>& problems, std::vector<LearnedProblem> others) {
  std::set<std::string> known;
  for (const LearnedProblem& each : problems) known.insert(each.key);
  for (LearnedProblem& each : others) {
    if (!known.contains(each.key)) problems.push_back(std::move(each));
  }
}

}  // namespace

void Database::keep_features(const Fingerprints& matrix, const StoredFeatures& features) {
  const std::string key = matrix_key(matrix);
  Transaction transaction(state_->sqlite);
  const std::string kept = insert_features(state_->sqlite, key, features.version, features.numbers);
  state_->sqlite.run("DELETE FROM matrix_features WHERE matrix = ?1 AND version = ?2 AND key <> ?3",
                     key, features.version, kept);
  transaction.commit();
}

std::optional<StoredFeatures> Database::features(const Fingerprints& matrix, int version) {
  return FeatureReader(state_->sqlite).of(matrix_key(matrix), version);
}

std::vector<LearnedProblem> Database::problems_alike(const Problem& problem,
                                                     const StoredFeatures& features) {
  Sqlite& sqlite = state_->sqlite;
  const Snapshot snapshot(sqlite);
  Alike alike{sqlite, problem, features, {}};
  alike.take_all();
  LearnedReader reader(sqlite);
  std::vector<LearnedProblem> problems;
  for (const auto& [matrix, at_random] : alike.matrices)
    reader.add(matrix, features.version, at_random, problems);
  if (state_->base) add_missing(problems, state_->base->problems_alike(problem, features));
  sort_by_key(problems);
  return problems;
}

std::vector<LearnedProblem> Database::read_problems(const std::string& pattern, int version) {
  Sqlite& sqlite = state_->sqlite;
  const Snapshot snapshot(sqlite);
  SqlStatement matrix(sqlite, "SELECT key FROM matrix WHERE pattern = ?1");
  matrix.bind(pattern);
  LearnedReader reader(sqlite);
  std::vector<LearnedProblem> problems;
  while (matrix.step()) reader.add(matrix.text(0), version, true, problems);
  sort_by_key(problems);
  return problems;
}

Outcomes Database::read_outcomes(const std::string& problem) {
  Outcomes outcomes = stored_outcomes(state_->sqlite, problem);
  if (state_->base) outcomes.merge(state_->base->read_outcomes(problem));
  return outcomes;
}

std::vector<Complaint> feature_complaints(Sqlite& sqlite) {
  std::vector<Complaint> complaints;
  FeatureReader reader(sqlite);
  std::string columns;
  for (const char* const column : likeness_columns) columns += fmt::format(", {}", column);
  SqlStatement row(
      sqlite, "SELECT key, matrix, version, names, numbers" + columns + " FROM matrix_features");
  while (row.step()) {
    const auto complain = [&](const char* what) {
      complaints.push_back({"matrix_features", row.text(0), what});
    };
    const auto numbers = reader.unpacked(row.text(3), row.text(4));
    if (!numbers) complain("no finite number for each name");
    if (row.text(0) != features_key(row.text(1), row.text(2), row.text(3), row.text(4)))
      complain("its key is not its content's");
    int index = 5;
    bool same = numbers.has_value();
    for (const char* const column : likeness_columns) {
      const auto number = numbers ? find_number(*numbers, column) : std::nullopt;
      same = same && (number ? !row.null(index) && row.real(index) == *number : row.null(index));
      ++index;
    }
    if (numbers && !same) complain("a number that is not the one of its column");
  }
  return complaints;
}

}  // namespace alphasparse
