#include "tests/support/fake_gpu.h"

#include <cstdlib>

#include "base/result.h"
#include "runtime/compilers/host_compiler.h"

namespace alphasparse {

namespace {

constexpr const char* places[] = {"ALPHASPARSE_CACHE",   "ALPHASPARSE_DB",  "FAKE_GPU_FAULTS",
                                  "FAKE_VENDOR_SECONDS", "FAKE_GPU_BROKEN", "FAKE_GPU_HANGS_WHILE"};

}  // namespace

FakeGpuTest::FakeGpuTest(const FakeMaker& maker) {
  for (const auto& [variable, file] : maker.libraries) setenv(variable, file, 1);
  setenv("ALPHASPARSE_KERNEL_SECONDS", "120", 1);  // of a machine with other work
  setenv("ALPHASPARSE_CACHE", (folder / "cache").c_str(), 1);
  setenv("ALPHASPARSE_DB", (folder / "own.db").c_str(), 1);
  setenv("FAKE_GPU_BROKEN", (folder / "broken-rules").c_str(), 1);
}

FakeGpuTest::~FakeGpuTest() {
  for (const char* const name : places) unsetenv(name);
  for (const FakeMaker* const maker : {&cuda_maker, &hip_maker})
    for (const auto& [variable, file] : maker->libraries) unsetenv(variable);
  EXPECT_EQ(contents(folder / "broken-rules"), "") << "rules of the driver that were broken";
}

void FakeGpuTest::SetUp() {
  try {
    find_host_compiler();
  } catch (const Error& error) {
    GTEST_SKIP() << "skipped: " << error.what();
  }
}

void FakeGpuTest::script(const std::string& faults) {
  setenv("FAKE_GPU_FAULTS", faults.c_str(), 1);
}

}  // namespace alphasparse
