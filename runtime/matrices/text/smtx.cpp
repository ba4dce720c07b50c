#include "runtime/matrices/text/smtx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/result.h"
#include "runtime/matrices/text/line_scanner.h"

namespace alphasparse {

namespace {

using Sizes = std::array<std::int64_t, 3>;

/// The integers of the first line; nothing where it has others, or other things.
std::optional<Sizes> first_line(std::string_view text) {
  constexpr std::size_t line_most = 200;
  text = text.substr(0, std::min({line_most, text.find('\n'), text.size()}));
  if (text.ends_with('\r')) text.remove_suffix(1);
  Sizes sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto skip_blanks = [&] {
      while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
    };
    skip_blanks();
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), sizes[i]);
    if (problem != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    skip_blanks();
    if (i + 1 == sizes.size()) break;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(sizes) : std::nullopt;
}

/// The next integer, on this line or below it.
std::int64_t next_index(LineScanner& scanner, const char* what, std::int64_t low,
                        std::int64_t high) {
  if (!scanner.find_line()) scanner.fail(fmt::format("the file ends before a {}", what));
  return scanner.index(what, low, high);
}

}  // namespace

bool is_smtx(std::string_view text) { return first_line(text).has_value(); }

std::int64_t smtx_numbers(std::string_view text) {
  const Sizes sizes = first_line(text).value_or(Sizes{});
  return std::clamp<std::int64_t>(sizes[0], 0, index_limit) +
         std::clamp<std::int64_t>(sizes[2], 0, index_limit);
}

Entries parse_smtx(std::string_view text, const std::string& name, const ReadLimits& limits) {
  LineScanner scanner(text, name);
  const std::optional<Sizes> sizes = first_line(text);
  if (!sizes) scanner.fail("the first line is not 'rows, columns, non-zeros'");
  const auto [rows, cols, count] = *sizes;
  check_sizes(rows, cols, name);
  if (count < 0) scanner.fail(fmt::format("{} non-zeros are none", count));
  check_memory({rows, cols, count}, name, limits);
  scanner.pass_line();
  // Each number is a digit and a blank at least.
  if (rows + 1 + count > (scanner.bytes_left() + 1) / 2)
    scanner.fail(fmt::format("the file ends before its {} rows and {} non-zeros", rows, count));
  Entries entries = entries_without_lines(name, rows, cols, count);
  std::int64_t first = next_index(scanner, "first non-zero of a row", 0, 0);
  for (std::int32_t row = 0; row < entries.rows; ++row) {
    limits.check(row, name);
    const std::int64_t end = next_index(scanner, "first non-zero of a row", first, count);
    entries.row.insert(entries.row.end(), static_cast<std::size_t>(end - first), row);
    first = end;
  }
  if (first != count) scanner.fail(fmt::format("the rows have {} non-zeros, not {}", first, count));
  for (std::int64_t nz = 0; nz < count; ++nz) {
    limits.check(nz, name);
    entries.col.push_back(static_cast<std::int32_t>(next_index(scanner, "column", 0, cols - 1)));
  }
  if (scanner.find_line())
    scanner.fail(fmt::format("the file goes on behind its {} non-zeros", count));
  entries.value.assign(static_cast<std::size_t>(count), 1);
  return entries;
}

}  // namespace alphasparse
