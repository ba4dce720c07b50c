#include "tools/comparison/public_times.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "base/result.h"

namespace alphasparse {

namespace {

constexpr std::array<std::string_view, 9> columns = {"source", "gpu", "dtype",  "matrix", "rows",
                                                     "cols",   "nnz", "format", "time_us"};

/// Where a table is read.
struct Place {
  const std::string& file;
  std::int64_t line = 0;

  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(fmt::format("{}:{}: {}", file, line, why));
  }
};

std::vector<std::string_view> fields_of(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

template <class Number>
Number number_of(const Place& place, std::size_t column, std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0 &&
      std::isfinite(static_cast<double>(number)))
    return number;
  place.refuse(fmt::format("{} wants a number above 0, not '{}'", columns[column], text));
}

PublicTime time_of(const Place& place, const std::vector<std::string_view>& fields) {
  if (fields.size() != columns.size()) {
    place.refuse(fmt::format("{} fields where there should be {}, parted by tabs: {}",
                             fields.size(), columns.size(), fmt::join(columns, ", ")));
  }
  for (const std::size_t named : {0, 1, 3, 7}) {
    if (fields[named].empty()) place.refuse(fmt::format("{} is empty", columns[named]));
  }
  if (fields[2] != "f32" && fields[2] != "f64")
    place.refuse(fmt::format("dtype is f32 or f64, not '{}'", fields[2]));
  PublicTime time;
  time.source = fields[0];
  time.gpu = fields[1];
  time.dtype = fields[2] == "f64" ? Dtype::f64 : Dtype::f32;
  time.matrix = fields[3];
  time.rows = number_of<std::int64_t>(place, 4, fields[4]);
  time.cols = number_of<std::int64_t>(place, 5, fields[5]);
  time.nnz = number_of<std::int64_t>(place, 6, fields[6]);
  time.format = fields[7];
  time.time_us = number_of<double>(place, 8, fields[8]);
  return time;
}

}  // namespace

std::vector<PublicTime> read_public_times(const std::string& file) {
  std::ifstream in(file);
  Place place{file};
  std::vector<PublicTime> times;
  for (std::string line; std::getline(in, line);) {
    ++place.line;
    const std::vector<std::string_view> fields = fields_of(line);
    if (place.line > 1) {
      times.push_back(time_of(place, fields));
    } else if (!std::equal(fields.begin(), fields.end(), columns.begin(), columns.end())) {
      place.refuse(fmt::format("the first line should name the columns, parted by tabs: {}",
                               fmt::join(columns, ", ")));
    }
  }
  if (!in.eof() || in.bad()) throw Error(fmt::format("{}: cannot be read", file));
  if (times.empty()) throw Error(fmt::format("{}: holds no time; it wants one a line", file));
  return times;
}

}  // namespace alphasparse
