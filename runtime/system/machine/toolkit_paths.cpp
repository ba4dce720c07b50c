#include "runtime/system/machine/toolkit_paths.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>

namespace alphasparse {

namespace {

namespace fs = std::filesystem;

/// The program of that name in PATH, by its absolute path; nothing where no folder has it.
std::optional<fs::path> program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.starts_with('/')) continue;
    const fs::path file = fs::path(folder) / name;
    std::error_code unknown;
    if (fs::is_regular_file(file, unknown) && access(file.c_str(), X_OK) == 0) return file;
  }
  return std::nullopt;
}

/// The installations that a program belongs to: its own folder's parent, and that of the file that
/// it is a link to. A virtual environment of Python is a folder of links.
std::vector<fs::path> list_prefixes(const fs::path& program) {
  std::vector<fs::path> prefixes = {program.parent_path().parent_path()};
  std::error_code unknown;
  const fs::path file = fs::canonical(program, unknown);
  if (!unknown) prefixes.push_back(file.parent_path().parent_path());
  return prefixes;
}

/// The folders in `folder` with names that begin with `start`, in the order of their names.
std::vector<fs::path> list_folders(const fs::path& folder, std::string_view start = "") {
  std::vector<fs::path> found;
  std::error_code unknown;
  for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end;
       entry.increment(unknown)) {
    std::error_code absent;
    if (entry->path().filename().string().starts_with(start) && entry->is_directory(absent))
      found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// NVIDIA's toolkit has its libraries in lib64, conda's packages of it in lib.
void add_libraries(const fs::path& toolkit, std::vector<fs::path>& folders) {
  for (const char* const folder : {"lib64", "lib"}) folders.push_back(toolkit / folder);
}

void add_toolkit_of_nvcc(std::vector<fs::path>& folders) {
  const std::optional<fs::path> nvcc = program_in_path("nvcc");
  if (!nvcc) return;
  for (const fs::path& prefix : list_prefixes(*nvcc)) add_libraries(prefix, folders);
}

/// The installations into which the pip of the python3 of PATH installs; none without a python3.
std::vector<fs::path> prefixes_of_pip() {
  const std::optional<fs::path> python = program_in_path("python3");
  if (!python) return {};
  std::vector<fs::path> prefixes = list_prefixes(*python);
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') prefixes.push_back(fs::path(home) / ".local");
  prefixes.push_back("/usr/local");  // of Debian's pip
  return prefixes;
}

/// Pip's packages of NVIDIA's: lib/python3.X/site-packages/nvidia/NAME/lib in each installation.
void add_packages_of_python(std::vector<fs::path>& folders) {
  for (const fs::path& prefix : prefixes_of_pip()) {
    for (const fs::path& version : list_folders(prefix / "lib", "python3")) {
      for (const char* const packages : {"site-packages", "dist-packages"}) {
        for (const fs::path& package : list_folders(version / packages / "nvidia"))
          folders.push_back(package / "lib");
      }
    }
  }
}

/// The files by their names alone, then in each folder; no path twice.
std::vector<std::string> find_paths(const std::vector<fs::path>& folders,
                                    const std::vector<std::string>& files) {
  std::vector<std::string> paths = files;
  for (const fs::path& folder : folders) {
    for (const std::string& file : files) {
      const std::string path = (folder / file).string();
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    }
  }
  return paths;
}

/// Those that a variable names between colons.
std::vector<std::string> named_paths(const char* variable) {
  std::vector<std::string> paths;
  const char* const named = std::getenv(variable);
  std::istringstream text(named == nullptr ? "" : named);
  for (std::string path; std::getline(text, path, ':');) paths.push_back(path);
  return paths;
}

/// The value of a variable that is set, as a folder.
void add_folder(const char* variable, const char* library_folder, std::vector<fs::path>& folders) {
  const char* const home = std::getenv(variable);
  if (home != nullptr && *home != '\0') folders.push_back(fs::path(home) / library_folder);
}

}  // namespace

std::vector<std::string> toolkit_paths(const char* variable,
                                       const std::vector<std::string>& files) {
  if (std::vector<std::string> named = named_paths(variable); !named.empty()) return named;
  std::vector<fs::path> folders;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"}) {
    const char* const home = std::getenv(variable);
    if (home != nullptr && *home != '\0') add_libraries(home, folders);
  }
  folders.emplace_back("/usr/local/cuda/lib64");
  add_toolkit_of_nvcc(folders);
  add_packages_of_python(folders);
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back(program.parent_path());
  return find_paths(folders, files);
}

std::vector<std::string> rocm_paths(const char* variable, const std::vector<std::string>& files) {
  if (std::vector<std::string> named = named_paths(variable); !named.empty()) return named;
  std::vector<fs::path> folders;
  for (const char* const home : {"ROCM_PATH", "HIP_PATH"}) add_folder(home, "lib", folders);
  folders.emplace_back("/opt/rocm/lib");
  return find_paths(folders, files);
}

std::vector<std::string> python_library_paths(const std::vector<std::string>& files) {
  std::vector<fs::path> folders;
  for (const fs::path& prefix : prefixes_of_pip()) folders.push_back(prefix / "lib");
  std::vector<std::string> paths = find_paths(folders, files);
  std::erase_if(paths, [](const std::string& path) {
    return path.starts_with('/') && access(path.c_str(), F_OK) != 0;
  });
  return paths;
}

}  // namespace alphasparse
