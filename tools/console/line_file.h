// line_file: a file that grows by whole lines, so that others can read it before it is complete.
// Several processes may add to one, each under its lock. The next line begins fresh where a writer
// was killed.
#pragma once
#include <string>
#include <string_view>

#include "runtime/system/files/descriptor.h"

namespace alphasparse {

class LineFile {
 public:
  /// Makes the file where it is missing. Throws Error (exit 2 or 4) where it cannot be read and
  /// written, is no regular file or a standard stream of ours, or has a line that is not `is_ours`.
  LineFile(const std::string& path, bool (*is_ours)(std::string_view));

  /// Adds one line in one piece, or nothing; its end is added here. Throws Error (exit 4).
  void add(std::string_view line);

 private:
  [[noreturn]] void fail() const;

  const std::string path_;
  const Descriptor file_;
};

}  // namespace alphasparse
