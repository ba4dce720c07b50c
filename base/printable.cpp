#include "base/printable.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>

namespace alphasparse {

namespace {

/// A character of UTF-8 at the beginning of a text.
struct Character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

Character read_first(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, lead, true};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || bytes > text.size()) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(at) & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code < 0xe000;
  return {bytes, code, code >= least[bytes] && code <= 0x10ffff && !is_surrogate};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/// Marks, embeddings, overrides and isolates of direction; separators of lines and paragraphs.
bool directs(std::uint32_t code) {
  return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

using Instead = std::function<std::string(const Character&)>;

/// The text, where `instead` replaces each character that must not be shown.
std::string shown(std::string_view text, std::string_view kept, const Instead& instead) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    Character next = read_first(text);
    if (!next.valid) next.bytes = 1;
    const bool stays = next.valid && (kept.find(text.front()) != std::string_view::npos ||
                                      (!is_control(next.code) && !directs(next.code)));
    if (stays)
      result.append(text.substr(0, next.bytes));
    else
      result += instead(next);
    text.remove_prefix(next.bytes);
  }
  return result;
}

std::string question_mark(const Character&) { return "?"; }

}  // namespace

std::string printable(std::string_view text) { return shown(text, "", question_mark); }

std::string printable_lines(std::string_view text) { return shown(text, "\n\t", question_mark); }

std::string printable_json(std::string_view json) {
  return shown(json, "\n\t", [](const Character& character) {
    return character.valid ? fmt::format("\\u{:04x}", character.code) : "\\ufffd";
  });
}

}  // namespace alphasparse
