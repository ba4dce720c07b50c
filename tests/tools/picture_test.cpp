// picture: pictures of tiny matrices, position by position, and of shapes that are hard to show.
#include "tools/picture/picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <string>

#include "tests/support/battery.h"

namespace alphasparse {
namespace {

Matrix wide(std::int32_t cols) { return Matrix{2, cols, {0, 2, 2}, {0, cols - 1}, {1, 1}}; }

/// A stencil's diagonal of `size` entries and a full first row.
Matrix arrow(int size) {
  std::vector<std::vector<std::pair<int, double>>> rows(size);
  for (int i = 0; i < size; ++i) {
    rows[0].push_back({i, 1});
    if (i > 0) rows[i].push_back({i, 1});
  }
  return from_rows(size, rows);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Characters of the longest line, UTF-8 counted as one each.
int columns_of(const std::string& text) {
  int most = 0, now = 0;
  for (const char c : text) {
    now = c == '\n' ? 0 : now + ((c & 0xc0) != 0x80);
    most = std::max(most, now);
  }
  return most;
}

/// The grey pixels of a PNG and its width.
std::pair<std::vector<std::uint8_t>, int> decoded(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  image.format = PNG_FORMAT_GRAY;
  std::vector<std::uint8_t> grey(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, grey.data(), 0, nullptr), 0);
  return {grey, static_cast<int>(image.width)};
}

TEST(Pictures, ASmallMatrixHasAPixelAPosition) {
  const Picture picture = draw_picture(from_rows(3, {{{0, 1}, {2, 5}}, {{1, 1}}}), 20, 20);
  EXPECT_EQ(picture.width, 3);
  EXPECT_EQ(picture.height, 2);
  EXPECT_EQ(picture.shade, (std::vector<std::uint8_t>{255, 0, 255, 0, 255, 0}));
}

TEST(Pictures, DenserPixelsAreDarker) {
  std::vector<std::vector<std::pair<int, double>>> rows(16);
  for (auto& row : rows) row = {{0, 1}, {1, 1}};
  rows[0].push_back({15, 1});
  rows[1].push_back({8, 1});
  rows[1].push_back({9, 1});
  const Picture picture = draw_picture(from_rows(16, rows), 8, 8);
  ASSERT_EQ(picture.width, 8);
  EXPECT_EQ(picture.at(0, 0), 255) << "4 of 4";
  EXPECT_EQ(picture.at(7, 0), 96) << "1: the lightest that is not white";
  EXPECT_EQ(picture.at(4, 0), 176) << "2: half way in the logarithm";
  EXPECT_EQ(picture.at(7, 7), 0);
}

TEST(Pictures, ShapesAreKeptWithinReason) {
  const Picture tall =
      draw_picture(Matrix{300, 100, std::vector<std::int32_t>(301), {}, {}}, 60, 60);
  EXPECT_EQ(tall.height, 60);
  EXPECT_EQ(tall.width, 20);
  const Picture long_line = draw_picture(wide(2'000'000'000), 100, 100);
  EXPECT_EQ(long_line.width, 100);
  EXPECT_EQ(long_line.height, 2);
  EXPECT_EQ(long_line.at(0, 0), 255);
  EXPECT_EQ(long_line.at(99, 0), 255);
  const Picture thin =
      draw_picture(Matrix{100000, 20, std::vector<std::int32_t>(100001), {}, {}}, 80, 80);
  EXPECT_EQ(thin.width, 8) << "never thinner where there are as many columns";
}

TEST(TerminalPictures, OfTinyMatrices) {
  EXPECT_EQ(terminal_picture(from_rows(1, {{{0, 1}}}), 80), "┌──┐\n│██│\n└──┘\n");
  EXPECT_EQ(terminal_picture(from_rows(3, {{{0, 1}, {2, 1}}, {}}), 80),
            "┌──────┐\n│██  ██│\n│      │\n└──────┘\n");
}

TEST(TerminalPictures, BrailleFitsTheWidthAndShowsTheArrow) {
  const std::string text = terminal_picture(arrow(156), 80);
  EXPECT_EQ(columns_of(text), 80);
  EXPECT_EQ(lines_of(text), 2u + 39u);
  // Dots (0, 0) to (3, 0) of the full row, and (1, 1), (2, 2), (3, 3) of the diagonal.
  EXPECT_EQ(text.find("⠙⢍⠉"), text.find("│") + 3) << text.substr(0, 800);
  for (const int columns : {10, 40, 79})
    EXPECT_LE(columns_of(terminal_picture(arrow(1000), columns)), columns);
  // No entry is lost, however light: each of the 39 lines shows the diagonal.
  std::size_t empty_lines = 0;
  for (std::size_t first = 0; first < text.size(); first = text.find('\n', first) + 1) {
    const std::string line = text.substr(first, text.find('\n', first) - first);
    std::string blank = "│";
    for (int i = 0; i < 78; ++i) blank += "⠀";
    empty_lines += line == blank + "│";
  }
  EXPECT_EQ(empty_lines, 0u);
}

TEST(SvgPictures, RectanglesOfNeighbours) {
  const std::string text = svg_picture(from_rows(4, {{{0, 1}, {1, 1}, {3, 1}}, {{2, 1}}}), "a<b&c");
  EXPECT_NE(text.find("<title>a&lt;b&amp;c</title>"), std::string::npos);
  EXPECT_NE(text.find("viewBox=\"0 0 4 2\""), std::string::npos);
  EXPECT_NE(text.find("d=\"M0 0h2v1H0zM3 0h1v1H3zM2 1h1v1H2z\""), std::string::npos) << text;
  EXPECT_NE(text.find("#000000"), std::string::npos) << "the fullest pixel is black";
  const std::string none = svg_picture(from_rows(4, {{}, {}}), "");
  EXPECT_EQ(none.find("<path"), std::string::npos);
}

TEST(PngPictures, PixelsInAFrame) {
  const auto [grey, width] = decoded(png_picture(from_rows(2, {{{0, 1}}, {{1, 1}}})));
  ASSERT_EQ(width, 2 * 256 + 2);
  ASSERT_EQ(grey.size(), static_cast<std::size_t>(width) * width);
  const auto at = [&, pixels = grey, w = width](int x, int y) { return pixels[y * w + x]; };
  EXPECT_EQ(at(0, 0), 160);
  EXPECT_EQ(at(1, 1), 0);
  EXPECT_EQ(at(256, 256), 0);
  EXPECT_EQ(at(257, 256), 255);
  EXPECT_EQ(at(257, 257), 0);
  EXPECT_EQ(at(513, 513), 160);
}

TEST(Pictures, OfEveryMatrixOfTheBattery) {
  std::vector<NamedMatrix> matrices = battery();
  matrices.push_back({"very wide", wide(2147483647)});
  for (const auto& [name, matrix] : matrices) {
    const std::string terminal = terminal_picture(matrix, 80);
    EXPECT_LE(columns_of(terminal), 80) << name;
    EXPECT_LE(lines_of(terminal), 42u) << name;
    EXPECT_LT(svg_picture(matrix, name).size(), 1u << 20) << name;
    EXPECT_GE(decoded(png_picture(matrix)).second, 3) << name;
  }
}

}  // namespace
}  // namespace alphasparse
