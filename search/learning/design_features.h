// design_features: a design on a matrix as a row of numbers for a model. All rows have as many
// numbers, in the same order under the same names.
//
// Names: "main.OP" and "rest.OP" count an operator in the trunk with its first branches, and in all
// other branches. "main.OP.PARAMETER" is an integer's binary logarithm (of 1 + it, where it may be
// 0; of lists the mean, with "...PARAMETER.items" beside it); "main.OP.PARAMETER=WORD" is 1 or 0.
// An operator that occurs several times in a place has the means. A feature that a design does not
// have is missing (NaN), so that a model learns nothing from a number that means nothing.
// "main.gang" and "rest.gang" are the lanes that a CPU's core works on at once, by their logarithm:
// 0 where a thread is a loop, missing on GPUs. Defaults count as given. "matrix.NAME" are features
// of the matrix: counts and lengths by their logarithms, shares as they are.
//
// The names follow from the catalogue, so a new operator has its features by itself; a model that
// was trained before is refused then by its names (surrogate.h).
//
// Example, "compress | thread_rows rows=4 | thread_total | global_store | launch threads=256":
// steps 5, branches 1, main.compress 1, main.thread_rows.rows 2, main.thread_rows.nnz missing,
// main.thread_total.sums=1 1, main.launch.threads 8, rest.launch 0, rest.launch.threads missing.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "operators/design.h"
#include "search/learning/features.h"

namespace alphasparse {

/// Changes with the meaning of any feature; not where features only come or go.
inline constexpr int design_features_version = 1;

/// Unique, in the order of the numbers, without blanks or brackets.
const std::vector<std::string>& design_feature_names();

/// The index of a name that exists.
std::size_t design_feature_index(const std::string& name);

/// The numbers of "matrix.NAME" alone, which say how alike two matrices are.
std::vector<float> matrix_feature_numbers(const Features& matrix);

/// Designs on one matrix.
class DesignFeatures {
 public:
  /// `csr_bytes` of the matrix with the dtype that is searched for, > 0.
  DesignFeatures(const Features& matrix, std::int64_t csr_bytes);

  /// The numbers, finite or NaN; `format_bytes` -1 where not known. Fails where the catalogue
  /// does not know it; whether it applies to the matrix is not asked.
  Result<std::vector<float>> of(const Design& design, std::int64_t format_bytes = -1) const;

 private:
  std::vector<float> matrix_;
  double csr_bytes_;
};

}  // namespace alphasparse
