// Every device fragment is there for CPUs too, under the same name, or is refused there for a
// reason that stands here.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tests/support/fragment_names.h"

namespace alphasparse {
namespace {

const std::map<std::string, std::string> refused = {
    {"carry_total", "tasks carry what they share by themselves: global_carry is refused"},
    {"global_carry", "tasks carry what they share by themselves"},
    {"full_warp", "a gang needs no mask to meet"},
    {"mirror_add", "thread_total_mirrored and thread_total_band_mirrored add images"},
    {"shared_offset", "a core has no threads that share memory"},
    {"shared_segment", "a core has no threads that share memory"},
    {"shared_total", "a core has no threads that share memory"},
    {"later_heads", "one core goes through the lanes in order"},
    {"stage_path", "a core reads its entries and its rows one after the other anyway"},
    {"thread_total_count", "a gang's loop is the host compiler's to unroll"},
    {"thread_total_once", "a gang's loop ends by itself behind one term"},
    {"add_batch", "a core runs ahead of additions by itself"},
    {"thread_total_batch", "a core runs ahead of additions by itself: only batch=1 is there"},
    {"thread_total_band_wide", "a gang loads the values of its lanes at once"},
    {"thread_total_band_wide_gaps", "a gang loads the values of its lanes at once"},
    {"thread_total_lanes_batch", "a core runs ahead of additions by itself"},
    {"thread_bitmap_wide", "a gang loads entries side by side: only vector=1 is there"},
    {"finite_number", "exponent_bits has it for lanes"},
    {"stage_x", "a cache holds the slice of x already"},
    {"warp_segment_one_row", "one core goes through the lanes in order: there is no faster path"},
    {"warp_segment_prefix", "one core goes through the lanes in order: prefix sums lose digits"},
};

/// The fragments that only CPUs have.
const std::set<std::string> own = {"asked",
                                   "bits_of_run",
                                   "chosen",
                                   "chunks",
                                   "copied_rows",
                                   "diagonal",
                                   "exponent_bits",
                                   "gang",
                                   "gang_values",
                                   "gather",
                                   "gather_by_hardware",
                                   "gather_or_zero",
                                   "gather_runs",
                                   "ints",
                                   "macros",
                                   "multiply_rows",
                                   "opened_team",
                                   "own_output",
                                   "part",
                                   "runs",
                                   "team",
                                   "thread_total_band_mirrored",
                                   "thread_total_band_runs",
                                   "thread_total_band_runs_gaps",
                                   "thread_total_mirrored",
                                   "thread_total_mix",
                                   "value",
                                   "vectors",
                                   "wide",
                                   "word_arithmetic",
                                   "word_masks",
                                   "words"};

TEST(Lanes, EveryFragmentIsPairedOrRefused) {
  const std::set<std::string> fragments = fragments_of_gpus();
  const std::set<std::string> lanes = fragments_of_cpus();
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
  const std::set<std::string> fragments = fragments_of_gpus();
  for (const std::string& name : fragments_of_cpus()) {
    EXPECT_NE(fragments.contains(name), own.contains(name)) << name;
  }
}

}  // namespace
}  // namespace alphasparse
