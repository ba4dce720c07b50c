// glossary: a newcomer finds the meaning of each type. A header explains it, or its words stand in
// the glossary of ARCHITECTURE.md or in the list of the field's words behind it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

fs::path source_root() { return ALPHASPARSE_SOURCE_DIR; }

/// The section, to the next one.
std::string glossary() {
  const std::string text = contents(source_root() / "ARCHITECTURE.md");
  const std::size_t begin = text.find("## Glossary");
  return text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

/// In lower case: "GpuSpmv" has "gpu" and "spmv".
std::set<std::string> words_in(const std::string& text, const std::regex& word) {
  std::set<std::string> words;
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) {
    std::string lower = at->str();
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    words.insert(lower);
  }
  return words;
}

/// A type of a header without a comment of its own, nor that of a file with its name.
struct Unexplained {
  std::string type, file;
};

std::vector<Unexplained> unexplained_in(const std::string& text, const std::string& file) {
  static const std::regex definition(
      R"((?:class|struct|enum class) (\w+)(?: final)?(?: : [^;]*)?\{.*)");
  std::string stem = fs::path(file).stem();
  std::erase(stem, '_');
  std::vector<Unexplained> found;
  bool has_comment = false;
  std::istringstream lines(text);
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("template")) continue;
    if (!has_comment && std::regex_match(line, parts, definition)) {
      std::string name = parts[1];
      std::transform(name.begin(), name.end(), name.begin(),
                     [](unsigned char c) { return std::tolower(c); });
      if (name != stem) found.push_back({parts[1], file});
    }
    has_comment = line.starts_with("///");
  }
  return found;
}

TEST(Glossary, ExplainsTheTypesOfHeaders) {
  const std::set<std::string> known = words_in(glossary(), std::regex("[A-Za-z]+"));
  const std::regex part("[A-Z][a-z0-9]+|[A-Z]+(?![a-z])");
  std::size_t headers = 0;
  for (const char* const top : {"base", "generator", "operators", "search", "runtime", "tools"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_root() / top)) {
      if (entry.path().extension() != ".h") continue;
      ++headers;
      const std::string file = fs::relative(entry.path(), source_root());
      for (const Unexplained& one : unexplained_in(contents(entry.path()), file)) {
        for (const std::string& word : words_in(one.type, part))
          EXPECT_TRUE(known.count(word) > 0)
              << one.file << ": " << one.type << " has no comment, and the glossary of "
              << "ARCHITECTURE.md has no \"" << word << "\"";
      }
    }
  }
  EXPECT_GT(headers, 300u);
}

TEST(Glossary, NamesFilesThatAreThere) {
  const std::string text = glossary();
  const std::regex row(R"(\n\| ([^|]+) \| [^|]+ \| `([^`]+)` \|)");
  int rows = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at, ++rows)
    EXPECT_TRUE(fs::exists(source_root() / (*at)[2].str())) << (*at)[1] << ": " << (*at)[2];
  EXPECT_GE(rows, 40);
}

TEST(Glossary, FindsATypeThatNobodyExplains) {
  const std::string header =
      "// frob: an example.\nnamespace a {\n\nstruct Frob {};\n\n"
      "/// Told.\nclass Told {};\n\nstruct Zork final : Told {\n};\n"
      "struct Ahead;\n";
  const std::vector<Unexplained> found = unexplained_in(header, "frob.h");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].type, "Zork");
}

}  // namespace
}  // namespace alphasparse
