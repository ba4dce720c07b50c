// database_path: which file the tuning database is, and whether it can be one.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "runtime/database/database.h"
#include "runtime/system/files/home.h"
#include "runtime/system/files/own_files.h"
#include "runtime/system/sqlite.h"

namespace alphasparse {

namespace {

void check_path(const std::string& path, std::string_view hint) {
  const std::filesystem::path file(path);
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw Error(ExitCode::database, fmt::format("database {} is not a file; name {}", path, hint));
  }
  if (!std::filesystem::is_directory(file.parent_path(), error)) {
    throw Error(ExitCode::database, fmt::format("database {}: its folder does not exist or cannot "
                                                "be entered; make it, or name {}",
                                                path, hint));
  }
}

/// SQLite takes a file shorter than a page for an empty one and overwrites it, and does not miss
/// the end of the last page. So the header is looked at before.
void check_header(const std::string& path, std::string_view hint) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size == 0) return;
  std::array<char, 18> header{};
  std::ifstream file(path, std::ios::binary);
  if (!file && access(path.c_str(), R_OK) != 0 && errno == EACCES) {
    throw Error(ExitCode::database, fmt::format("database {} cannot be read for lack of "
                                                "permission; mend it, or name {}",
                                                path, hint));
  }
  if (!file) return;  // SQLite says why
  file.read(header.data(), header.size());
  if (!file || std::string_view(header.data(), sqlite_magic.size()) != sqlite_magic) {
    throw Error(ExitCode::database,
                fmt::format("database {} is not a tuning database; name {}", path, hint));
  }
  const auto byte = [&](int i) { return static_cast<unsigned char>(header[i]); };
  const unsigned stored = byte(16) * 256u + byte(17);
  const unsigned page_bytes = stored == 1 ? 65536 : stored;
  if (page_bytes == 0 || size % page_bytes != 0) {
    throw Error(ExitCode::database,
                fmt::format("database {} is cut short; rescue its rows with sqlite3's .recover, "
                            "or name {}",
                            path, hint));
  }
}

}  // namespace

void check_database_file(const std::string& path, std::string_view hint) {
  check_path(path, hint);
  check_header(path, hint);
}

namespace {

constexpr const char* path_hint = "set ALPHASPARSE_DB to a file, or name one with --db";

/// The absolute path of "~/x" where there is a home folder.
std::string whole_path(const std::string& path) {
  if (const auto whole = without_tilde(path)) return whole->string();
  throw Error(
      ExitCode::database,
      fmt::format("database {}: HOME, which ~ stands for, is not set; {}", path, path_hint));
}

}  // namespace

std::string database_path(const std::string& option) {
  if (!option.empty()) return whole_path(option);
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const std::string named = variable("ALPHASPARSE_DB"); !named.empty())
    return whole_path(named);
  std::filesystem::path base = variable("XDG_DATA_HOME");
  if (!base.is_absolute()) {  // as the XDG specification says, a relative one is ignored
    const std::optional<std::filesystem::path> home = home_folder();
    if (!home) {
      throw Error(ExitCode::database,
                  fmt::format("no place for the tuning database, HOME is not set; {}", path_hint));
    }
    base = *home / ".local" / "share";
  }
  const std::filesystem::path folder = base / "alphasparse";
  if (const std::error_code error = make_own_folder(folder)) {
    throw Error(ExitCode::database,
                fmt::format("cannot make folder {} for the tuning database ({}); {}",
                            folder.string(), error.message(), path_hint));
  }
  return (folder / "tuning.db").string();
}

}  // namespace alphasparse
