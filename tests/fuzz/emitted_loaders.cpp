// emitted_loaders: writes the source of the loaders of all subjects of a target.
//
//   NAME_loaders FILE [planted]
//
// With `planted` each check of the table below may be cut out: where ALPHASPARSE_PLANTED names it.
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/result.h"
#include "generator/text/standalone.h"
#include "tests/fuzz/format_fuzz.h"
#include "tests/support/files.h"
#include "tests/support/joined_sources.h"

namespace alphasparse {

const int metadata_mutations_of_ten = 0;

namespace {

/// A line of emitted loaders, and the line that takes its place in all of them; `planted` says
/// whether it does.
struct Fault {
  const char *name, *line, *instead;
};

constexpr Fault faults[] = {
    {"place", "if (i.number < 0 || i.number >= count) refuse_index(name, i.number, count);",
     "if (!planted && (i.number < 0 || i.number >= count)) refuse_index(name, i.number, count);"},
    {"code", "check_stored<std::int32_t>(code, data.at(code), -1, array.count - 1, false);",
     "if (!planted) check_stored<std::int32_t>(code, data.at(code), -1, array.count - 1, false);"},
    {"stored_range", "is_wrong |= stored(i) < least || stored(i) > most;",
     "is_wrong |= !planted && (stored(i) < least || stored(i) > most);"},
    {"stored_order", "is_wrong |= stored(i) < stored(i - 1);",
     "is_wrong |= !planted && stored(i) < stored(i - 1);"},
    {"computed_range", "if (entry < least || entry > most ||",
     "if ((!planted && (entry < least || entry > most)) ||"},
    {"step_range", "check_range(steps.name, at, columns[k], steps.least, steps.most);",
     "if (!planted) check_range(steps.name, at, columns[k], steps.least, steps.most);"},
};

void plant(std::string& text, const Fault& fault) {
  std::string instead = fault.instead;
  instead.replace(instead.find("planted"), std::strlen("planted"),
                  fmt::format("IS_PLANTED(\"{}\")", fault.name));
  std::size_t at = text.find(fault.line);
  if (at == text.npos) throw Error(fmt::format("no loader has the line \"{}\"", fault.line));
  for (; at != text.npos; at = text.find(fault.line, at + instead.size()))
    text.replace(at, std::strlen(fault.line), instead);
}

constexpr const char* is_planted = R"(
#include <cstdlib>
#include <string_view>
#define IS_PLANTED(name)                                              \
  ([] {                                                               \
    static const bool is_it = [] {                                    \
      const char* const planted = std::getenv("ALPHASPARSE_PLANTED"); \
      return planted != nullptr && std::string_view(planted) == name; \
    }();                                                              \
    return is_it;                                                     \
  }())
)";

std::string driver(std::size_t subjects) {
  std::string facts;
  for (std::size_t i = 0; i < subjects; ++i) {
    facts += fmt::format("    &kernel_{}::alphasparse::host::facts,\n", i);
  }
  return fmt::format(R"(
extern "C" const char* emitted_refusal(std::size_t subject, const char* path) {{
  using namespace alphasparse::host;
  static const FormatFacts* const all[] = {{
{}  }};
  static std::string reason;
  try {{
    load_format(path, *all[subject], true);
    return nullptr;
  }} catch (const BadFile& error) {{
    reason = error.what();
    return reason.c_str();
  }}
}}
)",
                     facts);
}

std::string loaders_source(bool planted) {
  std::vector<std::string> sources;
  for (const FormatSubject& subject : format_subjects()) {
    StandaloneInfo info;
    info.name = info.prefix = "a";  // of format_subjects
    const host::Header header = header_of(subject.file);
    info.fingerprints = {header.text("pattern"), header.text("values")};
    sources.push_back(loader_source(subject.kernel, info));
  }
  std::string text = joined_sources(sources);
  if (planted) {
    for (const Fault& fault : faults) plant(text, fault);
  }
  // The tool has the same names: these are others.
  return (planted ? is_planted : "") + std::string("#define alphasparse emitted\n") + text +
         driver(sources.size());
}

}  // namespace
}  // namespace alphasparse

int main(int argument_count, char** arguments) {
  const bool planted = argument_count > 2 && std::strcmp(arguments[2], "planted") == 0;
  alphasparse::set_contents(arguments[1], alphasparse::loaders_source(planted));
}
