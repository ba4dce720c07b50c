// mirror: how a non-zero off the diagonal gives the value of its mirror image.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "templates/host/mirror_kind.h"

namespace alphasparse::host {

template <class Value>
Value image_of(Mirror mirror, Value value) {
  return mirror == Mirror::negated ? -value : value;
}

#ifndef ALPHASPARSE_REAL_KERNEL
/// The imaginary part of an image, by that of its non-zero; image_of gives the real part.
template <class Value>
Value image_of_imag(Mirror mirror, Value imag) {
  return mirror == Mirror::conjugate ? -imag : image_of(mirror, imag);
}

#endif
/// Calls pair(nz, image) for every non-zero above the diagonal of a square pattern in canonical
/// order, until one call returns false. Returns false there, and where a non-zero has no image.
///
/// Example, the pattern (x x .; x . x; . x .) with non-zeros 0 1, 2 3, 4: the pairs are 1 and 2
/// - (0, 1) and (1, 0) - then 3 and 4.
template <class Pair>
bool for_each_mirror_image(const std::vector<std::int32_t>& row_first,
                           const std::vector<std::int32_t>& col, Pair pair) {
  // Rows ascend, so the images that lie in one row are met in the order of its columns.
  std::vector<std::int32_t> next(row_first.begin(), row_first.end() - 1);
  for (std::size_t row = 0; row < next.size(); ++row) {
    const auto diagonal = static_cast<std::int32_t>(row);
    const std::int32_t first = next[row], end = row_first[row + 1];
    if (first < end && col[first] < diagonal) return false;  // nobody's image
    for (std::int32_t nz = first; nz < end; ++nz) {
      if (col[nz] == diagonal) continue;
      std::int32_t& image = next[col[nz]];
      if (image == row_first[col[nz] + 1] || col[image] != diagonal) return false;
      if (!pair(nz, image++)) return false;
    }
  }
  return true;
}

/// Gives the mirror images their values, [nnz] in canonical order.
template <class Values>
void fill_images(Mirror mirror, const std::vector<std::int32_t>& row_first,
                 const std::vector<std::int32_t>& col, Values& values) {
  if (mirror == Mirror::none) return;
  for_each_mirror_image(row_first, col, [&](std::int32_t nz, std::int32_t image) {
    values[image] = image_of(mirror, values[nz]);
    return true;
  });
}

}  // namespace alphasparse::host
