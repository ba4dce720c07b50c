// trial: a design that was tried, its twin, and forgotten results.
// ctest label: emulator
#include "search/trial/trial.h"

#include <gtest/gtest.h>

#include "runtime/emulated/device.h"
#include "tests/support/battery.h"

namespace alphasparse {
namespace {

TEST(Trial, WhatIsForgottenIsTriedAgain) {
  const std::string rest =
      " | compress | thread_rows rows=1 | thread_total | global_store | launch threads=64";
  const std::string whole = "sort_rows" + rest;
  const std::string bands = "sort_rows_in_bands rows=100000" + rest;  // one band: the same order
  const Matrix matrix = battery_matrix("power_law");
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  Trial trial(matrix, *device, {});
  EXPECT_EQ(trial.run(whole, {}).status, Status::ok);
  EXPECT_EQ(trial.run(bands, {}).status, Status::duplicate);
  trial.forget({CanonicalDesign::read(whole).value()});
  EXPECT_EQ(trial.run(bands, {}).status, Status::ok);
  EXPECT_EQ(trial.run(whole, {}).status, Status::duplicate);
}

}  // namespace
}  // namespace alphasparse
