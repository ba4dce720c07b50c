#include "search/learning/features.h"

#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/ranges.h"
#include "base/result.h"
#include "runtime/system/machine/cores.h"

namespace alphasparse {

namespace {

constexpr std::size_t fullest_count = 10;

double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// How often each key that occurs does: make_key(row, nz) in [0, keys), in no order.
template <class KeyOf>
std::vector<std::int32_t> occurrences(const Matrix& matrix, std::int64_t keys, KeyOf make_key) {
  const auto for_each_key = [&](auto take) {
    for (std::int32_t row = 0; row < matrix.rows; ++row) {
      for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz)
        take(make_key(row, nz));
    }
  };
  std::vector<std::int32_t> counts;
  if (keys <= 8 * matrix.nnz() + 65536) {
    counts.resize(static_cast<std::size_t>(keys));
    for_each_key([&](std::int64_t key) { ++counts[static_cast<std::size_t>(key)]; });
    std::erase(counts, 0);
    return counts;
  }
  std::vector<std::int64_t> all;  // far more keys than entries
  for_each_key([&](std::int64_t key) { all.push_back(key); });
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i] != all[i - 1]) counts.push_back(0);
    ++counts.back();
  }
  return counts;
}

void find_row_lengths(const Matrix& matrix, Features& features) {
  std::vector<std::int32_t> lengths;
  lengths.reserve(static_cast<std::size_t>(matrix.rows));
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) > 0) lengths.push_back(matrix.row_length(row));
  }
  const auto empty_rows = matrix.rows - static_cast<std::int64_t>(lengths.size());
  features.row_lengths = make_distribution(std::move(lengths), empty_rows);
}

void find_col_counts(const Matrix& matrix, Features& features) {
  std::vector<std::int32_t> counts = occurrences(
      matrix, matrix.cols, [&](std::int32_t, std::int32_t nz) { return matrix.col[nz]; });
  const auto empty_cols = matrix.cols - static_cast<std::int64_t>(counts.size());
  features.col_counts = make_distribution(std::move(counts), empty_cols);
}

/// Rows ascend, so in each row the position of the mirror images only moves forward.
void find_symmetry(const Matrix& matrix, Features& features) {
  if (matrix.rows != matrix.cols) return;
  std::vector<std::int32_t> next(matrix.row_first.begin(), matrix.row_first.end() - 1);
  const bool is_complex = matrix.is_complex();
  std::int64_t off_diagonal = 0, mirrored = 0, equal = 0, opposite = 0;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      const std::int32_t col = matrix.col[nz];
      if (col == row) continue;
      ++off_diagonal;
      std::int32_t& mirror = next[col];
      const std::int32_t end = matrix.row_first[col + 1];
      while (mirror < end && matrix.col[mirror] < row) ++mirror;
      if (mirror == end || matrix.col[mirror] != row) continue;
      ++mirrored;
      const double imag = is_complex ? matrix.imag[nz] : 0;
      const double other_imag = is_complex ? matrix.imag[mirror] : 0;
      equal += matrix.value[nz] == matrix.value[mirror] && imag == other_imag;
      opposite += matrix.value[nz] == -matrix.value[mirror] && imag == -other_imag;
    }
  }
  features.pattern_symmetry = off_diagonal == 0 ? 1 : share(mirrored, off_diagonal);
  features.value_symmetry = off_diagonal == 0 ? 1 : share(equal, off_diagonal);
  features.skew_symmetry = off_diagonal == 0 ? 1 : share(opposite, off_diagonal);
}

/// Where the entries of each row lie; the columns of a row ascend.
void find_bandwidth(const Matrix& matrix, Features& features) {
  std::int64_t gaps = 0, gap_total = 0;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int32_t length = matrix.row_length(row);
    if (length == 0) continue;
    const std::int64_t first = matrix.col[matrix.row_first[row]];
    const std::int64_t last = matrix.col[matrix.row_first[row + 1] - 1];
    features.band_below = std::max(features.band_below, row - first);
    features.band_above = std::max(features.band_above, last - row);
    features.profile += std::max<std::int64_t>(0, row - first);
    gaps += length - 1;
    gap_total += last - first;
    const auto begin = matrix.col.begin();
    features.diagonal_entries +=
        std::binary_search(begin + matrix.row_first[row], begin + matrix.row_first[row + 1], row);
  }
  features.col_gap_mean = share(gap_total, gaps);
}

void find_row_similarity(const Matrix& matrix, Features& features) {
  std::int64_t same = 0;
  for (std::int32_t row = 1; row < matrix.rows; ++row) {
    std::int32_t above = matrix.row_first[row - 1];
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      while (above < matrix.row_first[row] && matrix.col[above] < matrix.col[nz]) ++above;
      same += above < matrix.row_first[row] && matrix.col[above] == matrix.col[nz];
    }
  }
  features.row_similarity = share(same, matrix.nnz() - matrix.row_first[1]);
}

