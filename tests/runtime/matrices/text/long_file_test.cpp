// long_file: a long Matrix Market file gives the entries and the refusals of its text, but only
// some pieces of it are in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/result.h"
#include "generator/arrays/matrix.h"
#include "runtime/matrices/matrix_file.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/matrices/text/text_pieces.h"
#include "runtime/system/files/temporary_folder.h"

namespace alphasparse {
namespace {

constexpr int rows = 200'000, per_row = 2;

/// Lines of entries below the diagonal, in no order, with a comment or a blank line now and then.
std::string entry_lines(const std::string& newline) {
  std::string lines;
  for (int i = 0; i < rows * per_row; ++i) {
    const int row = static_cast<int>(2 + std::int64_t{i} * 7919 % (rows - 1));
    if (i % 5000 == 7) lines += newline;
    if (i % 5000 == 9) lines += "% a comment" + newline;
    lines += std::to_string(row) + " " + std::to_string(1 + i % (row - 1)) + " " +
             std::to_string(i) + ".25" + newline;
  }
  return lines;
}

std::string long_text(const std::string& symmetry = "general", const std::string& newline = "\n",
                      const std::string& comments = "") {
  return "%%MatrixMarket matrix coordinate real " + symmetry + newline + comments +
         std::to_string(rows) + " " + std::to_string(rows) + " " + std::to_string(rows * per_row) +
         newline + entry_lines(newline);
}

class LongFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::filesystem::path file = folder_.path() / "long.mtx";
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_GT(std::filesystem::file_size(file), static_cast<std::uintmax_t>(long_file_bytes));
    return file;
  }

  /// The text's matrix or refusal, by the file and by its text alone.
  void expect_same(const std::string& text) {
    const std::string file = write(text);
    const auto outcome = [](const std::function<Matrix()>& read) -> std::string {
      try {
        const Fingerprints prints = fingerprints(read());
        return prints.pattern + prints.values;
      } catch (const Error& error) {
        return error.what();
      }
    };
    const std::string expected = outcome([&] { return parse_canonical(text, file); });
    EXPECT_EQ(outcome([&] { return read_matrix(file); }), expected);
    EXPECT_EQ(outcome([&] { return read_matrix_market(file); }), expected);
  }

  TemporaryFolder folder_;
};

TEST_F(LongFile, IsReadInPieces) {
  const std::string text = long_text("symmetric");
  const std::optional<Entries> entries = read_long_matrix_market(write(text));
  ASSERT_TRUE(entries);
  const Entries expected = parse_matrix_market(text, "a.mtx");
  EXPECT_EQ(entries->symmetry, Symmetry::symmetric);
  EXPECT_EQ(entries->rows, expected.rows);
  EXPECT_TRUE(entries->row == expected.row);
  EXPECT_TRUE(entries->col == expected.col);
  EXPECT_TRUE(entries->value == expected.value);
  ASSERT_EQ(entries->line_jumps.size(), expected.line_jumps.size());
  for (std::int64_t entry = 0; entry < expected.count(); entry += 997)
    ASSERT_EQ(entries->line(entry), expected.line(entry)) << entry;
}

TEST_F(LongFile, HasTheMatrixOfItsText) {
  for (const char* const newline : {"\n", "\r\n"}) expect_same(long_text("general", newline));
  expect_same("\xef\xbb\xbf" + long_text("skew-symmetric"));
  std::string unended = long_text();
  unended.pop_back();
  expect_same(unended);
  // The size line stands behind the first piece.
  std::string comments;
  while (comments.size() <= TextPieces::piece_bytes)
    comments += "% " + std::string(1000, 'c') + "\n";
  expect_same(long_text("general", "\n", comments));
}

TEST_F(LongFile, HasTheRefusalOfItsText) {
  const std::string text = long_text("symmetric");
  expect_same(text + "1 1 1\n");
  expect_same(text.substr(0, text.rfind('\n', text.size() - 2) + 1));
  expect_same(text.substr(0, text.size() - 4) + "x\n");
  std::string above = text;
  const std::size_t last = above.rfind('\n', above.size() - 2) + 1;
  expect_same(above.replace(last, std::string::npos, "3 5 1\n"));
  std::string broken = text;
  broken[broken.size() / 2] = 'z';
  expect_same(broken);
  // The first piece ends in the size line, as if that were complete.
  const std::string cut = long_text("general", "\n", "%\n");
  const std::size_t sizes_end = cut.find('\n', cut.find("%\n") + 2);
  const std::string more(TextPieces::piece_bytes - sizes_end - 1, 'c');
  for (const char* const rest : {" 3 4 1", " % note"}) {
    std::string broken_sizes = cut;
    broken_sizes.insert(sizes_end, rest);
    expect_same(broken_sizes.insert(cut.find("%\n"), "%" + more));
  }
  // No line ends within the pieces of a call.
  std::string endless = text;
  std::replace(endless.begin() + 1000, endless.end(), '\n', ' ');
  expect_same(endless);
}

TEST_F(LongFile, OthersAreLeftToTheirReaders) {
  EXPECT_FALSE(read_long_matrix_market((folder_.path() / "missing.mtx").string()));
  const std::filesystem::path brief = folder_.path() / "short.mtx";
  std::ofstream(brief) << "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n";
  EXPECT_FALSE(read_long_matrix_market(brief));
  std::string array = "%%MatrixMarket matrix array real general\n1000 1000\n";
  for (int i = 0; i < 1'000'000; ++i) array += "1.25\n";
  EXPECT_FALSE(read_long_matrix_market(write(array)));
  EXPECT_FALSE(read_long_matrix_market(write("%PDF-1.4\n" + long_text())));
}

TEST_F(LongFile, OnlySomePiecesAreInMemory) {
  const std::string text = long_text();
  const Result<RegularFile> file = RegularFile::open(write(text));
  ASSERT_TRUE(file.ok());
  constexpr std::size_t begun_bytes = 100, count = 2;
  const Result<std::string> begun = file->read(begun_bytes);
  ASSERT_TRUE(begun.ok());
  PiecesOfFile pieces(*file, *begun, file->size() - static_cast<std::int64_t>(begun_bytes));
  std::string joined;
  for (;;) {
    EXPECT_EQ(pieces.bytes_left(), static_cast<std::int64_t>(text.size() - joined.size()));
    std::size_t bytes = 0;
    const std::vector<std::string_view> some = pieces.next(count);
    if (some.empty()) break;
    for (const std::string_view piece : some) {
      EXPECT_TRUE(piece.ends_with('\n'));
      bytes += piece.size();
      joined += piece;
    }
    EXPECT_LE(bytes, count * TextPieces::piece_bytes);
  }
  EXPECT_TRUE(joined == text);
}

}  // namespace
}  // namespace alphasparse
