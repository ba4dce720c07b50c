// includes: which folder includes which is the table at the end of ARCHITECTURE.md, and nothing
// else. Tests may include anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

using Arrows = std::map<std::string, std::set<std::string>>;  ///< folder -> folders it may include

/// One #include "..." of a file, both below the root.
struct Include {
  std::string file;
  std::string included;
};

fs::path root() { return ALPHASPARSE_SOURCE_DIR; }

/// The table, a row a folder.
Arrows arrows_of(const std::string& text) {
  Arrows arrows;
  std::istringstream lines(text.substr(text.find("## Who may include whom")));
  const std::regex row(R"(\| ([a-z_/]+) \| ?(.*?) ?\|)"), word("[a-z_/]+");
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, parts, row) || parts[1] == "folder") continue;
    std::set<std::string>& targets = arrows[parts[1]];
    const std::string list = parts[2];
    for (std::sregex_iterator at(list.begin(), list.end(), word), end; at != end; ++at)
      targets.insert(at->str());
  }
  return arrows;
}

std::vector<Include> includes_below(const std::string& top) {
  std::vector<Include> all;
  const std::regex include("#include \"([^\"]+)\"");
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root() / top)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp") continue;
    const std::string file = fs::relative(entry.path(), root());
    std::istringstream lines(contents(entry.path()));
    std::smatch parts;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_search(line, parts, include)) all.push_back({file, parts[1]});
    }
  }
  return all;
}

/// The row that a file belongs to: its folder's, or that of the nearest folder above; else empty.
std::string row_of(const Arrows& arrows, const std::string& file) {
  for (fs::path folder = fs::path(file).parent_path(); !folder.empty();
       folder = folder.parent_path()) {
    if (arrows.contains(folder)) return folder;
  }
  return "";
}

/// The faults of the code by the table, and of the table by the code; empty: none.
std::vector<std::string> faults(const Arrows& arrows, const std::vector<Include>& includes) {
  std::vector<std::string> found;
  Arrows unused = arrows;
  for (const auto& [file, included] : includes) {
    const std::string from = row_of(arrows, file);
    if (from.empty()) found.push_back(file + " lies in a folder without a row");
    if (included.find('/') == std::string::npos) continue;  // its neighbour
    const std::string to = row_of(arrows, included);
    if (from.empty() || from == to) continue;
    if (arrows.at(from).contains(to)) {
      unused.at(from).erase(to);
    } else {
      found.push_back(file + " includes " + included + ", but " + from + " may not include " + to);
    }
  }
  for (const auto& [from, targets] : unused) {
    for (const std::string& to : targets) found.push_back(from + " never includes " + to);
  }
  return found;
}

/// A folder that includes itself through others, or empty.
std::string circle(const Arrows& arrows) {
  for (const auto& [start, targets] : arrows) {
    std::set<std::string> reached;
    std::vector<std::string> open(targets.begin(), targets.end());
    while (!open.empty()) {
      const std::string folder = open.back();
      open.pop_back();
      if (!reached.insert(folder).second || !arrows.contains(folder)) continue;
      const std::set<std::string>& next = arrows.at(folder);
      open.insert(open.end(), next.begin(), next.end());
    }
    if (reached.contains(start)) return start;
  }
  return "";
}

TEST(Includes, AreThoseOfTheTable) {
  const Arrows arrows = arrows_of(source_text("ARCHITECTURE.md"));
  ASSERT_GT(arrows.size(), 25u);
  EXPECT_EQ(circle(arrows), "");
  std::vector<Include> all;
  for (const char* const top :
       {"base", "generator", "operators", "runtime", "search", "templates", "tools"}) {
    const std::vector<Include> more = includes_below(top);
    all.insert(all.end(), more.begin(), more.end());
  }
  ASSERT_GT(all.size(), 500u);
  for (const std::string& fault : faults(arrows, all)) ADD_FAILURE() << fault;
}

TEST(Includes, BackEdgesCirclesAndIdleArrowsAreSeen) {
  const Arrows arrows = arrows_of(
      "## Who may include whom\n| folder | may include |\n|---|---|\n| a | |\n| b/c | a |\n"
      "| b | b/c |\n");
  EXPECT_EQ(arrows.size(), 3u);
  EXPECT_EQ(circle(arrows), "");
  const std::vector<Include> right = {
      {"b/c/one.h", "a/deep/two.h"}, {"b/x.h", "b/c/one.h"}, {"a/deep/two.h", "neighbour.h"}};
  EXPECT_EQ(faults(arrows, right), std::vector<std::string>());
  std::vector<Include> wrong = right;
  wrong.push_back({"a/three.cpp", "b/c/one.h"});
  EXPECT_EQ(faults(arrows, wrong),
            std::vector<std::string>{"a/three.cpp includes b/c/one.h, but a may not include b/c"});
  EXPECT_EQ(faults(arrows, {right[0]}), std::vector<std::string>{"b never includes b/c"});
  EXPECT_EQ(faults({}, {{"a/one.h", "one.h"}}),
            std::vector<std::string>{"a/one.h lies in a folder without a row"});
  EXPECT_NE(circle({{"a", {"b"}}, {"b", {"a"}}}), "");
}

}  // namespace
}  // namespace alphasparse
