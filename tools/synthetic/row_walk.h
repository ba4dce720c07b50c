// row_walk: makes one row after the other, each from the one before.
#pragma once
#include <cstdint>

#include "tools/synthetic/placement.h"
#include "tools/synthetic/steering.h"

namespace alphasparse::synthetic {

class RowWalk {
 public:
  /// `rows` and `cols` in blocks; rows longer than `giant` are no model for the row after them.
  /// `stretch` rows on end have similar lengths.
  RowWalk(const SyntheticOptions& options, std::int64_t rows, std::int64_t cols,
          std::int64_t stretch, std::int64_t giant, Random& random);

  /// The next row, of `length` columns (at most cols). Valid until the next call.
  const Columns& next(std::int64_t length);

 private:
  void keep();
  void keep_pattern(std::size_t first, std::size_t available, std::size_t count);
  void add_new_runs();
  std::int64_t new_column(std::int64_t run);
  void add_run(std::int64_t col, std::int64_t run);
  void attach(std::int64_t count);
  void add_end_runs(std::vector<std::int64_t>& runs);
  void add_end_run(std::vector<std::int64_t>& runs, std::int64_t end);
  bool merge();
  void fill_up(int attempt);
  void take_free(std::int64_t count);
  std::vector<std::int64_t> draw_runs(std::int64_t columns, std::int64_t runs);

  const Archetype& archetype_;
  std::int64_t rows_, cols_, stretch_, giant_;
  Random& random_;
  Steering steering_;
  Placement placement_;
  std::int64_t row_number_ = -1;
  Spot spot_;
  Columns row_;     // being made: ascending, then with fresh ones merged in
  Columns fresh_;   // new columns, in any order
  Columns merged_;  // scratch of merge
  Columns before_;  // the last row that has columns
  Columns model_;   // the last one that is no giant
};

}  // namespace alphasparse::synthetic
