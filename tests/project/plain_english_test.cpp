// plain_english: the prose of documents and of comments in headers keeps to two figures. They are
// how often one of the words below stands in the place of a noun, and how long sentences are. Both
// are means, so that one hard sentence is no fault, and a hard document is one.
//
// Prose is Markdown outside code, tables and headings, and comments of headers. Code in backticks
// counts as one word.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

namespace fs = std::filesystem;

/// The figures of one text or of many.
struct Figures {
  std::int64_t words = 0, fused = 0, sentences = 0;

  void operator+=(const Figures& other) {
    words += other.words;
    fused += other.fused;
    sentences += other.sentences;
  }
  double fused_in_100() const { return words == 0 ? 0 : 100.0 * fused / words; }
  double words_a_sentence() const { return sentences == 0 ? 0 : double(words) / sentences; }
};

/// Words, and those of them that stand in the place of a noun.
Figures figures_of_sentence(const std::string& sentence) {
  static const std::set<std::string> fused = {"what",     "who",     "whose",
                                              "whatever", "whoever", "whom"};
  std::istringstream stream(sentence);
  Figures figures{0, 0, 1};
  for (std::string word; stream >> word;) {
    std::string letters;
    for (const char c : word) {
      if (std::isalpha(static_cast<unsigned char>(c)) != 0)
        letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    ++figures.words;
    figures.fused += fused.contains(letters) ? 1 : 0;
  }
  return figures;
}

Figures figures_of_paragraph(std::string text) {
  static const std::regex code("`[^`]*`"), link(R"(\[([^\]]*)\]\([^)]*\))"),
      end(R"([.!?:]\s+(?=[A-Z*"(]))");
  text = std::regex_replace(std::regex_replace(text, code, "code"), link, "$1");
  text = std::regex_replace(text, end, "$&\n");
  std::istringstream stream(text);
  Figures figures;
  for (std::string sentence; std::getline(stream, sentence);) {
    const Figures of_one = figures_of_sentence(sentence);
    if (of_one.words >= 3) figures += of_one;
  }
  return figures;
}

/// Gathers lines of prose; an empty one ends a paragraph.
class Paragraphs {
 public:
  void add(const std::string& line) {
    if (line.empty()) return end();
    text_ += (text_.empty() ? "" : " ") + line;
  }
  void end() {
    if (!text_.empty()) figures_ += figures_of_paragraph(text_);
    text_.clear();
  }
  Figures figures() {
    end();
    return figures_;
  }

 private:
  std::string text_;
  Figures figures_;
};

Figures figures_of_markdown(const std::string& text) {
  static const std::regex item(R"(^\s*([-*]|\d+\.)\s+)");
  Paragraphs paragraphs;
  bool is_fenced = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == line.npos) {
      paragraphs.end();
      continue;
    }
    const bool is_fence = line.compare(first, 3, "```") == 0;
    is_fenced ^= is_fence;
    const bool is_code = is_fenced || is_fence || line.starts_with("    ");
    if (is_code || line.find_first_of("|#!") == 0) {
      paragraphs.end();
      continue;
    }
    if (std::regex_search(line, item)) paragraphs.end();
    paragraphs.add(std::regex_replace(line.substr(first), item, ""));
  }
  return paragraphs.figures();
}

Figures figures_of_comments(const std::string& text) {
  Paragraphs paragraphs;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const bool is_comment = first != line.npos && line.compare(first, 2, "//") == 0;
    const std::size_t begin = is_comment ? line.find_first_not_of("/< ", first) : line.npos;
    paragraphs.add(begin == line.npos ? "" : line.substr(begin));
  }
  return paragraphs.figures();
}

/// Files below the root of the project, by their names' ends; generated and foreign ones left out.
std::vector<fs::path> files_ending(const std::string& end) {
  const fs::path root = ALPHASPARSE_SOURCE_DIR;
  const std::vector<std::string> left_out = {"build", ".git", "golden", "commands"};
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator at(root), last; at != last; ++at) {
    const std::string name = at->path().filename();
    const bool is_commands = name == "commands" && at->path().parent_path().filename() != "docs";
    if (at->is_directory() && !is_commands &&
        (name.starts_with('.') ||
         std::find(left_out.begin(), left_out.end(), name) != left_out.end()))
      at.disable_recursion_pending();
    else if (at->is_regular_file() && name.ends_with(end))
      files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Goal {
  double fused_in_100, words_a_sentence;
};

void expect_plain(const Figures& figures, const Goal& goal, const std::string& description) {
  EXPECT_LE(figures.fused_in_100(), goal.fused_in_100)
      << description << ": too many of what, who and whose in the place of a noun";
  EXPECT_LE(figures.words_a_sentence(), goal.words_a_sentence)
      << description << ": sentences too long";
}

constexpr std::int64_t words_least = 40;  // below, one sentence would decide

void expect_all_plain(const std::vector<fs::path>& files, const Goal& all, const Goal& each,
                      const std::function<Figures(const std::string&)>& figures_of) {
  Figures total;
  for (const fs::path& file : files) {
    const Figures figures = figures_of(contents(file));
    total += figures;
    if (figures.words >= words_least)
      expect_plain(figures, each, fs::relative(file, ALPHASPARSE_SOURCE_DIR));
  }
  expect_plain(total, all, "all together");
}

TEST(PlainEnglish, DocumentsAreEasyToRead) {
  expect_all_plain(files_ending(".md"), {0.3, 20}, {0.5, 23}, figures_of_markdown);
}

TEST(PlainEnglish, CommentsOfHeadersAreEasyToRead) {
  Figures total;
  for (const fs::path& file : files_ending(".h")) total += figures_of_comments(contents(file));
  expect_plain(total, {0.5, 20}, "comments of headers");
}

TEST(PlainEnglish, FiguresAreThoseOfTheProse) {
  const Figures figures = figures_of_markdown(
      "# What a heading says is no prose\n\nThe tool reads `what it needs` from a file. What is\n"
      "slow is left out.\n- Whoever waits, waits.\n\n| what | a table |\n\n```\nwhat who\n```\n");
  EXPECT_EQ(figures.sentences, 3);
  EXPECT_EQ(figures.words, 16);
  EXPECT_EQ(figures.fused, 2);
  const Figures comments = figures_of_comments(
      "// head: what it is.\n#include <what>\nint a;  // what\n  /// Who reads this knows it.\n");
  EXPECT_EQ(comments.sentences, 2);
  EXPECT_EQ(comments.fused, 2);
}

}  // namespace
}  // namespace alphasparse
