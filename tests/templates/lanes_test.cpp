// Every device fragment is there for CPUs too, under the same name, or is refused there for a
// reason that stands here.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "templates/templates.h"

namespace alphasparse {
namespace {

/// The names of the files of a folder of templates.
std::set<std::string> names_in(const std::string& folder, const std::string& suffix) {
  std::set<std::string> names;
  for (const Template& file : embedded_templates()) {
    const std::string path(file.path);
    if (!path.starts_with(folder + "/") || !path.ends_with(suffix)) continue;
    names.insert(path.substr(folder.size() + 1, path.size() - folder.size() - 1 - suffix.size()));
  }
  return names;
}

const std::map<std::string, std::string> refused = {
    {"carry_total", "tasks carry what they share by themselves: global_carry is refused"},
    {"global_carry", "tasks carry what they share by themselves"},
    {"full_warp", "a gang needs no mask to meet"},
    {"mirror_add", "symmetric_half is refused: images would go to rows of other tasks"},
    {"shared_offset", "a core has no threads that share memory"},
    {"shared_segment", "a core has no threads that share memory"},
    {"shared_total", "a core has no threads that share memory"},
    {"stage_x", "a cache holds the slice of x already"},
    {"warp_segment_one_row", "one core goes through the lanes in order: there is no faster path"},
    {"warp_segment_prefix", "one core goes through the lanes in order: prefix sums lose digits"},
};

/// What only CPUs have.
const std::set<std::string> own = {"gather", "gather_or_zero", "part", "team", "words"};

TEST(Lanes, EveryFragmentIsPairedOrRefused) {
  const std::set<std::string> fragments = names_in("fragments", ".cuh");
  const std::set<std::string> lanes = names_in("lanes", ".h");
  ASSERT_GT(fragments.size(), 20u);
  for (const std::string& name : fragments) {
    EXPECT_NE(lanes.contains(name), refused.contains(name))
        << name << ": write templates/lanes/" << name << ".h, or say here why CPUs refuse it";
  }
  for (const auto& [name, why] : refused) {
    EXPECT_TRUE(fragments.contains(name)) << name << " is no fragment any more";
    EXPECT_FALSE(why.empty());
  }
}

TEST(Lanes, WhatCpusAloneHaveIsListed) {
  const std::set<std::string> fragments = names_in("fragments", ".cuh");
  for (const std::string& name : names_in("lanes", ".h")) {
    EXPECT_NE(fragments.contains(name), own.contains(name)) << name;
  }
}

}  // namespace
}  // namespace alphasparse
