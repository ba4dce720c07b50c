#include "runtime/matrices/matrix_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "base/c_names.h"
#include "base/result.h"

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> packings = {".gz", ".bz2", ".xz", ".zst"};
constexpr std::array<std::string_view, 7> archives = {".tar", ".tgz",  ".tbz", ".tbz2",
                                                      ".txz", ".tzst", ".zip"};
constexpr std::array<std::string_view, 15> matrices = {".mtx", ".npz", ".petsc", ".mat", ".smtx",
                                                       ".rb",  ".rua", ".rsa",   ".rza", ".rra",
                                                       ".pua", ".psa", ".pra",   ".iua", ".isa"};

template <class Endings>
bool drop_ending(std::string& name, const Endings& endings) {
  for (const std::string_view ending : endings) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    return true;
  }
  return false;
}

bool is_archives_name(std::string name) {
  drop_ending(name, packings);
  return drop_ending(name, archives);
}

/// The path of a matrix from the root on, its place in an archive included.
fs::path whole_path(const std::string& path) {
  const auto [file, member] = locate_matrix(path);
  const bool is_member = !member.empty() && is_archives_name(file);
  const fs::path location = is_member ? fs::path(file) / member : fs::path(path);
  std::error_code no_folder;  // the current one
  const fs::path whole = fs::absolute(location, no_folder);
  return (no_folder ? location : whole).lexically_normal();
}

/// With the names of so many of its folders, as far as there are more, before its stem.
std::string name_in_folders(const std::string& path, int folders) {
  std::string name = matrix_stem(path);
  for (fs::path at = whole_path(path).parent_path(); folders > 0 && at.has_filename(); --folders) {
    std::string folder = stem_of_name(at);
    folder.erase(0, folder.find_first_not_of('.'));  // no hidden file
    name = folder + "_" + name;
    at = at.parent_path();
  }
  return name;
}

}  // namespace

bool is_hidden(const std::string& path) {
  const fs::path parts(path);
  return std::any_of(parts.begin(), parts.end(), [](const fs::path& part) {
    return part.string().starts_with('.') && part != "." && part != "..";
  });
}

MatrixLocation locate_matrix(const std::string& text) {
  std::error_code error;
  if (std::filesystem::exists(text, error)) return {text, ""};
  for (std::size_t colon = text.rfind(':'); colon != text.npos && colon > 0;
       colon = text.rfind(':', colon - 1)) {
    const std::string file = text.substr(0, colon);
    if (file == standard_input || fs::is_regular_file(file, error))
      return {file, text.substr(colon + 1)};
  }
  return {text, ""};
}

bool has_matrix_ending(std::string_view name) {
  std::string stem(name);
  drop_ending(stem, packings);
  return drop_ending(stem, matrices) || drop_ending(stem, archives);
}

const char* matrix_endings() {
  return ".mtx, .npz, .petsc, .mat, .smtx, .rb, .rua, ..., .tar or .zip, packed or not";
}

std::string stem_of_name(const std::string& name) {
  std::string stem = std::filesystem::path(name).filename().string();
  drop_ending(stem, packings);
  drop_ending(stem, archives);
  drop_ending(stem, matrices);
  return stem.empty() ? "matrix" : stem;
}

std::string matrix_stem(const std::string& path) {
  const auto [file, member] = locate_matrix(path);
  if (member.empty()) return stem_of_name(file);
  if (is_archives_name(file)) return stem_of_name(member);
  std::string name = stem_of_name(file) + "_" + member;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '.' || c == ':'; }, '_');
  return name;
}

std::vector<std::string> distinct_names(const std::vector<std::string>& paths) {
  constexpr int folders_most = 100;
  std::vector<std::string> names(paths.size());
  std::set<std::string> prefixes;
  for (int folders = 0; folders < folders_most; ++folders) {
    std::map<std::string, std::vector<std::size_t>> unnamed;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (names[i].empty()) unnamed[c_prefix(name_in_folders(paths[i], folders))].push_back(i);
    }
    for (const auto& [prefix, equal] : unnamed) {
      if (equal.size() == 1 && prefixes.insert(prefix).second)
        names[equal.front()] = name_in_folders(paths[equal.front()], folders);
    }
  }
  std::map<std::string, std::string> known;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (names[i].empty()) names[i] = matrix_stem(paths[i]);
    const auto [first, is_new] = known.emplace(names[i], paths[i]);
    if (is_new) continue;
    throw Error(
        fmt::format("{} and {} would write the same files; name one, or tune them in two calls, "
                    "each with an -o of its own",
                    first->second, paths[i]));
  }
  return names;
}

}  // namespace alphasparse
