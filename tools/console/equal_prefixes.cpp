#include "tools/console/equal_prefixes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/printable.h"

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

/// Kernels' headers by the prefix of their C functions.
using Headers = std::map<std::string, std::set<fs::path>>;

/// The prefix that a kernel's header guards itself by; empty: it is another header. The guard
/// follows some comments, so a large file of somebody else is not read to its end.
std::string find_prefix(const fs::path& header) {
  constexpr std::string_view guard = "#ifndef ALPHASPARSE_KERNEL_", end = "_H";
  constexpr int lines_most = 100;
  std::ifstream file(header);
  std::string line;
  for (int count = 0; count < lines_most && std::getline(file, line); ++count) {
    const std::string_view mark = std::string_view(line).substr(0, 2);
    if (mark == "//" || mark == "/*" || mark == " *" || mark.empty()) continue;
    if (!line.starts_with(guard)) return "";
    const std::string rest = line.substr(guard.size());
    return rest.ends_with(end) ? rest.substr(0, rest.size() - end.size()) : "";
  }
  return "";
}

void add_headers(const fs::path& folder, Headers& headers) {
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    std::error_code unknown;
    if (entry.path().extension() != ".h" || !entry.is_regular_file(unknown)) continue;
    const std::string prefix = find_prefix(entry.path());
    if (!prefix.empty()) headers[prefix].insert(entry.path().filename());
  }
}

bool holds_any(const std::set<fs::path>& headers, const std::set<fs::path>& names) {
  for (const fs::path& header : headers) {
    if (names.contains(header)) return true;
  }
  return false;
}

std::string make_line(const std::string& prefix, const std::set<fs::path>& headers) {
  std::vector<std::string> names;
  for (const fs::path& header : headers) names.push_back(printable(header.string()));
  return fmt::format(
      "alphasparse: {} declare the same C functions, {}_load and others, so that one "
      "program cannot link them together; make one again with a --prefix of its own\n",
      fmt::join(names, " and "), prefix);
}

}  // namespace

std::string equal_prefixes_text(const std::set<fs::path>& headers) {
  std::map<fs::path, std::set<fs::path>> folders;  // the names of what was written, by folder
  for (const fs::path& header : headers) folders[header.parent_path()].insert(header.filename());
  std::string text;
  for (const auto& [folder, written] : folders) {
    Headers known;
    add_headers(folder.empty() ? "." : folder, known);
    for (const auto& [prefix, names] : known) {
      if (names.size() > 1 && holds_any(names, written)) text += make_line(prefix, names);
    }
  }
  return text;
}

}  // namespace alphasparse
