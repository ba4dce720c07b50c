#include "runtime/matrices/containers/companions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "base/printable.h"
#include "runtime/matrices/matrix_names.h"

namespace alphasparse {

namespace {

constexpr std::string_view endings[] = {"_b", "_x", "_c", "_z0", "_lo", "_hi", "_rhs", "_coord"};

std::string folder_and_stem(const std::string& path) {
  return (std::filesystem::path(path).parent_path() / stem_of_name(path)).string();
}

}  // namespace

std::vector<std::string> find_companions(const std::vector<std::string>& paths) {
  std::set<std::string> stems;
  for (const std::string& path : paths) stems.insert(folder_and_stem(path));
  std::vector<std::string> companions;
  for (const std::string& path : paths) {
    const std::string stem = folder_and_stem(path);
    const bool belongs = std::any_of(std::begin(endings), std::end(endings), [&](auto ending) {
      return stem.ends_with(ending) && stems.contains(stem.substr(0, stem.size() - ending.size()));
    });
    if (belongs) companions.push_back(path);
  }
  return companions;
}

std::string left_out_text(const std::vector<std::string>& names) {
  constexpr std::size_t shown_most = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < shown_most; ++i)
    text += (i == 0 ? "" : ", ") + printable(names[i]);
  if (names.size() > shown_most) text += fmt::format(" and {} more", names.size() - shown_most);
  return fmt::format("{} {} to a matrix beside {} and {} left out", text,
                     names.size() == 1 ? "belongs" : "belong", names.size() == 1 ? "it" : "them",
                     names.size() == 1 ? "is" : "are");
}

}  // namespace alphasparse
