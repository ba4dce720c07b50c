#include "runtime/compilers/eigen.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "runtime/device/baseline_library.h"
#include "runtime/system/processes/child_process.h"

namespace alphasparse {

namespace {

/// The folder that pkg-config prints; empty where it prints nothing, or a folder that is not
/// absolute.
std::string packaged_folder() {
  ChildOptions options;
  options.seconds_max = 5;
  options.folder = "/";
  const ChildResult answer = run_child({"pkg-config", "--cflags-only-I", "eigen3"}, options);
  if (!answer.succeeded() || !answer.output.starts_with("-I")) return "";
  std::string folder;
  std::istringstream(answer.output.substr(2)) >> folder;
  return folder.starts_with('/') ? folder : "";
}

std::vector<std::string> paths() {
  const char* const named = std::getenv("ALPHASPARSE_EIGEN");
  if (named && *named) return {std::filesystem::absolute(named).string()};
  std::vector<std::string> folders;
  if (const std::string folder = packaged_folder(); !folder.empty()) folders.push_back(folder);
  folders.insert(folders.end(), {"/usr/include/eigen3", "/usr/local/include/eigen3"});
  return folders;
}

/// "3.4.0" of the lines "#define EIGEN_WORLD_VERSION 3" and so on.
std::string read_version(const std::filesystem::path& folder) {
  std::string parts[3];
  for (const char* const name : {"Eigen/src/Core/util/Macros.h", "Eigen/Version"}) {
    std::ifstream file(folder / name);
    for (std::string line; std::getline(file, line);) {
      std::istringstream tokens(line);
      std::string define, macro, value;
      tokens >> define >> macro >> value;
      if (define != "#define") continue;
      if (macro == "EIGEN_WORLD_VERSION") parts[0] = value;
      if (macro == "EIGEN_MAJOR_VERSION") parts[1] = value;
      if (macro == "EIGEN_MINOR_VERSION") parts[2] = value;
    }
  }
  return fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
}

Result<EigenHeaders> find_eigen() {
  const std::vector<std::string> folders = paths();
  for (const std::string& folder : folders) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::path(folder) / "Eigen/SparseCore", error)) {
      return EigenHeaders{folder, read_version(folder)};
    }
  }
  return library_missing("Eigen",
                         fmt::format("looked for Eigen/SparseCore in {}", fmt::join(folders, ", ")),
                         "name its folder in ALPHASPARSE_EIGEN");
}

}  // namespace

const Result<EigenHeaders>& eigen_headers() {
  static const Result<EigenHeaders> found = find_eigen();
  return found;
}

}  // namespace alphasparse
