// files: the SVG and PNG half of picture.h.
#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "base/result.h"
#include "tools/picture/picture.h"

namespace alphasparse {

namespace {

constexpr int svg_pixels_max = 256;  // of a side
constexpr int png_pixels_max = 640;  // of a side, without the frame
constexpr int side_shown = 512;      // about how large a smaller picture is shown
constexpr int shade_levels = 16;     // of an SVG: one path each
constexpr std::uint8_t frame_grey = 160;

/// How many shown pixels a side of a pixel has, so that small pictures are not tiny.
int magnification(const Picture& picture) {
  return std::max(1, side_shown / std::max(picture.width, picture.height));
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else if (static_cast<unsigned char>(c) < 0x20)
      result += ' ';
    else
      result += c;
  }
  return result;
}

/// One path a level of shade; neighbours of one level in a row are one rectangle.
std::array<std::string, shade_levels> draw_paths(const Picture& picture) {
  std::array<std::string, shade_levels> paths;
  const auto level = [&](int x, int y) { return picture.at(x, y) * shade_levels / 256; };
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width;) {
      const int first = x;
      while (x < picture.width && level(x, y) == level(first, y)) ++x;
      if (picture.at(first, y) > 0)
        paths[level(first, y)] += fmt::format("M{} {}h{}v1H{}z", first, y, x - first, first);
    }
  }
  return paths;
}

void append_number(std::string& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xff);
}

/// Puts "Software alphasparse" behind a PNG's head, which has one size.
void name_software(std::string& png) {
  constexpr std::size_t head_bytes = 33;
  const std::string content("tEXtSoftware\0alphasparse", 24);
  std::string chunk;
  append_number(chunk, static_cast<std::uint32_t>(content.size() - 4));
  chunk += content;
  append_number(chunk,
                static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(content.data()),
                                                 static_cast<uInt>(content.size()))));
  png.insert(head_bytes, chunk);
}

}  // namespace

std::string svg_picture(const Matrix& matrix, const std::string& title) {
  const Picture picture = draw_picture(matrix, svg_pixels_max, svg_pixels_max);
  const int zoom = magnification(picture);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
      "viewBox=\"0 0 {} {}\" shape-rendering=\"crispEdges\">\n<!-- alphasparse "
      "-->\n<title>{}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\" stroke=\"#a0a0a0\" "
      "vector-effect=\"non-scaling-stroke\"/>\n",
      picture.width * zoom, picture.height * zoom, picture.width, picture.height, escaped(title));
  const std::array<std::string, shade_levels> paths = draw_paths(picture);
  for (int level = 0; level < shade_levels; ++level) {
    if (paths[level].empty()) continue;
    const int grey = 255 - level * 255 / (shade_levels - 1);
    text += fmt::format("<path fill=\"#{0:02x}{0:02x}{0:02x}\" d=\"{1}\"/>\n", grey, paths[level]);
  }
  return text + "</svg>\n";
}

std::string png_picture(const Matrix& matrix) {
  const Picture picture = draw_picture(matrix, png_pixels_max, png_pixels_max);
  const int zoom = magnification(picture);
  const int width = picture.width * zoom + 2, height = picture.height * zoom + 2;
  std::vector<std::uint8_t> grey(static_cast<std::size_t>(width) * height, frame_grey);
  for (int y = 0; y < picture.height * zoom; ++y) {
    std::uint8_t* const line = &grey[(static_cast<std::size_t>(y) + 1) * width + 1];
    for (int x = 0; x < picture.width * zoom; ++x)
      line[x] = static_cast<std::uint8_t>(255 - picture.at(x / zoom, y / zoom));
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, grey.data(), width, nullptr) == 0)
    throw Error(fmt::format("the picture cannot be made: libpng: {}", image.message));
  bytes.resize(size);
  name_software(bytes);
  return bytes;
}

}  // namespace alphasparse
