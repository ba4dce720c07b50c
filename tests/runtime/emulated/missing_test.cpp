// missing_test: the message where the emulated device cannot be opened.
#include <gtest/gtest.h>

#include <cstdlib>

#include "runtime/emulated/device.h"
#include "runtime/emulated/gpu_models.h"

namespace alphasparse {
namespace {

/// A variable of the environment, for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

void expect_error(const std::string& gpu, ExitCode code, const std::string& said) {
  try {
    open_emulated_device(gpu);
    FAIL() << "opened emulated:" << gpu;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
  }
}

TEST(EmulatedDevice, SaysWhatIsMissing) {
  expect_error("k80", ExitCode::bad_input, "h200, a100, h100, rtx4090");
  {
    const Variable compiler("ALPHASPARSE_CXX", "/nowhere/g++");
    expect_error("h200", ExitCode::no_device, "install g++ 12 or later");
  }
  {
    const Variable compiler("ALPHASPARSE_CXX", "/bin/true");
    expect_error("h200", ExitCode::no_device, "/bin/true is none; install g++ 12 or later");
  }
  {
    const Variable emulator("ALPHASPARSE_EMULATOR", "/nowhere/alphasparse-emulator");
    expect_error("h200", ExitCode::no_device, "ALPHASPARSE_EMULATOR");
  }
}

TEST(EmulatedDevice, SaysWhoItIs) {
  for (const GpuModel& gpu : gpu_models()) {
    const DeviceInfo info = open_emulated_device(gpu.name)->info();
    EXPECT_EQ(info.name, "emulated:" + gpu.name);
    EXPECT_EQ(info.kind, TimeKind::modelled);
    EXPECT_TRUE(info.version.starts_with(gpu_models_version));
    EXPECT_EQ(info.fit, gpu.fit);
    EXPECT_TRUE(info.version.ends_with(gpu.fit));
    EXPECT_EQ(info.arch, gpu.arch);
  }
}

}  // namespace
}  // namespace alphasparse
