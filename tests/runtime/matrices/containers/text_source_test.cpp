// text_source: plain and gzip files, whole and damaged, and paths without a file to read.
#include "runtime/matrices/containers/text_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "base/result.h"
#include "runtime/matrices/matrix_file.h"
#include "runtime/matrices/matrix_names.h"
#include "runtime/matrices/text/matrix_market.h"
#include "runtime/system/machine/memory.h"
#include "tests/support/files.h"

namespace alphasparse {
namespace {

constexpr std::int64_t plenty_bytes = 1 << 30;

const std::string plain = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.5\n2 2 -3\n";

/// `plain` as gzip compresses it: 10 bytes of header, the deflate stream, CRC and length.
const std::string gzipped(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x53\x55\xf5\x4d\x2c\x29\xca\xac\xf0\x4d\x2c\xca\x4e"
    "\x2d\x51\xc8\x05\x73\x14\x92\xf3\xf3\x8b\x52\x32\xf3\x12\x4b\x52\x15\x8a\x52\x13\x73\x14\xd2"
    "\x53\xf3\x52\x8b\x12\x73\xb8\x8c\x14\x80\x90\xcb\x50\x01\x08\xf5\x4c\xc1\x3c\x5d\x63\x2e\x00"
    "\x6d\x80\xe1\x53\x43\x00\x00\x00",
    77);

/// The line of the Error that `act` throws.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "accepted";
}

std::string gunzip_refusal(const std::string& bytes, std::int64_t memory_bytes = plenty_bytes) {
  return refusal([&] { gunzip(bytes, "a.gz", memory_bytes); });
}

std::string file_refusal(const std::string& path) {
  return refusal([&] { read_matrix_market(path); });
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "text_source.XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::string folder_;
};

// Twice its size was taken where the read that finds the end had no room.
TEST(TextSource, AFileTakesNoMoreMemoryThanItsSize) {
  const TestFolder folder;
  const std::string text(3'000'000, '%');
  set_contents(folder / "long.mtx", text);
  const std::string bytes = alphasparse::read_bytes((folder / "long.mtx").string(), Deadline());
  EXPECT_EQ(bytes, text);
  EXPECT_LT(bytes.capacity(), text.size() + (1U << 17));
}

TEST(Gunzip, WholeStreamsAndSeveralMembers) {
  EXPECT_TRUE(is_gzip(gzipped));
  EXPECT_FALSE(is_gzip(plain));
  EXPECT_FALSE(is_gzip("\x1f"));
  EXPECT_EQ(gunzip(gzipped, "a.gz", plenty_bytes), plain);
  EXPECT_EQ(gunzip(gzipped + gzipped, "a.gz", plenty_bytes), plain + plain);
}

TEST(Gunzip, EveryTruncationIsRefused) {
  for (std::size_t length = 2; length < gzipped.size(); ++length) {
    const std::string message = gunzip_refusal(gzipped.substr(0, length));
    EXPECT_NE(message.find(": the gzip stream is truncated; "), std::string::npos)
        << length << ": " << message;
  }
  EXPECT_EQ(gunzip_refusal(gzipped.substr(0, 70)),
            "a.gz:5: the gzip stream is truncated; fetch or write the file again");
  EXPECT_EQ(gunzip_refusal(gzipped + gzipped.substr(0, 12)),
            "a.gz:5: the gzip stream is truncated; fetch or write the file again");
}

TEST(Gunzip, DamageIsRefused) {
  std::string damaged = gzipped;
  damaged[70] ^= 1;  // in the CRC
  EXPECT_EQ(gunzip_refusal(damaged),
            "a.gz:5: the gzip stream is damaged; fetch or write the file again");
  damaged = gzipped;
  damaged[2] = 7;  // no such method
  EXPECT_EQ(gunzip_refusal(damaged),
            "a.gz:1: the gzip stream is damaged; fetch or write the file again");
  EXPECT_EQ(gunzip_refusal(gzipped + "x"),
            "a.gz:5: bytes that are not gzip stand behind the gzip stream; fetch or write the file "
            "again");
}

TEST(Gunzip, TextThatMemoryCannotHoldIsRefused) {
  std::string many;
  for (int member = 0; member < 2000; ++member) many += gzipped;
  EXPECT_EQ(gunzip(many, "a.gz", plenty_bytes).size(), 2000 * plain.size());
  EXPECT_EQ(gunzip_refusal(many, 100'000),
            "a.gz: its text takes 131.1 kB or more of memory, 100.0 kB are available");
}

TEST_F(Files, ContentSaysWhatIsGzip) {
  for (const char* name : {"a.mtx", "a.mtx.gz", "a"}) {
    EXPECT_EQ(read_text(write(name, plain)), plain) << name;
    EXPECT_EQ(read_text(write(name, gzipped)), plain) << name;
  }
  EXPECT_EQ(read_matrix_market(write("a.mtx", gzipped)).nnz(), 2);
}

TEST_F(Files, LargerThanTheFirstChunk) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i);
  EXPECT_EQ(alphasparse::read_bytes(write("large", text)), text);
}

