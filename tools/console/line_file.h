// line_file: a file that grows by whole lines, so that others can read it before it is complete.
#pragma once
#include <string>
#include <string_view>

namespace alphasparse {

class LineFile {
 public:
  /// Empties the file, or makes it. Throws Error (exit 2 or 4) where it cannot be written, is a
  /// database or no regular file.
  explicit LineFile(const std::string& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Adds one line in one piece; its end is added here. Throws Error (exit 4).
  void add(std::string_view line);

 private:
  [[noreturn]] void fail() const;

  const std::string path_;
  int descriptor_ = -1;
};

}  // namespace alphasparse
