// fake_gpu: the environment of a test that runs the measured path on the fakes of a maker's
// libraries.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fake_driver.h"
#include "tests/support/files.h"

namespace alphasparse {

/// During a test, every process that it starts finds the fakes, and keeps compiled kernels in a
/// folder of its own. So does the test's own process where it has not looked for a GPU yet. Skipped
/// where there is no g++ to compile them.
class FakeGpuTest : public testing::Test {
 protected:
  explicit FakeGpuTest(const FakeMaker& maker = cuda_maker);
  ~FakeGpuTest() override;
  void SetUp() override;

  /// Lets kernels go wrong as tests/fakes/fake_faults.h says; empty: none.
  static void script(const std::string& faults);

  TestFolder folder;
};

}  // namespace alphasparse
