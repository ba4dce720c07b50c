// picture: the pattern of a matrix in pixels, darker where entries are denser - for a terminal, as
// SVG and as PNG.
//
// A pixel covers the positions with a row and column that scale to it. Its shade grows with the
// logarithm of its entries, from light grey for one to black for the fullest pixel, so that a lone
// entry of a large matrix is seen beside a dense part. A small matrix has one pixel a position.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "generator/arrays/matrix.h"

namespace alphasparse {

struct Picture {
  int width = 0;                    ///< >= 1
  int height = 0;                   ///< >= 1
  std::vector<std::uint8_t> shade;  ///< [height * width], row by row; 0: no entry, 255: the fullest

  std::uint8_t at(int x, int y) const { return shade[static_cast<std::size_t>(y) * width + x]; }
};

/// The whole matrix in at most width_max x height_max pixels (each >= 8), in its own proportions as
/// long as both sides have at least 8 pixels (or one a position).
Picture draw_picture(const Matrix& matrix, int width_max, int height_max);

/// Lines of at most `columns` characters (at least 10), framed: two blocks a position where that
/// fits, else Braille characters of 2 x 4 pixels, lighter shades as fewer dots.
std::string terminal_picture(const Matrix& matrix, int columns);

/// A complete SVG file.
std::string svg_picture(const Matrix& matrix, const std::string& title);

/// A complete PNG file, 8-bit grey with a frame. Throws Error where libpng fails.
std::string png_picture(const Matrix& matrix);

}  // namespace alphasparse
