#include "tools/synthetic/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/random.h"
#include "tools/synthetic/row_lengths.h"
#include "tools/synthetic/row_walk.h"
#include "tools/synthetic/stencil.h"

namespace alphasparse {

using namespace synthetic;

namespace {

constexpr std::uint64_t length_stream = 1, pattern_stream = 2, value_stream = 3, imag_stream = 4;
constexpr double giant_length = 32;  // times the mean

Failure rejected(const std::string& reason) { return Failure{Status::pruned, reason}; }

/// An option that is a number in a range.
struct Bound {
  const char* name;
  double value, least, most;
};

/// Whether so many rows have less than two entries that the others cannot make up the bandwidth.
bool too_short(const std::vector<std::int32_t>& ascending, const SyntheticOptions& options) {
  const auto wide =
      std::count_if(ascending.begin(), ascending.end(), [](auto length) { return length > 1; });
  return 0.95 * static_cast<double>(wide) <
         options.bandwidth * static_cast<double>(ascending.size());
}

/// The lengths of the rows, or of the rows of blocks.
Result<std::vector<std::int32_t>> draw_lengths(const SyntheticOptions& options,
                                               std::int64_t stretch) {
  const Archetype& archetype = find_archetype(options.kind);
  const double side = archetype.side;
  LengthRequest request;
  request.rows = (options.rows + archetype.side - 1) / archetype.side;
  request.mean = options.mean / side;
  request.std = options.std / side;
  request.least = std::min<std::int64_t>(archetype.least, std::llround(std::floor(request.mean)));
  request.most = std::llround(options.mean * (1 + options.skew) / side);
  request.most = std::max<std::int64_t>(request.most, std::llround(std::ceil(request.mean)));
  if (request.most > options.cols / archetype.side)
    return rejected(fmt::format(
        "--mean {:.6g} and --skew {:.6g} make a row of {} entries, more than the {} columns",
        options.mean, options.skew, request.most * archetype.side, options.cols));
  Result<std::vector<std::int32_t>> ascending = ascending_lengths(request);
  if (options.kind == ArchetypeKind::circuit || (ascending && too_short(*ascending, options))) {
    Result<std::vector<std::int32_t>> apart = lengths_with_giants(request);
    if (apart) ascending = std::move(apart);
  }
  if (!ascending) {
    const char* note = archetype.side == 1 ? "" : ", counted in blocks";
    return rejected(
        fmt::format("--mean, --std and --skew do not go together: {}{}", ascending.reason(), note));
  }
  Random random(options.seed, length_stream);
  return shuffled_lengths(*ascending, stretch, random);
}

/// Rows that are alike are about equally long: the more alike, the longer such a stretch.
std::int64_t find_stretch(const SyntheticOptions& options) {
  const int side = find_archetype(options.kind).side;
  const double likeness = options.similarity * side - (side - 1);
  return likeness < 0.25 ? 1 : static_cast<std::int64_t>(4 / (1.02 - likeness));
}

/// Adds `rows` rows, each a row of blocks spread out.
void append(Matrix& matrix, const Columns& blocks, int side, std::int64_t rows) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (const std::int32_t block : blocks) {
      for (int i = 0; i < side; ++i) matrix.col.push_back(block * side + i);
    }
    matrix.row_first.push_back(static_cast<std::int32_t>(matrix.col.size()));
  }
}

template <class Walk>
void walk_rows(Matrix& matrix, Walk& walk, const std::vector<std::int32_t>& lengths, int side) {
  for (const std::int32_t length : lengths) {
    const std::int64_t left =
        matrix.rows - (static_cast<std::int64_t>(matrix.row_first.size()) - 1);
    append(matrix, walk.next(length), side, std::min<std::int64_t>(side, left));
  }
}

/// So many values, or one part of each.
std::vector<double> draw_values(std::size_t count, const SyntheticOptions& options,
                                std::uint64_t stream) {
  constexpr std::array<double, 8> few = {1, -1, 0.5, -0.5, 2, -2, 0.25, 3};
  std::vector<double> values;
  values.reserve(count);
  Random random(options.seed, stream);
  for (std::size_t nz = 0; nz < count; ++nz) {
    double value = 1;
    if (options.values == SyntheticValues::few) value = few[random.bits() >> 61];
    if (options.values == SyntheticValues::random) {
      value = static_cast<double>(1 + random.below(999'999'999)) / 1e9;
      if ((random.bits() & 1) != 0) value = -value;
    }
    values.push_back(value);
  }
  return values;
}

}  // namespace

std::string range_problem(const SyntheticOptions& options) {
  const double limit = static_cast<double>(index_limit);
  const int side = find_archetype(options.kind).side;
  const double inside = static_cast<double>(side - 1) / side;
  const Bound bounds[] = {
      {"rows", static_cast<double>(options.rows), 1, limit},
      {"cols", static_cast<double>(options.cols), static_cast<double>(side), limit},
      {"mean", options.mean, 0, static_cast<double>(options.cols)},
      {"std", options.std, 0, limit},
      {"skew", options.skew, 0, limit},
      {"bandwidth", options.bandwidth, 0, 1},
      {"neighbours", options.neighbours, 2 * inside, 2},
      {"similarity", options.similarity, inside, 1},
  };
  for (const Bound& bound : bounds) {
    if (bound.value >= bound.least && bound.value <= bound.most) continue;
    return fmt::format("--{} of {} is from {:.4g} to {:.10g}, not {:.10g}", bound.name,
                       find_archetype(options.kind).name, bound.least, bound.most, bound.value);
  }
  const double expected = options.mean * static_cast<double>(options.rows);
  if (expected <= 0.98 * limit) return "";
  return fmt::format("--rows {} of --mean {:.6g} are {:.4g} entries; a matrix holds {}",
                     options.rows, options.mean, expected, index_limit);
}

Result<Matrix> synthetic_matrix(const SyntheticOptions& options) {
  if (const std::string problem = range_problem(options); !problem.empty())
    return rejected(problem);
  const int side = find_archetype(options.kind).side;
  const std::int64_t stretch = find_stretch(options);
  const Result<std::vector<std::int32_t>> lengths = draw_lengths(options, stretch);
  if (!lengths) return lengths.failure();

  Matrix matrix;
  matrix.rows = static_cast<std::int32_t>(options.rows);
  matrix.cols = static_cast<std::int32_t>(options.cols);
  matrix.row_first.reserve(static_cast<std::size_t>(options.rows) + 1);
  matrix.row_first.push_back(0);
  const std::int64_t blocks = std::accumulate(lengths->begin(), lengths->end(), std::int64_t{0});
  matrix.col.reserve(static_cast<std::size_t>(blocks * side * side));
  if (options.kind == ArchetypeKind::stencil) {
    StencilWalk walk(options, *std::max_element(lengths->begin(), lengths->end()), stretch);
    walk_rows(matrix, walk, *lengths, side);
  } else {
    Random random(options.seed, pattern_stream);
    const auto giant = static_cast<std::int64_t>(giant_length * std::max(1.0, options.mean / side));
    RowWalk walk(options, static_cast<std::int64_t>(lengths->size()), options.cols / side, stretch,
                 giant, random);
    walk_rows(matrix, walk, *lengths, side);
  }
  matrix.value = draw_values(matrix.col.size(), options, value_stream);
  if (number_type(options.dtype).is_complex())
    matrix.imag = draw_values(matrix.col.size(), options, imag_stream);
  return matrix;
}

}  // namespace alphasparse
