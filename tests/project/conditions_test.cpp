// conditions: the passes between a design and its text do not ask for the number of vectors. The
// words and fragments of operands.h tell it to the writers.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// Whether a text compares the number of vectors, or of a pass' columns, with a number.
bool asks_for_vectors(const std::string& text) {
  static const std::regex condition(R"(\b(vectors|pass_columns)\b( [=!]= | [<>]=? | \? ))");
  return std::regex_search(text, condition);
}

std::vector<std::string> files_that_ask(const std::string& folder) {
  const fs::path root = ALPHASPARSE_SOURCE_DIR;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string extension = entry.path().extension();
    if ((extension == ".h" || extension == ".cpp") && asks_for_vectors(contents(entry.path())))
      files.push_back(fs::relative(entry.path(), root));
  }
  return files;
}

TEST(Conditions, NoPassAsksForTheNumberOfVectors) {
  for (const std::string folder :
       {"operators", "generator/facts", "generator/code", "generator/body", "generator/layouts"})
    EXPECT_EQ(files_that_ask(folder), std::vector<std::string>{}) << folder;
  EXPECT_NE(files_that_ask("generator/text"), std::vector<std::string>{});  // the writers
}

}  // namespace
}  // namespace alphasparse
