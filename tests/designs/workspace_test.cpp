// ctest label: emulator
// workspace: scratch memory between launches on the emulator. No unwritten memory is read, two
// tiles never write one slot, and sums are the same bits for each order of the lanes.
#include <gtest/gtest.h>

#include "operators/designer.h"
#include "runtime/device/verify.h"
#include "runtime/emulated/device.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

const char* const design =
    "compress | warp_nnz nnz=64 | thread_nnz nnz=2 | thread_bitmap | warp_segment | global_carry | "
    "launch threads=64";
const std::string writes = "carry[2 * tile + is_last] = sum;";

/// Runs the same case in both lane orders, the second with `beta`, where `from` in the source has
/// become `to`.
Result<std::vector<SpmvOutcome>> run(const std::string& from, const std::string& to,
                                     double beta = 0) {
  const Matrix matrix = battery().back().matrix;
  Kernel kernel = *Designer(matrix).build(design, Dtype::f32);
  const std::size_t at = kernel.source.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  kernel.source.replace(at, from.size(), to);
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  auto loaded = device->load(kernel);
  if (!loaded) return loaded.failure();
  std::vector<SpmvCase> cases = {rounded_case(kernel, 1), rounded_case(kernel, 1)};
  cases[0].scaling.beta = 0;
  cases[1].scaling.beta = beta;
  cases[1].lanes_reversed = true;
  return (*loaded)->run(cases);
}

void expect_said(const Result<std::vector<SpmvOutcome>>& outcomes, const std::string& words) {
  ASSERT_FALSE(outcomes.ok());
  EXPECT_NE(outcomes.reason().find(words), std::string::npos) << outcomes.reason();
}

TEST(Workspaces, CarriesAreTheSameBitsInEveryOrder) {
  const auto outcomes = run(writes, writes);
  ASSERT_TRUE(outcomes.ok()) << outcomes.reason();
  EXPECT_EQ((*outcomes)[0].y, (*outcomes)[1].y);
}

TEST(Workspaces, WhatNoLaunchHasWrittenIsNotRead) {
  expect_said(run(writes, "if (tile != 3) " + writes), "uninitialised read: carry[6]");
}

// The first case writes every slot; the second leaves two out.
TEST(Workspaces, AreEmptyAgainWhenACaseBegins) {
  const std::string call = "global_carry(f.carry(), warp";
  const std::string guarded = "if (warp != 3 || out.beta == 0) " + call;
  EXPECT_TRUE(run(call, guarded).ok());
  expect_said(run(call, guarded, 2), "uninitialised read: carry[6]");
}

TEST(Workspaces, RacesInThemAreFound) {
  expect_said(run("carry[2 * tile + is_last]", "carry[is_last]"), "race: write of carry[");
}

}  // namespace
}  // namespace alphasparse
