#include "runtime/system/machine/control_groups.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace alphasparse {

namespace fs = std::filesystem;

namespace {

/// A tree of groups: which part of it is mounted, and where.
struct Tree {
  std::string top;  ///< the group that the folder shows, "/" for all
  fs::path folder;
};

/// Whether a list such as "cpu,cpuacct" has the word.
bool lists(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// "\040" is how mountinfo writes a blank.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// The trees of a controller of version 1, or of version 2 where it is empty: those that are
/// mounted, and the usual places.
std::vector<Tree> list_trees(const fs::path& root, std::string_view controller) {
  std::vector<Tree> trees;
  std::ifstream mounts(root / "proc/self/mountinfo");
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream tokens(line);
    std::string skipped, top, folder, type, source, options;
    tokens >> skipped >> skipped >> skipped >> top >> folder;
    while (tokens >> skipped && skipped != "-") {
    }
    if (!(tokens >> type >> source >> options)) continue;
    const bool is_ours =
        controller.empty() ? type == "cgroup2" : type == "cgroup" && lists(options, controller);
    if (is_ours)
      trees.push_back({unescaped(top), root / fs::path(unescaped(folder)).relative_path()});
  }
  const fs::path usual = root / "sys/fs/cgroup";
  if (controller.empty()) {
    trees.insert(trees.end(), {{"/", usual}, {"/", usual / "unified"}});
  } else {
    trees.push_back({"/", usual / controller});
    if (controller == "cpu") trees.push_back({"/", usual / "cpu,cpuacct"});
  }
  return trees;
}

/// Our group in the tree of a controller; empty where there is none.
std::string own_group(const fs::path& root, std::string_view controller) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string_view controllers(line.data() + first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : lists(controllers, controller))
      return line.substr(second + 1);
  }
  return "";
}

/// Where a group lies in a tree. A group outside of the visible tree, as of a container that has a
/// root of its own, is the tree's top.
fs::path locate_group(const Tree& tree, const std::string& group) {
  const std::string top = tree.top == "/" ? "" : tree.top;
  const bool is_shown = group.starts_with(top) && group.find("/..") == std::string::npos &&
                        (group.size() == top.size() || group[top.size()] == '/');
  return is_shown ? tree.folder / fs::path(group.substr(top.size())).relative_path() : tree.folder;
}

/// The folders of our group and of those above it, in all trees of a controller.
std::vector<fs::path> group_folders(const fs::path& root, std::string_view controller) {
  std::vector<fs::path> folders;
  const std::string group = own_group(root, controller);
  for (const Tree& tree : list_trees(root, controller)) {
    fs::path folder = locate_group(tree, group);
    if (!folder.has_filename()) folder = folder.parent_path();  // of "group/"
    for (; folder != tree.folder && folder.has_relative_path(); folder = folder.parent_path())
      folders.push_back(folder);
    folders.push_back(tree.folder);
  }
  return folders;
}

/// The number that a file holds; none where it is missing or says "max".
std::optional<double> read_number(const fs::path& file) {
  double number = 0;
  return std::ifstream(file) >> number ? std::optional(number) : std::nullopt;
}

/// The value of a line "KEY VALUE"; 0 where there is none.
double read_value(const fs::path& file, std::string_view wanted) {
  std::ifstream lines(file);
  double value = 0;
  for (std::string key; lines >> key >> value;) {
    if (key == wanted) return value;
  }
  return 0;
}

/// The files of one version.
struct MemoryFiles {
  std::string_view controller, limit, used, reclaimable;
};

constexpr MemoryFiles memory_files[] = {
    {"", "memory.max", "memory.current", "inactive_file"},
    {"", "memory.high", "memory.current", "inactive_file"},
    {"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}};

constexpr double no_limit_bytes = 1e18;  // version 1 writes the largest number of pages for none

/// The processor time of each period that may be used, in periods; none where that is all.
std::optional<double> read_cores(const fs::path& folder, bool is_version_2, fs::path& file) {
  std::optional<double> quota, period;
  if (is_version_2) {
    file = folder / "cpu.max";
    quota = read_number(file);  // before "max" there is none
    std::string skipped;
    double number = 0;
    if (quota && std::ifstream(file) >> skipped >> number) period = number;
  } else {
    file = folder / "cpu.cfs_quota_us";
    quota = read_number(file);
    period = read_number(folder / "cpu.cfs_period_us");
  }
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

}  // namespace

std::optional<GroupMemory> group_memory(const fs::path& root) {
  std::optional<GroupMemory> least;
  for (const MemoryFiles& files : memory_files) {
    for (const fs::path& folder : group_folders(root, files.controller)) {
      const fs::path file = folder / files.limit;
      const std::optional<double> limit = read_number(file);
      if (!limit || *limit >= no_limit_bytes) continue;
      // Unused pages of files make room for others.
      const double used = read_number(folder / files.used).value_or(0) -
                          read_value(folder / "memory.stat", files.reclaimable);
      const double left = std::max(0.0, *limit - std::max(0.0, used));
      if (!least || left < static_cast<double>(least->bytes_left))
        least = GroupMemory{static_cast<std::int64_t>(left), file.string()};
    }
  }
  return least;
}

std::optional<GroupCores> group_cores(const fs::path& root) {
  std::optional<GroupCores> least;
  for (const bool is_version_2 : {true, false}) {
    for (const fs::path& folder : group_folders(root, is_version_2 ? "" : "cpu")) {
      fs::path file;
      const std::optional<double> cores = read_cores(folder, is_version_2, file);
      if (cores && (!least || *cores < least->cores)) least = GroupCores{*cores, file.string()};
    }
  }
  return least;
}

}  // namespace alphasparse
