#include "generator/facts/contract.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "generator/facts/checker.h"

namespace alphasparse {

namespace {

using Entries = std::vector<std::int32_t>;

class StoreChecker : Checker {
 public:
  explicit StoreChecker(const Store& store) : store_(store) {}

  std::string first_violation() {
    bool good = matrix_arrays() && one_triangle() && every_value() && rows_in_order() &&
                row_facts() && bands() && no_stray_arrays() && settings();
    for (std::size_t index = 0; good && index < store_.levels().size(); ++index) {
      const LevelFacts& level = store_.levels()[index];
      good = nesting(level, index) && (level.tiling == Tiling::lanes ? lanes(level) : parts(level));
    }
    return violation_;
  }

 private:
  bool has_size(Key key, std::int64_t size, const char* shape) {
    if (!store_.has(key)) return fail("{} is missing", key_text(key));
    const std::size_t found = store_.ints(key).size();
    if (found == static_cast<std::size_t>(size)) return true;
    return fail("{} has {} entries, not {} ({})", key_text(key), found, size, shape);
  }

  bool is_offsets(Key key, std::int64_t end) {
    const Entries& entries = store_.ints(key);
    if (entries.front() != 0) return fail("{}[0] is {}, not 0", key_text(key), entries.front());
    for (std::size_t i = 1; i < entries.size(); ++i) {
      if (entries[i] < entries[i - 1]) {
        return fail("{}[{}] is {}, less than the {} before it", key_text(key), i, entries[i],
                    entries[i - 1]);
      }
    }
    if (entries.back() == end) return true;
    return fail("{}[{}] is {}, not {}, the end", key_text(key), entries.size() - 1, entries.back(),
                end);
  }

