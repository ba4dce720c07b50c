// layout_checker: the parts of the check of a layout that all kinds share.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/facts/checker.h"
#include "generator/facts/layout.h"
#include "generator/facts/store.h"

namespace alphasparse {

class LayoutChecker : protected Checker {
 public:
  LayoutChecker(const Store& store, const Layout& layout)
      : store_(store),
        layout_(layout),
        col_(store.ints({Level::matrix, Name::nz_col})),
        source_(store.ints({Level::matrix, Name::value_source})),
        row_first_(store.ints({Level::matrix, Name::row_first_nz})),
        threads_(store.level(Level::thread)) {}

 protected:
  using Entries = std::vector<std::int32_t>;

  /// The parts of the record that a kind fills.
  struct Parts {
    bool in_order = false, bitmap = false, blocks = false;
  };

  /// The faults that every kind may have: of sizes, parts, columns and values.
  bool common(const Parts& parts);

  /// Where the threads of each parent begin.
  bool first_entries(int run);
  bool is_offsets(const char* name, const Entries& first, std::size_t count, std::int64_t end);
  const Entries& first_child() const { return store_.ints({threads_->parent, Name::first_child}); }

  /// Whether a position holds a non-zero.
  bool holds(std::int64_t position, std::int64_t nz);

  /// Whether a position is a pad: of a row, or, where `row` is negative, of column `no_row_column`.
  bool is_pad(std::int64_t position, std::int64_t row, std::int32_t no_row_column);

  /// Whether a lane of a gang is cleared if it adds pads alone, and no other one is.
  bool is_cleared_right(std::size_t parent, std::int64_t thread, bool adds_pads_alone);

  const Store& store_;
  const Layout& layout_;
  const Entries &col_, &source_, &row_first_;
  const LevelFacts* threads_;

 private:
  bool sizes(const Parts& parts);
  bool columns_in_range();
  bool every_value_once();

  std::int32_t known_column_ = -1;  ///< the pad that was proved last: most stand in runs
  std::int64_t known_row_ = -1;
};

}  // namespace alphasparse
