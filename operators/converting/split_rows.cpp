// bin_rows, row_split: branches of whole rows (the paper's BIN and ROW_DIV) - rows of like length
// wherever they lie, or bands of neighbouring rows, cut by a strategy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "operators/all_operators.h"
#include "operators/converting/splits.h"

namespace alphasparse {

namespace {

std::int32_t row_length(const std::vector<std::int32_t>& first, std::int32_t row) {
  return first[row + 1] - first[row];
}

// ---- bin_rows

int bins(const Arguments& arguments) {
  return static_cast<int>(arguments.integers("at").size()) + 1;
}

std::vector<std::string> bin_names(const std::vector<std::int64_t>& at) {
  std::vector<std::string> description{fmt::format("rows of fewer than {} non-zeros", at.front())};
  for (std::size_t i = 1; i < at.size(); ++i) {
    description.push_back(fmt::format("rows of {} to {} non-zeros", at[i - 1], at[i] - 1));
  }
  description.push_back(fmt::format("rows of at least {} non-zeros", at.back()));
  return description;
}

Result<std::vector<Store>> split_bins(const Store& store, const Arguments& arguments) {
  const std::vector<std::int64_t> at = arguments.integers("at");
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  return split_by_rows(store, bin_names(at), [&](std::int32_t row) {
    return static_cast<int>(std::upper_bound(at.begin(), at.end(), row_length(first, row)) -
                            at.begin());
  });
}

// ---- row_split

/// Where to cut so that every part has as many rows as the others.
std::vector<std::int32_t> bounds_by_rows(const Store& store, int parts) {
  std::vector<std::int32_t> bounds;
  for (int part = 1; part < parts; ++part) {
    bounds.push_back(static_cast<std::int32_t>(std::int64_t{store.rows()} * part / parts));
  }
  return bounds;
}

/// The same for non-zeros.
std::vector<std::int32_t> bounds_by_nnz(const Store& store, int parts) {
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  std::vector<std::int32_t> bounds;
  for (int part = 1; part < parts; ++part) {
    const std::int64_t target = store.nnz() * part / parts;
    const auto at = std::lower_bound(first.begin(), first.end(), target);
    bounds.push_back(static_cast<std::int32_t>(at - first.begin()));
  }
  return bounds;
}

/// Bands of rows of like length: cut by cut, where it lowers the squared deviation of the
/// logarithms of the lengths from their band's mean the most.
class LengthBands {
 public:
  explicit LengthBands(const std::vector<std::int32_t>& first) : sum_{0}, squares_{0} {
    for (std::size_t row = 0; row + 1 < first.size(); ++row) {
      const double length = std::log2(1.0 + first[row + 1] - first[row]);
      sum_.push_back(sum_.back() + length);
      squares_.push_back(squares_.back() + length * length);
    }
  }

  std::vector<std::int32_t> bounds(int parts) const {
    std::vector<std::int32_t> ends{0, static_cast<std::int32_t>(sum_.size()) - 1};
    while (static_cast<int>(ends.size()) <= parts) {
      double most = 0;
      std::int32_t best = ends[ends.size() - 2];
      for (std::size_t band = 0; band + 1 < ends.size(); ++band) {
        const double whole = deviation(ends[band], ends[band + 1]);
        for (std::int32_t bound = ends[band] + 1; bound < ends[band + 1]; ++bound) {
          const double gain =
              whole - deviation(ends[band], bound) - deviation(bound, ends[band + 1]);
          if (gain <= most) continue;
          most = gain;
          best = bound;
        }
      }
      ends.insert(std::upper_bound(ends.begin(), ends.end() - 1, best), best);
    }
    return {ends.begin() + 1, ends.end() - 1};
  }

 private:
  double deviation(std::int32_t begin, std::int32_t end) const {
    const double sum = sum_[end] - sum_[begin];
    return squares_[end] - squares_[begin] - sum * sum / std::max(1, end - begin);
  }

  std::vector<double> sum_, squares_;  ///< of the rows before
};

std::vector<std::int32_t> row_bounds(const Store& store, const Arguments& arguments) {
  const auto parts = static_cast<int>(arguments.integer("parts"));
  const std::string& by = arguments.text("by");
  if (by == "rows") return bounds_by_rows(store, parts);
  if (by == "nnz") return bounds_by_nnz(store, parts);
  return LengthBands(store.ints({Level::matrix, Name::row_first_nz})).bounds(parts);
}

int row_parts(const Arguments& arguments) { return static_cast<int>(arguments.integer("parts")); }

Result<std::vector<Store>> split_rows(const Store& store, const Arguments& arguments) {
  const std::vector<std::int32_t> bounds = row_bounds(store, arguments);
  std::vector<std::string> description;
  for (std::size_t i = 0; i <= bounds.size(); ++i) {
    description.push_back(fmt::format("rows {} to {}", i == 0 ? 0 : bounds[i - 1],
                                      (i == bounds.size() ? store.rows() : bounds[i]) - 1));
  }
  return split_by_rows(store, description, [&](std::int32_t row) {
    return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), row) - bounds.begin());
  });
}

}  // namespace

const Operator bin_rows = {
    .name = "bin_rows",
    .stage = Stage::converting,
    .paper = "BIN",
    .doc = "sorts the rows into bins by their length; every bin is a branch",
    .parameters = {{.name = "at",
                    .doc = "fewest non-zeros of a row of the second bin, the third, ...",
                    .least = 1,
                    .most = index_limit,
                    .is_list = true}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(0.3 + at.spread); },
    .branches = bins,
    .split = split_bins,
};

const Operator row_split = {
    .name = "row_split",
    .stage = Stage::converting,
    .paper = "ROW_DIV",
    .doc = "cuts the matrix into bands of rows; every band is a branch",
    .parameters = {{.name = "parts", .doc = "bands", .least = 2, .most = 64},
                   {.name = "by",
                    .doc =
                        "nnz: bands of as many non-zeros; rows: of as many rows; length: cut where "
                        "the row length changes",
                    .fallback = "nnz",
                    .choices = {"nnz", "rows", "length"}}},
    .required = matrix_keys(),
    .provided = {},
    .invalidated = matrix_keys(),
    .applies = cannot_split,
    .apply = nullptr,
    .weight = [](const WeightContext& at) { return at.branch_weight(0.3 + 0.2 * at.spread); },
    .branches = row_parts,
    .split = split_rows,
};

}  // namespace alphasparse
