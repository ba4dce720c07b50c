// long_file: a long Matrix Market file gives the entries and the refusals of its text, but only
// some pieces of it are in memory.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "base/result.h"
#include "generator/arrays/matrix.h"
#include "runtime/matrices/containers/byte_source.h"
#include "runtime/matrices/containers/text_source.h"
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

/// The text as gzip files have it.
std::string packed(std::string text, int level = 1) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

/// The bytes and an empty member behind them: `left` bytes more end a chunk that is read at once.
std::string to_border(std::string bytes, std::size_t left) {
  using namespace std::string_literals;
  constexpr std::size_t chunk = packed_chunk_bytes;
  const std::string head = "\x1f\x8b\x08\x08\0\0\0\0\0\x03"s, end = "\0\x03\0\0\0\0\0\0\0\0\0"s;
  bytes += head;
  const std::size_t bare = bytes.size() + end.size() + left;
  return bytes + std::string((chunk - bare % chunk) % chunk, 'n') + end;
}

/// The Error of `read`, or nothing.
std::string line_refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "";
}

class LongFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::filesystem::path file = folder_.path() / "long.mtx";
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_GT(std::filesystem::file_size(file), static_cast<std::uintmax_t>(long_file_bytes));
    return file;
  }

  std::string write_gzip(const std::string& bytes) {
    EXPECT_GT(bytes.size(), static_cast<std::size_t>(long_gzip_bytes));
    const std::filesystem::path file = folder_.path() / "long.mtx.gz";
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

  /// The text's matrix or line_refusal, by the file, plain or gzip, and by its text alone.
  void expect_same(const std::string& text) {
    expect_same(text, write(text));
    expect_same(text, write_gzip(packed(text)));
  }

  void expect_same(const std::string& text, const std::string& file) {
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

class LongFileOf : public LongFile, public testing::WithParamInterface<bool> {};

TEST_P(LongFileOf, IsReadInPieces) {
  const std::string text = long_text("symmetric");
  const std::optional<Entries> entries =
      read_long_matrix_market(GetParam() ? write_gzip(packed(text)) : write(text));
  ASSERT_TRUE(entries);
  const Entries expected = parse_matrix_market(text, "a.mtx");
  EXPECT_EQ(entries->mirror, Mirror::same);
  EXPECT_EQ(entries->rows, expected.rows);
  EXPECT_TRUE(entries->row == expected.row);
  EXPECT_TRUE(entries->col == expected.col);
  EXPECT_TRUE(entries->value == expected.value);
  ASSERT_EQ(entries->line_jumps.size(), expected.line_jumps.size());
  for (std::int64_t entry = 0; entry < expected.count(); entry += 997)
    ASSERT_EQ(entries->line(entry), expected.line(entry)) << entry;
}

INSTANTIATE_TEST_SUITE_P(PlainAndGzip, LongFileOf, testing::Bool());

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
  // A comment is longer than a piece, and the last entry is broken.
  const std::string comment = "%" + std::string(TextPieces::piece_bytes * 6 / 5, 'c') + "\n";
  std::string behind_comment = text;
  const std::size_t third = behind_comment.find('\n', behind_comment.size() / 3) + 1;
  behind_comment.insert(third, comment);
  expect_same(behind_comment);
  expect_same(behind_comment.substr(0, behind_comment.size() - 4) + "x\n");
  // No line ends within the pieces of a call.
  std::string endless = text;
  std::replace(endless.begin() + 1000, endless.end(), '\n', ' ');
  expect_same(endless);
}

TEST_F(LongFile, SeveralGzipMembersAreOneText) {
  const std::string text = long_text();
  const std::size_t half = text.size() / 2;
  expect_same(text, write_gzip(packed(text.substr(0, half)) + packed(text.substr(half))));
  // The second begins with a chunk of packed bytes, or behind its first byte.
  for (const std::size_t left : {0, 1})
    expect_same(text, write_gzip(to_border(packed(text.substr(0, half)), left) +
                                 packed(text.substr(half))));
}

TEST_F(LongFile, ADamagedGzipFileIsRefusedAsShortOnesAre) {
  const std::string whole = packed(long_text());
  std::string wrong_sum = whole;
  wrong_sum[whole.size() - 6] ^= 1;
  for (const auto& [bytes, why] :
       {std::pair(whole.substr(0, whole.size() / 2), "the gzip stream is truncated"),
        std::pair(whole.substr(0, whole.size() - 3), "the gzip stream is truncated"),
        std::pair(wrong_sum, "the gzip stream is damaged"),
        std::pair(whole + "\x1fx", "bytes that are not gzip stand behind the gzip stream"),
        std::pair(to_border(whole, 1) + "\x1fx",
                  "bytes that are not gzip stand behind the gzip stream"),
        std::pair(whole + "x", "bytes that are not gzip stand behind the gzip stream")}) {
    const std::string file = write_gzip(bytes);
    const std::string expected = line_refusal([&, &data = bytes] { parse_canonical(data, file); });
    EXPECT_EQ(line_refusal([&] { read_matrix(file); }), expected);
    EXPECT_NE(expected.find(why), std::string::npos) << expected;
    EXPECT_TRUE(expected.starts_with(file + ":") &&
                expected.ends_with("; fetch or write the file again"))
        << expected;
  }
}

TEST_F(LongFile, TheFirstFaultIsTold) {
  // The packed bytes are those of the text. A line is wrong, and the block of a line far behind it,
  // which several cores read at once.
  constexpr std::size_t fault = 5 << 20, damage = 7 << 20, head = 10, block_head = 5;
  std::string text = long_text();
  ASSERT_GT(text.size(), damage);
  std::string stored = packed(text, 0);
  const std::string line = "\n" + text.substr(text.find('\n', fault) + 1, 12);
  ASSERT_NE(stored.find(line), std::string::npos);
  stored[stored.find(line) + 1] = 'z';
  text[text.find(line) + 1] = 'z';
  std::size_t block = head;
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(stored.at(at)); };
  while (block < damage) block += block_head + byte(block + 1) + 256U * byte(block + 2);
  stored.at(block + 3) ^= 1;  // of the inverted length
  const std::string file = write_gzip(stored);
  EXPECT_EQ(line_refusal([&] { read_matrix(file); }),
            line_refusal([&] { parse_canonical(text, file); }));
}

