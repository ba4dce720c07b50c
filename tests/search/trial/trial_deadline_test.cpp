// trial_deadline: a design that the deadline ends while it is built has no outcome.
// ctest label: emulator
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "runtime/emulated/device.h"
#include "search/trial/trial.h"

namespace alphasparse {
namespace {

/// One entry a row, in a column that is far from that of the next row.
Matrix scattered(std::int32_t rows) {
  Matrix matrix;
  matrix.rows = matrix.cols = rows;
  matrix.row_first = {0};
  for (std::int32_t row = 0; row < rows; ++row) {
    matrix.col.push_back(static_cast<std::int32_t>((std::int64_t{row} * 7919 + 1) % rows));
    matrix.value.push_back(1.0);
    matrix.row_first.push_back(row + 1);
  }
  return matrix;
}

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
