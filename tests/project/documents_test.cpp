// documents: the statements of the project's documents on the code are still true.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "operators/catalogue.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

/// A block of docs/how-to-add.md between ``` lines, and the file named alone in the line above it.
struct Excerpt {
  std::string file;
  std::vector<std::string> lines;
};

std::vector<Excerpt> excerpts() {
  std::vector<Excerpt> all;
  std::istringstream text(source_text("docs/how-to-add.md"));
  std::string before;
  bool inside = false;
  for (std::string line; std::getline(text, line); before = line) {
    if (line == "```") {
      inside = !inside;
      if (inside) all.push_back({before.substr(1, before.rfind('`') - 1), {}});
    } else if (inside) {
      all.back().lines.push_back(line);
    }
  }
  return all;
}

TEST(Documents, TheWorkedExampleIsTheCode) {
  ASSERT_GE(excerpts().size(), 5u);
  for (const Excerpt& excerpt : excerpts()) {
    const std::string code = source_text(excerpt.file);
    std::size_t place = 0;
    for (const std::string& line : excerpt.lines) {
      if (line == "...") continue;
      const std::size_t found = code.find("\n" + line + "\n", place);
      ASSERT_NE(found, std::string::npos) << excerpt.file << " has no such line: " << line;
      place = found + 1;
    }
  }
}

TEST(Documents, TheGlossaryNamesEveryOperatorOfThePaper) {
  const std::string reference = source_text("docs/reference.md");
  for (const Operator* op : catalogue()) {
    if (op->paper.substr(0, 3) == "new") continue;
    std::istringstream lines(reference);
    bool named = false;
    for (std::string line; std::getline(lines, line);) {
      named = named || (line.starts_with("| ") && line.find(op->paper) != std::string::npos &&
                        line.find("`" + std::string(op->name) + "`") != std::string::npos);
    }
    EXPECT_TRUE(named) << "no row of docs/reference.md's table has " << op->paper << " and "
                       << op->name;
  }
}

}  // namespace
}  // namespace alphasparse
