#include "tools/console/runtime_file.h"

#include <errno.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "base/version.h"
#include "generator/text/runtime_header.h"

namespace alphasparse {

namespace {

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool is_kernel(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  std::error_code unknown;
  return (name.ends_with(".cu") || name.ends_with(".hip") || name.ends_with(".cpu.cpp")) &&
         std::filesystem::is_regular_file(file, unknown);
}

/// The kernels of a folder that include a header of that version.
std::vector<std::string> list_files(const std::filesystem::path& folder, const std::string& version,
                                    const std::filesystem::path& except) {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    const std::filesystem::path& file = entry.path();
    if (!is_kernel(file) || file.filename() == except.filename()) continue;
    if (runtime_version(read_text(file)) == version) names.push_back(file.filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string write_list(const std::vector<std::string>& names) {
  constexpr std::size_t most = 3;
  std::string list;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    list += (i > 0 ? ", " : "") + printable(names[i]);
  return names.size() <= most ? list : fmt::format("{} and {} more", list, names.size() - most);
}

}  // namespace

void check_runtime(const std::filesystem::path& header, const std::filesystem::path& source) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(header, unknown)) return;
  const std::string name = printable(header.string());
  if (!std::ifstream(header))
    throw Error(
        fmt::format("{} cannot be read ({}); make it readable, or name another folder with -o",
                    name, std::strerror(errno)));
  const std::string version = runtime_version(read_text(header));
  if (version == generator_version) return;
  if (version.empty())
    throw Error(name + " is in the way and no header of alphasparse; name another folder with -o");
  const std::vector<std::string> kernels = list_files(header.parent_path(), version, source);
  if (kernels.empty()) return;
  throw Error(fmt::format(
      "{} has version {}, which {} need{}; this program writes version {}: name another folder "
      "with -o, or remove the header and emit {} again",
      name, version, write_list(kernels), kernels.size() == 1 ? "s" : "", generator_version,
      kernels.size() == 1 ? "that kernel" : "those kernels"));
}

}  // namespace alphasparse
