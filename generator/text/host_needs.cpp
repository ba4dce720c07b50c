#include "generator/text/host_needs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/result.h"

namespace alphasparse {

namespace {

bool is_needed(std::string_view name, const HostNeeds& needs) {
  if (name.starts_with('!')) return !is_needed(name.substr(1), needs);
  for (const auto& [known, needed] : {std::pair<std::string_view, bool>("mirrored", needs.mirrored),
                                      {"coded", needs.coded},
                                      {"singles", needs.singles},
                                      {"scratch", needs.scratch},
                                      {"f32", needs.f32},
                                      {"f64", needs.f64},
                                      {"shared", needs.shared}}) {
    if (name == known) return needed;
  }
  CHECK(!"a mark of a template with an unknown need");
  return false;
}

/// Whether one of the names, with a blank before each, is a need.
bool is_any_needed(std::string_view names, const HostNeeds& needs) {
  bool needed = false;
  while (!names.empty()) {
    names.remove_prefix(1);
    const std::string_view name = names.substr(0, names.find(' '));
    needed |= is_needed(name, needs);
    names.remove_prefix(name.size());
  }
  return needed;
}

/// A line without the question for the type of values in front of its statement.
std::string without_question(std::string_view line) {
  for (const std::string_view question : {"if (has_doubles(", "if (!has_doubles("}) {
    const std::size_t first = line.find(question);
    if (first == std::string_view::npos) continue;
    constexpr std::string_view end = ")) ";
    const std::size_t last = line.find(end, first);
    CHECK(last != std::string_view::npos);
    return std::string(line.substr(0, first)) + std::string(line.substr(last + end.size()));
  }
  return std::string(line);
}

}  // namespace

HostNeeds host_needs(const Kernel& kernel) {
  const auto any = [&](auto has) {
    return std::any_of(kernel.arrays.begin(), kernel.arrays.end(), has);
  };
  return {kernel.mirrored,
          any([](const Array& array) { return array.is_dictionary(); }),
          any([&](const Array& array) { return array.is_single(kernel.dtype); }),
          !kernel.workspaces.empty(),
          kernel.dtype == Dtype::f32,
          kernel.dtype == Dtype::f64,
          false};
}

std::string needed_lines(std::string_view text, const HostNeeds& needs) {
  std::string result;
  std::vector<bool> open;  // parts that this line lies in, and whether each is needed
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n') + 1);
    text.remove_prefix(line.size());
    const std::string_view mark = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    if (mark.starts_with("//[")) {
      open.push_back(is_any_needed(mark.substr(3, mark.size() - 4), needs));
    } else if (mark == "//]\n") {
      CHECK(!open.empty());
      open.pop_back();
    } else if (std::find(open.begin(), open.end(), false) == open.end()) {
      result += needs.f32 && needs.f64 ? std::string(line) : without_question(line);
    }
  }
  CHECK(open.empty());
  return result;
}

}  // namespace alphasparse
