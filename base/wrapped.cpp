#include "base/wrapped.h"

namespace alphasparse {

namespace {

constexpr std::size_t columns_max = 100;

/// Where to break a line of at most columns_max: behind the last ", ", " : " or brace of the lowest
/// nesting depth, or, where sums are broken too, behind the last " + ".
std::size_t break_position(const std::string& line, std::size_t indent, bool breaks_sums) {
  std::size_t best = std::string::npos;
  int depth = 0, best_depth = 1 << 30;
  int angles = 0;  // open template arguments: a < behind a name, where a comparison has a blank
  for (std::size_t i = 0; i + 1 < line.size() && indent + i + 1 < columns_max; ++i) {
    if (line[i] == '(' || line[i] == '{' || line[i] == '[') ++depth;
    if (line[i] == ')' || line[i] == '}' || line[i] == ']') --depth;
    if (line[i] == '<' && i > 0 && line[i - 1] != ' ') ++angles, ++depth;
    if (line[i] == '>' && angles > 0) --angles, --depth;
    const bool comma = line[i] == ',' && line[i + 1] == ' ';
    const bool brace = line[i] == '{' && line[i + 1] == ' ';
    const bool colon = i > 0 && line[i - 1] == ' ' && line[i] == ':' && line[i + 1] == ' ';
    const bool plus =
        breaks_sums && i > 0 && line[i - 1] == ' ' && line[i] == '+' && line[i + 1] == ' ';
    if (!comma && !brace && !colon && !plus) continue;
    if (depth <= best_depth) {
      best = i + 2;
      best_depth = depth;
    }
  }
  return best;
}

}  // namespace

std::string wrapped(int depth, const std::string& line) {
  std::string text, rest = line;
  std::size_t indent = static_cast<std::size_t>(depth) * 2;
  while (indent + rest.size() > columns_max) {
    std::size_t at = break_position(rest, indent, false);
    if (at == std::string::npos) at = break_position(rest, indent, true);
    if (at == std::string::npos) break;
    std::string head = rest.substr(0, at);
    while (head.ends_with(' ')) head.pop_back();
    text += std::string(indent, ' ') + head + "\n";
    rest = rest.substr(at);
    indent = static_cast<std::size_t>(depth) * 2 + 4;
  }
  return text + std::string(indent, ' ') + rest + "\n";
}

}  // namespace alphasparse