TEST_F(Files, PipesAreReadToTheirEnd) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], gzipped.data(), gzipped.size()), static_cast<ssize_t>(gzipped.size()));
  close(ends[1]);
  EXPECT_EQ(read_matrix_market("/dev/fd/" + std::to_string(ends[0])).nnz(), 2);
  close(ends[0]);
}

TEST_F(Files, APipeWithoutAWriterIsToldAndASilentWriterIsWaitedFor) {
  const std::string path = folder_ + "/pipe.mtx";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  constexpr double little = 0.05;
  EXPECT_EQ(refusal([&] { alphasparse::read_bytes(path, {}, little); }),
            path + ": is a pipe that no program writes into; start the writer, or name a file");
  const int writer = open(path.c_str(), O_RDWR);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_EQ(::write(writer, plain.data(), plain.size()), static_cast<ssize_t>(plain.size()));
    close(writer);
  });
  EXPECT_EQ(alphasparse::read_bytes(path, {}, little), plain);
  later.join();
}

// Some programs start others with a socket in the place of a pipe.
TEST_F(Files, StandardInputMayBeASocketOrAFile) {
  const int before = dup(STDIN_FILENO);
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  ASSERT_EQ(::write(ends[1], plain.data(), plain.size()), static_cast<ssize_t>(plain.size()));
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  EXPECT_EQ(alphasparse::read_bytes(standard_input), plain);
  const int file = open(write("m.mtx", plain).c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  close(file);
  EXPECT_EQ(alphasparse::read_bytes(standard_input), plain);
  dup2(before, STDIN_FILENO);
  close(before);
}

TEST_F(Files, ASlowPipeIsReadToItsEndAndASilentOneIsNot) {
  const std::string path = folder_ + "/pipe.mtx";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream pipe(path, std::ios::binary);
    for (const std::string& part : {plain.substr(0, 10), plain.substr(10)}) {
      pipe << part << std::flush;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  EXPECT_EQ(read_matrix_market(path).nnz(), 2);
  writer.join();
  const Deadline little{Deadline::after(0.2), nullptr};
  EXPECT_THROW(alphasparse::read_bytes(path, little), Error);
}

TEST_F(Files, NoTimeLeftIsNamed) {
  const std::string path = write("m.mtx", plain);
  const auto refusal_of = [&](const Deadline& deadline) -> std::string {
    try {
      read_matrix(path, deadline);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::nothing_verified);
      return error.what();
    }
    return "";
  };
  const std::atomic<bool> stop = true;
  EXPECT_EQ(refusal_of({}), "");
  EXPECT_EQ(refusal_of({Deadline::after(0), nullptr}),
            path + ": its time was over before it was read; give it more");
  EXPECT_EQ(refusal_of({{}, &stop}), path + ": interrupted while it was read");
}

TEST_F(Files, DevicesAreRefusedUnopened) {
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/tty"})
    EXPECT_EQ(file_refusal(device), fmt::format("{}: is a device, not a file", device));
  const std::string link = folder_ + "/link.mtx";
  std::filesystem::create_symlink("/dev/zero", link);
  EXPECT_EQ(file_refusal(link), link + ": is a device, not a file");
}

TEST_F(Files, WhatIsNoFileIsRefused) {
  const std::string missing = folder_ + "/missing.mtx";
  EXPECT_EQ(file_refusal(missing), missing + ": cannot be read: No such file or directory");
  EXPECT_EQ(file_refusal(folder_), folder_ + ": is a directory, not a file");
  const std::string empty = write("empty.mtx", "");
  EXPECT_EQ(file_refusal(empty), empty + ":1: the file is empty");
  const std::string short_gz = write("short.mtx.gz", gzipped.substr(0, 60));
  EXPECT_EQ(file_refusal(short_gz).find(short_gz + ":"), 0u);
}

TEST_F(Files, UnreadableFilesAreRefused) {
  // Opens, but cannot be read at offset 0.
  EXPECT_EQ(file_refusal("/proc/self/mem"), "/proc/self/mem: cannot be read: Input/output error");
  const std::string path = write("secret.mtx", plain);
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  const bool is_root = geteuid() == 0;  // root reads every file: become nobody for a moment
  constexpr uid_t nobody = 65534;
  if (is_root && seteuid(nobody) != 0) GTEST_SKIP() << "root here cannot become another user";
  EXPECT_EQ(file_refusal(path), path + ": cannot be read: Permission denied");
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST_F(Files, FilesThatMemoryCannotHoldAreRefusedUnread) {
  const std::string path = write("sparse.mtx", "");
  std::error_code problem;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 43, problem);  // a hole, no blocks
  if (problem) GTEST_SKIP() << "no file of 8 TB here: " << problem.message();
  EXPECT_EQ(file_refusal(path).find(path + ": its text takes 8796.1 GB or more of memory, "), 0u);
}

TEST(Memory, SomeIsAvailable) {
  EXPECT_GT(available_memory_bytes(), 1 << 20);
  EXPECT_EQ(byte_count_text(80), "80 B");
  EXPECT_EQ(byte_count_text(1'500), "1.5 kB");
  EXPECT_EQ(byte_count_text(12'000'000), "12.0 MB");
  EXPECT_EQ(byte_count_text(4'500'000'000), "4.5 GB");
}

}  // namespace
}  // namespace alphasparse
