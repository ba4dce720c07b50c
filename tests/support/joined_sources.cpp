#include "tests/support/joined_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace alphasparse {

namespace {

/// Sections outside of every namespace, and those of the host's own, each behind those that it
/// needs.
constexpr std::array<std::string_view, 2> outer = {"alphasparse_kernel", "any_handle"};
constexpr std::array<std::string_view, 10> shared = {
    "mirror_kind", "facts",         "message",       "digest", "safetensors",
    "status",      "format_reader", "loaded_format", "loader", "cuda_error"};

template <class Names>
bool is_among(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Section {
  std::string name, text;
};

/// The name of the section that a line begins; empty: none.
std::string section_name(const std::string& line) {
  if (line.starts_with("/// The format file's arrays")) return "own";
  if (!line.starts_with("// ") && !line.starts_with("/* ")) return "";
  const std::size_t end = line.find(": ");
  if (end == std::string::npos) return "";
  const std::string name = line.substr(3, end - 3);
  const bool is_word = std::all_of(name.begin(), name.end(),
                                   [](unsigned char c) { return std::islower(c) || c == '_'; });
  return is_word ? name : "";
}

constexpr std::string_view opening = "namespace alphasparse::host {",
                           closing = "}  // namespace alphasparse::host";

/// The sections of a source, without its program; its includes go into `includes`. A section that
/// lies in the host's namespace opens and closes it itself.
std::vector<Section> sections_of(const std::string& source, std::set<std::string>& includes) {
  std::istringstream lines(source.substr(0, source.rfind("#ifdef ALPHASPARSE_MAIN")));
  std::vector<Section> sections = {{"head", ""}};
  bool in_host = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#include <")) {
      includes.insert(line + "\n");
      continue;
    }
    if (line == opening) in_host = true;
    if (line == closing) in_host = false;
    // A namespace that opens behind the handles' section is the kernel's.
    const bool opens = line == "namespace {" || line.starts_with("#pragma GCC visibility");
    const std::string name =
        opens && sections.back().name == "any_handle" ? "opened" : section_name(line);
    if (!name.empty()) {
      std::string& before = sections.back().text;
      const std::string opened = std::string(opening) + "\n\n";
      if (in_host && before.ends_with(opened))
        before.resize(before.size() - opened.size());
      else if (in_host)
        before += std::string(closing) + "\n\n";
      sections.push_back({name, in_host ? opened : ""});
    }
    sections.back().text += line + "\n";
  }
  return sections;
}

}  // namespace

std::string joined_sources(const std::vector<std::string>& sources) {
  std::set<std::string> includes, seen;
  std::map<std::string, std::string, std::less<>> host;  // the shared sections
  std::string declarations, kernels;
  for (std::size_t number = 0; number < sources.size(); ++number) {
    std::string own;
    for (const auto& [name, text] : sections_of(sources[number], includes)) {
      // Shared sections are the same in all, but for the prefix in a comment and in a message.
      if (is_among(outer, name)) {
        if (seen.insert(name).second) declarations += text;
      } else if (is_among(shared, name)) {
        host.emplace(name, text);
      } else {
        own += text;
      }
    }
    kernels += fmt::format(
        "#undef ALPHASPARSE_KERNEL_FILE\n"
        "namespace kernel_{} {{\n"
        "namespace {{ namespace alphasparse::host {{ using namespace ::alphasparse::host; }} "
        "}}\n{}}}\n\n",
        number, own);
  }
  std::string text, common;
  for (const std::string_view name : shared) {
    if (const auto found = host.find(name); found != host.end()) common += found->second;
  }
  const std::string cuda =
      "#include <cuda_runtime.h>\n";  // its words are macros: behind the others
  for (const std::string& line : includes)
    if (line != cuda) text += line;
  if (includes.contains(cuda)) text += cuda;
  return text + "\n" + declarations + common + kernels;
}

}  // namespace alphasparse
