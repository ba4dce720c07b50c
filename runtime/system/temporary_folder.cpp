#include "runtime/system/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <string>

#include "runtime/system/environment.h"

namespace alphasparse {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  // Absolute: programs are given paths in it, and "-x" as a path would be an option of theirs.
  const fs::path place = fs::absolute(base && *base ? base : "/tmp");
  std::string name = (place / "alphasparse-XXXXXX").string();
  if (!mkdtemp(name.data())) throw temporary_fault("cannot make a folder", name, errno);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view text) const {
  fs::path file = path_ / name;
  write_made_file(file, text);
  return file;
}

}  // namespace alphasparse
