// trial_deadline: a design that the deadline ends while it is built has no outcome.
// ctest label: emulator
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "runtime/emulated/device.h"
#include "search/trial/trial.h"
#include "tests/support/small_matrices.h"

namespace alphasparse {
namespace {

TEST(TrialDeadline, ADesignThatItEndsHasNoOutcome) {
  const Matrix matrix = scattered(1'000'003);
  const std::unique_ptr<Device> device = open_emulated_device("h200");
  Trial trial(matrix, *device, {});
  // Refused, but only behind a step that takes many times the deadline.
  const Subject subject = Subject::read("reorder by=rcm | compress").value();
  const auto soon = [] { return Deadline{Deadline::after(0.005), nullptr}; };
  int found = 0;
  trial.run(Subjects{subject}, soon(), 0, [&](const Measurement&) { ++found; });
  EXPECT_EQ(found, 0);
  EXPECT_EQ(trial.run(subject, soon()).status, Status::timeout);
  EXPECT_EQ(trial.run(subject, {}).status, Status::pruned);
}

}  // namespace
}  // namespace alphasparse