TEST_F(LongFile, TheSumIsCheckedWhereTheTextEndsWithTheBuffer) {
  std::string text = long_text().substr(0, 4 * TextPieces::piece_bytes);
  text.back() = '\n';
  std::string bytes = packed(text);
  bytes[bytes.size() - 6] ^= 1;
  const Result<RegularFile> file = RegularFile::open(write_gzip(bytes));
  ASSERT_TRUE(file.ok());
  const ReadLimits limits;
  const LongBytes source = load_bytes(*file, "long.mtx", limits);
  PiecesOfFile pieces(*source.source, "", std::int64_t{1} << 30, "long.mtx");
  EXPECT_NE(line_refusal([&] {
              while (!pieces.next(4).empty()) {
              }
            }).find("the gzip stream is damaged"),
            std::string::npos);
}

TEST_F(LongFile, TheBeginningOfADamagedGzipFileEndsThere) {
  const std::string text = long_text();
  const std::string some = gunzip_beginning(packed(text).substr(0, 5000), 1 << 16);
  EXPECT_GT(some.size(), 0U);
  EXPECT_LT(some.size(), std::size_t{1} << 16);
  EXPECT_TRUE(text.starts_with(some));
}

/// Gives a text, and then its end.
class TextBytes : public ByteSource {
 public:
  explicit TextBytes(std::string text) : text_(std::move(text)) {}
  std::size_t read(char* to, std::size_t bytes) override {
    const std::size_t count = text_.copy(to, bytes, at_);
    at_ += count;
    return count;
  }
  std::int64_t bytes_left_most() const override {
    return static_cast<std::int64_t>(text_.size() - at_);
  }

