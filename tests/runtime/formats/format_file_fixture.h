// format_file_fixture: format files of small matrices, and the messages about them.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "runtime/formats/format_file.h"
#include "tests/support/battery.h"
#include "tests/support/read_format.h"
#include "tests/support/sample_kernel.h"

namespace alphasparse {

inline Matrix small() { return from_rows(3, {{{0, 1.0}, {2, 2.0}}, {{2, 3.0}}}); }

inline void write_sample(const std::filesystem::path& path, const Matrix& matrix, Dtype dtype) {
  write_format_file(path, sample_kernel(matrix, dtype), matrix, fingerprints(matrix));
}

/// The refusal of a file by read_format_file, in one line; empty where it takes the file.
inline std::string reason_of(const std::filesystem::path& path) {
  try {
    read_format_file(path);
  } catch (const host::BadFile& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "";
}

}  // namespace alphasparse
