#include "tools/picture/picture.h"

#include <algorithm>
#include <cmath>

namespace alphasparse {

namespace {

constexpr int side_min = 8;             // pixels, of a side that its matrix would make thinner
constexpr std::uint8_t shade_min = 96;  // of a pixel with an entry
constexpr int block_rows_max = 40;      // lines of a terminal picture of one line a row
constexpr int braille_rows_max = 40;    // lines of 4 rows of pixels

int side_pixels(std::int64_t positions, double scale, int most) {
  const std::int64_t scaled = std::llround(static_cast<double>(positions) / scale);
  const std::int64_t least = std::min<std::int64_t>(positions, side_min);
  return static_cast<int>(std::clamp<std::int64_t>(scaled, least, most));
}

/// The character of code point 0x2800 + dots, in UTF-8.
std::string braille(int dots) {
  return {'\xe2', static_cast<char>(0xa0 | (dots >> 6)), static_cast<char>(0x80 | (dots & 63))};
}

/// The dots of 2 x 4 pixels. Which dots of a light shade are drawn follows an ordered pattern; the
/// darkest pixel of a character that holds an entry is always drawn.
int braille_dots(const Picture& picture, int left, int top) {
  static constexpr int bit[4][2] = {{0, 3}, {1, 4}, {2, 5}, {6, 7}};
  static constexpr int threshold[4][4] = {
      {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  int dots = 0, darkest = 0, darkest_dot = 0;
  for (int y = top; y < std::min(top + 4, picture.height); ++y) {
    for (int x = left; x < std::min(left + 2, picture.width); ++x) {
      const int shade = picture.at(x, y);
      const int dot = 1 << bit[y - top][x - left];
      if (shade > threshold[y % 4][x % 4] * 16) dots |= dot;
      if (shade > darkest) {
        darkest = shade;
        darkest_dot = dot;
      }
    }
  }
  return dots | darkest_dot;
}

std::string repeated(const char* text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// The lines between a frame, each `width` characters.
std::string framed(const std::vector<std::string>& lines, int width) {
  std::string text = "┌" + repeated("─", width) + "┐\n";
  for (const std::string& line : lines) text += "│" + line + "│\n";
  return text + "└" + repeated("─", width) + "┘\n";
}

}  // namespace

Picture draw_picture(const Matrix& matrix, int width_max, int height_max) {
  const double scale = std::max({1.0, static_cast<double>(matrix.cols) / width_max,
                                 static_cast<double>(matrix.rows) / height_max});
  Picture picture;
  picture.width = side_pixels(matrix.cols, scale, width_max);
  picture.height = side_pixels(matrix.rows, scale, height_max);
  std::vector<std::int64_t> entries(static_cast<std::size_t>(picture.width) * picture.height);
  for (std::int32_t row = 0; row < matrix.rows; ++row) {
    const std::int64_t y = std::int64_t{row} * picture.height / matrix.rows;
    for (std::int32_t nz = matrix.row_first[row]; nz < matrix.row_first[row + 1]; ++nz) {
      const std::int64_t x = std::int64_t{matrix.col[nz]} * picture.width / matrix.cols;
      ++entries[static_cast<std::size_t>(y * picture.width + x)];
    }
  }
  const std::int64_t most = *std::max_element(entries.begin(), entries.end());
  picture.shade.resize(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i] == 0) continue;
    const double share =
        most == 1 ? 1
                  : std::log(static_cast<double>(entries[i])) / std::log(static_cast<double>(most));
    picture.shade[i] =
        static_cast<std::uint8_t>(shade_min + std::lround(share * (255 - shade_min)));
  }
  return picture;
}

std::string terminal_picture(const Matrix& matrix, int columns) {
  const int inside = columns - 2;
  std::vector<std::string> lines;
  if (matrix.cols <= inside / 2 && matrix.rows <= block_rows_max) {
    const Picture picture = draw_picture(matrix, std::max(inside, side_min), block_rows_max);
    for (int y = 0; y < picture.height; ++y) {
      std::string& line = lines.emplace_back();
      for (int x = 0; x < picture.width; ++x) line += picture.at(x, y) > 0 ? "██" : "  ";
    }
    return framed(lines, 2 * picture.width);
  }
  const Picture picture = draw_picture(matrix, 2 * inside, 4 * braille_rows_max);
  for (int top = 0; top < picture.height; top += 4) {
    std::string& line = lines.emplace_back();
    for (int left = 0; left < picture.width; left += 2)
      line += braille(braille_dots(picture, left, top));
  }
  return framed(lines, (picture.width + 1) / 2);
}

}  // namespace alphasparse
