#include "runtime/matrices/matrix_names.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace alphasparse {

namespace {

constexpr std::array<std::string_view, 4> packings = {".gz", ".bz2", ".xz", ".zst"};
constexpr std::array<std::string_view, 7> archives = {".tar", ".tgz",  ".tbz", ".tbz2",
                                                      ".txz", ".tzst", ".zip"};
constexpr std::array<std::string_view, 15> matrices = {".mtx", ".npz", ".petsc", ".mat", ".smtx",
                                                       ".rb",  ".rua", ".rsa",   ".rza", ".rra",
                                                       ".pua", ".psa", ".pra",   ".iua", ".isa"};

template <class Endings>
bool cut_ending(std::string& name, const Endings& endings) {
  for (const std::string_view ending : endings) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) continue;
    name.resize(name.size() - ending.size());
    return true;
  }
  return false;
}

bool is_archives_name(std::string name) {
  cut_ending(name, packings);
  return cut_ending(name, archives);
}

}  // namespace

MatrixPlace matrix_place(const std::string& text) {
  std::error_code error;
  if (std::filesystem::exists(text, error)) return {text, ""};
  for (std::size_t colon = text.rfind(':'); colon != text.npos && colon > 0;
       colon = text.rfind(':', colon - 1)) {
    const std::string file = text.substr(0, colon);
    if (std::filesystem::is_regular_file(file, error)) return {file, text.substr(colon + 1)};
  }
  return {text, ""};
}

bool has_matrix_ending(std::string_view name) {
  std::string cut(name);
  cut_ending(cut, packings);
  return cut_ending(cut, matrices) || cut_ending(cut, archives);
}

const char* matrix_endings() {
  return ".mtx, .npz, .petsc, .mat, .smtx, .rb, .rua, ..., .tar or .zip, packed or not";
}

std::string stem_of_name(const std::string& name) {
  std::string stem = std::filesystem::path(name).filename().string();
  cut_ending(stem, packings);
  cut_ending(stem, archives);
  cut_ending(stem, matrices);
  return stem.empty() ? "matrix" : stem;
}

std::string matrix_stem(const std::string& path) {
  const auto [file, member] = matrix_place(path);
  if (member.empty()) return stem_of_name(file);
  if (is_archives_name(file)) return stem_of_name(member);
  std::string name = stem_of_name(file) + "_" + member;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '.' || c == ':'; }, '_');
  return name;
}

}  // namespace alphasparse
