// control_groups: the limits that control groups set for this process.
//
// Version 2 has one tree of groups, version 1 a tree for each controller. /proc/self/cgroup names
// our group in each of them, /proc/self/mountinfo tells where the trees are mounted. A limit holds
// for the groups below it too, so the smallest on the way to the root counts. A container may see
// its own group as the root; then the limit stands there.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace alphasparse {

/// The rest below the smallest limit, and the file that holds that limit.
struct GroupMemory {
  std::int64_t bytes_left = 0;
  std::string file;
};

/// Processors of which each period has so many, such as 1.5, and the file that says so.
struct GroupCores {
  double cores = 0;
  std::string file;
};

/// None where no group has a limit. Below `root` lie the folders proc and sys.
std::optional<GroupMemory> group_memory(const std::filesystem::path& root = "/");
std::optional<GroupCores> group_cores(const std::filesystem::path& root = "/");

}  // namespace alphasparse
