#include "tools/synthetic/row_lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/synthetic/logarithms.h"

namespace alphasparse::synthetic {

namespace {

constexpr double giant_ratio = 8, lone_ratio = 32;  // to the mean
constexpr double bulk_deviation = 0.6;              // to the mean, of rows that are no giants
constexpr double shape_least = -60, shape_most = 60;

/// Rows of one length: next to each other in rank, from the longest.
struct Stratum {
  std::int64_t rows = 0;
  double rank = 0;    ///< of its middle, as a share of all rows: in (0, 1)
  double height = 0;  ///< 1 for the longest, 0 for the median; set by the shape
};

struct Moments {
  double mean = 0;
  double std = 0;
};

/// Every rank by itself near the longest, where lengths differ most.
std::vector<Stratum> make_strata(std::int64_t rows) {
  std::vector<Stratum> strata;
  const std::int64_t coarsest = std::max<std::int64_t>(1, rows / 2048);
  for (std::int64_t rank = 0; rank < rows;) {
    const std::int64_t count =
        std::min(rows - rank, std::clamp(rank / 128, std::int64_t{1}, coarsest));
    const double middle = (static_cast<double>(rank) + static_cast<double>(count) / 2);
    strata.push_back({count, middle / static_cast<double>(rows), 0});
    rank += count;
  }
  return strata;
}

/// The normal deviate that a share `above` of all exceed, to 0.0005 (Abramowitz and Stegun,
/// Handbook of Mathematical Functions, 26.2.23).
double normal(double above) {
  if (above > 0.5) return -normal(1 - above);
  const double t = std::sqrt(-2 * compute_log2(above) * 0.693147180559945309);
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

class Fit {
 public:
  explicit Fit(const LengthRequest& request)
      : request_(request), strata_(make_strata(request.rows)) {}

  /// Sets the shape, and the depth that gives the mean asked for.
  Moments set_shape(double shape) {
    const double top = normal(strata_.front().rank), top_power = power(top, shape);
    for (Stratum& stratum : strata_) {
      const double deviate = normal(stratum.rank);
      stratum.height =
          top_power == 1 ? deviate / top : (power(deviate, shape) - 1) / (top_power - 1);
    }
    strata_.front().height = 1;
    double shallow = -900, deep = 900;  // depths
    for (int step = 0; step < 52; ++step) {
      set_depth((shallow + deep) / 2);
      (moments().mean > request_.mean ? shallow : deep) = (shallow + deep) / 2;
    }
    set_depth(deep);
    return moments();
  }

  Moments moments() const {
    double total = 0, squares = 0;
    for (std::size_t i = 0; i < strata_.size(); ++i) {
      const auto [length, rows, longer] = find_lengths(i);
      const auto shorter = static_cast<double>(length);
      const auto more = static_cast<double>(longer);
      const double all = static_cast<double>(rows);
      total += shorter * all + more;
      squares += shorter * shorter * all + (2 * shorter + 1) * more;
    }
    const auto rows = static_cast<double>(request_.rows);
    const double mean = total / rows;
    return {mean, std::sqrt(std::max(0.0, squares / rows - mean * mean))};
  }

  std::vector<std::int32_t> ascending() const {
    std::vector<std::int32_t> lengths;
    lengths.reserve(static_cast<std::size_t>(request_.rows));
    for (std::size_t i = strata_.size(); i-- > 0;) {
      const Lengths some = find_lengths(i);
      const auto length = static_cast<std::int32_t>(some.length);
      lengths.insert(lengths.end(), static_cast<std::size_t>(some.rows - some.longer), length);
      lengths.insert(lengths.end(), static_cast<std::size_t>(some.longer), length + 1);
    }
    return lengths;
  }

 private:
  /// e^(shape * deviate).
  static double power(double deviate, double shape) {
    return compute_exp2(shape * deviate * 1.44269504088896341);
  }

  /// How far below the longest row the family begins, as a power of 2 times the range.
  void set_depth(double depth) {
    fall_ = static_cast<double>(request_.most - request_.least + 1) * compute_exp2(depth);
  }

  struct Lengths {
    std::int64_t length;
    std::int64_t rows;
    std::int64_t longer;  ///< of the rows, by 1
  };

  /// It rounds up as many rows of a stratum as make the sum right.
  Lengths find_lengths(std::size_t index) const {
    const Stratum& stratum = strata_[index];
    const double length = static_cast<double>(request_.most) - fall_ * (1 - stratum.height);
    if (!(length > static_cast<double>(request_.least))) return {request_.least, stratum.rows, 0};
    const double whole = std::floor(length);
    const double turn = static_cast<double>(index) * 0.61803398874989485;  // evenly spread
    const double longer = std::floor((length - whole) * static_cast<double>(stratum.rows) +
                                     (turn - std::floor(turn)));
    return {static_cast<std::int64_t>(whole), stratum.rows, static_cast<std::int64_t>(longer)};
  }

  LengthRequest request_;
  std::vector<Stratum> strata_;
  double fall_ = 0;
};

bool close(double got, double requested, double slack) {
  return std::abs(got - requested) <= slack;
}

}  // namespace

Result<std::vector<std::int32_t>> ascending_lengths(const LengthRequest& request) {
  Fit fit(request);
  // A larger shape leaves fewer long rows: the deviation falls.
  double wide = shape_least, narrow = shape_most;
  for (int step = 0; step < 32; ++step) {
    const double shape = (wide + narrow) / 2;
    (fit.set_shape(shape).std > request.std ? wide : narrow) = shape;
  }
  const Moments got = fit.set_shape(narrow);
  const double rounding = 0.3 + 2 / static_cast<double>(request.rows);
  if (close(got.mean, request.mean, 0.01 * request.mean + rounding / 10) &&
      close(got.std, request.std, 0.03 * request.std + rounding))
    return fit.ascending();
  const Moments most = fit.set_shape(shape_least), least = fit.set_shape(shape_most);
  if (!close(least.mean, request.mean, 0.01 * request.mean + rounding / 10))
    return Failure{Status::pruned, fmt::format("{} rows of up to {} have a mean of at least {:.3g}",
                                               request.rows, request.most, least.mean)};
  return Failure{Status::pruned,
                 fmt::format("rows of {} to {}, {:.3g} on average, deviate by {:.3g} to {:.3g}",
                             request.least, request.most, request.mean, least.std, most.std)};
}

Result<std::vector<std::int32_t>> lengths_with_giants(const LengthRequest& request) {
  const auto rows = static_cast<double>(request.rows), most = static_cast<double>(request.most);
  const double least = giant_ratio * request.mean;  // of the giants
  const double squares = rows * (request.std * request.std + request.mean * request.mean);
  LengthRequest bulk = request;
  bulk.most = static_cast<std::int64_t>(least / 2);
  std::vector<std::int32_t> giants;
  // The more giants, the shorter the others. The giants do not have to make up the squares of
  // those.
  for (int step = 0; step < 20; ++step) {
    bulk.std = bulk.mean * bulk_deviation;
    const double giant_squares =
        squares - rows * bulk.mean * bulk.mean * (1 + bulk_deviation * bulk_deviation);
    const double ratio_square = 1 - (most * most - least * least) / giant_squares;
    if (most < 2 * least || giant_squares <= 0 || ratio_square <= 0)
      return Failure{Status::pruned, "no giants"};
    const double ratio = std::sqrt(ratio_square);
    giants.clear();
    double total = 0;
    for (double length = most; length > least; length *= ratio) {
      giants.push_back(static_cast<std::int32_t>(length));
      total += length;
      if (total > rows * request.mean) return Failure{Status::pruned, "too many giants"};
    }
    bulk.rows = request.rows - static_cast<std::int64_t>(giants.size());
    if (bulk.rows < 1) return Failure{Status::pruned, "only giants"};
    bulk.mean = (rows * request.mean - total) / static_cast<double>(bulk.rows);
  }
  if (bulk.mean < static_cast<double>(request.least))
    return Failure{Status::pruned, "giants leave nothing"};
  Result<std::vector<std::int32_t>> lengths = ascending_lengths(bulk);
  if (lengths) lengths->insert(lengths->end(), giants.rbegin(), giants.rend());
  return lengths;
}

std::vector<std::int32_t> shuffled_lengths(const std::vector<std::int32_t>& ascending,
                                           std::int64_t stretch, Random& random) {
  const auto rows = static_cast<std::int64_t>(ascending.size());
  const double total = std::accumulate(ascending.begin(), ascending.end(), 0.0);
  const double giant = lone_ratio * std::max(1.0, total / static_cast<double>(rows));
  std::int64_t bulk = rows;
  while (bulk > 0 && ascending[static_cast<std::size_t>(bulk - 1)] >= giant) --bulk;
  if (rows - bulk > rows / 256 + 1) bulk = rows;

  constexpr std::int32_t open = -1;
  std::vector<std::int32_t> lengths(ascending.size(), open);
  for (std::int64_t rank = bulk; rank < rows;) {
    std::int32_t& length = lengths[static_cast<std::size_t>(random.below(rows))];
    if (length == open) length = ascending[static_cast<std::size_t>(rank++)];
  }
  std::vector<std::int32_t> order(static_cast<std::size_t>((bulk + stretch - 1) / stretch));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1],
              order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(left)))]);
  std::size_t row = 0;
  for (const std::int64_t group : order) {
    const std::int64_t end = std::min(bulk, (group + 1) * stretch);
    for (std::int64_t rank = group * stretch; rank < end; ++rank) {
      while (lengths[row] != open) ++row;
      lengths[row] = ascending[static_cast<std::size_t>(rank)];
    }
  }
  return lengths;
}

}  // namespace alphasparse::synthetic
