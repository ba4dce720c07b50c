#include "runtime/system/machine/processor.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace alphasparse {

std::string cpuinfo_field(const std::string& field) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(field) && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

std::string processor_text(const std::filesystem::path& cpuinfo) {
  constexpr const char* fields[] = {"vendor_id", "cpu family", "model",
                                    "flags",     "Features",   "CPU "};
  std::set<std::string> lines;  // cores of several kinds have several of each
  std::ifstream file(cpuinfo);
  for (std::string line; std::getline(file, line);) {
    const bool is_wanted = std::any_of(std::begin(fields), std::end(fields),
                                       [&](const char* field) { return line.starts_with(field); });
    if (is_wanted) lines.insert(line);
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace alphasparse