/// How many of the ascending columns [col, col_end) have one of [next, next_end) within 1.
std::int64_t close_count(const std::int32_t* col, const std::int32_t* col_end,
                         const std::int32_t* next, const std::int32_t* next_end) {
  std::int64_t close = 0;
  for (; col != col_end; ++col) {
    while (next != next_end && *next < *col - 1) ++next;
    close += next != next_end && *next - 1 <= *col;
  }
  return close;
}

/// Walks the rows of each band of blocks together, one block after another.
BlockFeatures block_features(const Matrix& matrix, int side) {
  std::int64_t blocks = 0, in_full_blocks = 0;
  std::vector<std::int32_t> next;  // next entry of each row of the band
  for (std::int64_t top = 0; top < matrix.rows; top += side) {
    const std::int64_t bottom = std::min<std::int64_t>(top + side, matrix.rows);
    const std::int32_t* const end = &matrix.row_first[static_cast<std::size_t>(top) + 1];
    next.assign(matrix.row_first.begin() + top, matrix.row_first.begin() + bottom);
    while (true) {
      std::int64_t left = index_limit;
      for (std::size_t row = 0; row < next.size(); ++row) {
        if (next[row] < end[row]) left = std::min<std::int64_t>(left, matrix.col[next[row]]);
      }
      if (left == index_limit) break;
      const std::int64_t right = left / side * side + side;
      int entries = 0;
      for (std::size_t row = 0; row < next.size(); ++row) {
        for (; next[row] < end[row] && matrix.col[next[row]] < right; ++next[row]) ++entries;
      }
      ++blocks;
      if (entries == side * side) in_full_blocks += entries;
    }
  }
  return {side, share(in_full_blocks, matrix.nnz()), share(matrix.nnz(), blocks * side * side)};
}

void find_diagonals(const Matrix& matrix, Features& features) {
  const std::int64_t keys = std::int64_t{matrix.rows} + matrix.cols - 1;
  std::vector<std::int32_t> counts =
      occurrences(matrix, keys, [&](std::int32_t row, std::int32_t nz) -> std::int64_t {
        return std::int64_t{matrix.col[nz]} - row + matrix.rows - 1;
      });
  features.diagonals = static_cast<std::int64_t>(counts.size());
  const auto fullest =
      counts.begin() + static_cast<std::ptrdiff_t>(std::min(counts.size(), fullest_count));
  std::partial_sort(counts.begin(), fullest, counts.end(), std::greater<>());
  features.fullest_diagonals =
      share(std::accumulate(counts.begin(), fullest, std::int64_t{0}), matrix.nnz());
}

constexpr std::uint64_t hash_bits(std::uint64_t bits) {
  return (bits ^ (bits >> 32)) * 0x9e3779b97f4a7c15;
}

/// Different bit patterns of finite numbers, in at least twice as many places.
class BitPatterns {
 public:
  explicit BitPatterns(std::size_t expected) : table_(std::bit_ceil(2 * expected + 2), free_slot) {}

  std::int64_t count() const { return count_; }
  void clear() {
    std::fill(table_.begin(), table_.end(), free_slot);
    count_ = 0;
  }
  void add(std::uint64_t bits) {
    std::uint64_t& slot = table_[find_slot(bits)];
    if (slot == bits) return;
    slot = bits;
    if (2 * static_cast<std::size_t>(++count_) > table_.size()) grow();
  }

 private:
  static constexpr std::uint64_t free_slot = 0x7ff0000000000000;  // infinity: no matrix holds it

  /// Where they are, or would be: from the hash's middle bits on, for its highest chose the table.
  std::size_t find_slot(std::uint64_t bits) const {
    const std::size_t last = table_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash_bits(bits) >> 24) & last;
    while (table_[slot] != free_slot && table_[slot] != bits) slot = (slot + 1) & last;
    return slot;
  }

  void grow() {
    const std::vector<std::uint64_t> before =
        std::exchange(table_, std::vector<std::uint64_t>(2 * table_.size(), free_slot));
    for (const std::uint64_t bits : before) {
      if (bits != free_slot) table_[find_slot(bits)] = bits;
    }
  }

  std::vector<std::uint64_t> table_;
  std::int64_t count_ = 0;
};

/// How many different bit patterns. Many values are counted a part of all hashes at a time, because
/// every look into a table for all would wait for memory.
std::int64_t distinct_count(const std::vector<double>& values) {
  constexpr std::size_t of_a_part = std::size_t{1} << 18;
  const std::size_t parts = std::bit_ceil(values.size() / of_a_part + 1);
  const int part_bits = std::countr_zero(parts);
  const auto find_part = [&](std::uint64_t bits) -> std::size_t {
    return parts == 1 ? 0 : hash_bits(bits) >> (64 - part_bits);
  };
  std::vector<std::size_t> first(parts + 1, 0);  // of each part, among all
  for (const double value : values) ++first[find_part(std::bit_cast<std::uint64_t>(value)) + 1];
  for (std::size_t part = 0; part < parts; ++part) first[part + 1] += first[part];
  std::vector<std::uint64_t> by_part(values.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    by_part[next[find_part(bits)]++] = bits;
  }
  std::atomic<std::int64_t> distinct = 0;
  for_ranges(
      static_cast<std::int64_t>(parts),
      [&](std::int64_t begin, std::int64_t end) {
        BitPatterns patterns(std::min(values.size(), of_a_part));
        for (auto part = static_cast<std::size_t>(begin); part < static_cast<std::size_t>(end);
             ++part) {
          patterns.clear();
          for (std::size_t i = first[part]; i < first[part + 1]; ++i) patterns.add(by_part[i]);
          distinct += patterns.count();
        }
      },
      1);
  return distinct;
}

