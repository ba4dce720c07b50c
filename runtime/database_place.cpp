// database_place: which file the tuning database is.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "runtime/database.h"

namespace alphasparse {

std::string database_place(const std::string& option) {
  if (!option.empty()) return option;
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (const std::string place = variable("ALPHASPARSE_DB"); !place.empty()) return place;
  std::filesystem::path base = variable("XDG_DATA_HOME");
  if (!base.is_absolute()) {  // as the XDG specification says, a relative one is ignored
    const std::string home = variable("HOME");
    if (home.empty()) {
      throw Error(ExitCode::database,
                  "no place for the tuning database, HOME is not set; name a file with --db");
    }
    base = std::filesystem::path(home) / ".local" / "share";
  }
  const std::filesystem::path folder = base / "alphasparse";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Error(ExitCode::database,
                fmt::format("cannot make folder {} for the tuning database ({}); name a file "
                            "with --db",
                            folder.string(), error.message()));
  }
  return (folder / "tuning.db").string();
}

}  // namespace alphasparse
