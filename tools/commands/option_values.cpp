#include "tools/commands/option_values.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "runtime/matrices/matrix_names.h"

namespace alphasparse {

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.number);
  if (first == std::errc() && slash != end && *slash == '/') {
    const auto [rest, second] = std::from_chars(slash + 1, end, shard.count);
    if (second == std::errc() && rest == end && shard.number >= 1 && shard.number <= shard.count)
      return shard;
  }
  throw Error(fmt::format("--shard wants K/N, such as 2/8, with K from 1 to N, not '{}'", text));
}

ShowStage parse_stage(const std::string& text) {
  constexpr std::array<std::pair<std::string_view, ShowStage>, 6> stages = {
      {{"store", ShowStage::store},
       {"format", ShowStage::format},
       {"body", ShowStage::body},
       {"source", ShowStage::source},
       {"ptx", ShowStage::ptx},
       {"asm", ShowStage::assembly}}};
  for (const auto& [name, stage] : stages) {
    if (name == text) return stage;
  }
  throw Error(fmt::format("--stage wants store, format, body, source, ptx or asm, not '{}'", text));
}

std::string reject_empty(const std::string& text) { return text.empty() ? "is empty" : ""; }

std::string reject_no_page(const std::string& file) {
  if (file.ends_with(".html")) return "";
  return fmt::format("wants a file that ends in .html, for it is a page of HTML, not '{}'", file);
}

std::string matrix_path(const std::string& text) { return text == "-" ? standard_input : text; }

double parse_time(const std::string& text, std::string_view option, double hours_max,
                  bool zero_is_a_time) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr std::array<Unit, 5> units = {{{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"h", 3600}}};
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, code] = std::from_chars(text.data(), end, number);
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  for (const Unit& unit : units) {
    if (code != std::errc() || suffix != unit.name) continue;
    const double seconds = number * unit.seconds;
    if (zero_is_a_time && seconds == 0) return 0;
    if (!(seconds > 0 && seconds <= hours_max * 3600)) break;
    return seconds;
  }
  throw Error(fmt::format("{} wants a time {} and up to {:g}h, such as 60s, 5m or 2h, not '{}'",
                          option, zero_is_a_time ? "of 0" : "above 0", hours_max, text));
}

}  // namespace alphasparse