 private:
  const std::string text_;
  std::size_t at_ = 0;
};

TEST(PiecesOfFile, RefusesALineByItsLengthAlone) {
  constexpr std::size_t most = 3 * TextPieces::piece_bytes;
  for (const std::size_t count : {1, 2, 8}) {
    for (const std::size_t length : {most - 1, most}) {
      TextBytes source("short\n" + std::string(length, 'c') + "\n");
      PiecesOfFile pieces(source, "", std::int64_t{1} << 30, "long.mtx", most);
      const std::string why = line_refusal([&] {
        while (!pieces.next(count).empty()) {
        }
      });
      EXPECT_EQ(why, length < most ? ""
                                   : "long.mtx: has a line of 3145728 bytes or more; fetch or "
                                     "write the file again");
    }
  }
}

TEST_F(LongFile, ATextMayBeLargerThanMemory) {
  constexpr int few = 60'000;
  const std::string sizes = "9 9 " + std::to_string(few) + "\n";
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + sizes;
  std::mt19937_64 random(1);
  for (int i = 0; i < few; ++i) {
    text += "1 1 0.";
    for (int digits = 0; digits < 4; ++digits) text += std::to_string(random());
    text += "\n";
  }
  ReadLimits limits;
  limits.memory_bytes = static_cast<std::int64_t>(text.size()) / 2;
  std::string broken = text;
  broken[broken.size() - 2] = 'z';
  for (const bool is_gzip : {false, true}) {
    const auto file_of = [&](const std::string& of) {
      return is_gzip ? write_gzip(packed(of)) : write(of);
    };
    EXPECT_EQ(read_long_matrix_market(file_of(text), limits).value().count(), few);
    const std::string file = file_of(broken);
    const std::string why = line_refusal([&] { read_long_matrix_market(file, limits); });
    EXPECT_TRUE(why.starts_with(file + ":" + std::to_string(few + 2) + ": ")) << why;
  }
}

TEST_F(LongFile, AGzipFileMayNotGoOnForEver) {
  // Far more blanks than its size line accounts for.
  std::string text = long_text();
  text.insert(text.rfind('\n', text.size() - 2) + 1, std::string(std::size_t{1} << 27, '\n'));
  const std::string file = write_gzip(packed(text));
  EXPECT_NE(line_refusal([&] { read_matrix(file); }).find("its size line does not account for"),
            std::string::npos);
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

TEST_F(LongFile, AnArrayIsBegunOnce) {
  std::string array = "%%MatrixMarket matrix array real general\n1000 1000\n";
  for (int i = 0; i < 1'000'000; ++i) array += "1.25\n";
  const std::string file = write(array);
  const int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch < 0 || inotify_add_watch(watch, file.c_str(), IN_OPEN | IN_CLOSE) < 0)
    GTEST_SKIP() << "skipped: inotify watches no file here";
  EXPECT_FALSE(read_long_matrix_market(file));
  std::array<inotify_event, 16> events{};  // of a file: they have no names
  const ssize_t bytes = read(watch, events.data(), sizeof(events));
  close(watch);
  EXPECT_EQ(bytes, static_cast<ssize_t>(2 * sizeof(inotify_event)));
}

TEST_F(LongFile, OnlySomePiecesAreInMemory) {
  const std::string text = long_text();
  const Result<RegularFile> file = RegularFile::open(write(text));
  ASSERT_TRUE(file.ok());
  constexpr std::size_t begun_bytes = 100, count = 2;
  const ReadLimits limits;
  const LongBytes bytes_read = load_bytes(*file, "long.mtx", limits);
  std::string begun(begun_bytes, '\0');
  ASSERT_EQ(bytes_read.source->read(begun.data(), begun.size()), begun_bytes);
  PiecesOfFile pieces(*bytes_read.source, begun, file->size(), "long.mtx");
  std::string joined;
  for (;;) {
    EXPECT_EQ(pieces.bytes_left_most(), static_cast<std::int64_t>(text.size() - joined.size()));
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
