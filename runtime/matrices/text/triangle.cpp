#include "runtime/matrices/text/triangle.h"

#include <fmt/format.h>

#include "base/result.h"

namespace alphasparse {

std::string diagonal_complaint(Mirror mirror, std::int32_t row) {
  return fmt::format("diagonal entry {}, {} of a {} matrix is not {}", row + 1, row + 1,
                     mirror_kind(mirror).matrix,
                     mirror == Mirror::negated ? "zero" : "real: its imaginary part must be 0");
}

std::string Triangle::complaint(std::int32_t row, std::int32_t col) {
  ++(row < col ? above_ : row > col ? below_ : diagonal_);
  if (mirror_ == Mirror::none || above_ == 0 || below_ == 0) return "";
  return fmt::format(
      "entry {}, {} is {} the diagonal, and others are {} it: a {} file stores one triangle",
      row + 1, col + 1, row < col ? "above" : "below", row < col ? "below" : "above",
      mirror_kind(mirror_).matrix);
}

void Triangle::check_expanded(std::int64_t most, const std::string& name) const {
  const std::int64_t images = mirror_ == Mirror::none ? 0 : above_ + below_;
  const std::int64_t all = above_ + below_ + diagonal_ + images;
  if (all <= most) return;
  throw Error(fmt::format("{}: {} entries, mirror images included, are more than the limit {}",
                          name, all, most));
}

}  // namespace alphasparse