  bool in_range(Key key, std::int64_t end, std::int32_t begin = 0) {
    const Entries& entries = store_.ints(key);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] < begin || entries[i] >= end) {
        return fail("{}[{}] is {}, not in [{}, {})", key_text(key), i, entries[i], begin, end);
      }
    }
    return true;
  }

  /// Every entry of [0, end) at most once; -1 as often as it likes, where `begin` bindings it.
  bool is_distinct(Key key, std::int64_t end, std::int32_t begin = 0) {
    if (!in_range(key, end, begin)) return false;
    std::vector<bool> seen(end, false);
    const Entries& entries = store_.ints(key);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i] < 0) continue;
      if (seen[entries[i]]) {
        return fail("{}[{}] is {}, as an entry before it", key_text(key), i, entries[i]);
      }
      seen[entries[i]] = true;
    }
    return true;
  }

  // ---- the matrix level

  std::int32_t least() const { return store_.filled ? -1 : 0; }

  bool matrix_arrays() {
    return has_size(row_first_, std::int64_t{store_.rows()} + 1, "rows + 1") &&
           is_offsets(row_first_, store_.nnz()) && has_size(origin_, store_.rows(), "rows") &&
           is_distinct(origin_, store_.callers_rows()) && has_size(col_, store_.nnz(), "nnz") &&
           in_range(col_, store_.cols(), least()) && has_size(source_, store_.nnz(), "nnz") &&
           is_distinct(source_, store_.callers_nnz(), least());
  }

  /// A branch has some of the canonical values only. Where mirror images are left out, each is the
  /// image of one that is there.
  bool every_value() {
    if (!store_.description.empty()) return true;
    const Entries& source = store_.ints(source_);
    std::int64_t owned = std::count_if(source.begin(), source.end(), [](int s) { return s >= 0; });
    for_each_position([&](std::int32_t row, std::int32_t nz) {
      const Entries &col = store_.ints(col_), &origin = store_.ints(origin_);
      owned += store_.mirrored() && source[nz] >= 0 && col[nz] != origin[row];
      return true;
    });
    return is_fact("matrix", "callers_nnz", store_.callers_nnz(), owned);
  }

  bool one_triangle() {
    if (!store_.mirrored()) return true;
    if (store_.mirror != store_.callers_mirror())
      return fail("mirrored, but the matrix is not {}", mirror_kind(store_.mirror).matrix);
    return for_each_position([&](std::int32_t row, std::int32_t nz) {
      const std::int32_t col = store_.ints(col_)[nz], diagonal = store_.ints(origin_)[row];
      if (col >= diagonal || col < 0) return true;
      return fail("{}[{}] is {}, below the diagonal of row {}, but its mirror image is kept",
                  key_text(col_), nz, col, diagonal);
    });
  }

  /// Calls good(row, nz) for every position, until one call returns false.
  template <class Good>
  bool for_each_position(Good good) {
    const Entries& first = store_.ints(row_first_);
    for (std::int32_t row = 0; row < store_.rows(); ++row) {
      for (std::int32_t nz = first[row]; nz < first[row + 1]; ++nz) {
        if (!good(row, nz)) return false;
      }
    }
    return true;
  }

  bool rows_in_order() {
    const Entries& origin = store_.ints(origin_);
    for (std::int32_t row = 0; store_.rows_in_callers_order() && row < store_.rows(); ++row) {
      if (origin[row] == row) continue;
      return fail("{}[{}] is {}, but the store says that no row has moved", key_text(origin_), row,
                  origin[row]);
    }
    return true;
  }

  bool row_facts() {
    const Entries& first = store_.ints(row_first_);
    RowFacts recount;
    recount.length_min = store_.rows() == 0 ? 0 : first[1];
    double squares = 0;
    for (std::int32_t row = 0; row < store_.rows(); ++row) {
      const std::int32_t length = first[row + 1] - first[row];
      recount.length_min = std::min(recount.length_min, length);
      recount.length_max = std::max(recount.length_max, length);
      recount.empty_rows += length == 0;
      squares += static_cast<double>(length) * length;
    }
    const RowFacts& facts = store_.row_facts();
    const double rows = std::max(1, store_.rows());
    const double mean = static_cast<double>(store_.nnz()) / rows;
    const double variance = squares / rows - mean * mean;
    return is_fact("matrix", "length_min", facts.length_min, recount.length_min) &&
           is_fact("matrix", "length_max", facts.length_max, recount.length_max) &&
           is_fact("matrix", "empty_rows", facts.empty_rows, recount.empty_rows) &&
           is_close("length_mean", facts.length_mean, mean, mean) &&
           is_close("length_variance", facts.length_variance, variance, squares / rows);
  }

  /// The rows of a band have the same blocks, so many positions in each.
  bool bands() {
    if (store_.blocks.rows == 0) return true;
    const Entries& first = store_.ints(row_first_);
    for (std::int32_t row = 0; row < store_.rows(); ++row) {
      const std::int32_t length = first[row + 1] - first[row];
      const std::int32_t begin = row / store_.blocks.rows * store_.blocks.rows;
      if (length % store_.blocks.cols == 0 && length == first[begin + 1] - first[begin]) continue;
      return fail("row {} has {} positions, but its band has {}, of blocks of {} columns", row,
                  length, first[begin + 1] - first[begin], store_.blocks.cols);
    }
    return true;
  }

  bool is_fact(const char* level, const char* fact, std::int64_t cached, std::int64_t recount) {
    if (cached == recount) return true;
    return fail("{}: {} is {}, a recount gives {}", level, fact, cached, recount);
  }

  bool is_close(const char* fact, double cached, double recount, double scale) {
    if (std::abs(cached - recount) <= 1e-9 * (1 + scale)) return true;
    return fail("matrix: {} is {:.6g}, a recount gives {:.6g}", fact, cached, recount);
  }

  // ---- the open levels

  bool no_stray_arrays() {
    for (const auto& [key, data] : store_.arrays()) {
      if (key.level == Level::matrix || store_.level(key.level)) continue;
      return fail("{} is there, but no {} level is open", key_text(key), level_name(key.level));
    }
    return true;
  }

  /// The settings of the store as a whole fit together.
  bool settings() {
    if (store_.gathers_x() && !every_column_once()) return false;
    if (!store_.compressed && !store_.listed && store_.innermost()) {
      return fail("a level is open, but the matrix is not compressed");
    }
    if (!store_.is_reducing() == (store_.partial.shape == Shape::none)) return true;
    return fail("the partial is not what the chain has come to");
  }

  bool every_column_once() {
    const Key key{Level::matrix, Name::col_origin};
    return has_size(key, store_.cols(), "cols") && is_distinct(key, store_.cols());
  }

  bool nesting(const LevelFacts& level, std::size_t index) {
    const Level outer = index == 0 ? Level::matrix : store_.levels()[index - 1].level;
    if (level.level <= outer) {
      return fail("{}: it is open inside the {} level", level_name(level.level), level_name(outer));
    }
    if (level.parent == outer) return true;
    return fail("{}: its parent is said to be {}, not {}", level_name(level.level),
                level_name(level.parent), level_name(outer));
  }

  /// Lanes are not enumerated: there is nothing but facts.
  bool lanes(const LevelFacts& level) {
    const char* name = level_name(level.level);
    const RowFacts& rows = store_.row_facts();
    const bool power_of_two = level.lanes > 1 && (level.lanes & (level.lanes - 1)) == 0;
    if (!power_of_two || level.lanes > 32) {
      return fail("{}: {} lanes are no power of two from 2 to 32", name, level.lanes);
    }
    const LevelFacts* parent = store_.level(level.parent);
    const bool of_part = parent && parent->tiling == Tiling::cols;
    const std::int64_t longest = of_part ? parent->nz_max : rows.length_max;
    const std::int64_t shortest = of_part ? parent->nz_min : rows.length_min;
    return is_fact(name, "units", level.parts, 0) && is_fact(name, "rows_max", level.rows_max, 1) &&
           is_fact(name, "nz_max", level.nz_max, (longest + level.lanes - 1) / level.lanes) &&
           is_fact(name, "nz_min", level.nz_min, shortest / level.lanes) &&
           is_fact(name, "children_max", level.children_max, 0);
  }

  bool parts(const LevelFacts& level) {
    const Key first_nz{level.level, Name::first_nz}, first_row{level.level, Name::first_row};
    const Key first_child{level.parent, Name::first_child};
    const bool by_rows = level.tiling == Tiling::rows || level.tiling == Tiling::merge;
    const LevelFacts* parent = store_.level(level.parent);
    const std::int64_t parents = parent ? parent->parts : 1;
    return has_size(first_nz, level.parts + 1, "units + 1") && is_offsets(first_nz, store_.nnz()) &&
           has_size(first_row, level.parts + by_rows, by_rows ? "units + 1" : "units") &&
           (level.tiling == Tiling::rows    ? parts_of_rows(level)
            : level.tiling == Tiling::merge ? parts_of_path(level)
                                            : parts_of_nnz(level)) &&
           has_size(first_child, parents + 1, "units + 1") &&
           is_offsets(first_child, level.parts) && children_meet(level, parent) &&
           (!has_part_size(level) || full_parts(level)) && level_facts(level);
  }

  bool parts_of_rows(const LevelFacts& level) {
    const Key first_row_key{level.level, Name::first_row};
    if (!is_offsets(first_row_key, store_.rows())) return false;
    const Entries& first_row = store_.ints(first_row_key);
    const Entries& first_nz = store_.ints({level.level, Name::first_nz});
    const Entries& row_first = store_.ints(row_first_);
    for (std::int64_t part = 0; part < level.parts; ++part) {
      const std::int32_t expected = row_first[first_row[part]];
      if (first_nz[part] == expected) continue;
      return fail("{}[{}] is {}, not {}, where its first row {} begins",
                  key_text({level.level, Name::first_nz}), part, first_nz[part], expected,
                  first_row[part]);
    }
    return true;
  }

  bool parts_of_nnz(const LevelFacts& level) {
    const Key first_row_key{level.level, Name::first_row};
    const std::string nz_text = key_text({level.level, Name::first_nz});
    if (!in_range(first_row_key, store_.rows())) return false;
    const Entries& first_row = store_.ints(first_row_key);
    const Entries& first_nz = store_.ints({level.level, Name::first_nz});
    const Entries& row_first = store_.ints(row_first_);
    for (std::int64_t part = 0; part < level.parts; ++part) {
      const std::int32_t nz = first_nz[part], row = first_row[part], end = first_nz[part + 1];
      if (nz == end) return fail("{}[{}] is {}: an empty unit", nz_text, part, nz);
      if (nz < row_first[row] || nz >= row_first[row + 1]) {
        return fail("{}[{}] is {}, which is not the row of non-zero {}", key_text(first_row_key),
                    part, row, nz);
      }
      if (level.tiling == Tiling::cols && end > row_first[row + 1]) {
        return fail("{}[{}] is {}, beyond the row {} of its unit", nz_text, part + 1, end, row);
      }
    }
    return true;
  }

  static bool has_part_size(const LevelFacts& level) {
    return level.tiling == Tiling::nnz || level.tiling == Tiling::merge;
  }

  /// Every part begins where a row's non-zeros are all taken only if its end is too.
  bool parts_of_path(const LevelFacts& level) {
    const Key first_row_key{level.level, Name::first_row};
    if (!is_offsets(first_row_key, store_.rows())) return false;
    const Entries& first_row = store_.ints(first_row_key);
    const Entries& first_nz = store_.ints({level.level, Name::first_nz});
    const Entries& row_first = store_.ints(row_first_);
    for (std::int64_t part = 0; part < level.parts; ++part) {
      const std::int32_t row = first_row[part], nz = first_nz[part];
      if (row < store_.rows() && nz >= row_first[row] && nz <= row_first[row + 1]) continue;
      return fail("({}, {}) of {} {} is not on the merge path", row, nz, level_name(level.level),
                  part);
    }
    return true;
  }

  bool children_meet(const LevelFacts& level, const LevelFacts* parent) {
    if (!parent) return true;
    const Entries& first_child = store_.ints({level.parent, Name::first_child});
    const bool both_rows = level.tiling == parent->tiling &&
                           (level.tiling == Tiling::rows || level.tiling == Tiling::merge);
    for (const Name name : {Name::first_nz, Name::first_row}) {
      if (name == Name::first_row && !both_rows) continue;
      const Entries& ours = store_.ints({level.level, name});
      const Entries& parents = store_.ints({level.parent, name});
      for (std::int64_t part = 0; part < parent->parts; ++part) {
        const std::int32_t child = first_child[part];
        if (ours[child] == parents[part]) continue;
        return fail("{}[{}] is {}, not {}, where {} {} begins", key_text({level.level, name}),
                    child, ours[child], parents[part], level_name(level.parent), part);
      }
    }
    return true;
  }

  /// Only the last part of a parent may be incomplete.
  bool full_parts(const LevelFacts& level) {
    const Entries& first_child = store_.ints({level.parent, Name::first_child});
    const Entries& first_nz = store_.ints({level.level, Name::first_nz});
    const Entries& first_row = store_.ints({level.level, Name::first_row});
    for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
      for (std::int32_t part = first_child[parent]; part < first_child[parent + 1]; ++part) {
        std::int32_t part_size = first_nz[part + 1] - first_nz[part];
        if (level.tiling == Tiling::merge) part_size += first_row[part + 1] - first_row[part];
        const bool last = part + 1 == first_child[parent + 1];
        if (part_size == level.part_size || (last && part_size < level.part_size)) continue;
        return fail("{}[{}] is {}: a unit of {} {}, not {}",
                    key_text({level.level, Name::first_nz}), part + 1, first_nz[part + 1],
                    part_size, level.tiling == Tiling::nnz ? "non-zeros" : "items",
                    level.part_size);
      }
    }
    return true;
  }

  bool level_facts(const LevelFacts& level) {
    const Entries& first_nz = store_.ints({level.level, Name::first_nz});
    const Entries& first_row = store_.ints({level.level, Name::first_row});
    const Entries& first_child = store_.ints({level.parent, Name::first_child});
    LevelFacts recount;
    recount.nz_min = level.parts == 0 ? 0 : first_nz[1];
    recount.rows_max = level.tiling == Tiling::cols ? 1 : 0;
    recount.descending = true;
    for (std::int64_t part = 0; part < level.parts; ++part) {
      recount.nz_max = std::max(recount.nz_max, first_nz[part + 1] - first_nz[part]);
      recount.nz_min = std::min(recount.nz_min, first_nz[part + 1] - first_nz[part]);
      if (level.tiling != Tiling::rows) continue;
      recount.rows_max = std::max(recount.rows_max, first_row[part + 1] - first_row[part]);
      recount.row_multiple = std::gcd(recount.row_multiple, first_row[part]);
    }
    for (std::size_t parent = 0; parent + 1 < first_child.size(); ++parent) {
      recount.children_max =
          std::max(recount.children_max, first_child[parent + 1] - first_child[parent]);
      for (std::int32_t part = first_child[parent] + 1; part < first_child[parent + 1]; ++part) {
        const bool longer =
            first_nz[part + 1] - first_nz[part] > first_nz[part] - first_nz[part - 1];
        recount.descending = recount.descending && !longer;
      }
    }
    const char* name = level_name(level.level);
    return is_fact(name, "nz_max", level.nz_max, recount.nz_max) &&
           is_fact(name, "nz_min", level.nz_min, recount.nz_min) &&
           is_fact(name, "rows_max", level.rows_max, recount.rows_max) &&
           is_fact(name, "row_multiple", level.row_multiple, recount.row_multiple) &&
           is_fact(name, "children_max", level.children_max, recount.children_max) &&
           is_fact(name, "descending", level.descending, recount.descending) &&
           (has_part_size(level) || is_fact(name, "items", level.part_size, 0)) &&
           is_fact(name, "lanes", level.lanes, 0);
  }

  static constexpr Key row_first_{Level::matrix, Name::row_first_nz};
  static constexpr Key origin_{Level::matrix, Name::row_origin};
  static constexpr Key col_{Level::matrix, Name::nz_col};
  static constexpr Key source_{Level::matrix, Name::value_source};

  const Store& store_;
};

}  // namespace

std::string check_store(const Store& store) { return StoreChecker(store).first_violation(); }

}  // namespace alphasparse
