// table: narrow tables fit 100 columns with any names, and shorten them visibly; wide ones have
// everything whole.
#include "tools/reports/table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tools/reports/many.h"

namespace alphasparse {
namespace {

std::vector<std::string> split_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A result of tune for a matrix of this name, as its table reads it.
std::string tuned(const std::string& name, double time_us) {
  return nlohmann::json{{"name", name},
                        {"nnz", 2147483647},
                        {"device", "emulated:h200"},
                        {"design", "compress | a design"},
                        {"time_us", time_us},
                        {"kind", "modelled"},
                        {"pfs", {{"time_us", 2.0}}},
                        {"times_vendor", 2.5 / time_us},
                        {"times_vendor_range", {2.0 / time_us, 3.0 / time_us}},
                        {"vendor_untried", 0},
                        {"baselines_present", nlohmann::json::array()},
                        {"baselines_missing", nlohmann::json::array()}}
      .dump();
}

TEST(Table, ColumnsThatMayShareTheRoomByTheirMarks) {
  const std::string narrow =
      table_text({{"key", "~name", "~~search", ">time", "+design"},
                  {"k", std::string(200, 'n'), std::string(200, 's'), "1 us", "whole"}},
                 TableWidth::narrow);
  const std::vector<std::string> lines = split_lines(narrow);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].size(), 100U) << narrow;
  EXPECT_EQ(lines[1].find("whole"), std::string::npos);
  EXPECT_EQ(std::count(lines[1].begin(), lines[1].end(), 'n') + 3, 28) << narrow;
  EXPECT_EQ(std::count(lines[1].begin(), lines[1].end(), 's') - 1 + 3, 59) << narrow;
}

TEST(Table, ANameIsShortenedInItsMiddleBetweenCharacters) {
  std::string name = "begin";
  for (int i = 0; i < 120; ++i) name += "ä";
  const std::string text = table_text({{"~name"}, {name + "end"}}, TableWidth::narrow);
  const std::string line = split_lines(text)[1];
  EXPECT_TRUE(line.starts_with("beginä")) << line;
  EXPECT_TRUE(line.ends_with("äend")) << line;
  EXPECT_NE(line.find("ä...ä"), std::string::npos) << line;
  EXPECT_EQ(std::count(line.begin(), line.end(), '\xc3'), 100 - 3 - 8) << line;
}

TEST(Table, OfManyMatricesFits) {
  const std::string hostile(255, 'x');
  const ManyReport report{{tuned(hostile, 1), tuned("b", 1e-300)}, {}, {}};
  const std::string text = many_text(report, TableWidth::narrow);
  for (const std::string& line : split_lines(text)) EXPECT_LE(line.size(), 100U) << text;
  EXPECT_NE(text.find("xx...xx"), std::string::npos) << text;
  EXPECT_NE(text.find("x baseline"), std::string::npos) << text;
  EXPECT_NE(text.find("  2.50\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("a design"), std::string::npos) << text;
  const std::string wide = many_text(report, TableWidth::wide);
  EXPECT_NE(wide.find(hostile + " "), std::string::npos) << wide;
  EXPECT_NE(wide.find("  2.00-3.00  compress | a design\n"), std::string::npos) << wide;
}

}  // namespace
}  // namespace alphasparse
