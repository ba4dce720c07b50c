// fake_gpu: the environment of a test that runs the measured path on the doubles of NVIDIA's
// libraries.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/files.h"

namespace alphasparse {

/// For a test's life, every process that it starts, and its own where that has not looked for a GPU
/// yet, finds the doubles, and keeps compiled kernels in a folder of its own. Skipped where there
/// is no g++ to compile them.
class FakeGpuTest : public testing::Test {
 protected:
  FakeGpuTest();
  ~FakeGpuTest() override;
  void SetUp() override;

  /// Lets kernels go wrong as tests/fakes/fake_faults.h says; empty: none.
  static void script(const std::string& faults);

  TestFolder folder;
};

}  // namespace alphasparse
