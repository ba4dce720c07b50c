// hip_driver: why HIP sees no GPU.
#include "runtime/hip/driver.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/files.h"

namespace alphasparse {
namespace {

TEST(HipDriver, TellsTheCauseThatHidesGpus) {
  const TestFolder folder;
  const std::string device = (folder / "kfd").string();
  EXPECT_TRUE(contains(no_hip_gpu_reason(device), "kfd is missing: load the kernel module amdgpu"));
  set_contents(device, "");
  EXPECT_EQ(no_hip_gpu_reason(device), "");
  setenv("HIP_VISIBLE_DEVICES", "", 1);
  EXPECT_EQ(no_hip_gpu_reason(device), "HIP_VISIBLE_DEVICES=\"\" hides GPUs: unset it");
  unsetenv("HIP_VISIBLE_DEVICES");
  if (geteuid() == 0) GTEST_SKIP() << "skipped in part: root may use every file";
  chmod(device.c_str(), 0);
  EXPECT_TRUE(contains(no_hip_gpu_reason(device), "kfd may not be used: join its groups"));
}

}  // namespace
}  // namespace alphasparse
