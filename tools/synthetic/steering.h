// steering: how far the rows made so far are from the statistics asked for, and so the shape that
// the next row should have.
//
// A matrix of blocks is made by its block rows, each of `side` rows that are alike; lengths and
// columns are counted in blocks there. Each statistic has an account of the difference owed to the
// target; a row pays back a share of it.
#pragma once
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "tools/synthetic/synthetic.h"

namespace alphasparse::synthetic {

using Columns = std::vector<std::int32_t>;  ///< ascending

class Steering {
 public:
  Steering(const SyntheticOptions& options, int side);

  /// Columns from the row's first to its last that the next row should span, in [1, cols].
  std::int64_t span() const;

  /// Pairs of columns side by side that the next row of this length should have.
  double pairs(std::int64_t length) const;

  /// Share of the row before that the next row should be close to.
  double likeness() const;

  /// Whether rows have been more alike than they should.
  bool too_alike() const { return likeness_owed_ < 0; }

  /// Whether rows have spanned less than they should.
  bool too_narrow() const { return span_owed_ > 0; }

  /// A row without columns.
  void account_empty() { span_owed_ += span_target_; }

  /// `row`, not empty, was made after `before`, the last row that has columns, or none.
  void account(const Columns& before, const Columns& row);

 private:
  int side_;
  std::int64_t cols_;
  double span_target_, pair_target_, likeness_target_;
  double span_owed_ = 0, pairs_owed_ = 0, likeness_owed_ = 0;
};

/// Columns with a right neighbour that is there too.
std::int64_t pair_count(const Columns& row);

/// The share of the entries of `before` that are close to one of `row`, blocks of `side` columns
/// counted as such.
double find_likeness(const Columns& before, const Columns& row, int side);

}  // namespace alphasparse::synthetic