void find_values(const Matrix& matrix, Features& features) {
  const auto is_beyond = [](double part) {
    return static_cast<double>(static_cast<float>(part)) != part;
  };
  if (!matrix.is_complex()) {
    for (const double value : matrix.value) {
      features.stored_zeros += value == 0;
      features.beyond_f32 += is_beyond(value);
    }
    features.distinct_values = distinct_count(matrix.value);
    return;
  }
  std::vector<double> hashes;  // bits of both parts: no two of 64 bits are likely to meet
  for (std::size_t nz = 0; nz < matrix.value.size(); ++nz) {
    const double both[] = {matrix.value[nz], matrix.imag[nz]};
    features.stored_zeros += both[0] == 0 && both[1] == 0;
    features.beyond_f32 += is_beyond(both[0]) || is_beyond(both[1]);
    hashes.push_back(std::bit_cast<double>(std::uint64_t{XXH3_64bits(both, sizeof both)}));
  }
  features.distinct_values = distinct_count(hashes);
}

}  // namespace

Distribution make_distribution(std::vector<std::int32_t> lengths, std::int64_t zeros) {
  const std::int64_t total = zeros + static_cast<std::int64_t>(lengths.size());
  CHECK(total > 0);
  std::sort(lengths.begin(), lengths.end());
  const auto at = [&](std::int64_t rank) -> std::int64_t {  // rank from 0, ascending
    return rank < zeros ? 0 : lengths[static_cast<std::size_t>(rank - zeros)];
  };
  const auto count = static_cast<double>(total);
  Distribution result;
  result.empty = zeros;
  result.min = at(0);
  result.max = at(total - 1);
  result.mean = std::accumulate(lengths.begin(), lengths.end(), 0.0) / count;
  double cubes = -std::pow(result.mean, 3) * (static_cast<double>(zeros) / count);
  result.variance = result.mean * result.mean * (static_cast<double>(zeros) / count);
  for (const std::int32_t length : lengths) {
    const double distance = length - result.mean;
    result.variance += distance * distance / count;
    cubes += distance * distance * distance / count;
  }
  if (result.min < result.max) result.skew = cubes / std::pow(result.variance, 1.5);
  for (std::size_t i = 0; i < quantile_shares.size(); ++i) {
    const auto rank = static_cast<std::int64_t>(std::ceil(quantile_shares[i] * count)) - 1;
    result.quantiles[i] = at(std::clamp<std::int64_t>(rank, 0, total - 1));
  }
  return result;
}

Locality find_locality(const Matrix& matrix) {
  std::int64_t widths = 0, adjacent = 0, rows_stored = 0, before = -1;
  double similarities = 0;
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    if (matrix.row_length(row) == 0) continue;
    const std::int32_t* const first = &matrix.col[matrix.row_first[row]];
    const std::int32_t* const end = first + matrix.row_length(row);
    ++rows_stored;
    widths += end[-1] - first[0];
    for (const std::int32_t* col = first + 1; col != end; ++col) adjacent += *col - 1 == col[-1];
    if (before >= 0) {
      const std::int32_t* const above = &matrix.col[matrix.row_first[before]];
      const std::int32_t length = matrix.row_length(static_cast<std::int32_t>(before));
      similarities += share(close_count(above, above + length, first, end), length);
    }
    before = row;
  }
  Locality locality;
  locality.bandwidth = share(widths, matrix.rows) / matrix.cols;
  locality.neighbours = 2 * share(adjacent, matrix.nnz());
  if (rows_stored > 0) locality.similarity = similarities / static_cast<double>(rows_stored);
  return locality;
}

Features compute_features(const Matrix& matrix) {
  Features features;
  features.rows = matrix.rows;
  features.cols = matrix.cols;
  features.nnz = matrix.nnz();
  std::vector<std::function<void()>> parts = {
      [&] { find_row_lengths(matrix, features); },
      [&] { find_col_counts(matrix, features); },
      [&] { find_symmetry(matrix, features); },
      [&] { find_bandwidth(matrix, features); },
      [&] { features.locality = find_locality(matrix); },
      [&] { find_row_similarity(matrix, features); },
      [&] { find_diagonals(matrix, features); },
  };
  for (BlockFeatures& blocks : features.blocks)
    parts.emplace_back([&] { blocks = block_features(matrix, blocks.side); });
  const bool is_small = matrix.nnz() + matrix.rows < range_least;
  parallel_for(parts.size(), is_small ? 1 : machine_threads(),
               [&](std::size_t part, std::size_t) { parts[part](); });
  find_values(matrix, features);  // by all cores itself, and it takes as much memory as the values
  return features;
}

}  // namespace alphasparse
