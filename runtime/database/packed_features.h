// packed_features: the features of a matrix as a row holds them - the names once for many
// matrices, the numbers as bytes.
//
// {"rows": 3, "nnz": 5} is the row ["rows","nnz"] of feature_names, and 16 bytes in a row of
// matrix_features. A number among likeness_columns is a column too, for its index.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/database/learning.h"
#include "runtime/system/sqlite.h"

namespace alphasparse {

using FeatureNumbers = std::vector<std::pair<std::string, double>>;

/// Adds a row, and one of its names where they are new. Its numbers are finite. Returns its key.
std::string insert_features(Sqlite& sqlite, const std::string& matrix, std::int64_t version,
                            const FeatureNumbers& numbers);

/// Reads rows of matrix_features; values that many of them share are read once.
class FeatureReader {
 public:
  explicit FeatureReader(Sqlite& sqlite);

  /// The features of a matrix key; the first that can be read.
  std::optional<StoredFeatures> of(const std::string& matrix, int version);

  /// Nothing where names or numbers cannot be read, or are not as many.
  std::optional<FeatureNumbers> unpacked(const std::string& names, const std::string& bytes);

 private:
  const std::vector<std::string>& read_names(const std::string& key);

  Sqlite& sqlite_;
  SqlStatement rows_;
  std::map<std::string, std::vector<std::string>> names_;  ///< by key; empty: none that are read
};

/// The number of a name, if there is one.
std::optional<double> find_number(const FeatureNumbers& numbers, std::string_view name);

/// The key that the row of these contents has.
std::string features_key(const std::string& matrix, const std::string& version,
                         const std::string& names, const std::string& bytes);

}  // namespace alphasparse
