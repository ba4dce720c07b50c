#include "tools/commands/other_database.h"

namespace alphasparse {

Error with_remedy(const Error& error, std::string_view remedy) {
  std::string text = error.what();
  for (const std::string_view advice :
       {"another file with --db", "a file with --db", "another --db"}) {
    const std::size_t place = text.find(advice);
    if (place != std::string::npos) text.replace(place, advice.size(), remedy);
  }
  return {error.code(), text};
}

Database open_other(const std::string& path, std::string_view remedy) {
  try {
    return Database::open_source(path);
  } catch (const Error& error) {
    if (error.code() == ExitCode::database) throw with_remedy(error, remedy);
    throw;
  }
}

}  // namespace alphasparse
