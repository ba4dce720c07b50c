#include "search/estimates/vector_orders.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/time_limit.h"
#include "generator/arrays/long_vectors.h"
#include "operators/catalogue.h"
#include "runtime/system/stopwatch.h"

namespace alphasparse {

namespace {

constexpr int tiles = 16;
constexpr std::int32_t rows_most = 512;         // of a tile
constexpr std::int64_t entries_most = 1 << 15;  // likewise: long rows have any column
constexpr double promising_ratio = 0.9;

/// Different lines of x that tiles of neighbouring rows touch, over all tiles.
double count_lines(const Store& store, Dtype dtype) {
  const std::int32_t columns_a_line = 64 / static_cast<std::int32_t>(number_type(dtype).bytes);
  const auto& first = store.ints({Level::matrix, Name::row_first_nz});
  const auto& col = store.ints({Level::matrix, Name::nz_col});
  double lines = 0, entries = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const auto row = static_cast<std::int32_t>(std::int64_t{store.rows()} * tile / tiles);
    const std::int32_t end = std::min(row + rows_most, store.rows());
    const auto count = std::min<std::int64_t>(first[end] - first[row], entries_most);
    std::vector<std::int32_t> touched(col.begin() + first[row], col.begin() + first[row] + count);
    for (std::int32_t& column : touched) column /= columns_a_line;
    std::sort(touched.begin(), touched.end());
    lines += static_cast<double>(std::unique(touched.begin(), touched.end()) - touched.begin());
    entries += static_cast<double>(count);
  }
  return lines / std::max(1.0, entries);
}

}  // namespace

std::vector<VectorOrder> vector_orders(const Matrix& matrix, Dtype dtype, double seconds,
                                       const Deadline& deadline) {
  std::vector<VectorOrder> orders;
  if (matrix.nnz() == 0 || has_long_vectors(matrix)) return orders;
  Designer designer(matrix);
  const double lines_now = count_lines(designer.root().store, dtype);
  for (const std::string_view by : find_operator("permute")->parameters.front().choices) {
    VectorOrder& order = orders.emplace_back(VectorOrder{std::string(by), 0, 0, ""});
    const Deadline share{Deadline::after(std::min(seconds, deadline.seconds_left())),
                         deadline.stop};
    const TimeLimit::IsOver is_over = [&] { return share.over(); };
    const TimeLimit limit(&is_over);
    const Stopwatch clock;
    try {
      end_if_over();
      const Design design = parse_design(fmt::format("permute by={}", by)).value();
      const Result<Prefix> permuted = designer.after(designer.root(), design.steps.front());
      if (permuted) order.lines_ratio = count_lines(permuted->store, dtype) / lines_now;
      if (!permuted)
        order.rejection = permuted.reason();
      else if (order.lines_ratio >= promising_ratio)
        order.rejection = "tiles touch no fewer lines of x in it";
    } catch (const TimeOver&) {
      order.rejection = "it was not found in its share of the time";
    }
    order.seconds = clock.seconds();
  }
  std::stable_sort(orders.begin(), orders.end(), [](const VectorOrder& a, const VectorOrder& b) {
    return std::tuple(!a.rejection.empty(), a.lines_ratio) <
           std::tuple(!b.rejection.empty(), b.lines_ratio);
  });
  return orders;
}

}  // namespace alphasparse
