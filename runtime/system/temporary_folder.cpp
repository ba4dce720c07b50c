#include "runtime/system/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "generator/result.h"

namespace alphasparse {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  const char* base = std::getenv("TMPDIR");
  // Absolute: programs are given paths in it, and "-x" as a path would be an option of theirs.
  const fs::path place = fs::absolute(base && *base ? base : "/tmp");
  std::string name = (place / "alphasparse-XXXXXX").string();
  if (!mkdtemp(name.data())) {
    throw Error(
        fmt::format("cannot make a folder {}: {}; set TMPDIR to a place that can be written", name,
                    std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::write(std::string_view name, std::string_view text) const {
  const fs::path file = path_ / name;
  std::ofstream out(file, std::ios::binary);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) {
    throw Error(fmt::format("cannot write {}: is the disk full? set TMPDIR to another place",
                            file.string()));
  }
  return file;
}

}  // namespace alphasparse
